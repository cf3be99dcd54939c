// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's allocator, by hand-made sequences and random ones against a plain model of the
// rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "core/base/bytes.h"
#include "core/lowering/arena_plan.h"

namespace plumbline {
namespace {

TEST(FirstFitArena, ExactFitRemovesTheBlock) {
    FirstFitArena arena(64);
    EXPECT_EQ(arena.allocate(128), 0U);
    EXPECT_EQ(arena.allocate(64), 128U);
    arena.release(0, 128);
    EXPECT_EQ(arena.allocate(128), 0U);
    EXPECT_TRUE(arena.free().list().empty());
    EXPECT_EQ(arena.highWater(), 192U);
}

TEST(FirstFitArena, CutsFromTheFrontOfTheFirstLargeEnoughBlock) {
    FirstFitArena arena(64);
    arena.allocate(64);
    arena.allocate(256);
    arena.allocate(64);
    arena.release(0, 64);
    arena.release(64 + 256, 64);
    arena.release(64, 256); // merges with both neighbours
    EXPECT_EQ(arena.free().list(), (std::vector<FreeBlock>{{0, 384}}));
    EXPECT_EQ(arena.allocate(128), 0U);
    EXPECT_EQ(arena.free().list(), (std::vector<FreeBlock>{{128, 256}}));
}

TEST(FirstFitArena, BlockAtTheHighWaterMarkIsNotGrownInto) {
    FirstFitArena arena(64);
    arena.allocate(64);
    arena.allocate(64);
    arena.release(64, 64);
    EXPECT_EQ(arena.allocate(128), 128U);
    EXPECT_EQ(arena.highWater(), 256U);
}

TEST(FirstFitArena, RoundsUpToTheAlignment) {
    const FirstFitArena arena(64);
    EXPECT_EQ(arena.roundedUp(0), 0U);
    EXPECT_EQ(arena.roundedUp(1), 64U);
    EXPECT_EQ(arena.roundedUp(64), 64U);
    EXPECT_EQ(arena.roundedUp(65), 128U);
}

/// The rule of section 4 as it reads: a list that is sorted and merged after every free.
class ListedArena {
  public:
    std::uint64_t allocate(std::uint64_t size) {
        for (std::size_t i = 0; i < m_free.size(); ++i) {
            FreeBlock& block = m_free[i];
            if (block.size < size)
                continue;
            const std::uint64_t offset = block.offset;
            block.offset += size;
            block.size -= size;
            if (block.size == 0)
                m_free.erase(m_free.begin() + static_cast<long>(i));
            return offset;
        }
        m_high += size;
        return m_high - size;
    }
    void release(std::uint64_t offset, std::uint64_t size) {
        m_free.push_back({offset, size});
        std::sort(m_free.begin(), m_free.end(),
                  [](const FreeBlock& a, const FreeBlock& b) { return a.offset < b.offset; });
        std::vector<FreeBlock> merged;
        for (const FreeBlock& block : m_free) {
            if (!merged.empty() && merged.back().offset + merged.back().size == block.offset)
                merged.back().size += block.size;
            else
                merged.push_back(block);
        }
        m_free = merged;
    }
    std::vector<FreeBlock> m_free;
    std::uint64_t m_high = 0;
};

/// What FreeBlocks finds by its trees, looked for in the list.
void expectSearchesAgree(const FreeBlocks& free, const std::vector<FreeBlock>& list,
                         std::uint64_t size) {
    std::optional<FreeBlock> first, best;
    std::uint64_t largest = 0;
    for (const FreeBlock& block : list) {
        largest = std::max(largest, block.size);
        if (block.size >= size && !first)
            first = block;
        if (block.size >= size && (!best || block.size < best->size))
            best = block;
    }
    ASSERT_EQ(free.firstFit(size), first);
    ASSERT_EQ(free.bestFit(size), best);
    ASSERT_EQ(free.largest(), largest);
    ASSERT_EQ(free.count(), list.size());
    ASSERT_EQ(free.last(), list.empty() ? std::nullopt : std::optional(list.back()));
}

TEST(FirstFitArena, RandomSequencesEqualTheRuleAsItReads) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SplitMix64 random(seed);
        FirstFitArena ours(64);
        ListedArena rule;
        std::vector<FreeBlock> live;
        for (int i = 0; i < 300; ++i) {
            if (live.empty() || random.below(5) < 3) {
                const std::uint64_t size = 64 * (1 + random.below(12));
                const std::uint64_t offset = ours.allocate(size);
                ASSERT_EQ(offset, rule.allocate(size)) << "seed " << seed << " step " << i;
                live.push_back({offset, size});
            } else {
                const std::size_t pick = random.below(live.size());
                ours.release(live[pick].offset, live[pick].size);
                rule.release(live[pick].offset, live[pick].size);
                live.erase(live.begin() + static_cast<long>(pick));
            }
            ASSERT_EQ(ours.free().list(), rule.m_free) << "seed " << seed << " step " << i;
            ASSERT_EQ(ours.highWater(), rule.m_high);
            expectSearchesAgree(ours.free(), rule.m_free, 64 * random.below(14));
        }
    }
}

std::vector<LifetimeRequest> randomRequests(SplitMix64& random, std::int64_t operators) {
    std::vector<LifetimeRequest> requests{{0, {}, "input", 100, -1, operators}};
    for (std::int64_t i = 0; i < operators; ++i)
        requests.push_back({i + 1,
                            {},
                            "",
                            1 + random.below(500),
                            i,
                            i + 1 + static_cast<std::int64_t>(random.below(6))});
    return requests;
}

TEST(ArenaPlan, RandomLifetimesNeverOverlapAndAddUp) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SplitMix64 random(seed);
        const ArenaPlan plan = planArena(randomRequests(random, 60), 60);
        ASSERT_EQ(verifyArenaPlan(plan), "") << "seed " << seed;
        ASSERT_EQ(plan.steps.size(), 60U);
        for (const ArenaStep& step : plan.steps) {
            std::uint64_t live = 0, rounded = 0;
            for (const Allocation& a : plan.allocations) {
                live += a.isLiveAt(step.operatorIndex) ? a.bytes : 0;
                rounded += a.isLiveAt(step.operatorIndex) ? a.size : 0;
            }
            EXPECT_EQ(step.liveBytes, live);
            EXPECT_EQ(step.paddingBytes, rounded - live);
            EXPECT_EQ(rounded + step.holeBytes, step.highWater);
            EXPECT_LE(step.largestHole, step.holeBytes);
            EXPECT_EQ(step.holes == 0, step.holeBytes == 0);
            EXPECT_LE(rounded, plan.minimumBytes);
        }
        EXPECT_LE(plan.minimumBytes, plan.peakBytes);
    }
}

TEST(ArenaPlan, VerifyFindsAnOverlap) {
    ArenaPlan plan = planArena({{0, {}, "", 64, -1, 2}, {1, {}, "", 64, 0, 2}}, 2);
    ASSERT_EQ(verifyArenaPlan(plan), "");
    plan.allocations[1].offset = 0;
    EXPECT_EQ(verifyArenaPlan(plan), "tensors 0 and 1 overlap");
}

} // namespace
} // namespace plumbline
