// SPDX-License-Identifier: GPL-3.0-or-later
// Each strategy against a plain statement of its rule, on thousands of random request lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/base/bytes.h"
#include "core/lowering/arena_strategies.h"

namespace plumbline {
namespace {

using Offsets = std::vector<std::uint64_t>;

struct Placed {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// The gaps between `placed` that no live block covers, in address order, up to the high-water
/// mark.
std::vector<FreeBlock> gapsOf(std::vector<Placed> live, std::uint64_t highWater) {
    std::sort(live.begin(), live.end(),
              [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
    std::vector<FreeBlock> gaps;
    std::uint64_t end = 0;
    for (const Placed& block : live) {
        if (block.size == 0)
            continue;
        if (block.offset > end)
            gaps.push_back({end, block.offset - end});
        end = block.offset + block.size;
    }
    if (highWater > end)
        gaps.push_back({end, highWater - end});
    return gaps;
}

/// Where `size` bytes go among `gaps`; raises `highWater` where they do not fit.
std::uint64_t chosen(ArenaStrategy strategy, const std::vector<FreeBlock>& gaps, std::uint64_t size,
                     std::uint64_t& highWater) {
    const FreeBlock* found = nullptr;
    for (const FreeBlock& gap : gaps) {
        const bool isBetter =
            !found || (strategy == ArenaStrategy::BestFit && gap.size < found->size);
        if (gap.size >= size && isBetter)
            found = &gap;
    }
    if (found)
        return found->offset;
    const bool grows = strategy == ArenaStrategy::GrowingFit && !gaps.empty() &&
                       gaps.back().offset + gaps.back().size == highWater;
    const std::uint64_t offset = grows ? gaps.back().offset : highWater;
    highWater = offset + size;
    return offset;
}

Offsets plainInTime(ArenaStrategy strategy, const std::vector<Placed>& requests) {
    std::vector<Placed> all;
    std::uint64_t highWater = 0;
    for (const Placed& request : requests) {
        std::vector<Placed> live;
        std::copy_if(all.begin(), all.end(), std::back_inserter(live),
                     [&](const Placed& other) { return other.last >= request.first; });
        all.push_back(request);
        if (request.size > 0)
            all.back().offset = chosen(strategy, gapsOf(live, highWater), request.size, highWater);
    }
    Offsets offsets;
    for (const Placed& each : all)
        offsets.push_back(each.offset);
    return offsets;
}

/// Every multiple of the alignment is tried, from 0 on.
Offsets plainBySize(const std::vector<Placed>& requests, std::uint64_t alignment) {
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return requests[a].size > requests[b].size;
    });
    std::vector<Placed> placed;
    Offsets offsets(requests.size());
    for (const std::size_t index : order) {
        Placed next = requests[index];
        const auto meets = [&next](const Placed& other) {
            return next.first <= other.last && other.first <= next.last &&
                   next.offset < other.offset + other.size &&
                   other.offset < next.offset + next.size;
        };
        while (std::any_of(placed.begin(), placed.end(), meets))
            next.offset += alignment;
        offsets[index] = next.offset;
        placed.push_back(next);
    }
    return offsets;
}

/// Ordered by first operator; some sizes are 0, some lifetimes end with the job.
std::vector<LifetimeRequest> randomRequests(SplitMix64& random, std::int64_t operators,
                                            std::uint64_t alignment) {
    std::vector<LifetimeRequest> requests;
    const std::uint64_t longest = 1 + random.below(static_cast<std::uint64_t>(operators));
    for (std::int64_t i = -1; i < operators; ++i) {
        for (std::uint64_t n = random.below(3); n > 0; --n) {
            const std::int64_t last = random.below(8) == 0
                                          ? operators
                                          : i + static_cast<std::int64_t>(random.below(longest));
            requests.push_back({static_cast<std::int64_t>(requests.size()),
                                {},
                                "",
                                random.below(10 * alignment),
                                i,
                                std::min(last, operators)});
        }
    }
    return requests;
}

std::vector<Placed> plain(const std::vector<LifetimeRequest>& requests, std::uint64_t alignment) {
    std::vector<Placed> made;
    for (const LifetimeRequest& r : requests)
        made.push_back({0, (r.bytes + alignment - 1) / alignment * alignment, r.firstOperator,
                        r.lastOperator});
    return made;
}

Offsets offsetsOf(ArenaStrategy strategy, const std::vector<LifetimeRequest>& requests,
                  std::int64_t operators, std::uint64_t alignment) {
    Offsets offsets;
    const auto plan = planWith(strategy, requests, operators, alignment);
    if (!plan)
        return offsets;
    for (const Allocation& made : plan->allocations)
        offsets.push_back(made.offset);
    return offsets;
}

TEST(ArenaStrategies, RandomRequestsArePlacedAsTheRulesRead) {
    SplitMix64 random(11);
    for (int round = 0; round < 3000; ++round) {
        const auto operators = static_cast<std::int64_t>(1 + random.below(30));
        const std::uint64_t alignment = round % 3 == 0 ? 1 + random.below(8) : 64;
        const auto requests = randomRequests(random, operators, alignment);
        const std::vector<Placed> asked = plain(requests, alignment);
        for (const ArenaStrategy strategy : {ArenaStrategy::BestFit, ArenaStrategy::GrowingFit})
            ASSERT_EQ(offsetsOf(strategy, requests, operators, alignment),
                      plainInTime(strategy, asked))
                << "round " << round << " strategy " << static_cast<int>(strategy);
        ASSERT_EQ(offsetsOf(ArenaStrategy::GreedyBySize, requests, operators, alignment),
                  plainBySize(asked, alignment))
            << "round " << round;
    }
}

} // namespace
} // namespace plumbline
