// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of the operator graph and the drawing of the whole graph.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/chart/charts.h"
#include "core/chart/graph_cards.h"
#include "core/chart/svg.h"

namespace plumbline::test {
namespace {

DocumentPtr sample(const std::string& name, bool simulate = false) {
    OpenRequest request;
    request.sample = name;
    request.simulate = simulate;
    const Result<DocumentPtr> document = openDocument(request, npuP0Target());
    EXPECT_TRUE(document.ok()) << name;
    return document ? *document : std::make_shared<const Document>();
}

Tensor tensorOf(std::vector<std::int32_t> shape) {
    Tensor tensor;
    tensor.shape = std::move(shape);
    tensor.type = ElementType::Int8;
    return tensor;
}

/// Input, convolution, reshape, output.
std::shared_ptr<Document> small() {
    Graph graph;
    graph.tensors = {tensorOf({1, 49, 10, 1}), tensorOf({1, 25, 5, 64}), tensorOf({1, 8000})};
    graph.inputs = {0};
    graph.outputs = {2};
    graph.operators.resize(2);
    graph.operators[0].name = "CONV_2D";
    graph.operators[0].inputs = {0};
    graph.operators[0].outputs = {1};
    graph.operators[1].name = "RESHAPE";
    graph.operators[1].inputs = {1};
    graph.operators[1].outputs = {2};
    auto model = std::make_shared<Model>();
    model->graphs = {graph};
    auto lowering = std::make_shared<Lowering>();
    lowering->model = model;
    lowering->operators.resize(2);
    lowering->operators[0].placement = Placement::Npu;
    lowering->operators[0].record = 12;
    lowering->operators[0].opcodeName = "CONV2D";
    lowering->operators[1].index = 1;
    lowering->operators[1].placement = Placement::Alias;
    auto document = std::make_shared<Document>();
    document->title = "small";
    document->lowering = lowering;
    document->layout = std::make_shared<const GraphLayout>(*layoutGraph(graph));
    return document;
}

/// A layer whose output differs in `mismatches` elements.
LayerVerdict differing(std::int64_t operatorIndex, std::int64_t mismatches) {
    TensorComparison comparison;
    comparison.equal = false;
    comparison.mismatches = mismatches;
    LayerVerdict verdict;
    verdict.operatorIndex = operatorIndex;
    verdict.accumulated = comparison;
    verdict.isolated = comparison;
    return verdict;
}

template <class Drawn> std::vector<Drawn> all(const std::vector<Shape>& shapes) {
    std::vector<Drawn> found;
    for (const Shape& shape : shapes)
        if (const Drawn* const drawn = std::get_if<Drawn>(&shape))
            found.push_back(*drawn);
    return found;
}

bool contains(const GraphRect& outer, const GraphRect& inner) {
    constexpr double kRounding = 1e-6;
    return inner.x >= outer.x - kRounding && inner.y >= outer.y - kRounding &&
           inner.right() <= outer.right() + kRounding &&
           inner.bottom() <= outer.bottom() + kRounding;
}

bool overlap(const GraphRect& a, const GraphRect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// What the signs of a card cover: everything after its box, stripe and labels.
std::vector<GraphRect> signsOf(const std::vector<Shape>& card) {
    std::vector<GraphRect> signs;
    for (const DrawnLine& line : all<DrawnLine>(card)) {
        const auto [left, right] =
            std::minmax_element(line.points.begin(), line.points.end(),
                                [](const GraphPoint& a, const GraphPoint& b) { return a.x < b.x; });
        const auto [top, bottom] =
            std::minmax_element(line.points.begin(), line.points.end(),
                                [](const GraphPoint& a, const GraphPoint& b) { return a.y < b.y; });
        signs.push_back({left->x, top->y, right->x - left->x, bottom->y - top->y});
    }
    const std::vector<DrawnBox> boxes = all<DrawnBox>(card);
    for (std::size_t i = 2; i < boxes.size(); ++i)
        signs.push_back(boxes[i].box);
    return signs;
}

void expectTidy(const GraphCards& cards, std::int32_t node, const std::optional<GraphHeat>& heat) {
    const std::vector<Shape> card = cards.card(node, heat);
    const GraphRect& box = cards.layout().nodes[static_cast<std::size_t>(node)].box;
    ASSERT_EQ(std::get<DrawnBox>(card.front()).box, box);
    const std::vector<DrawnLabel> labels = all<DrawnLabel>(card);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const DrawnLabel& label = labels[i];
        EXPECT_TRUE(contains(box, label.box)) << label.text;
        EXPECT_LE(textWidth(label.text, label.size, label.face, label.bold),
                  label.box.width + 1e-6);
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(label.box, labels[j].box)) << label.text << labels[j].text;
    }
    for (const GraphRect& sign : signsOf(card)) {
        EXPECT_TRUE(contains(box, sign));
        for (const DrawnLabel& label : labels)
            EXPECT_FALSE(overlap(label.box, sign)) << label.text;
    }
}

TEST(GraphCards, LinesOfACard) {
    const auto document = small();
    const GraphCards cards(*document);
    EXPECT_EQ(cards.textOf(0).name, "CONV_2D");
    EXPECT_EQ(cards.textOf(0).record, "#12");
    EXPECT_EQ(cards.textOf(0).shape, "25×5×64");
    EXPECT_EQ(cards.textOf(0).detail, "NPU #12 · CONV2D");
    EXPECT_EQ(cards.textOf(0).number, "0");
    EXPECT_EQ(cards.textOf(1).record, "");
    EXPECT_EQ(cards.textOf(1).number, "1");
    EXPECT_EQ(cards.textOf(1).shape, "8000");
    EXPECT_EQ(cards.textOf(1).detail, "alias");
    EXPECT_EQ(cards.textOf(2).name, "input");
    EXPECT_EQ(cards.textOf(2).number, "");
    EXPECT_EQ(cards.textOf(3).name, "output");
    EXPECT_EQ(cards.edgeLabel(1), "25×5×64 · 7.8 KiB"); // 8000 / 1024
    EXPECT_EQ(cards.edgeLabel(99), "");
    std::vector<std::string> texts;
    for (const DrawnLabel& label : all<DrawnLabel>(cards.card(0)))
        texts.push_back(label.text);
    std::sort(texts.begin(), texts.end());
    EXPECT_EQ(texts, (std::vector<std::string>{"0", "25×5×64", "CONV_2D", "NPU #12 · CONV2D"}));
}

TEST(GraphCards, SizesThatNoTensorHas) {
    EXPECT_EQ(GraphCards::bytesOf(tensorOf({1, 3, 3, 7})), 63U);
    EXPECT_EQ(GraphCards::bytesOf(tensorOf({})), 1U);
    EXPECT_FALSE(GraphCards::bytesOf(tensorOf({1, -1})));
    EXPECT_FALSE(GraphCards::bytesOf(tensorOf({2'000'000'000, 2'000'000'000, 2'000'000'000})));
    EXPECT_EQ(GraphCards::shapeLine(tensorOf({})), "scalar");
    EXPECT_EQ(GraphCards::shapeLine(tensorOf({1})), "1");
    EXPECT_EQ(GraphCards::shapeLine(tensorOf({2, 3})), "2×3");
}

TEST(GraphCards, VerdictsAndDiagnosticsBecomeMarks) {
    const auto document = small();
    auto verdicts = std::make_shared<Verdicts>();
    verdicts->reference = "theirs";
    verdicts->layers = {differing(0, 7), LayerVerdict{}};
    verdicts->layers[1].operatorIndex = 99; // of a damaged package
    verdicts->culprit = 0;
    document->verdicts = verdicts;
    Location second;
    second.operatorIndex = 1;
    document->diagnostics = {makeNote(Code::Usage, "a note", second),
                             makeWarning(Code::Usage, "a warning", second)};
    const GraphCards cards(*document);
    EXPECT_EQ(cards.marksOf(0).verdict, GraphVerdict::Differs);
    EXPECT_EQ(cards.marksOf(0).mismatches, 7);
    EXPECT_TRUE(cards.marksOf(0).culprit);
    EXPECT_TRUE(cards.marksOf(0).alarming());
    EXPECT_EQ(cards.marksOf(1).diagnostic, Severity::Warning);
    EXPECT_FALSE(cards.marksOf(1).alarming());
    EXPECT_EQ(cards.title(0), "CONV_2D, operator 0, output 25×5×64, on the NPU as CONV2D, "
                              "record 12, 7 elements differ, the culprit: the first layer that is "
                              "wrong by itself");
    EXPECT_EQ(cards.title(1), "RESHAPE, operator 1, output 8000, an alias: it shares the bytes of "
                              "its input, with a warning");
    EXPECT_EQ(cards.title(2), "input 49×10×1");
    EXPECT_EQ(std::get<DrawnBox>(cards.card(0).front()).edge, Ink::of(Tone::Error));
    EXPECT_TRUE(std::get<DrawnBox>(cards.card(1).front()).dashed);
    EXPECT_TRUE(std::any_of(document->layout->nodes.begin(), document->layout->nodes.end(),
                            [](const GraphNode& n) { return n.kind == GraphNodeKind::Input; }));
}

TEST(GraphCards, EveryMarkLeavesTheTextFree) {
    for (const bool wrong : {false, true})
        for (const bool warned : {false, true})
            for (const bool heated : {false, true}) {
                const auto document = small();
                auto lowering = std::make_shared<Lowering>(*document->lowering);
                lowering->operators[0].opcodeName = "AN_OPCODE_WITH_A_VERY_LONG_NAME_INDEED";
                document->lowering = lowering;
                auto verdicts = std::make_shared<Verdicts>();
                verdicts->layers = {differing(0, 1)};
                verdicts->layers[0].accumulated->equal = !wrong;
                verdicts->layers[0].isolated->equal = !wrong;
                verdicts->culprit = 0;
                document->verdicts = verdicts;
                Location first;
                first.operatorIndex = 0;
                if (warned)
                    document->diagnostics = {makeWarning(Code::Usage, "a warning", first)};
                const GraphCards cards(*document);
                const auto heat =
                    heated ? std::optional(GraphHeat{0.7, "123,456,789"}) : std::nullopt;
                EXPECT_FALSE(signsOf(cards.card(0)).empty());
                expectTidy(cards, 0, heat);
            }
}

TEST(GraphCards, NothingOverlapsInTheSamples) {
    for (const char* name : {"every-operator", "resnet8", "mobilenet", "refused"}) {
        SCOPED_TRACE(name);
        const DocumentPtr document = sample(name, true);
        const GraphCards cards(*document);
        for (std::size_t i = 0; i < cards.layout().nodes.size(); ++i) {
            const auto node = static_cast<std::int32_t>(i);
            expectTidy(cards, node, std::nullopt);
            const std::vector<Shape> below = cards.edgeLabelOf(node);
            ASSERT_TRUE(below.empty() || below.size() == 2);
            if (below.empty())
                continue;
            const auto& label = std::get<DrawnLabel>(below[1]);
            EXPECT_LE(textWidth(label.text, label.size), label.box.width);
            for (const GraphNode& other : cards.layout().nodes)
                EXPECT_FALSE(overlap(label.box, other.box)) << label.text;
        }
    }
}

std::vector<GraphRect> titledBoxes(const Drawing& drawing) {
    std::vector<GraphRect> boxes;
    for (const DrawnBox& box : all<DrawnBox>(drawing.shapes))
        if (!box.title.empty())
            boxes.push_back(box.box);
    return boxes;
}

std::vector<std::vector<GraphPoint>> arrows(const Drawing& drawing) {
    std::vector<std::vector<GraphPoint>> routes;
    for (const DrawnLine& line : all<DrawnLine>(drawing.shapes))
        if (line.arrow)
            routes.push_back(line.points);
    return routes;
}

TEST(GraphDrawing, OfAShortGraphIsItsLayout) {
    const DocumentPtr document = small();
    const Drawing drawing = graphDrawing(*document);
    const GraphLayout& layout = *document->layout;
    EXPECT_EQ(drawing.width, layout.width);
    EXPECT_EQ(drawing.height, layout.height);
    const auto routes = arrows(drawing);
    ASSERT_EQ(routes.size(), layout.edges.size());
    for (std::size_t i = 0; i < routes.size(); ++i)
        EXPECT_EQ(routes[i], layout.edges[i].route);
    const auto boxes = titledBoxes(drawing);
    ASSERT_EQ(boxes.size(), layout.nodes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        EXPECT_EQ(boxes[i], layout.nodes[i].box);
}

TEST(GraphDrawing, FoldsALongGraphIntoAPage) {
    for (const char* name : {"resnet8", "mobilenet"}) {
        const DocumentPtr document = sample(name, true);
        const Drawing drawing = graphDrawing(*document);
        const GraphLayout& layout = *document->layout;
        EXPECT_GT(drawing.width, layout.width);
        EXPECT_LE(drawing.width, 1040 + layout.width);
        EXPECT_LT(drawing.height, layout.height * 2 / 3);
        EXPECT_EQ(arrows(drawing).size(), layout.edges.size());
        const auto boxes = titledBoxes(drawing);
        ASSERT_EQ(boxes.size(), layout.nodes.size());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                EXPECT_FALSE(overlap(boxes[i], boxes[k]));
        EXPECT_NE(drawing.description.find("none differs"), std::string::npos);
    }
}

TEST(GraphDrawing, SaysWhatDiffers) {
    const auto document = small();
    auto verdicts = std::make_shared<Verdicts>();
    verdicts->reference = "theirs";
    verdicts->layers = {differing(0, 7)};
    verdicts->culprit = 0;
    document->verdicts = verdicts;
    const Drawing drawing = graphDrawing(*document);
    EXPECT_EQ(drawing.title, "Operator graph of small");
    EXPECT_EQ(drawing.description,
              "2 operators in " + std::to_string(document->layout->layers) +
                  " rows: 1 NPU, 1 alias. An edge is labelled with shape and size of its tensor. "
                  "Of 1 layer compared with theirs, 1 differs. The first one that is wrong by "
                  "itself is operator 0.");
}

TEST(GraphDrawing, NamesTheReferenceWithoutItsFolder) {
    Document document = *sample("ds-cnn", true);
    Verdicts verdicts = *document.verdicts;
    verdicts.reference = "/home/someone/run.tflite";
    document.verdicts = std::make_shared<const Verdicts>(std::move(verdicts));
    const std::string text = graphDrawing(document).description;
    EXPECT_NE(text.find("compared with run.tflite, none differs"), std::string::npos) << text;
}

TEST(GraphDrawing, NothingToDraw) {
    Document empty;
    empty.lowering = std::make_shared<const Lowering>();
    EXPECT_FALSE(hasGraphCards(empty));
    EXPECT_TRUE(graphDrawing(empty).empty());
}

TEST(GraphDrawing, StaysSmallAsSvg) {
    const DocumentPtr mobilenet = sample("mobilenet", true);
    const std::string few = svgElement(graphDrawing(*mobilenet), "graph");
    const std::size_t operators = mobilenet->graph()->operators.size();
    EXPECT_GT(few.size(), operators * 100);
    EXPECT_LT(few.size(), 40'000 * operators / 31 + 1'000);
    const DocumentPtr branches = sample("branches-2000");
    const std::string many = svgElement(graphDrawing(*branches), "graph");
    EXPECT_GT(many.size(), 200'000U);
    EXPECT_LT(many.size(), 2'000'000U);
    EXPECT_EQ(many, svgElement(graphDrawing(*branches), "graph"));
}

} // namespace
} // namespace plumbline::test
