// SPDX-License-Identifier: GPL-3.0-or-later
// Runs inputs on several threads and hands the results over in index order.
#include <exception>
#include <memory>

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
using ItemPtr = std::unique_ptr<Item>;

} // namespace

void runCorpus(const CorpusInputs& inputs, IndexRange range, unsigned jobs, const RunItem& run,
               const TakeItem& take, const std::stop_token& stop) {
    constexpr std::size_t kItemsPerThread = 4;
    std::uint64_t started = 0;
    const auto next = [&](tbb::flow_control& control) -> ItemPtr {
        if (started == range.count || stop.stop_requested()) {
            control.stop();
            return nullptr;
        }
        auto item = std::make_unique<Item>();
        item->index = range.first + started++;
        return item;
    };
    const auto runOne = [&](ItemPtr item) {
        try {
            item->input = inputs.read(item->index);
            item->result = run(item->index, item->input, stop);
        } catch (...) { // waits for its turn, so that the lowest index decides what is reported
            item->error = std::current_exception();
        }
        return item;
    };
    const auto takeOne = [&](const ItemPtr& item) {
        if (item->error)
            std::rethrow_exception(item->error);
        take(item->index, item->input, item->result);
    };
    using tbb::filter_mode;
    const auto pipeline = tbb::make_filter<void, ItemPtr>(filter_mode::serial_in_order, next) &
                          tbb::make_filter<ItemPtr, ItemPtr>(filter_mode::parallel, runOne) &
                          tbb::make_filter<ItemPtr, void>(filter_mode::serial_in_order, takeOne);
    // More jobs than processors are kept as asked for, too.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, jobs);
    tbb::task_arena arena(static_cast<int>(jobs));
    arena.execute([&] { tbb::parallel_pipeline(kItemsPerThread * jobs, pipeline); });
    if (stop.stop_requested())
        failCancelled();
}

} // namespace plumbline::cli
