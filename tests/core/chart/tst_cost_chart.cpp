// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, bars and axis of the costs, and their drawing.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "core/chart/cost_rows.h"
#include "core/chart/svg.h"

namespace plumbline::test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Record i costs 1000 (i + 1) compute, 100 pack, 10 load and 1 store cycles; every second operator
/// has no record.
Document documentOf(std::int64_t records) {
    auto lowering = std::make_shared<Lowering>();
    for (std::int64_t i = 0; i < 2 * records; ++i) {
        LoweredOperator op;
        op.index = i;
        op.opcodeName = "CONV2D";
        if (i % 2 == 0) {
            op.record = i / 2;
            op.placement = Placement::Npu;
            op.cost.computeCycles = 1000 * (i / 2 + 1);
            op.cost.packCycles = 100;
            op.cost.loadCycles = 10;
            op.cost.storeCycles = 1;
            op.cost.estimatedCycles = op.cost.computeCycles + 111;
            op.cost.gatherReadBytes = 7;
        }
        lowering->operators.push_back(op);
    }
    Document document;
    document.lowering = lowering;
    return document;
}

/// Boxes of parts below the legend.
std::vector<DrawnBox> partsOf(const Drawing& drawing) {
    std::vector<DrawnBox> parts;
    for (const Shape& shape : drawing.shapes)
        if (const auto* const box = std::get_if<DrawnBox>(&shape); box && box->box.y > 30)
            parts.push_back(*box);
    return parts;
}

std::vector<std::string> textsOf(const Drawing& drawing) {
    std::vector<std::string> texts;
    for (const Shape& shape : drawing.shapes)
        if (const auto* const label = std::get_if<DrawnLabel>(&shape))
            texts.push_back(label->text);
    return texts;
}

TEST(CostRows, OneRowPerRecord) {
    const std::vector<CostRow> rows = costRows(*documentOf(3).lowering);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[2].operatorIndex, 4);
    EXPECT_EQ(rows[2].record, 2);
    EXPECT_EQ(rows[2].cycles, (CostParts{3000, 100, 10, 1}));
    EXPECT_EQ(rows[2].total(CostMeasure::Cycles), 3111);
    EXPECT_EQ(rows[2].statedCycles, 3111);
    EXPECT_EQ(rows[2].total(CostMeasure::DmaBytes), 7);
    EXPECT_EQ(costPartName(CostMeasure::Cycles, 0), "compute");
    EXPECT_EQ(costPartName(CostMeasure::DmaBytes, 3), "writes");
}

TEST(CostRows, SumsStayWhereNumbersEnd) {
    EXPECT_EQ(cappedSum(2, 3), 5);
    EXPECT_EQ(cappedSum(kMost, 1), kMost);
    EXPECT_EQ(cappedSum(-kMost, -kMost), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(totalOf({kMost, kMost, kMost, 5}), kMost);
}

TEST(CostBars, CoverAllRowsInOrder) {
    for (const std::int64_t records : {1, 2, 319, 320, 321, 1000, 10'000}) {
        SCOPED_TRACE(records);
        const std::vector<CostRow> rows = costRows(*documentOf(records).lowering);
        const std::vector<CostBar> bars = costBars(rows, CostMeasure::Cycles, 320);
        EXPECT_LE(bars.size(), 320U);
        std::size_t next = 0;
        std::int64_t compute = 0;
        for (const CostBar& bar : bars) {
            EXPECT_EQ(bar.firstRow, next);
            EXPECT_LE(bar.rowCount, bars.front().rowCount);
            next += bar.rowCount;
            compute += bar.parts[0];
        }
        EXPECT_EQ(next, rows.size());
        EXPECT_EQ(compute, 1000 * records * (records + 1) / 2);
    }
    EXPECT_TRUE(costBars({}, CostMeasure::Cycles, 320).empty());
}

TEST(CostAxis, EndsAtARoundNumber) {
    struct Case {
        double largest, end, step;
    };
    for (const Case& c :
         {Case{0, 1, 1}, Case{1, 1, 1}, Case{3, 3, 1}, Case{2000, 2000, 500}, Case{2001, 2500, 500},
          Case{9001, 10'000, 2000}, Case{std::numeric_limits<double>::quiet_NaN(), 1, 1}}) {
        const CostAxis axis = costAxis(c.largest);
        EXPECT_EQ(axis.end, c.end) << c.largest;
        EXPECT_EQ(axis.step, c.step) << c.largest;
    }
    EXPECT_GE(costAxis(static_cast<double>(kMost)).end, static_cast<double>(kMost));
}

TEST(CostDrawing, StacksThePartsOfEveryRecord) {
    const Drawing drawing = costDrawing(documentOf(5), CostMeasure::Cycles);
    EXPECT_EQ(drawing.title, "Estimated cycles of every record, in execution order");
    std::map<double, std::vector<DrawnBox>> bars; // by their left side
    for (const DrawnBox& box : partsOf(drawing))
        bars[box.box.x].push_back(box);
    ASSERT_EQ(bars.size(), 5U);
    const double base = bars.begin()->second.front().box.bottom();
    double unit = 0; // height of 1000 cycles
    std::int64_t record = 0;
    for (const auto& [left, parts] : bars) {
        SCOPED_TRACE(record);
        ASSERT_GE(parts.size(), 3U); // one cycle may be too low to be seen
        if (record == 0)
            unit = parts[0].box.height;
        EXPECT_NEAR(parts[0].box.bottom(), base, 1e-9);
        EXPECT_NEAR(parts[0].box.height, unit * static_cast<double>(record + 1), 1e-6);
        EXPECT_NEAR(parts[1].box.height, unit / 10, 1e-6);
        EXPECT_NEAR(parts[1].box.bottom(), parts[0].box.y, 1e-9);
        EXPECT_NE(parts[0].hatched, parts[1].hatched);
        ++record;
    }
    // 5000 + 111 cycles, so the axis goes to 6000.
    EXPECT_NEAR(unit * 6, base - 34, 1e-6);
    const std::vector<std::string> texts = textsOf(drawing);
    for (const char* text : {"0", "2.0 k", "6.0 k", "compute", "store", "8", "cycles (estimate)"})
        EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end()) << text;
    EXPECT_EQ(drawing.description,
              "Estimates of the target's cost model, not measurements. 5 records take 15,555 "
              "cycles: compute 15,000 (96.4 %), pack 500 (3.2 %), load 50 (0.3 %), store 5 (0.0 "
              "%). The largest is record 4 (operator 8, CONV2D) with 5,111.");
}

TEST(CostDrawing, EveryTextFitsAndStaysInside) {
    for (const std::int64_t records : {1, 40, 200, 5000}) {
        SCOPED_TRACE(records);
        const Drawing drawing = costDrawing(documentOf(records), CostMeasure::Cycles);
        double lastRight = 0;
        for (const Shape& shape : drawing.shapes) {
            const auto* const label = std::get_if<DrawnLabel>(&shape);
            if (label == nullptr)
                continue;
            const double room = label->turned ? label->box.height : label->box.width;
            EXPECT_LE(textWidth(label->text, label->size), room + 1e-9) << label->text;
            EXPECT_GE(label->box.x, 0);
            EXPECT_LE(label->box.right(), drawing.width + 1e-9) << label->text;
            EXPECT_LE(label->box.bottom(), drawing.height) << label->text;
            if (label->box.y > 250 && label->box.y < 260) { // operator indices
                EXPECT_GT(label->box.x, lastRight);
                lastRight = label->box.right();
            }
        }
        EXPECT_GT(lastRight, 0);
    }
}

TEST(CostDrawing, ManyRecordsAreBinned) {
    const Document document = documentOf(10'000);
    const Drawing drawing = costDrawing(document, CostMeasure::Cycles);
    EXPECT_NE(drawing.description.find("Every bar is the sum of 32 neighbouring records."),
              std::string::npos)
        << drawing.description;
    const std::string svg = svgElement(drawing, "cost");
    EXPECT_GT(svg.size(), 10'000U);
    EXPECT_LT(svg.size(), 150'000U);
    const Drawing few = costDrawing(documentOf(320), CostMeasure::Cycles);
    EXPECT_EQ(few.description.find("sum of"), std::string::npos);
    EXPECT_LT(svgElement(few, "cost").size(), 150'000U);
}

TEST(CostDrawing, NothingAndDamage) {
    Document none;
    none.lowering = std::make_shared<const Lowering>();
    EXPECT_TRUE(costDrawing(none, CostMeasure::Cycles).empty());
    auto lowering = std::make_shared<Lowering>(*documentOf(3).lowering);
    lowering->operators[0].cost.computeCycles = kMost;
    lowering->operators[0].cost.packCycles = kMost;
    lowering->operators[2].cost.computeCycles = -5;
    none.lowering = lowering;
    for (const DrawnBox& box : partsOf(costDrawing(none, CostMeasure::Cycles))) {
        EXPECT_GT(box.box.height, 0);
        EXPECT_GE(box.box.y, 30);
    }
}

} // namespace
} // namespace plumbline::test
