// SPDX-License-Identifier: GPL-3.0-or-later
// The arena as a drawing: what stands where, for few and for very many operators.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/chart/charts.h"
#include "core/chart/svg.h"
#include "core/lowering/target.h"
#include "tests/core/chart/xml.h"

using namespace plumbline;
using test::parseXml;

namespace {

DocumentPtr opened(const std::string& sample, bool simulate = false) {
    OpenRequest request;
    request.sample = sample;
    request.simulate = simulate;
    const auto document = openDocument(request, npuP0Target());
    EXPECT_TRUE(document);
    return document ? *document : std::make_shared<const Document>();
}

Document documentOf(std::vector<Allocation> allocations, std::int64_t operators) {
    auto lowering = std::make_shared<Lowering>();
    lowering->arena = observeArena(std::move(allocations), operators);
    for (std::int64_t i = 0; i < operators; ++i) {
        lowering->operators.emplace_back().index = i;
        lowering->operators.back().name = "CONV_2D";
    }
    Document document;
    document.lowering = lowering;
    return document;
}

template <class T> std::vector<T> allOf(const Drawing& drawing) {
    std::vector<T> found;
    for (const Shape& shape : drawing.shapes)
        if (const T* one = std::get_if<T>(&shape))
            found.push_back(*one);
    return found;
}

const DrawnLabel* labelOf(const std::vector<DrawnLabel>& labels, const std::string& text) {
    const auto found = std::find_if(labels.begin(), labels.end(),
                                    [&](const DrawnLabel& label) { return label.text == text; });
    return found == labels.end() ? nullptr : &*found;
}

/// Every shape inside the drawing, every label in a box that holds it.
void expectInside(const Drawing& drawing) {
    const auto isInside = [&](double x, double y) {
        return x >= -0.5 && y >= -0.5 && x <= drawing.width + 0.5 && y <= drawing.height + 0.5;
    };
    for (const DrawnBox& box : allOf<DrawnBox>(drawing)) {
        EXPECT_TRUE(isInside(box.box.x, box.box.y) && isInside(box.box.right(), box.box.bottom()));
        EXPECT_GT(box.box.width, 0);
        EXPECT_GT(box.box.height, 0);
    }
    for (const DrawnLine& line : allOf<DrawnLine>(drawing))
        for (const GraphPoint& point : line.points)
            EXPECT_TRUE(isInside(point.x, point.y)) << point.x << ' ' << point.y;
    for (const DrawnLabel& label : allOf<DrawnLabel>(drawing)) {
        EXPECT_TRUE(isInside(label.box.x, label.box.y) &&
                    isInside(label.box.right(), label.box.bottom()))
            << label.text;
        EXPECT_GE(label.turned ? label.box.height : label.box.width + 1e-6,
                  textWidth(label.text, label.size, label.face, label.bold))
            << label.text;
    }
}

} // namespace

TEST(ArenaDrawing, IsEmptyWithoutAPlan) {
    EXPECT_TRUE(arenaDrawing(documentOf({}, 0)).empty());
    EXPECT_TRUE(arenaDrawing(documentOf({}, 3)).empty());
    EXPECT_TRUE(arenaDrawing(*opened("refused")).empty());
}

TEST(ArenaDrawing, ShowsTwoBuffersAtTheirPlaces) {
    // 1000 and 500 bytes, one on the other, over two operators: columns of equal width.
    const Document document = documentOf(
        {{0, {}, "first", 0, 1000, 1024, -1, 0}, {1, {}, "second", 1024, 500, 512, 0, 1}}, 2);
    const Drawing drawing = arenaDrawing(document);
    expectInside(drawing);
    std::vector<DrawnBox> blocks;
    for (const DrawnBox& box : allOf<DrawnBox>(drawing))
        if (!box.title.empty())
            blocks.push_back(box);
    ASSERT_EQ(blocks.size(), 2U);
    const GraphRect first = blocks[0].box, second = blocks[1].box;
    EXPECT_NEAR(first.height, 2 * second.height, 1e-6);
    EXPECT_NEAR(first.width, second.width, 1e-6);                 // two columns each
    EXPECT_NEAR(second.x - first.x, (first.width + 2) / 2, 1e-6); // a column apart
    EXPECT_GT(first.y, second.bottom());                          // higher addresses stand higher
    EXPECT_EQ(blocks[0].fill, Ink::ofCategory(0));
    EXPECT_EQ(blocks[1].fill, Ink::ofCategory(1));
    EXPECT_NE(blocks[1].title.find("500 bytes"), std::string::npos);
    EXPECT_NE(blocks[1].title.find("0x00400"), std::string::npos);
    const auto labels = allOf<DrawnLabel>(drawing);
    for (const char* const text : {"first", "second", "1,000 bytes", "in", "0", "1", "0x0000"})
        EXPECT_NE(labelOf(labels, text), nullptr) << text;
}

TEST(ArenaDrawing, MarksPeakAndMinimum) {
    const Document document =
        documentOf({{0, {}, "a", 0, 1000, 1024, 0, 0}, {1, {}, "b", 2048, 1000, 1024, 0, 1}}, 2);
    const Drawing drawing = arenaDrawing(document);
    const auto labels = allOf<DrawnLabel>(drawing);
    EXPECT_NE(labelOf(labels, "high water 0x0C00 = 3,072 bytes"), nullptr);
    EXPECT_NE(labelOf(labels, "minimum 2,048 bytes"), nullptr);
    EXPECT_NE(labelOf(labels, "peak at 0 CONV_2D"), nullptr);
    double peak = 0, least = 0, zero = 0;
    for (const DrawnLine& line : allOf<DrawnLine>(drawing)) {
        const bool isLevel = line.points.size() == 2 && line.points[0].y == line.points[1].y &&
                             line.points[1].x - line.points[0].x > 500;
        if (isLevel && line.ink == Ink::of(Tone::Error))
            peak = line.points[0].y;
        if (isLevel && line.ink == Ink::of(Tone::Ok))
            least = line.points[0].y;
        if (isLevel && line.ink == Ink::of(Tone::Grid))
            zero = std::max(zero, line.points[0].y);
    }
    EXPECT_NEAR((zero - peak) / (zero - least), 3072.0 / 2048, 1e-9);
}

/// The peak runs through the first buffer, the minimum of 2,560 bytes through the second.
TEST(ArenaDrawing, NoLineStrikesThroughTheNameOfABuffer) {
    const Drawing drawing = arenaDrawing(
        documentOf({{0, {}, "a", 0, 1536, 1536, 0, 0}, {1, {}, "b", 2048, 1024, 1024, 0, 1}}, 2));
    std::size_t lastLine = 0, labels = 0, backs = 0;
    for (std::size_t i = 0; i < drawing.shapes.size(); ++i)
        if (const auto* const line = std::get_if<DrawnLine>(&drawing.shapes[i]);
            line && line->dashed)
            lastLine = i;
    for (std::size_t i = 1; i < drawing.shapes.size(); ++i) {
        const auto* const label = std::get_if<DrawnLabel>(&drawing.shapes[i]);
        if (!label || (label->ink != Ink::onCategory(0) && label->ink != Ink::onCategory(1)))
            continue;
        EXPECT_GT(i, lastLine) << label->text;
        ++labels;
        const auto* const back = std::get_if<DrawnBox>(&drawing.shapes[i - 1]);
        if (!back)
            continue;
        ++backs;
        EXPECT_EQ(back->fill, Ink::ofCategory(label->ink == Ink::onCategory(0) ? 0 : 1));
        EXPECT_EQ(back->box.y, label->box.y);
        EXPECT_GE(back->box.x, label->box.x);
        EXPECT_LE(back->box.right(), label->box.right());
    }
    EXPECT_GE(labels, 2U);
    EXPECT_GE(backs, 1U);
}

TEST(ArenaDrawing, HatchesPaddingThatCanBeSeen) {
    const Document document = documentOf({{0, {}, "a", 0, 65, 128, 0, 1}}, 2);
    int hatched = 0;
    for (const DrawnBox& box : allOf<DrawnBox>(arenaDrawing(document)))
        hatched += box.hatched && box.box.width > 100 ? 1 : 0;
    EXPECT_EQ(hatched, 1);
    const Document large = documentOf({{0, {}, "a", 0, 1'000'000, 1'000'064, 0, 1}}, 2);
    for (const DrawnBox& box : allOf<DrawnBox>(arenaDrawing(large)))
        EXPECT_FALSE(box.hatched && box.box.width > 100);
}

TEST(ArenaDrawing, MarksFindings) {
    Document document = documentOf({{0, {}, "a", 0, 4096, 4096, 0, 2}}, 3);
    const auto marks = [](const Drawing& drawing) {
        int count = 0;
        for (const DrawnLine& line : allOf<DrawnLine>(drawing))
            count += line.closed && line.fill == Ink::of(Tone::Error) ? 1 : 0;
        return count;
    };
    EXPECT_EQ(marks(arenaDrawing(document)), 0);
    Location where;
    where.operatorIndex = 1;
    where.byte = 1024;
    document.execution.emplace();
    document.execution->findings = {makeError(Code::ReadUnwritten, "a test finding", where)};
    const Drawing drawing = arenaDrawing(document);
    EXPECT_EQ(marks(drawing), 1);
    EXPECT_NE(drawing.description.find("diamonds: 1."), std::string::npos);
    where.operatorIndex = 99; // nowhere in the chart
    document.execution->findings = {makeError(Code::ReadUnwritten, "another", where)};
    EXPECT_EQ(marks(arenaDrawing(document)), 0);
}

TEST(ArenaDrawing, SaysItsNumbers) {
    const DocumentPtr document = opened("mobilenet");
    const ArenaPlan& plan = document->lowering->arena;
    const Drawing drawing = arenaDrawing(*document);
    expectInside(drawing);
    EXPECT_EQ(drawing.title, "Arena over time");
    const auto says = [&](const std::string& text) {
        EXPECT_NE(drawing.description.find(text), std::string::npos) << drawing.description;
    };
    says(std::to_string(plan.allocations.size()) + " buffers");
    says("64 bytes");
    says("operator " + std::to_string(plan.peakOperator) + " ");
    EXPECT_EQ(parseXml(svgFile(drawing)).all("desc").at(0)->text, drawing.description);
    EXPECT_LT(svgElement(drawing, "arena").size(), 40'000U);
}

TEST(ArenaDrawing, StaysSmallForManyOperators) {
    for (const auto& [sample, least] :
         {std::pair{"branches-2000", 2000}, {"branches-10000", 10'000}}) {
        const DocumentPtr document = opened(sample);
        ASSERT_GE(document->lowering->arena.steps.size(), static_cast<std::size_t>(least) / 2);
        const Drawing drawing = arenaDrawing(*document);
        expectInside(drawing);
        EXPECT_LT(svgElement(drawing, "arena").size(), 250'000U) << sample;
    }
}

TEST(ArenaDrawing, DrawsEachNarrowPlaceOnce) {
    std::vector<Allocation> many;
    for (std::int64_t i = 0; i < 10'000; ++i)
        many.push_back({i, {}, "", static_cast<std::uint64_t>(i % 9) * 4096, 4000, 4032, i, i + 8});
    const Drawing drawing = arenaDrawing(documentOf(many, 10'000));
    expectInside(drawing);
    std::set<std::pair<double, double>> places;
    std::size_t boxes = 0;
    double left = 1e9, right = 0;
    for (const DrawnBox& box : allOf<DrawnBox>(drawing))
        if (box.box.height > 20 && box.box.height < 60) { // a block's height: 380 / 1.1 / 9
            ++boxes;
            places.emplace(box.box.x, box.box.y);
            left = std::min(left, box.box.x);
            right = std::max(right, box.box.right());
        }
    EXPECT_EQ(places.size(), boxes);
    // Nine buffers in each column of two units; the first columns and the last have fewer.
    EXPECT_NEAR(static_cast<double>(boxes), (right - left) / 2 * 9, 20);
    EXPECT_LT(svgElement(drawing, "arena").size(), 250'000U);
}

TEST(ArenaDrawing, DamagedPlansStayInside) {
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 40;
    const Document document =
        documentOf({{0, {}, "a", 0, 100, 128, 0, 1},
                    {1, {}, "b", kHuge, 64, 64, -5, static_cast<std::int64_t>(kHuge)},
                    {2, {}, "c", 0, 100, 128, 0, 1}},
                   3);
    const Drawing drawing = arenaDrawing(document);
    expectInside(drawing);
    EXPECT_EQ(parseXml(svgElement(drawing, "x")).name, "svg");
}

TEST(ArenaDrawing, IsTheSameEachTime) {
    const DocumentPtr document = opened("ds-cnn");
    EXPECT_EQ(svgElement(arenaDrawing(*document), "a"), svgElement(arenaDrawing(*document), "a"));
}
