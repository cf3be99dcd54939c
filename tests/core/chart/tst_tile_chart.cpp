// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of an operator's tiles and slices.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/chart/charts.h"
#include "core/chart/svg.h"
#include "core/chart/tile_layout.h"

namespace plumbline::test {
namespace {

/// 5×6 outputs of 20 channels in tiles of 2×4, K = 3 · 3 · 200 in slices of 1024.
LoweredOperator convolution() {
    LoweredOperator op;
    op.index = 7;
    op.opcodeName = "CONV2D";
    op.placement = Placement::Npu;
    OperatorGeometry& g = op.geometry;
    g.h = 5, g.w = 6, g.cin = 200, g.oh = 5, g.ow = 6, g.cout = 20;
    g.kh = g.kw = 3, g.strideH = g.strideW = 1;
    g.pads = {1, 1, 1, 1};
    TilePlan& t = op.tiles;
    t.tileH = 2, t.tileW = 4, t.tiles = 6;
    t.fullK = 1800, t.kSlice = 1024;
    t.facts = {8, 8, Reduction::WindowChannels};
    op.buffers = {8192, 4096, 9000, 8192};
    return op;
}

template <class Drawn> std::vector<Drawn> all(const Drawing& drawing) {
    std::vector<Drawn> found;
    for (const Shape& shape : drawing.shapes)
        if (const Drawn* const drawn = std::get_if<Drawn>(&shape))
            found.push_back(*drawn);
    return found;
}

bool says(const Drawing& drawing, const std::string& text) {
    const std::vector<DrawnLabel> labels = all<DrawnLabel>(drawing);
    return std::any_of(labels.begin(), labels.end(),
                       [&](const DrawnLabel& label) { return label.text == text; });
}

DrawnBox boxWith(const Drawing& drawing, Ink fill) {
    for (const DrawnBox& box : all<DrawnBox>(drawing))
        if (box.fill == fill)
            return box;
    ADD_FAILURE() << "no such box";
    return {};
}

bool overlap(const GraphRect& a, const GraphRect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TEST(TileDrawing, SaysAllNumbers) {
    const Drawing drawing = tileDrawing(convolution());
    EXPECT_EQ(drawing.title, "Tiles and slices of operator 7 CONV2D");
    EXPECT_EQ(drawing.description,
              "The output of 5 rows, 6 columns and 20 channels is made in 6 tiles of 2 rows and 4 "
              "columns, 4 of them shortened by the edge. The reduction, K = 1,800 = 3 kh × 3 kw × "
              "200 cin, is cut into 2 slices of at most 1,024 steps. The channels run in 3 groups "
              "of 8 lanes; 4 lanes are unused in the last group. Bytes of a half buffer: raw "
              "gather 8,192, packed A 4,096, packed W 9,000, of at most 8,192.");
    for (const char* text :
         {"Output 5×6×20", "6 tiles of 2×4, 4 shortened", "K = 1,800 = 3 kh × 3 kw × 200 cin",
          "2 slices of 1,024 steps", "20 channels in 3 groups of 8 lanes", "4 lanes unused",
          "8,192 (100.0 %)", "4,096 (50.0 %)", "9,000, over"})
        EXPECT_TRUE(says(drawing, text)) << text;
}

TEST(TileDrawing, PartsHaveTheirShares) {
    const Drawing drawing = tileDrawing(convolution());
    const GraphRect first = boxWith(drawing, Ink::ofCategory(0)).box;
    const GraphRect second = boxWith(drawing, Ink::ofCategory(1)).box;
    EXPECT_NEAR(first.width / second.width, 1024.0 / 776.0, 1e-9);
    EXPECT_EQ(second.x, first.right());
    // 200×204 units for 6×5 cells: 24 at most.
    const GraphRect tile = boxWith(drawing, Ink::of(Tone::AccentFill)).box;
    EXPECT_EQ(tile, (GraphRect{8, 44, 96, 48}));
    std::vector<GraphRect> hatched;
    for (const DrawnBox& box : all<DrawnBox>(drawing))
        if (box.hatched)
            hatched.push_back(box.box);
    ASSERT_EQ(hatched.size(), 3U); // the last row, the last two columns, the lane tail
    EXPECT_EQ(hatched[0], (GraphRect{8, 140, 144, 24}));
    EXPECT_EQ(hatched[1], (GraphRect{104, 44, 48, 96}));
    EXPECT_NEAR(hatched[2].width * 6, first.width + second.width, 1e-9); // 4 of 24 lanes
}

TEST(TileDrawing, BordersStandBetweenTiles) {
    const Drawing drawing = tileDrawing(convolution());
    std::vector<double> rows, columns;
    for (const DrawnLine& line : all<DrawnLine>(drawing))
        for (std::size_t i = 1; i < line.points.size(); i += 2)
            if (line.points[i].y == line.points[i - 1].y)
                rows.push_back(line.points[i].y);
            else
                columns.push_back(line.points[i].x);
    EXPECT_EQ(rows, (std::vector<double>{92, 140}));
    ASSERT_EQ(columns.size(), 3U); // of tiles, then of groups
    EXPECT_EQ(columns[0], 104);
}

TEST(TileDrawing, NothingOverlapsAndEverythingFits) {
    LoweredOperator wide = convolution();
    wide.geometry.cout = 1001;
    LoweredOperator large = convolution();
    large.geometry.oh = 224, large.geometry.ow = 224, large.tiles.tiles = 112 * 56;
    LoweredOperator sliced = convolution();
    sliced.tiles.kSlice = 1;
    LoweredOperator single = convolution();
    single.geometry.oh = single.geometry.ow = 1, single.tiles.tiles = 1;
    single.tiles.facts.reduction = Reduction::None;
    single.tiles.fullK = single.tiles.kSlice = 1;
    for (const LoweredOperator& op : {convolution(), wide, large, sliced, single}) {
        const Drawing drawing = tileDrawing(op);
        ASSERT_FALSE(drawing.empty());
        const std::vector<DrawnLabel> labels = all<DrawnLabel>(drawing);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            EXPECT_LE(textWidth(labels[i].text, labels[i].size), labels[i].box.width + 1e-9);
            EXPECT_EQ(labels[i].text.find("…"), std::string::npos) << labels[i].text;
            EXPECT_LE(labels[i].box.right(), drawing.width);
            EXPECT_LE(labels[i].box.bottom(), drawing.height);
            for (std::size_t j = 0; j < i; ++j) {
                const bool isOneLine = labels[i].box == labels[j].box; // left, middle and right
                EXPECT_TRUE(isOneLine || !overlap(labels[i].box, labels[j].box))
                    << labels[i].text << labels[j].text;
            }
        }
        const std::string svg = svgElement(drawing, "tiles");
        EXPECT_GT(svg.size(), 1000U);
        EXPECT_LT(svg.size(), 6000U);
    }
}

TEST(TileDrawing, BordersTooCloseAreThinned) {
    LoweredOperator large = convolution();
    large.geometry.oh = 224, large.geometry.ow = 224, large.tiles.tiles = 112 * 56;
    const Drawing drawing = tileDrawing(large);
    EXPECT_NE(drawing.description.find("Not every border"), std::string::npos);
    for (const DrawnLine& line : all<DrawnLine>(drawing))
        for (std::size_t i = 2; i < line.points.size(); i += 2)
            EXPECT_GE(std::max(line.points[i].x - line.points[i - 1].x,
                               line.points[i].y - line.points[i - 1].y),
                      3 - 1e-9);
}

TEST(TileDrawing, OnlyOfWhatHasTiles) {
    LoweredOperator op = convolution();
    op.placement = Placement::Alias;
    EXPECT_TRUE(tileDrawing(op).empty());
    op = convolution();
    op.tiles.tiles = 5; // the grid has 6
    EXPECT_TRUE(tileDrawing(op).empty());
}

TEST(TileDrawing, EveryRecordOfTheSamples) {
    OpenRequest request;
    request.sample = "every-operator";
    request.simulate = false;
    const Result<DocumentPtr> document = openDocument(request, npuP0Target());
    ASSERT_TRUE(document.ok());
    for (const LoweredOperator& op : (*document)->lowering->operators) {
        const Drawing drawing = tileDrawing(op);
        EXPECT_EQ(drawing.empty(), op.placement != Placement::Npu) << op.index;
        EXPECT_LT(svgElement(drawing, "tiles").size(), 6000U);
    }
}

TEST(GridView, ShowsWholeGridsAndPartsAroundAFocus) {
    const GridView whole({10, 20, 300, 200}, {-1, -1, 12, 18}, {0, 0});
    EXPECT_TRUE(whole.isWhole());
    EXPECT_EQ(whole.cell(), 16);
    EXPECT_EQ(whole.rectOf({0, 0, 2, 4}), (GraphRect{26, 36, 64, 32}));
    for (const GridPoint focus : {GridPoint{0, 0}, GridPoint{2000, 77}, GridPoint{4095, 4095}}) {
        const GridView part({0, 0, 300, 200}, {0, 0, 4096, 4096}, focus);
        EXPECT_FALSE(part.isWhole());
        EXPECT_TRUE(part.shown().contains(focus.y, focus.x));
        EXPECT_LE(part.frame().right(), 300);
        EXPECT_LE(part.frame().bottom(), 200);
    }
}

TEST(GridView, CellsAndPointsAgree) {
    const GridView grid({5, 5, 250, 250}, {0, 0, 25, 5}, {0, 0});
    for (std::int64_t y = 0; y < 25; ++y)
        for (std::int64_t x = 0; x < 5; ++x) {
            const GraphRect cell = grid.rectOf({y, x, 1, 1});
            EXPECT_EQ(grid.cellAt({cell.centre(), cell.y + cell.height / 2}),
                      std::optional(GridPoint{y, x}));
        }
    EXPECT_FALSE(grid.cellAt({0, 0}));
    EXPECT_FALSE(grid.cellAt({254, 254}));
    EXPECT_FALSE(GridView().cellAt({0, 0}));
    EXPECT_FALSE(GridView({0, 0, 0, 0}, {0, 0, 4, 4}, {0, 0}).cellAt({0, 0}));
    EXPECT_EQ(GridView({0, 0, 100, 100}, {0, 0, 0, 4}, {0, 0}).frame().width, 0);
}

TEST(PartBar, MapsPartsAndPoints) {
    const PartBar bar{{10, 0, 100, 10}, 4};
    EXPECT_EQ(bar.part(1, 3), (GraphRect{35, 0, 50, 10}));
    EXPECT_EQ(bar.partAt({34, 5}), std::optional<std::int64_t>(0));
    EXPECT_EQ(bar.partAt({36, 5}), std::optional<std::int64_t>(1));
    EXPECT_EQ(bar.partAt({109.9, 5}), std::optional<std::int64_t>(3));
    EXPECT_FALSE(bar.partAt({5, 5}));
    EXPECT_FALSE(PartBar{}.partAt({0, 0}));
    const PartBar huge{{0, 0, 100, 10}, std::int64_t{1} << 40};
    EXPECT_EQ(huge.part(0, std::int64_t{1} << 39).width, 50);
}

} // namespace
} // namespace plumbline::test
