// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a plan that somebody else placed: observeArena.
#include <algorithm>

#include "core/lowering/arena_plan.h"

namespace plumbline {
namespace {

/// Fills the space between live blocks (in address order) into the step's free list.
void findHoles(const std::vector<const Allocation*>& live, ArenaStep& step) {
    std::uint64_t covered = 0;
    const auto addHole = [&](std::uint64_t end) {
        if (end <= covered)
            return;
        step.freeList.push_back({covered, end - covered});
        step.holeBytes += end - covered;
        step.largestHole = std::max(step.largestHole, end - covered);
    };
    for (const Allocation* allocation : live) {
        addHole(allocation->offset);
        covered = std::max(covered, allocation->offset + allocation->size);
    }
    addHole(step.highWater);
}

} // namespace

ArenaPlan observeArena(std::vector<Allocation> allocations, std::int64_t operatorCount,
                       std::uint64_t alignment) {
    ArenaPlan plan;
    plan.alignment = alignment;
    plan.allocations = std::move(allocations);
    std::vector<const Allocation*> starting;
    for (const Allocation& allocation : plan.allocations)
        starting.push_back(&allocation);
    std::stable_sort(starting.begin(), starting.end(),
                     [](const Allocation* a, const Allocation* b) {
                         return a->firstOperator < b->firstOperator;
                     });
    std::vector<const Allocation*> live;
    auto next = starting.begin();
    std::uint64_t highWater = 0;
    for (std::int64_t index = 0; index < operatorCount; ++index) {
        std::erase_if(live, [&](const Allocation* a) { return a->lastOperator < index; });
        for (; next != starting.end() && (*next)->firstOperator <= index; ++next) {
            const auto place = std::upper_bound(
                live.begin(), live.end(), *next,
                [](const Allocation* a, const Allocation* b) { return a->offset < b->offset; });
            live.insert(place, *next);
            highWater = std::max(highWater, (*next)->offset + (*next)->size);
        }
        ArenaStep step;
        step.operatorIndex = index;
        step.highWater = highWater;
        for (const Allocation* allocation : live) {
            step.liveBytes += allocation->bytes;
            step.paddingBytes += allocation->size - allocation->bytes;
        }
        findHoles(live, step);
        if (highWater > plan.peakBytes) {
            plan.peakBytes = highWater;
            plan.peakOperator = index;
        }
        plan.minimumBytes = std::max(plan.minimumBytes, step.liveBytes + step.paddingBytes);
        plan.steps.push_back(std::move(step));
    }
    return plan;
}

} // namespace plumbline
