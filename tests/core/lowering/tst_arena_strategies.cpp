// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments with the arena: every plan is sound, none needs less than the minimum.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/bytes.h"
#include "core/lowering/arena_strategies.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

constexpr std::int64_t kEnd = 100;

LifetimeRequest request(std::int64_t tensor, std::uint64_t bytes, std::int64_t first,
                        std::int64_t last) {
    return {tensor, {}, "", bytes, first, last};
}

std::vector<LifetimeRequest> randomRequests(std::uint64_t seed, std::int64_t operators) {
    SplitMix64 random(seed);
    std::vector<LifetimeRequest> requests{request(0, 1 + random.below(3000), -1, operators)};
    for (std::int64_t i = 0; i < operators; ++i)
        requests.push_back(
            request(i + 1, random.below(5000), i, i + static_cast<std::int64_t>(random.below(8))));
    return requests;
}

std::uint64_t peakOf(ArenaStrategy strategy, const std::vector<LifetimeRequest>& requests,
                     std::int64_t operators) {
    const auto plan = planWith(strategy, requests, operators);
    EXPECT_TRUE(plan);
    EXPECT_EQ(verifyArenaPlan(*plan), "");
    return plan->peakBytes;
}

TEST(ArenaStrategies, RandomPlansAreSoundAndNotBelowTheMinimum) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto requests = randomRequests(seed, 60);
        for (const std::uint64_t alignment : {1U, 3U, 64U, 4096U}) {
            std::optional<std::uint64_t> minimum;
            for (const ArenaStrategyInfo& info : allArenaStrategies()) {
                SCOPED_TRACE(info.name);
                const auto plan = planWith(info.strategy, requests, 60, alignment);
                ASSERT_TRUE(plan);
                EXPECT_EQ(verifyArenaPlan(*plan), "") << "seed " << seed;
                EXPECT_EQ(plan->allocations.size(), requests.size());
                EXPECT_EQ(plan->steps.size(), 60U);
                EXPECT_GE(plan->peakBytes, plan->minimumBytes);
                EXPECT_EQ(minimum.value_or(plan->minimumBytes), plan->minimumBytes);
                minimum = plan->minimumBytes;
            }
        }
    }
}

TEST(ArenaStrategies, FirstFitIsTheContractsPlan) {
    const auto requests = randomRequests(7, 40);
    const ArenaPlan contract = planArena(requests, 40);
    const auto made = planWith(ArenaStrategy::FirstFit, requests, 40);
    ASSERT_TRUE(made);
    ASSERT_EQ(made->allocations.size(), contract.allocations.size());
    for (std::size_t i = 0; i < contract.allocations.size(); ++i)
        EXPECT_EQ(made->allocations[i].offset, contract.allocations[i].offset);
}

TEST(ArenaStrategies, BestFitTakesTheSmallerHole) {
    // A hole of 256 bytes at 0 and one of 64 at 320; then 64 bytes, then 256.
    const std::vector<LifetimeRequest> requests{request(0, 256, -1, 0),  request(1, 64, -1, kEnd),
                                                request(2, 64, -1, 0),   request(3, 64, -1, kEnd),
                                                request(4, 64, 1, kEnd), request(5, 256, 2, kEnd)};
    EXPECT_EQ(peakOf(ArenaStrategy::BestFit, requests, 4), 448U);
    EXPECT_EQ(peakOf(ArenaStrategy::FirstFit, requests, 4), 704U);
}

TEST(ArenaStrategies, GrowingFitUsesTheBlockAtTheHighWaterMark) {
    const std::vector<LifetimeRequest> requests{request(0, 64, -1, kEnd), request(1, 64, -1, 0),
                                                request(2, 128, 1, kEnd)};
    EXPECT_EQ(peakOf(ArenaStrategy::FirstFit, requests, 3), 256U);
    EXPECT_EQ(peakOf(ArenaStrategy::GrowingFit, requests, 3), 192U);
}

TEST(ArenaStrategies, GreedyBySizePlacesTheLargestAtTheBottom) {
    const std::vector<LifetimeRequest> requests{request(0, 64, -1, 1), request(1, 640, 1, 2)};
    const auto plan = planWith(ArenaStrategy::GreedyBySize, requests, 3);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->allocations[1].offset, 0U);
    EXPECT_EQ(plan->allocations[0].offset, 640U);
    EXPECT_EQ(plan->peakBytes, plan->minimumBytes);
}

TEST(ArenaStrategies, RefusesWhatCannotBePlanned) {
    const std::vector<LifetimeRequest> one{request(0, 64, -1, 1)};
    EXPECT_FALSE(planWith(ArenaStrategy::BestFit, one, 2, 0));
    EXPECT_FALSE(planWith(ArenaStrategy::BestFit, one, 2, kMaxArenaAlignment + 1));
    const std::vector<LifetimeRequest> huge(3, request(0, std::uint64_t{1} << 62, -1, 1));
    for (const ArenaStrategyInfo& info : allArenaStrategies())
        EXPECT_FALSE(planWith(info.strategy, huge, 2));
    const std::vector<LifetimeRequest> many(kMaxPlannedBuffers + 1, one[0]);
    EXPECT_FALSE(planWith(ArenaStrategy::GreedyBySize, many, 2));
}

TEST(ArenaStrategies, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(
        planWith(ArenaStrategy::GreedyBySize, randomRequests(1, 10), 10, 64, source.get_token()));
}

TEST(ArenaStrategies, LifetimesThatEndBeforeTheyBeginAreOneStepLong) {
    const std::vector<LifetimeRequest> requests{request(0, 64, 1, 0), request(1, 64, 1, 2)};
    for (const ArenaStrategyInfo& info : allArenaStrategies())
        EXPECT_EQ(peakOf(info.strategy, requests, 3), 128U);
}

TEST(ArenaStrategies, SamplesKeepTheirContractPlan) {
    for (const char* name : {"mobilenet", "resnet8", "every-operator"}) {
        const auto lowering = npuP0Target().lower(*importTflite(*makeSample(name)));
        ASSERT_TRUE(lowering);
        const ArenaPlan& contract = (*lowering)->arena;
        const auto count = static_cast<std::int64_t>((*lowering)->operators.size());
        for (const ArenaStrategyInfo& info : allArenaStrategies()) {
            const auto plan = planWith(info.strategy, requestsOf(contract), count);
            ASSERT_TRUE(plan);
            EXPECT_EQ(verifyArenaPlan(*plan), "");
            EXPECT_EQ(plan->minimumBytes, contract.minimumBytes);
            if (info.strategy == ArenaStrategy::FirstFit) {
                EXPECT_EQ(plan->peakBytes, contract.peakBytes);
            }
        }
    }
}

} // namespace
} // namespace plumbline
