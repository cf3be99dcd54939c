// SPDX-License-Identifier: GPL-3.0-or-later
// observeArena agrees with the planner that placed the buffers, on random lifetimes.
#include <gtest/gtest.h>

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
            EXPECT_EQ(seen.steps[i].freeList, planned.steps[i].freeList);
        }
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
