// SPDX-License-Identifier: GPL-3.0-or-later
// observeArena agrees with the planner that placed the buffers, on random lifetimes.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/bytes.h"
#include "core/lowering/arena_plan.h"

namespace plumbline::test {
namespace {

std::vector<LifetimeRequest> randomRequests(SplitMix64& random, std::int64_t operators) {
    std::vector<LifetimeRequest> requests{{0, {}, "input", random.next() % 500 + 1, -1, operators}};
    for (std::int64_t i = 0; i < operators; ++i) {
        const auto last = i + static_cast<std::int64_t>(random.next() % 4);
        requests.push_back({i + 1, {}, "", random.next() % 900 + 1, i, std::min(last, operators)});
    }
    return requests;
}

TEST(ObserveArena, SeesWhatThePlannerDid) {
    SplitMix64 random(5);
    for (int round = 0; round < 200; ++round) {
        const auto operators = static_cast<std::int64_t>(random.next() % 30 + 1);
        const ArenaPlan planned = planArena(randomRequests(random, operators), operators);
        const ArenaPlan seen = observeArena(planned.allocations, operators);
        EXPECT_EQ(seen.peakBytes, planned.peakBytes);
        EXPECT_EQ(seen.peakOperator, planned.peakOperator);
        EXPECT_EQ(seen.minimumBytes, planned.minimumBytes);
        ASSERT_EQ(seen.steps.size(), planned.steps.size());
        for (std::size_t i = 0; i < seen.steps.size(); ++i) {
            EXPECT_EQ(seen.steps[i].liveBytes, planned.steps[i].liveBytes);
            EXPECT_EQ(seen.steps[i].paddingBytes, planned.steps[i].paddingBytes);
            EXPECT_EQ(seen.steps[i].holeBytes, planned.steps[i].holeBytes);
            EXPECT_EQ(seen.steps[i].largestHole, planned.steps[i].largestHole);
            EXPECT_EQ(seen.steps[i].holes, planned.steps[i].holes);
        }
    }
}

/// One step, unit by unit of 64 bytes.
ArenaStep plainStep(const std::vector<Allocation>& allocations, std::int64_t index) {
    ArenaStep step;
    step.operatorIndex = index;
    std::vector<bool> covered(100);
    for (const Allocation& a : allocations) {
        const std::int64_t first = std::max<std::int64_t>(a.firstOperator, 0);
        if (first > index)
            continue;
        step.highWater = std::max(step.highWater, a.offset + a.size);
        if (std::max(first, a.lastOperator) < index)
            continue;
        step.liveBytes += a.bytes;
        step.paddingBytes += a.size - a.bytes;
        for (std::uint64_t at = a.offset; at < a.offset + a.size; at += 64)
            covered.at(at / 64) = true;
    }
    std::uint64_t run = 0;
    for (std::uint64_t at = 0; at < step.highWater; at += 64) {
        run = covered.at(at / 64) ? 0 : run + 64;
        step.holes += run == 64 ? 1 : 0;
        step.holeBytes += run > 0 ? 64 : 0;
        step.largestHole = std::max(step.largestHole, run);
    }
    return step;
}

/// Overlapping buffers, empty ones and such that end before they begin, as packages may state them.
TEST(ObserveArena, RandomAllocationsEqualACountByHand) {
    SplitMix64 random(6);
    for (int round = 0; round < 2000; ++round) {
        const auto operators = static_cast<std::int64_t>(random.below(20) + 1);
        std::vector<Allocation> allocations(random.below(25));
        for (Allocation& a : allocations) {
            a.offset = 64 * random.below(50);
            a.size = 64 * random.below(20);
            a.bytes = a.size - std::min<std::uint64_t>(a.size, random.below(64));
            a.firstOperator = static_cast<std::int64_t>(random.below(22)) - 1;
            a.lastOperator = a.firstOperator - 2 + static_cast<std::int64_t>(random.below(9));
        }
        const ArenaPlan plan = observeArena(allocations, operators);
        ASSERT_EQ(plan.steps.size(), static_cast<std::size_t>(operators));
        for (const ArenaStep& step : plan.steps)
            ASSERT_EQ(step, plainStep(allocations, step.operatorIndex)) << "round " << round;
    }
}

TEST(ObserveArena, OverlapIsCoveredOnce) {
    const ArenaPlan plan =
        observeArena({{0, {}, "a", 0, 64, 64, 0, 0}, {1, {}, "b", 32, 64, 64, 0, 0}}, 1);
    EXPECT_EQ(plan.peakBytes, 96U);
    EXPECT_EQ(plan.steps.at(0).holeBytes, 0U);
}

} // namespace
} // namespace plumbline::test
