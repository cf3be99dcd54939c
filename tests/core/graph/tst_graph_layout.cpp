// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <random>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "core/graph/layout.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

Graph sampleGraph(const std::string& name) {
    const Result<Bytes> bytes = makeSample(name);
    EXPECT_TRUE(bytes.ok());
    const Result<ModelPtr> model = importTflite(*bytes);
    EXPECT_TRUE(model.ok());
    return (*model)->graphs.front();
}

/// A graph from lists of input tensors: operator i makes tensor i + 1, tensor 0 is the input.
Graph graphOf(const std::vector<std::vector<std::int32_t>>& inputs) {
    Graph graph;
    graph.tensors.resize(inputs.size() + 1);
    graph.inputs = {0};
    graph.outputs = {static_cast<std::int32_t>(inputs.size())};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Operator op;
        op.inputs = inputs[i];
        op.outputs = {static_cast<std::int32_t>(i) + 1};
        graph.operators.push_back(op);
    }
    return graph;
}

GraphLayout layoutOf(const Graph& graph, const GraphLayoutSizes& sizes = {}) {
    Result<GraphLayout> layout = layoutGraph(graph, {}, sizes);
    EXPECT_TRUE(layout.ok());
    return layout ? *layout : GraphLayout{};
}

bool boxesTouch(const GraphRect& a, const GraphRect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// The piece's bounding box against the node's: the route promises that curves stay inside theirs.
bool pieceTouches(const GraphPoint& a, const GraphPoint& b, const GraphRect& box) {
    return std::min(a.x, b.x) < box.right() && box.x < std::max(a.x, b.x) + 1e-9 &&
           std::min(a.y, b.y) < box.bottom() && box.y < std::max(a.y, b.y);
}

/// Empty when the layout keeps its promises.
std::string violation(const GraphLayout& layout) {
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
        const GraphRect& box = layout.nodes[i].box;
        if (box.x < 0 || box.y < 0 || box.right() > layout.width || box.bottom() > layout.height)
            return "node " + std::to_string(i) + " leaves the drawing";
        for (std::size_t j = 0; j < i; ++j)
            if (boxesTouch(box, layout.nodes[j].box))
                return "nodes " + std::to_string(j) + " and " + std::to_string(i) + " overlap";
    }
    for (std::size_t e = 0; e < layout.edges.size(); ++e) {
        const GraphEdge& edge = layout.edges[e];
        if (edge.route.size() < 2)
            return "edge " + std::to_string(e) + " has no route";
        for (const GraphPoint& point : edge.route)
            if (!(point.x >= 0 && point.x <= layout.width && point.y >= 0 &&
                  point.y <= layout.height))
                return "edge " + std::to_string(e) + " leaves the drawing";
        for (std::size_t i = 0; i < layout.nodes.size(); ++i)
            for (std::size_t p = 1; p < edge.route.size(); ++p)
                if (pieceTouches(edge.route[p - 1], edge.route[p], layout.nodes[i].box))
                    return "edge " + std::to_string(e) + " crosses node " + std::to_string(i);
    }
    return {};
}

TEST(GraphLayout, keepsItsPromisesForTheSamples) {
    for (const char* name : {"ds-cnn", "mobilenet", "resnet8", "autoencoder", "every-operator",
                             "refused", "branches-400"}) {
        const Graph graph = sampleGraph(name);
        const GraphLayout layout = layoutOf(graph);
        EXPECT_EQ(violation(layout), "") << name;
        ASSERT_GE(layout.nodes.size(), graph.operators.size() + 2) << name;
        for (std::size_t i = 0; i < graph.operators.size(); ++i) {
            EXPECT_EQ(layout.nodes[i].kind, GraphNodeKind::Operator);
            EXPECT_EQ(layout.nodes[i].index, static_cast<std::int64_t>(i));
        }
    }
}

TEST(GraphLayout, drawsAChainStraight) {
    const GraphLayout layout = layoutOf(sampleGraph("mobilenet"));
    for (const GraphEdge& edge : layout.edges) {
        ASSERT_EQ(edge.route.size(), 2U);
        EXPECT_EQ(edge.route[0].x, edge.route[1].x);
    }
}

TEST(GraphLayout, keepsTheLongPathStraightBesideAResidual) {
    // 0 -> 1 -> 2 -> 3(ADD of 0 and 2) -> 4
    const GraphLayout layout = layoutOf(graphOf({{0}, {1}, {2}, {1, 3}, {4}}));
    EXPECT_EQ(violation(layout), "");
    for (std::size_t i = 1; i < 5; ++i)
        EXPECT_EQ(layout.nodes[i].box.centre(), layout.nodes[0].box.centre());
    const auto residual =
        std::find_if(layout.edges.begin(), layout.edges.end(),
                     [](const GraphEdge& edge) { return edge.from == 0 && edge.to == 3; });
    ASSERT_NE(residual, layout.edges.end());
    EXPECT_EQ(residual->route.size(), 4U) << "out, straight down, in";
}

TEST(GraphLayout, putsBranchesSideBySideAroundTheMiddleOne) {
    const GraphLayout layout = layoutOf(graphOf({{0}, {1}, {1}, {1}, {2, 3, 4}}));
    EXPECT_EQ(violation(layout), "");
    EXPECT_EQ(layout.nodes[1].layer, layout.nodes[3].layer);
    double xs[3] = {layout.nodes[1].box.x, layout.nodes[2].box.x, layout.nodes[3].box.x};
    std::sort(xs, xs + 3);
    EXPECT_EQ(layout.nodes[4].box.x, xs[1]);
    EXPECT_EQ(layout.nodes[0].box.x, xs[1]);
}

TEST(GraphLayout, foldsLongModelsIntoColumns) {
    GraphLayoutSizes sizes;
    sizes.layersPerColumn = 10;
    const GraphLayout layout = layoutOf(sampleGraph("branches-100"), sizes);
    EXPECT_EQ(violation(layout), "");
    EXPECT_EQ(layout.columns, (layout.layers + 9) / 10);
    EXPECT_EQ(layout.nodes[0].column, 0);
    EXPECT_GT(layout.nodes[50].box.x, layout.nodes[5].box.right());
}

TEST(GraphLayout, leavesOutConstants) {
    Graph graph = graphOf({{0, 2}, {1, 3}});
    static constexpr std::uint8_t kByte = 1;
    graph.tensors.resize(4);
    graph.tensors[3].data = ByteView(&kByte, 1);
    graph.outputs = {2};
    const GraphLayout layout = layoutOf(graph);
    // Tensor 2 is made by operator 1 and read by operator 0: a backward edge; 3 is constant.
    EXPECT_EQ(layout.nodes.size(), 4U);
    ASSERT_EQ(layout.edges.size(), 4U);
    EXPECT_EQ(violation(layout), "");
    EXPECT_EQ(std::count_if(layout.edges.begin(), layout.edges.end(),
                            [](const GraphEdge& edge) { return edge.backward; }),
              1);
}

TEST(GraphLayout, survivesGraphsThatAreWrong) {
    EXPECT_TRUE(layoutOf(Graph{}).nodes.empty());
    Graph graph = graphOf({{-1, 99, 2, 2}, {-5, 1, 2}, {}, {4}, {3, 3}});
    graph.inputs = {0, 0, -1, 77};
    graph.outputs = {5, 5, -3, 1000, 0};
    graph.operators[2].outputs = {3, 3, -1, 500};
    EXPECT_EQ(violation(layoutOf(graph)), "");
    EXPECT_EQ(violation(layoutOf(graphOf(std::vector<std::vector<std::int32_t>>(60)))), "")
        << "nothing is connected";
}

TEST(GraphLayout, keepsItsPromisesForRandomGraphs) {
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        const std::size_t count = 1 + random() % 60;
        std::vector<std::vector<std::int32_t>> inputs(count);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t n = random() % 4; n-- > 0;) {
                const bool any = random() % 12 == 0; // also backwards, itself, or missing
                const std::size_t limit = any ? count + 3 : i + 1;
                const std::size_t span = random() % 3 == 0 || any ? limit : std::min(limit, 4UL);
                inputs[i].push_back(static_cast<std::int32_t>(any ? random() % limit
                                                                  : limit - 1 - random() % span));
            }
        GraphLayoutSizes sizes;
        sizes.layersPerColumn = round % 3 == 0 ? 5 : 0;
        EXPECT_EQ(violation(layoutOf(graphOf(inputs), sizes)), "") << "round " << round;
    }
}

TEST(GraphLayout, isBoundedForHugeFanOut) {
    constexpr std::int32_t kCount = 6000;
    std::vector<std::vector<std::int32_t>> inputs;
    for (std::int32_t i = 0; i < kCount; ++i)
        inputs.push_back({0, i, i / 2, i / 3});
    const GraphLayout layout = layoutOf(graphOf(inputs));
    std::size_t points = 0;
    for (const GraphEdge& edge : layout.edges)
        points += edge.route.size();
    EXPECT_LT(points, 5'000'000U);
    std::vector<std::vector<std::int32_t>> flat(20'000, std::vector<std::int32_t>{0});
    EXPECT_EQ(layoutOf(graphOf(flat)).layers, 3);
}

TEST(GraphLayout, isTheSameEveryTime) {
    const Graph graph = sampleGraph("resnet8");
    const GraphLayout a = layoutOf(graph);
    const GraphLayout b = layoutOf(graph);
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
        EXPECT_EQ(a.nodes[i].box, b.nodes[i].box);
    for (std::size_t i = 0; i < a.edges.size(); ++i)
        EXPECT_EQ(a.edges[i].route, b.edges[i].route);
}

TEST(GraphLayout, endsWhenCancelled) {
    std::stop_source source;
    JobContext context;
    context.stop = source.get_token();
    source.request_stop();
    const Result<GraphLayout> layout = layoutGraph(sampleGraph("resnet8"), context);
    ASSERT_FALSE(layout.ok());
    EXPECT_EQ(layout.diagnostics().front().code, Code::Cancelled);
}

} // namespace
} // namespace plumbline
