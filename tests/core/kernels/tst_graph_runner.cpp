// SPDX-License-Identifier: GPL-3.0-or-later
// Running hand-built graphs: quantization, padding, batches and the trace, with numbers worked out
// by hand.
#include <ostream>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/kernels/graph_runner.h"
#include "tests/core/kernels/graph_builder.h"

namespace plumbline {
namespace {

using namespace test;

/// The output of a graph that must run.
Values outputOf(const GraphBuilder& builder, const Values& input) {
    const Result<GraphRun> result = runGraph(builder.model, bytesOf(input), plainKernels());
    if (!result) {
        ADD_FAILURE() << toText(result.diagnostics().front());
        return {};
    }
    EXPECT_FALSE(result->faultedOperator) << result->faultReason;
    return valuesOf(result->output);
}

TEST(GraphConv, samePaddingPutsTheOddElementBehind) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 4, 1});
    const auto w = b.weights({1, 1, 3, 1}, {1, 10, 100});
    b.tensor(w).quantization.scales = {0.5F};
    const auto y = b.activation({1, 1, 2, 1}, 0.5F);
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {x, w, b.bias({0})}, {y},
                  convOptions(Padding::Same, 2));
    b.output(y);
    // total = (2 - 1) * 2 + 3 - 4 = 1: nothing before, one behind. 1*1 + 10*(-2) + 100*1 and
    // 1*1 + 10*2. Scale 1 * 0.5 / 0.5 = 1.
    EXPECT_EQ(outputOf(b, {1, -2, 1, 2}), (Values{81, 21}));
}

TEST(GraphConv, perChannelScalesBiasAndZeroPoints) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 1, 2}, 0.5F, -3);
    const auto w = b.weights({2, 1, 1, 2}, {1, 2, 3, 4}, {1.0F, 0.5F});
    const auto y = b.activation({1, 1, 1, 2}, 0.25F, 5);
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {x, w, b.bias({-4, 8})}, {y},
                  convOptions(Padding::Valid));
    b.output(y);
    // x - z = (5, 3). Channel 0: (5 + 6 - 4) * 0.5 * 1 / 0.25 = 14; channel 1: (15 + 12 + 8) * 1.
    EXPECT_EQ(outputOf(b, {2, 0}), (Values{14 + 5, 35 + 5}));
}

TEST(GraphConv, batchesRunImageByImage) {
    GraphBuilder b;
    const auto x = b.input({3, 1, 2, 1});
    const auto w = b.weights({1, 1, 2, 1}, {1, -1});
    const auto y = b.activation({3, 1, 1, 1});
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {x, w, kAbsentTensor}, {y},
                  convOptions(Padding::Valid));
    b.output(y);
    EXPECT_EQ(outputOf(b, {5, 1, 1, 5, 7, 7}), (Values{4, -4, 0}));
}

TEST(GraphConv, dilationWithSamePadding) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 3, 1});
    const auto w = b.weights({1, 1, 3, 1}, {5, 7, 11});
    const auto y = b.activation({1, 1, 3, 1});
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {x, w}, {y}, convOptions(Padding::Same, 1, 2));
    b.output(y);
    EXPECT_EQ(outputOf(b, {1, 2, 3}), (Values{7 + 33, 14, 5 + 21}));
}

struct ActivationCase {
    const char* name;
    FusedActivation activation;
    Values expected;
};

void PrintTo(const ActivationCase& row, std::ostream* out) { *out << row.name; }

class GraphActivation : public testing::TestWithParam<ActivationCase> {};

// Output scale 0.5, zero point -10: the reals -2, 0.5, 4 and 30 are -14, -9, -2 and 50.
TEST_P(GraphActivation, fusedIntoConv) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 4, 1}, 0.5F);
    const auto y = b.activation({1, 1, 4, 1}, 0.5F, -10);
    Conv2DOptions options = convOptions(Padding::Valid);
    options.activation = GetParam().activation;
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {x, b.weights({1, 1, 1, 1}, {1})}, {y}, options);
    b.output(y);
    EXPECT_EQ(outputOf(b, {-4, 1, 8, 60}), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, GraphActivation,
    testing::Values(ActivationCase{"none", FusedActivation::None, {-14, -9, -2, 50}},
                    ActivationCase{"relu", FusedActivation::Relu, {-10, -9, -2, 50}},
                    ActivationCase{"relu6", FusedActivation::Relu6, {-10, -9, -2, 2}},
                    ActivationCase{"reluN1To1", FusedActivation::ReluN1To1, {-12, -9, -8, -8}}),
    [](const auto& row) { return row.param.name; });

TEST(GraphClamp, operatorsOfTheirOwn) {
    const auto run = [](OperatorKind kind) {
        GraphBuilder b;
        const auto x = b.input({2, 2}, 0.5F, -10);
        const auto y = b.activation({2, 2}, 0.5F, -10);
        b.addOperator(kind, "RELU", {x}, {y});
        b.output(y);
        return outputOf(b, {-14, -9, -2, 50});
    };
    EXPECT_EQ(run(OperatorKind::Relu), (Values{-10, -9, -2, 50}));
    EXPECT_EQ(run(OperatorKind::Relu6), (Values{-10, -9, -2, 2}));
    EXPECT_EQ(run(OperatorKind::ReluN1To1), (Values{-12, -9, -8, -8}));
}

TEST(GraphDepthwise, multiplierTwoWithScalesAlongTheLastDimension) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 2, 2});
    const auto w = b.weights({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 0.5F, 2}, 3);
    const auto y = b.activation({1, 1, 1, 4});
    DepthwiseConv2DOptions options;
    options.padding = Padding::Valid;
    options.strideH = options.strideW = 1;
    options.depthMultiplier = 2;
    b.addOperator(OperatorKind::DepthwiseConv2D, "DEPTHWISE_CONV_2D", {x, w}, {y}, options);
    b.output(y);
    // Sums 16, 20, 34, 40 as in the kernel's own test; times 1, 1, 0.5, 2.
    EXPECT_EQ(outputOf(b, {1, 2, 3, 4}), (Values{16, 20, 17, 80}));
}

TEST(GraphDense, flattensTheInputIntoRowsOfTheWeightsLength) {
    GraphBuilder b;
    const auto x = b.input({2, 1, 2, 2}, 1.0F, 1); // two rows of four, or four rows of two
    const auto w = b.weights({3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1});
    const auto y = b.activation({2, 3});
    b.addOperator(OperatorKind::FullyConnected, "FULLY_CONNECTED", {x, w, b.bias({0, 0, 100})}, {y},
                  FullyConnectedOptions{});
    b.output(y);
    EXPECT_EQ(outputOf(b, {2, 3, 4, 5, 6, 7, 8, 9}), (Values{1, 2, 110, 5, 6, 126}));
}

TEST(GraphDense, keepsLeadingDimensionsAndPerChannelScales) {
    GraphBuilder b;
    const auto x = b.input({1, 2, 2});
    const auto w = b.weights({2, 2}, {1, 2, 3, 4}, {1.0F, 2.0F});
    const auto y = b.activation({1, 2, 2});
    FullyConnectedOptions options;
    options.keepNumDims = true;
    b.addOperator(OperatorKind::FullyConnected, "FULLY_CONNECTED", {x, w}, {y}, options);
    b.output(y);
    EXPECT_EQ(outputOf(b, {1, 1, 5, -2}), (Values{3, 14, 1, 14}));
}

TEST(GraphAdd, twoInputsOfDifferentScale) {
    GraphBuilder b;
    const auto x = b.input({1, 3}, 1.0F, 3);
    const auto y = b.input({1, 1, 1, 3}, 0.25F, 4); // the same (H,W,C)
    const auto z = b.activation({1, 3}, 0.5F, -10);
    b.addOperator(OperatorKind::Add, "ADD", {x, y}, {z}, AddOptions{});
    b.output(z);
    EXPECT_EQ(outputOf(b, {3, 7, 100, 8, 4, 60}), (Values{2 - 10, 8 - 10, 127}));
}

TEST(GraphAdd, constantOperandAndFusedActivation) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 2, 2});
    const auto c = b.weights({1, 1, 2, 2}, {1, -20, 30, 40});
    const auto y = b.activation({1, 1, 2, 2});
    b.addOperator(OperatorKind::Add, "ADD", {c, x}, {y}, AddOptions{FusedActivation::Relu});
    b.output(y);
    EXPECT_EQ(outputOf(b, {10, 10, 10, 100}), (Values{11, 0, 40, 127}));
}

TEST(GraphPool, averageOfBatchesWithHugeFilter) {
    GraphBuilder b;
    const auto x = b.input({2, 1, 2, 1});
    const auto y = b.activation({2, 1, 1, 1});
    Pool2DOptions options;
    // Costs no more than the input: positions outside are never visited.
    options.filterH = options.filterW = options.strideH = options.strideW = 2'000'000'000;
    b.addOperator(OperatorKind::AveragePool2D, "AVERAGE_POOL_2D", {x}, {y}, options);
    b.output(y);
    EXPECT_EQ(outputOf(b, {1, 4, -1, -4}), (Values{3, -3}));
}

TEST(GraphPool, maximumWithValidPaddingDropsTheRest) {
    GraphBuilder b;
    const auto x = b.input({1, 1, 5, 1});
    const auto y = b.activation({1, 1, 2, 1});
    Pool2DOptions options;
    options.padding = Padding::Valid;
    options.filterH = options.strideH = 1;
    options.filterW = options.strideW = 2;
    b.addOperator(OperatorKind::MaxPool2D, "MAX_POOL_2D", {x}, {y}, options);
    b.output(y);
    EXPECT_EQ(outputOf(b, {1, 2, -4, -3, 100}), (Values{2, -3}));
}

TEST(GraphSoftmax, rowsAreTheLastDimensionOfAnyRank) {
    GraphBuilder b;
    const auto x = b.input({2, 1, 2});
    const auto y = b.activation({2, 1, 2}, 1.0F / 256, -128);
    b.addOperator(OperatorKind::Softmax, "SOFTMAX", {x}, {y});
    b.output(y);
    EXPECT_EQ(outputOf(b, {5, 5, 0, 127}), (Values{0, 0, -128, 127}));
}

/// x [1,2,2] -> RESHAPE -> RELU -> graph outputs (relu, reshape, constant, input).
GraphBuilder chain() {
    GraphBuilder b;
    const auto x = b.input({1, 2, 2}, 0.5F, 1);
    const auto flat = b.activation({1, 4}, 0.5F, 1);
    const auto y = b.activation({1, 4}, 0.5F, 1);
    const auto c = b.weights({2}, {7, 8});
    b.addOperator(OperatorKind::Reshape, "RESHAPE", {x}, {flat});
    b.addOperator(OperatorKind::Relu, "RELU", {flat}, {y});
    for (const std::int32_t index : {y, flat, c, x})
        b.output(index);
    b.model.sha256 = "the model's";
    return b;
}

TEST(GraphRunner, outputsAreConcatenatedInGraphOrder) {
    EXPECT_EQ(outputOf(chain(), {-3, 0, 1, 9}),
              (Values{1, 1, 1, 9, -3, 0, 1, 9, 7, 8, -3, 0, 1, 9}));
}

TEST(GraphRunner, traceHasOneLayerPerOperatorButReshape) {
    const GraphBuilder b = chain();
    const Bytes input = bytesOf({-3, 0, 1, 9});
    const Result<GraphRun> result = runGraph(b.model, input, plainKernels());
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->trace.producer, "plumbline plain kernels");
    EXPECT_EQ(result->trace.modelSha256, "the model's");
    EXPECT_EQ(result->trace.inputSha256, sha256Hex(input));
    EXPECT_EQ(result->outputSha256, sha256Hex(result->output));
    ASSERT_EQ(result->trace.layers.size(), 1u);
    const TraceLayer& layer = result->trace.layers[0];
    EXPECT_EQ(layer.operatorIndex, 1);
    EXPECT_FALSE(layer.record.has_value());
    EXPECT_EQ(layer.name, "RELU");
    EXPECT_EQ(layer.shape, (std::vector<std::int64_t>{1, 1, 4}));
    EXPECT_EQ(layer.scale, 0.5);
    EXPECT_EQ(layer.zeroPoint, 1);
    EXPECT_EQ(layer.byteCount, 4u);
    EXPECT_EQ(valuesOf(layer.bytes), (Values{1, 1, 1, 9}));
    EXPECT_EQ(layer.sha256, sha256Hex(layer.bytes));
}

TEST(GraphRunner, shapesThatAreNotBatchOneAreTracedWhole) {
    GraphBuilder b;
    const auto x = b.input({2, 3});
    const auto y = b.activation({2, 3});
    b.addOperator(OperatorKind::Relu, "RELU", {x}, {y});
    b.output(y);
    const Result<GraphRun> result = runGraph(b.model, Bytes(6), plainKernels());
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->trace.layers.at(0).shape, (std::vector<std::int64_t>{2, 3}));
}

TEST(GraphRunner, layersAreLeftOutOnRequest) {
    GraphRunOptions withoutLayers;
    withoutLayers.captureLayers = false;
    const Result<GraphRun> result =
        runGraph(chain().model, Bytes(4), plainKernels(), {}, withoutLayers);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->trace.layers.empty());
    EXPECT_EQ(result->output.size(), 14u);
}

TEST(GraphRunner, arithmeticFaultEndsTheTraceBeforeItsOperator) {
    GraphBuilder b;
    const auto x = b.input({1, 1});
    const auto y = b.activation({1, 1});
    const auto z = b.activation({1, 1});
    const auto end = b.activation({1, 1});
    const auto w = b.weights({1, 1}, {1});
    b.addOperator(OperatorKind::Relu, "RELU", {x}, {y});
    b.addOperator(OperatorKind::FullyConnected, "FULLY_CONNECTED", {y, w, b.bias({kInt32Max})},
                  {z});
    b.addOperator(OperatorKind::Relu, "RELU", {z}, {end});
    b.output(end);
    const Result<GraphRun> result = runGraph(b.model, bytesOf({1}), plainKernels());
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->faultedOperator, 1);
    EXPECT_NE(result->faultReason.find("operator 1 FULLY_CONNECTED"), std::string::npos);
    EXPECT_EQ(result->trace.layers.size(), 1u);
    EXPECT_TRUE(result->output.empty());
}

TEST(GraphRunner, inputOfAnotherSizeIsRefused) {
    const Result<GraphRun> result = runGraph(chain().model, Bytes(5), plainKernels());
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.diagnostics().front().code, Code::InputSize);
    EXPECT_EQ(result.diagnostics().front().message, "the input has 5 bytes, the model takes 4");
}

TEST(GraphRunner, cancellationAndProgress) {
    JobContext context;
    std::vector<std::string> steps;
    context.progress = [&](double, std::string_view what) { steps.emplace_back(what); };
    ASSERT_TRUE(runGraph(chain().model, Bytes(4), plainKernels(), context).ok());
    EXPECT_EQ(steps, (std::vector<std::string>{"RESHAPE", "RELU"}));

    std::stop_source source;
    source.request_stop();
    context.stop = source.get_token();
    const Result<GraphRun> result = runGraph(chain().model, Bytes(4), plainKernels(), context);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.diagnostics().front().code, Code::Cancelled);
}

TEST(GraphRunner, preparedGraphRunsInSeveralThreads) {
    const GraphBuilder b = chain();
    const Result<PreparedGraphPtr> prepared = prepareGraph(b.model, plainKernels());
    ASSERT_TRUE(prepared.ok());
    std::vector<Values> outputs(4);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            threads.emplace_back([&, i] {
                const auto value = static_cast<std::uint8_t>(10 + i);
                const Result<GraphRun> result = runPrepared(**prepared, Bytes(4, value));
                if (result.ok())
                    outputs[i] = valuesOf(result->output);
            });
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        ASSERT_EQ(outputs[i].size(), 14u) << i;
        EXPECT_EQ(outputs[i].front(), static_cast<int>(10 + i));
    }
}

TEST(GraphInputBytes, addsUpAllInputs) {
    GraphBuilder b;
    b.input({1, 2, 3});
    const auto wide = b.input({5});
    b.tensor(wide).type = ElementType::Float32;
    EXPECT_EQ(graphInputBytes(b.graph()), 6u + 20u);
    b.tensor(wide).type = ElementType::Int4;
    EXPECT_EQ(graphInputBytes(b.graph()), 6u + 3u);
    b.tensor(wide).type = ElementType::String;
    EXPECT_FALSE(graphInputBytes(b.graph()).has_value());
    b.tensor(wide).type = ElementType::Int8;
    b.tensor(wide).shape = {-1};
    EXPECT_FALSE(graphInputBytes(b.graph()).has_value());
    b.tensor(wide).shape = {5};
    b.graph().inputs.push_back(99);
    EXPECT_FALSE(graphInputBytes(b.graph()).has_value());
}

} // namespace
} // namespace plumbline
