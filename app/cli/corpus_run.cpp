// SPDX-License-Identifier: GPL-3.0-or-later
// Runs inputs on several threads and hands the results over in index order.
#include <exception>
#include <vector>

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include "app/cli/corpus.h"

namespace plumbline::cli {
namespace {

/// One input on its way through the pipeline.
struct Item {
    std::uint64_t index = 0;
    Bytes input;
    ItemResult result;
    std::exception_ptr error; ///< why there is no result
};
} // namespace

void runCorpus(const CorpusInputs& inputs, IndexRange range, unsigned jobs, const RunItem& run,
               const TakeItem& take, const std::stop_token& stop) {
    constexpr std::size_t kItemsPerThread = 4;
    // Owned here, since a pipeline that ends early drops what is on its way. At most so many are on
    // their way, and they end in order; so an item's place is free when it comes round.
    std::vector<Item> items(kItemsPerThread * jobs);
    std::uint64_t started = 0;
    const auto next = [&](tbb::flow_control& control) -> Item* {
        if (started == range.count || stop.stop_requested()) {
            control.stop();
            return nullptr;
        }
        Item& item = items[static_cast<std::size_t>(started % items.size())];
        item = {};
        item.index = range.first + started++;
        return &item;
    };
    const auto runOne = [&](Item* item) {
        try {
            item->input = inputs.read(item->index);
            item->result = run(item->index, item->input, stop);
        } catch (...) { // waits for its turn, so that the lowest index decides what is reported
            item->error = std::current_exception();
        }
        return item;
    };
    const auto takeOne = [&](Item* item) {
        if (item->error)
            std::rethrow_exception(item->error);
        take(item->index, item->input, item->result);
    };
    using tbb::filter_mode;
    const auto pipeline = tbb::make_filter<void, Item*>(filter_mode::serial_in_order, next) &
                          tbb::make_filter<Item*, Item*>(filter_mode::parallel, runOne) &
                          tbb::make_filter<Item*, void>(filter_mode::serial_in_order, takeOne);
    // More jobs than processors are kept as asked for, too.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, jobs);
    tbb::task_arena arena(static_cast<int>(jobs));
    arena.execute([&] { tbb::parallel_pipeline(items.size(), pipeline); });
    if (stop.stop_requested())
        failCancelled();
}

} // namespace plumbline::cli
