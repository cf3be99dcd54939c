// SPDX-License-Identifier: GPL-3.0-or-later
// Where buffers, levels and labels of the arena chart stand.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/chart/arena_geometry.h"
#include "core/chart/arena_labels.h"
#include "core/chart/text_width.h"

using namespace plumbline;

namespace {

using Index = std::optional<std::size_t>;

/// Three buffers over four steps: the input, one above it, one that lives to the end.
ArenaPlan smallPlan() {
    return observeArena({{0, {}, "input", 0, 100, 128, -1, 1},
                         {1, {7, 8}, "conv", 128, 60, 64, 1, 2},
                         {2, {}, "", 0, 64, 64, 2, 4}},
                        4);
}

} // namespace

TEST(ArenaGeometry, BlocksFollowLifetimes) {
    const ArenaGeometry geometry(smallPlan());
    EXPECT_EQ(geometry.blocks().size(), 3U);
    EXPECT_EQ(geometry.stepCount(), 4);
    EXPECT_EQ(geometry.left(), -1.5);
    EXPECT_EQ(geometry.right(), 3.5);
    EXPECT_EQ(geometry.top(), 188);
    const ArenaBlock* const last = geometry.blockOf(2);
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->left, 1.5);
    EXPECT_EQ(last->right, 3.5); // it lives beyond the last step
}

TEST(ArenaGeometry, FindsBuffersByPoint) {
    const ArenaGeometry geometry(smallPlan());
    EXPECT_EQ(geometry.bufferAt(0, 50), Index(0));
    EXPECT_EQ(geometry.bufferAt(1, 150), Index(1));
    EXPECT_EQ(geometry.bufferAt(3, 10), Index(2));
    EXPECT_FALSE(geometry.bufferAt(0, 150)); // not yet live
    EXPECT_FALSE(geometry.bufferAt(1, 110)); // padding
}

TEST(ArenaGeometry, FindsSteps) {
    const ArenaGeometry geometry(smallPlan());
    EXPECT_EQ(geometry.stepAt(0), 0);
    EXPECT_EQ(geometry.stepAt(-1.2), 0); // the input's column
    EXPECT_EQ(geometry.stepAt(1.49), 1);
    EXPECT_EQ(geometry.stepAt(1.5), 2);
    EXPECT_EQ(geometry.stepAt(1e12), 3);
    EXPECT_FALSE(ArenaGeometry().stepAt(0));
}

TEST(ArenaGeometry, WalksNeighbours) {
    const ArenaGeometry geometry(smallPlan());
    EXPECT_EQ(geometry.buffersAt(1), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(geometry.buffersAt(2), (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(geometry.neighbour(2, 2, 1), Index(1));
    EXPECT_EQ(geometry.neighbour(2, 1, -1), Index(2));
    EXPECT_FALSE(geometry.neighbour(2, 1, 1));
    EXPECT_EQ(geometry.neighbour(2, std::nullopt, 1), Index(2));
    EXPECT_EQ(geometry.neighbour(2, 0, -1), Index(1)); // 0 is not live there
    EXPECT_FALSE(geometry.neighbour(99, std::nullopt, 1));
}

TEST(ArenaGeometry, LeavesOutWhatCannotBeDrawn) {
    const ArenaPlan plan = observeArena({{0, {}, "empty", 0, 0, 0, -1, 1},
                                         {1, {}, "late", 0, 64, 64, 9, 12},
                                         {2, {}, "backwards", 0, 64, 64, 3, 1},
                                         {3, {}, "far", std::uint64_t{1} << 40, 64, 64, 0, 1}},
                                        4);
    const ArenaGeometry geometry(plan);
    ASSERT_EQ(geometry.blocks().size(), 1U);
    EXPECT_EQ(geometry.blocks().front().buffer, 3U);
    EXPECT_EQ(geometry.blockOf(0), nullptr);
    EXPECT_TRUE(ArenaGeometry(ArenaPlan()).blocks().empty());
}

TEST(ArenaGeometry, VisitsOnlyWhatIsVisible) {
    std::vector<Allocation> many;
    for (std::int64_t i = 0; i < 10'000; ++i)
        many.push_back({i, {}, "", static_cast<std::uint64_t>(i % 7) * 64, 64, 64, i, i + 3});
    const ArenaGeometry geometry(observeArena(many, 10'000));
    int visited = 0;
    geometry.forEachVisible(5000, 5001, 0, 1000, [&](const ArenaBlock& block) {
        ++visited;
        EXPECT_TRUE(block.right >= 5000 && block.left <= 5001);
    });
    EXPECT_EQ(visited, 5);
}

TEST(ArenaGeometry, AxesReachAboveEverything) {
    const ArenaPlan plan = smallPlan(); // high water 192
    EXPECT_NEAR(arenaHighestByte(plan, ArenaGeometry(plan)), 192 * 1.1, 1e-9);
    const ArenaPlan doubled = observeArena(
        {{0, {}, "", 0, 100, 128, 0, 1}, {1, {}, "", 0, 100, 128, 0, 1}}, 2); // at one place
    EXPECT_NEAR(arenaHighestLevel(doubled, ArenaGeometry(doubled)), 200 * 1.1, 1e-9);
}

TEST(ArenaCurve, HasALevelPerStep) {
    const ArenaCurve curve = arenaCurve(smallPlan(), -1.5, 3.5, 100);
    EXPECT_EQ(curve.at, (std::vector<double>{-0.5, 0.5, 1.5, 2.5, 3.5}));
    EXPECT_EQ(curve.live, (std::vector<double>{100, 160, 124, 64, 64}));
    EXPECT_EQ(curve.highWater, (std::vector<double>{128, 192, 192, 192, 192}));
    EXPECT_TRUE(arenaCurve(ArenaPlan(), 0, 1, 100).at.empty());
}

TEST(ArenaCurve, NeighboursShareTheirLargest) {
    std::vector<Allocation> many;
    for (std::int64_t i = 0; i < 1000; ++i)
        many.push_back({i, {}, "", 0, i == 777 ? 4096U : 64U, i == 777 ? 4096U : 64U, i, i});
    const ArenaCurve curve = arenaCurve(observeArena(many, 1000), -0.5, 999.5, 100);
    EXPECT_LE(curve.at.size(), 101U);
    EXPECT_EQ(*std::max_element(curve.live.begin(), curve.live.end()), 4096);
    EXPECT_EQ(curve.highWater.back(), 4096);
}

TEST(ArenaLabel, SaysWhatFits) {
    using Lines = std::vector<std::string>;
    const Allocation a{3, {}, "conv2d/Relu", 0, 101'376, 101'376, 0, 1};
    EXPECT_EQ(arenaLabel(a, 200, 60, 11), (Lines{"conv2d/Relu", "101,376 bytes"}));
    EXPECT_EQ(arenaLabel(a, 200, 20, 11), (Lines{"conv2d/Relu"})); // room for one line
    EXPECT_EQ(arenaLabel(a, 200, 14, 11), Lines());                // 13.2 and a margin are needed
    EXPECT_EQ(arenaLabel(a, 60, 60, 11), (Lines{"99 KiB"}));       // the name would be cut
    EXPECT_EQ(arenaLabel(a, 60, 20, 11), (Lines{"99 KiB"}));
    EXPECT_EQ(arenaLabel(a, 20, 60, 11), Lines());
    const Allocation named{3, {}, "mobilenet/separable_conv2d_7/Relu", 0, 64, 64, 0, 1};
    const Lines cut = arenaLabel(named, 100, 60, 11);
    ASSERT_EQ(cut.size(), 2U);
    EXPECT_TRUE(cut[0].starts_with("mobil") && cut[0].ends_with("Relu")) << cut[0];
    EXPECT_LE(textWidth(cut[0], 11), 94);
    EXPECT_EQ(cut[1], "64 bytes");
}

TEST(ArenaLabel, NamesAreSafe) {
    EXPECT_EQ(allocationName({5, {}, "", 0, 1, 64, 0, 1}), "tensor 5");
    EXPECT_EQ(allocationName({5, {}, "a\nb\xFF", 0, 1, 64, 0, 1}), "a\uFFFDb\uFFFD");
}

TEST(ArenaLabel, MarksStayInside) {
    const GraphRect clip{50, 100, 300, 200};
    const std::string text = "peak at 7 CONV_2D";
    for (const GraphPoint& at : {GraphPoint{60, 120}, GraphPoint{349, 101}, GraphPoint{0, 0}}) {
        const GraphRect box = arenaMarkBox(at, text, 11, clip);
        EXPECT_GE(box.x, clip.x);
        EXPECT_LE(box.right(), clip.right());
        EXPECT_GE(box.y, clip.y);
        EXPECT_DOUBLE_EQ(box.width, textWidth(text, 11) + 6);
    }
    EXPECT_EQ(arenaMarkBox({60, 120}, text, 11, clip).x, 60);
}

TEST(ArenaLabel, SentencesOfThePlan) {
    ArenaPlan plan = smallPlan();
    EXPECT_EQ(highWaterText(plan, "0x00C0"), "high water 0x00C0 = 192 bytes");
    EXPECT_EQ(minimumText(plan), "the minimum: no plan needs less");
    plan.minimumBytes = 128;
    EXPECT_EQ(minimumText(plan), "minimum 128 bytes");
    Lowering lowering;
    EXPECT_EQ(peakText(lowering, plan), "peak at 1");
    lowering.operators.resize(2);
    lowering.operators[1].name = "CONV_2D";
    EXPECT_EQ(peakText(lowering, plan), "peak at 1 CONV_2D");
}
