// SPDX-License-Identifier: GPL-3.0-or-later
// The entry point is planWith(): offsets by one of the strategies, then observeArena() for the
// rest.
#include "core/lowering/arena_strategies.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::uint64_t kMaxTotalBytes = std::uint64_t{1} << 62;

constexpr std::array<ArenaStrategyInfo, 4> kStrategies{{
    {ArenaStrategy::FirstFit, "first fit (contract)",
     "In order of time, the lowest free block that is large enough; what the target's contract "
     "asks for."},
    {ArenaStrategy::BestFit, "best fit",
     "In order of time, the smallest free block that is large enough; the lowest of equal ones."},
    {ArenaStrategy::GrowingFit, "first fit, growing",
     "First fit that may also grow the free block that touches the high-water mark."},
    {ArenaStrategy::GreedyBySize, "greedy by size",
     "With all lifetimes known in advance: the largest buffer first, at the lowest offset that is "
     "free during its whole life."},
}};

/// Free blocks below a high-water mark, merged on release.
class BlockArena {
  public:
    explicit BlockArena(ArenaStrategy strategy)
        : m_strategy(strategy) {}

    std::uint64_t allocate(std::uint64_t size) {
        if (size == 0)
            return 0;
        auto block =
            m_strategy == ArenaStrategy::BestFit ? smallestThatFits(size) : firstThatFits(size);
        if (block == m_free.end() && m_strategy == ArenaStrategy::GrowingFit)
            block = grownLast(size);
        if (block == m_free.end()) {
            m_highWater += size;
            return m_highWater - size;
        }
        const auto [offset, free] = *block;
        m_free.erase(block);
        if (free > size)
            m_free.emplace(offset + size, free - size);
        return offset;
    }

    void release(std::uint64_t offset, std::uint64_t size) {
        if (size == 0)
            return;
        const auto made = m_free.emplace(offset, size).first;
        const auto next = std::next(made);
        if (next != m_free.end() && offset + size == next->first) {
            made->second += next->second;
            m_free.erase(next);
        }
        if (made == m_free.begin())
            return;
        const auto before = std::prev(made);
        if (before->first + before->second == offset) {
            before->second += made->second;
            m_free.erase(made);
        }
    }

  private:
    using Blocks = std::map<std::uint64_t, std::uint64_t>; ///< offset to size

    Blocks::iterator firstThatFits(std::uint64_t size) {
        return std::find_if(m_free.begin(), m_free.end(),
                            [size](const auto& block) { return block.second >= size; });
    }

    Blocks::iterator smallestThatFits(std::uint64_t size) {
        auto best = m_free.end();
        for (auto block = m_free.begin(); block != m_free.end(); ++block) {
            if (block->second >= size && (best == m_free.end() || block->second < best->second))
                best = block;
        }
        return best;
    }

    Blocks::iterator grownLast(std::uint64_t size) {
        if (m_free.empty())
            return m_free.end();
        const auto last = std::prev(m_free.end());
        if (last->first + last->second != m_highWater)
            return m_free.end();
        m_highWater = last->first + size;
        last->second = size;
        return last;
    }

    ArenaStrategy m_strategy;
    std::uint64_t m_highWater = 0;
    Blocks m_free;
};

std::uint64_t roundedUp(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

std::vector<Allocation> unplaced(const std::vector<LifetimeRequest>& requests,
                                 std::uint64_t alignment) {
    std::vector<Allocation> made;
    made.reserve(requests.size());
    for (const LifetimeRequest& r : requests)
        made.push_back({r.tensor, r.aliases, r.name, 0, r.bytes, roundedUp(r.bytes, alignment),
                        r.firstOperator, r.lastOperator});
    return made;
}

/// Indices of `allocations` by their last operator.
std::vector<std::size_t> byEnd(const std::vector<Allocation>& allocations) {
    std::vector<std::size_t> order(allocations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return allocations[a].lastOperator < allocations[b].lastOperator;
    });
    return order;
}

/// In order of time: what ended before a buffer's first operator is released before it is placed.
bool placeInTime(ArenaStrategy strategy, std::vector<Allocation>& allocations,
                 const std::stop_token& stop) {
    BlockArena arena(strategy);
    const std::vector<std::size_t> ending = byEnd(allocations);
    auto next = ending.begin();
    for (Allocation& a : allocations) {
        if (stop.stop_requested())
            return false;
        for (; next != ending.end() && allocations[*next].lastOperator < a.firstOperator; ++next)
            arena.release(allocations[*next].offset, allocations[*next].size);
        a.offset = arena.allocate(a.size);
    }
    return true;
}

bool meetInTime(const Allocation& a, const Allocation& b) {
    return a.firstOperator <= b.lastOperator && b.firstOperator <= a.lastOperator;
}

/// The lowest offset at which `a` meets none of `placed` (in address order).
std::uint64_t lowestFree(const Allocation& a, const std::vector<const Allocation*>& placed) {
    std::uint64_t offset = 0;
    for (const Allocation* other : placed) {
        if (other->offset >= offset && other->offset - offset >= a.size)
            break;
        if (meetInTime(a, *other))
            offset = std::max(offset, other->offset + other->size);
    }
    return offset;
}

bool placeBySize(std::vector<Allocation>& allocations, const std::stop_token& stop) {
    std::vector<Allocation*> order;
    for (Allocation& a : allocations)
        order.push_back(&a);
    std::stable_sort(order.begin(), order.end(),
                     [](const Allocation* a, const Allocation* b) { return a->size > b->size; });
    std::vector<const Allocation*> placed;
    for (Allocation* a : order) {
        if (stop.stop_requested())
            return false;
        std::vector<const Allocation*> meeting;
        std::copy_if(placed.begin(), placed.end(), std::back_inserter(meeting),
                     [a](const Allocation* other) { return meetInTime(*a, *other); });
        a->offset = lowestFree(*a, meeting);
        const auto place = std::upper_bound(
            placed.begin(), placed.end(), a,
            [](const Allocation* x, const Allocation* y) { return x->offset < y->offset; });
        placed.insert(place, a);
    }
    return true;
}

/// What is wrong with the request as a whole; empty when it can be planned.
std::string problemOf(const std::vector<LifetimeRequest>& requests, std::uint64_t alignment) {
    if (alignment == 0 || alignment > kMaxArenaAlignment)
        return fmt::format("an alignment of {} bytes is not 1..{}", alignment, kMaxArenaAlignment);
    if (requests.size() > kMaxPlannedBuffers)
        return fmt::format("{} buffers are more than the {} that are planned", requests.size(),
                           kMaxPlannedBuffers);
    std::uint64_t left = kMaxTotalBytes;
    for (const LifetimeRequest& r : requests) {
        if (r.bytes > left || left - r.bytes < alignment)
            return "the sizes of the buffers are too large to be added up";
        left -= r.bytes + alignment;
    }
    return "";
}

} // namespace

std::span<const ArenaStrategyInfo> allArenaStrategies() { return kStrategies; }

std::vector<LifetimeRequest> requestsOf(const ArenaPlan& plan) {
    std::vector<LifetimeRequest> requests;
    requests.reserve(plan.allocations.size());
    for (const Allocation& a : plan.allocations)
        requests.push_back({a.tensor, a.aliases, a.name, a.bytes, a.firstOperator, a.lastOperator});
    return requests;
}

Result<ArenaPlan> planWith(ArenaStrategy strategy, std::vector<LifetimeRequest> requests,
                           std::int64_t operatorCount, std::uint64_t alignment,
                           const std::stop_token& stop) {
    if (const std::string problem = problemOf(requests, alignment); !problem.empty())
        return makeError(Code::Usage, problem);
    for (LifetimeRequest& r : requests)
        r.lastOperator = std::max(r.lastOperator, r.firstOperator);
    std::stable_sort(requests.begin(), requests.end(),
                     [](const LifetimeRequest& a, const LifetimeRequest& b) {
                         return a.firstOperator < b.firstOperator;
                     });
    operatorCount = std::max<std::int64_t>(operatorCount, 0);
    if (strategy == ArenaStrategy::FirstFit)
        return planArena(requests, operatorCount, alignment);
    std::vector<Allocation> allocations = unplaced(requests, alignment);
    const bool isPlaced = strategy == ArenaStrategy::GreedyBySize
                              ? placeBySize(allocations, stop)
                              : placeInTime(strategy, allocations, stop);
    if (!isPlaced || stop.stop_requested())
        return makeError(Code::Cancelled, "planning the arena was cancelled");
    return observeArena(std::move(allocations), operatorCount, alignment);
}

} // namespace plumbline
