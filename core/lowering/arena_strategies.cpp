// SPDX-License-Identifier: GPL-3.0-or-later
// The entry point is planWith(): offsets by one of the strategies, then observeArena() for the
// rest.
#include "core/lowering/arena_strategies.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/lowering/occupied_space.h"

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

/// Free blocks below a high-water mark.
class BlockArena {
  public:
    explicit BlockArena(ArenaStrategy strategy)
        : m_strategy(strategy) {}

    std::uint64_t allocate(std::uint64_t size) {
        if (size == 0)
            return 0;
        if (const auto block = m_strategy == ArenaStrategy::BestFit ? m_free.bestFit(size)
                                                                    : m_free.firstFit(size)) {
            m_free.cut(*block, size);
            return block->offset;
        }
        const std::uint64_t offset = m_strategy == ArenaStrategy::GrowingFit ? takenLast() : m_end;
        m_end = offset + size;
        return offset;
    }

    void release(std::uint64_t offset, std::uint64_t size) { m_free.release(offset, size); }

  private:
    /// Where the free space at the high-water mark begins; its block is taken.
    std::uint64_t takenLast() {
        const auto last = m_free.last();
        if (!last || last->offset + last->size != m_end)
            return m_end;
        m_free.cut(*last, last->size);
        return last->offset;
    }

    ArenaStrategy m_strategy;
    std::uint64_t m_end = 0; ///< the high-water mark
    FreeBlocks m_free;
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

StepSpan spanOf(const Allocation& a) { return {a.firstOperator, a.lastOperator}; }

bool placeBySize(std::vector<Allocation>& allocations, const std::stop_token& stop) {
    std::vector<Allocation*> order;
    std::vector<StepSpan> spans;
    for (Allocation& a : allocations) {
        order.push_back(&a);
        spans.push_back(spanOf(a));
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const Allocation* a, const Allocation* b) { return a->size > b->size; });
    OccupiedSpace space(spans);
    for (Allocation* a : order) {
        if (stop.stop_requested())
            return false;
        a->offset = space.lowestFree(spanOf(*a), a->size);
        space.occupy(spanOf(*a), a->offset, a->size);
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
