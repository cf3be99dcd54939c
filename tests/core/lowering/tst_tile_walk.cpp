// SPDX-License-Identifier: GPL-3.0-or-later
// The walk over tiles, windows, channel groups and slices: exact covers for random geometries, and
// every record of the samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/base/bytes.h"
#include "core/lowering/target.h"
#include "core/lowering/tile_walk.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

/// A convolution with explicit numbers; the output follows from them.
LoweredOperator convolution(std::int64_t extentH, std::int64_t extentW, std::int64_t cin,
                            std::int64_t kernel, std::int64_t stride, std::int64_t pad,
                            std::int64_t cout) {
    LoweredOperator op;
    op.placement = Placement::Npu;
    OperatorGeometry& g = op.geometry;
    g.h = extentH, g.w = extentW, g.cin = cin, g.cout = cout;
    g.kh = g.kw = kernel, g.strideH = g.strideW = stride;
    g.pads = {pad, pad, pad, pad};
    g.oh = (extentH + 2 * pad - kernel) / stride + 1;
    g.ow = (extentW + 2 * pad - kernel) / stride + 1;
    TilePlan& t = op.tiles;
    t.tileH = std::min<std::int64_t>(2, g.oh), t.tileW = std::min<std::int64_t>(4, g.ow);
    t.tiles = ((g.oh + t.tileH - 1) / t.tileH) * ((g.ow + t.tileW - 1) / t.tileW);
    t.fullK = kernel * kernel * cin;
    t.kSlice = std::min<std::int64_t>(1024, t.fullK);
    t.facts = {8, 8, Reduction::WindowChannels};
    return op;
}

LoweredOperator randomConvolution(SplitMix64& random) {
    const auto pick = [&](std::uint64_t least, std::uint64_t most) {
        return static_cast<std::int64_t>(least + random.below(most - least + 1));
    };
    const std::int64_t kernel = pick(1, 5);
    return convolution(pick(5, 23), pick(5, 23), pick(1, 200), kernel, pick(1, 3),
                       pick(0, static_cast<std::uint64_t>(kernel) - 1), pick(1, 40));
}

void expectTilesCoverOutput(const TileWalk& walk) {
    const OperatorGeometry& g = walk.geometry();
    std::vector<int> covered(static_cast<std::size_t>(g.oh * g.ow), 0);
    for (std::int64_t tile = 0; tile < walk.tileCount(); ++tile) {
        for (std::int64_t p = 0; p < walk.positionsIn(tile); ++p) {
            const GridPoint at = walk.position(tile, p);
            ASSERT_TRUE(walk.tile(tile).contains(at.y, at.x));
            ASSERT_EQ(walk.tileAt(at), tile);
            ASSERT_EQ(walk.positionAt(tile, at), p);
            ++covered[static_cast<std::size_t>(at.y * g.ow + at.x)];
        }
    }
    EXPECT_TRUE(std::all_of(covered.begin(), covered.end(), [](int n) { return n == 1; }));
}

void expectSlicesCoverReduction(const TileWalk& walk) {
    std::int64_t next = 0;
    for (std::int64_t s = 0; s < walk.slices(); ++s) {
        EXPECT_EQ(walk.slice(s).begin, next);
        EXPECT_GT(walk.slice(s).end, next);
        next = walk.slice(s).end;
    }
    EXPECT_EQ(next, walk.plan().fullK);
    std::int64_t k = 0;
    for (std::int64_t kh = 0; kh < walk.kernelH(); ++kh)
        for (std::int64_t kw = 0; kw < walk.kernelW(); ++kw)
            for (std::int64_t c = 0; c < walk.stepsPerKernelPosition(); ++c)
                ASSERT_EQ(walk.place(k++), (ReductionPlace{kh, kw, c}));
    EXPECT_EQ(k, walk.plan().fullK);
}

void expectGroupsCoverChannels(const TileWalk& walk) {
    std::int64_t channels = 0;
    for (std::int64_t g = 0; g < walk.groups(); ++g) {
        EXPECT_GT(walk.lanesIn(g), 0);
        channels += walk.lanesIn(g);
    }
    EXPECT_EQ(channels, walk.geometry().cout);
    EXPECT_EQ(walk.lanesIn(walk.groups()), 0);
}

/// The window of a tile is the union of its positions' windows, and inside the padded input.
void expectWindowsFit(const TileWalk& walk) {
    const GridRect padded = walk.paddedInput();
    for (std::int64_t tile = 0; tile < walk.tileCount(); ++tile) {
        const GridRect whole = walk.window(walk.tile(tile));
        const GridPoint first = walk.position(tile, 0);
        const GridPoint last = walk.position(tile, walk.positionsIn(tile) - 1);
        const GridRect begin = walk.window({first.y, first.x, 1, 1});
        const GridRect end = walk.window({last.y, last.x, 1, 1});
        EXPECT_EQ(whole.y, begin.y);
        EXPECT_EQ(whole.x, begin.x);
        EXPECT_EQ(whole.y + whole.h, end.y + end.h);
        EXPECT_EQ(whole.x + whole.w, end.x + end.w);
        EXPECT_GE(whole.y, padded.y);
        EXPECT_LE(whole.y + whole.h, padded.y + padded.h);
        const GridRect inside = walk.insideInput(whole);
        EXPECT_GE(inside.y, 0);
        EXPECT_LE(inside.x + inside.w, walk.geometry().w);
    }
}

void expectConsistent(const TileWalk& walk) {
    expectTilesCoverOutput(walk);
    expectSlicesCoverReduction(walk);
    expectGroupsCoverChannels(walk);
    expectWindowsFit(walk);
}

TEST(TileWalk, RandomConvolutionsAreCoveredExactlyOnce) {
    SplitMix64 random(11);
    for (int i = 0; i < 60; ++i) {
        std::string problem;
        const auto walk = TileWalk::of(randomConvolution(random), &problem);
        ASSERT_TRUE(walk) << problem;
        expectConsistent(*walk);
    }
}

TEST(TileWalk, EveryRecordOfTheSamplesCanBeWalked) {
    for (const char* name : {"ds-cnn", "mobilenet", "resnet8", "autoencoder", "every-operator"}) {
        const auto lowering = npuP0Target().lower(*importTflite(*makeSample(name)));
        ASSERT_TRUE(lowering);
        for (const LoweredOperator& op : (*lowering)->operators) {
            if (op.placement != Placement::Npu)
                continue;
            SCOPED_TRACE(std::string(name) + " " + op.opcodeName);
            std::string problem;
            const auto walk = TileWalk::of(op, &problem);
            ASSERT_TRUE(walk) << problem;
            expectConsistent(*walk);
            EXPECT_EQ(op.cost.computeCycles + op.cost.packCycles + op.cost.loadCycles +
                          op.cost.storeCycles,
                      op.cost.estimatedCycles);
        }
    }
}

TEST(TileWalk, EdgeTilesAreShortened) {
    const auto walk = TileWalk::of(convolution(5, 6, 1, 1, 1, 0, 4)); // 5x6 outputs, tiles 2x4
    ASSERT_TRUE(walk);
    EXPECT_EQ(walk->tileCount(), 6);
    EXPECT_EQ(walk->tile(0), (GridRect{0, 0, 2, 4}));
    EXPECT_EQ(walk->tile(1), (GridRect{0, 4, 2, 2}));
    EXPECT_EQ(walk->tile(5), (GridRect{4, 4, 1, 2}));
    EXPECT_FALSE(walk->isShortened(0));
    EXPECT_TRUE(walk->isShortened(1));
    EXPECT_DOUBLE_EQ(walk->positionUse(0), 1.0);
    EXPECT_DOUBLE_EQ(walk->positionUse(5), 0.25);
    EXPECT_DOUBLE_EQ(walk->laneUse(), 0.5);
}

TEST(TileWalk, WindowBeginsInThePadding) {
    const auto walk = TileWalk::of(convolution(8, 8, 3, 3, 2, 1, 16));
    ASSERT_TRUE(walk);
    const GridRect window = walk->window({0, 0, 1, 1});
    EXPECT_EQ(window, (GridRect{-1, -1, 3, 3}));
    EXPECT_EQ(walk->insideInput(window), (GridRect{0, 0, 2, 2}));
    EXPECT_EQ(walk->paddedInput(), (GridRect{-1, -1, 10, 10}));
}

TEST(TileWalk, WalksEveryPositionInOrderAndStopsAtTheEnds) {
    const auto walk = TileWalk::of(convolution(5, 6, 1, 1, 1, 0, 4));
    ASSERT_TRUE(walk);
    TileCursor cursor;
    std::vector<GridPoint> seen;
    for (int i = 0; i < 30; ++i) {
        seen.push_back(walk->position(cursor.tile, cursor.position));
        cursor = walk->movedByPositions(cursor, 1);
    }
    EXPECT_EQ(seen[4], (GridPoint{1, 0}));
    EXPECT_EQ(seen[8], (GridPoint{0, 4}));
    EXPECT_EQ(seen[29], (GridPoint{4, 5}));
    EXPECT_EQ(cursor, walk->movedByPositions(cursor, 1));
    EXPECT_EQ(walk->movedByPositions(cursor, -29), TileCursor{});
    EXPECT_EQ(walk->movedByPositions({}, -1), TileCursor{});
}

TEST(TileWalk, RefusesNumbersThatDoNotFitTogether) {
    const LoweredOperator good = convolution(8, 8, 3, 3, 1, 1, 16);
    ASSERT_TRUE(TileWalk::of(good));
    const auto refuses = [&](auto&& damage) {
        LoweredOperator op = good;
        damage(op);
        std::string problem;
        EXPECT_FALSE(TileWalk::of(op, &problem));
        EXPECT_FALSE(problem.empty());
    };
    refuses([](LoweredOperator& op) { op.geometry.oh = 0; });
    refuses([](LoweredOperator& op) { op.geometry.w = std::int64_t{1} << 40; });
    refuses([](LoweredOperator& op) { op.geometry.pads[3] = -1; });
    refuses([](LoweredOperator& op) { op.tiles.tileW = 0; });
    refuses([](LoweredOperator& op) { op.tiles.tiles = 1; });
    refuses([](LoweredOperator& op) { op.tiles.kSlice = 0; });
    refuses([](LoweredOperator& op) { op.tiles.fullK = std::int64_t{1} << 40; });
    refuses([](LoweredOperator& op) { op.tiles.facts = {}; });
    EXPECT_FALSE(TileWalk::of(LoweredOperator{}));
}

TEST(TileWalk, ClampsAWildCursor) {
    const auto walk = TileWalk::of(convolution(5, 6, 200, 3, 1, 1, 20));
    ASSERT_TRUE(walk);
    const TileCursor last = walk->clamped({1 << 20, 1 << 20, 1 << 20, 1 << 20});
    EXPECT_EQ(last, (TileCursor{5, 1, 2, 1}));
    EXPECT_EQ(walk->clamped({-1, -1, -1, -1}), TileCursor{});
}

} // namespace
} // namespace plumbline
