// SPDX-License-Identifier: GPL-3.0-or-later
// What prepareGraph refuses: one good graph per operator, each row breaks one thing in it.
#include <functional>
#include <limits>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "core/kernels/graph_runner.h"
#include "tests/core/kernels/graph_builder.h"

namespace plumbline {
namespace {

using namespace test;

constexpr std::int32_t kHuge = std::numeric_limits<std::int32_t>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// In every graph tensor 0 is the input and operator 0 the only one.

/// 3x3 SAME convolution of [1,4,4,2] to 2 channels: 1 weights, 2 bias, 3 output.
GraphBuilder convGraph() {
    GraphBuilder b;
    b.input({1, 4, 4, 2});
    b.weights({2, 3, 3, 2}, Values(36, 1), {1.0F, 2.0F});
    b.bias({0, 0});
    b.output(b.activation({1, 4, 4, 2}));
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {0, 1, 2}, {3}, convOptions(Padding::Same));
    return b;
}

/// 3x3 SAME depthwise convolution with multiplier 2: 1 weights, 2 bias, 3 output.
GraphBuilder depthwiseGraph() {
    GraphBuilder b;
    b.input({1, 4, 4, 1});
    b.weights({1, 3, 3, 2}, Values(18, 1), {1.0F, 2.0F}, 3);
    b.bias({0, 0});
    b.output(b.activation({1, 4, 4, 2}));
    b.addOperator(OperatorKind::DepthwiseConv2D, "DEPTHWISE_CONV_2D", {0, 1, 2}, {3},
                  DepthwiseConv2DOptions{Padding::Same, 1, 1, 2, 1, 1, FusedActivation::None});
    return b;
}

/// [2,4] to [2,3]: 1 weights, 2 bias, 3 output.
GraphBuilder denseGraph() {
    GraphBuilder b;
    b.input({2, 4});
    b.weights({3, 4}, Values(12, 1));
    b.bias({0, 0, 0});
    b.output(b.activation({2, 3}));
    b.addOperator(OperatorKind::FullyConnected, "FULLY_CONNECTED", {0, 1, 2}, {3},
                  FullyConnectedOptions{});
    return b;
}

/// Two inputs 0 and 1, output 2.
GraphBuilder addGraph() {
    GraphBuilder b;
    b.input({1, 2, 2, 1});
    b.input({1, 2, 2, 1});
    b.output(b.activation({1, 2, 2, 1}));
    b.addOperator(OperatorKind::Add, "ADD", {0, 1}, {2}, AddOptions{});
    return b;
}

/// 2x2 pool with stride 2, output 1.
GraphBuilder poolGraph() {
    GraphBuilder b;
    b.input({1, 4, 4, 2});
    b.output(b.activation({1, 2, 2, 2}));
    b.addOperator(OperatorKind::MaxPool2D, "MAX_POOL_2D", {0}, {1},
                  Pool2DOptions{Padding::Valid, 2, 2, 2, 2, FusedActivation::None});
    return b;
}

GraphBuilder reshapeGraph() {
    GraphBuilder b = reluGraph();
    b.op(0).kind = OperatorKind::Reshape;
    b.op(0).name = "RESHAPE";
    b.tensor(1).shape = {2, 2};
    return b;
}

GraphBuilder softmaxGraph() {
    GraphBuilder b = reluGraph();
    b.op(0).kind = OperatorKind::Softmax;
    b.op(0).name = "SOFTMAX";
    b.op(0).options = SoftmaxOptions{1.0F};
    b.tensor(1).quantization = {{1.0F / 256}, {-128}, 0};
    return b;
}

template <class Options> Options& optionsIn(GraphBuilder& b) {
    return std::get<Options>(b.op(0).options);
}

struct RefusalRow {
    std::string name;
    GraphBuilder (*graph)();
    std::function<void(GraphBuilder&)> damage;
    std::string reason; ///< part of the message
};

void PrintTo(const RefusalRow& row, std::ostream* out) { *out << row.name; }

class GraphRefusal : public testing::TestWithParam<RefusalRow> {};

TEST_P(GraphRefusal, namesTheOperatorAndTheReason) {
    GraphBuilder b = GetParam().graph();
    ASSERT_TRUE(prepareGraph(b.model, plainKernels()).ok()) << "before the damage";
    GetParam().damage(b);
    const Result<PreparedGraphPtr> prepared = prepareGraph(b.model, plainKernels());
    ASSERT_FALSE(prepared.ok());
    const Diagnostic& diagnostic = prepared.diagnostics().front();
    EXPECT_EQ(diagnostic.code, Code::NoKernel) << diagnostic.message;
    EXPECT_EQ(diagnostic.where.operatorIndex, 0);
    EXPECT_EQ(diagnostic.message.rfind(b.op(0).name, 0), 0u) << diagnostic.message;
    EXPECT_NE(diagnostic.message.find(GetParam().reason), std::string::npos) << diagnostic.message;
}

std::string rowName(const testing::TestParamInfo<RefusalRow>& row) { return row.param.name; }

using B = GraphBuilder;

INSTANTIATE_TEST_SUITE_P(
    Any, GraphRefusal,
    testing::Values(
        RefusalRow{"unknownOperator", reluGraph,
                   [](B& b) { b.op(0).kind = static_cast<OperatorKind>(999); },
                   "no kernel for this operator"},
        RefusalRow{"customOperator", reluGraph,
                   [](B& b) {
                       b.op(0).kind = OperatorKind::Custom;
                       b.op(0).customCode = "Mine";
                   },
                   "\"Mine\": no kernel for this operator"},
        RefusalRow{"floatInput", reluGraph, [](B& b) { b.tensor(0).type = ElementType::Float32; },
                   "input 0 is FLOAT32, not INT8"},
        RefusalRow{"int16Output", reluGraph, [](B& b) { b.tensor(1).type = ElementType::Int16; },
                   "the output is INT16, not INT8"},
        RefusalRow{"noScale", reluGraph, [](B& b) { b.tensor(0).quantization.scales.clear(); },
                   "0 scales and 1 zero points"},
        RefusalRow{"twoZeroPoints", reluGraph,
                   [](B& b) {
                       b.tensor(1).quantization.zeroPoints = {0, 0};
                   },
                   "1 scales and 2 zero points"},
        RefusalRow{"zeroScale", reluGraph, [](B& b) { b.tensor(1).quantization.scales = {0.0F}; },
                   "scale 0"},
        RefusalRow{"infiniteScale", reluGraph,
                   [](B& b) { b.tensor(0).quantization.scales = {kInfinity}; }, "scale inf"},
        RefusalRow{"zeroPointOutOfInt8", reluGraph,
                   [](B& b) { b.tensor(0).quantization.zeroPoints = {128}; }, "zero point 128"},
        RefusalRow{"emptyDimension", reluGraph,
                   [](B& b) {
                       b.tensor(1).shape = {1, 0};
                   },
                   "shape [1,0], which is empty"},
        RefusalRow{"hugeShape", reluGraph,
                   [](B& b) {
                       b.tensor(1).shape = {kHuge, kHuge, kHuge};
                   },
                   "too large"},
        RefusalRow{"noInput", reluGraph, [](B& b) { b.op(0).inputs.clear(); },
                   "0 inputs, not 1..1"},
        RefusalRow{"tooManyInputs", reluGraph,
                   [](B& b) {
                       b.op(0).inputs = {0, 0};
                   },
                   "2 inputs, not 1..1"},
        RefusalRow{"absentInput", reluGraph, [](B& b) { b.op(0).inputs = {kAbsentTensor}; },
                   "input 0 is absent"},
        RefusalRow{"noOutput", reluGraph, [](B& b) { b.op(0).outputs.clear(); },
                   "0 outputs, not one"},
        RefusalRow{"absentOutput", reluGraph, [](B& b) { b.op(0).outputs = {kAbsentTensor}; },
                   "1 outputs, not one"},
        RefusalRow{"inputIndexOutOfRange", reluGraph, [](B& b) { b.op(0).inputs = {77}; },
                   "a tensor that does not exist"},
        RefusalRow{"outputIndexOutOfRange", reluGraph, [](B& b) { b.op(0).outputs = {-2}; },
                   "a tensor that does not exist"},
        RefusalRow{"constantOutput", reluGraph,
                   [](B& b) {
                       b.op(0).outputs = {b.weights({1, 4}, Values(4))};
                   },
                   "the output is a constant tensor"},
        RefusalRow{"shortConstantInput", addGraph,
                   [](B& b) {
                       b.op(0).inputs = {0, b.weights({1, 2, 2, 1}, Values(3))};
                   },
                   "input 1 of shape [1,2,2,1] has 3 bytes of data"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Weighted, GraphRefusal,
    testing::Values(
        RefusalRow{"weightType", convGraph, [](B& b) { b.tensor(1).type = ElementType::Int4; },
                   "the weight tensor is INT4, not INT8"},
        RefusalRow{"weightsAbsent", convGraph, [](B& b) { b.op(0).inputs[1] = kAbsentTensor; },
                   "the weight tensor is absent"},
        RefusalRow{"weightsNotConstant", convGraph, [](B& b) { b.tensor(1).data = {}; },
                   "the weights are not constant"},
        RefusalRow{"weightsShort", convGraph,
                   [](B& b) { b.tensor(1).data = b.tensor(1).data.first(35); },
                   "has 35 bytes of data"},
        RefusalRow{"weightRank", convGraph,
                   [](B& b) {
                       b.tensor(1).shape = {2, 9, 2};
                   },
                   "not 4 dimensions"},
        RefusalRow{"weightShape", convGraph,
                   [](B& b) {
                       b.tensor(1).shape = {4, 3, 3, 1};
                   },
                   "do not match 2 input and 2 output channels"},
        RefusalRow{"weightScaleCount", convGraph,
                   [](B& b) {
                       b.tensor(1).quantization.scales = {1, 1, 1};
                   },
                   "3 scales for 2 output channels"},
        RefusalRow{"noWeightScale", convGraph,
                   [](B& b) { b.tensor(1).quantization.scales.clear(); },
                   "0 scales for 2 output channels"},
        RefusalRow{"negativeWeightScale", convGraph,
                   [](B& b) { b.tensor(1).quantization.scales[1] = -1.0F; },
                   "a weight scale is -1"},
        RefusalRow{"infiniteWeightScale", convGraph,
                   [](B& b) { b.tensor(1).quantization.scales[0] = kInfinity; },
                   "a weight scale is inf"},
        RefusalRow{"weightZeroPoint", convGraph,
                   [](B& b) {
                       b.tensor(1).quantization.zeroPoints = {0, 3};
                   },
                   "a weight zero point is 3"},
        RefusalRow{"quantizedDimension", convGraph,
                   [](B& b) { b.tensor(1).quantization.dimension = 3; },
                   "quantized along dimension 3, not 0"},
        RefusalRow{"shiftTooLarge", convGraph,
                   [](B& b) { b.tensor(1).quantization.scales[1] = 0x1p30F; },
                   "the requantization shift of channel 1 is 31, above 30"},
        RefusalRow{"biasType", convGraph, [](B& b) { b.tensor(2).type = ElementType::Int64; },
                   "the bias is INT64, not INT32"},
        RefusalRow{"biasShort", convGraph,
                   [](B& b) { b.tensor(2).data = b.tensor(2).data.first(7); },
                   "the bias has 7 bytes of constant data for 2 channels"},
        RefusalRow{"biasNotConstant", convGraph, [](B& b) { b.tensor(2).data = {}; },
                   "the bias has 0 bytes of constant data"},
        RefusalRow{"fusedTanh", convGraph,
                   [](B& b) { optionsIn<Conv2DOptions>(b).activation = FusedActivation::Tanh; },
                   "fused activation TANH (4) has no kernel"},
        RefusalRow{
            "fusedUnknown", convGraph,
            [](B& b) { optionsIn<Conv2DOptions>(b).activation = static_cast<FusedActivation>(77); },
            "(77) has no kernel"},
        RefusalRow{"depthMultiplier", depthwiseGraph,
                   [](B& b) { optionsIn<DepthwiseConv2DOptions>(b).depthMultiplier = 1; },
                   "1 input channels, depth multiplier 1"},
        RefusalRow{"depthwiseWeightChannels", depthwiseGraph,
                   [](B& b) {
                       b.tensor(1).shape = {2, 3, 3, 1};
                   },
                   "do not match"},
        RefusalRow{"depthwiseQuantizedDimension", depthwiseGraph,
                   [](B& b) { b.tensor(1).quantization.dimension = 0; },
                   "quantized along dimension 0, not 3"},
        RefusalRow{"denseWeightsFormat", denseGraph,
                   [](B& b) { optionsIn<FullyConnectedOptions>(b).weightsFormat = 1; },
                   "weights format 1 has no kernel"},
        RefusalRow{"denseInputNotWholeRows", denseGraph,
                   [](B& b) {
                       b.tensor(0).shape = {1, 9};
                   },
                   "do not match"},
        RefusalRow{"denseOutputRows", denseGraph,
                   [](B& b) {
                       b.tensor(3).shape = {1, 3};
                   },
                   "do not match"},
        RefusalRow{"denseOutputUnits", denseGraph,
                   [](B& b) {
                       b.tensor(3).shape = {3, 2};
                   },
                   "do not match"}),
    rowName);

INSTANTIATE_TEST_SUITE_P(
    Geometry, GraphRefusal,
    testing::Values(
        RefusalRow{"strideZero", convGraph, [](B& b) { optionsIn<Conv2DOptions>(b).strideW = 0; },
                   "width: kernel 3, stride 0 and dilation 1"},
        RefusalRow{"negativeStride", convGraph,
                   [](B& b) { optionsIn<Conv2DOptions>(b).strideH = -kHuge; },
                   "height: kernel 3, stride -2147483647"},
        RefusalRow{"dilationZero", convGraph,
                   [](B& b) { optionsIn<Conv2DOptions>(b).dilationH = 0; }, "dilation 0"},
        RefusalRow{
            "hugeDilationValid", convGraph,
            [](B& b) { optionsIn<Conv2DOptions>(b) = convOptions(Padding::Valid, kHuge, kHuge); },
            "output height is 4, but 0 follows"},
        RefusalRow{"noOptionsTable", convGraph, [](B& b) { b.op(0).options = NoOptions{}; },
                   "stride 0"},
        RefusalRow{"paddingMode", convGraph,
                   [](B& b) { optionsIn<Conv2DOptions>(b).padding = static_cast<Padding>(9); },
                   "padding mode 9"},
        RefusalRow{"outputHeight", convGraph,
                   [](B& b) {
                       b.tensor(3).shape = {1, 5, 4, 2};
                   },
                   "output height is 5, but 4 follows"},
        RefusalRow{"outputWidthValid", convGraph,
                   [](B& b) {
                       optionsIn<Conv2DOptions>(b).padding = Padding::Valid;
                       b.tensor(3).shape = {1, 2, 4, 2};
                   },
                   "output width is 4, but 2 follows"},
        RefusalRow{"batchDiffers", convGraph,
                   [](B& b) {
                       b.tensor(3).shape = {2, 4, 4, 2};
                   },
                   "of one batch size"},
        RefusalRow{"rankThree", convGraph,
                   [](B& b) {
                       b.tensor(0).shape = {4, 4, 2};
                   },
                   "are not [N,H,W,C] or [N,C]"},
        RefusalRow{"filterZero", poolGraph, [](B& b) { optionsIn<Pool2DOptions>(b).filterH = 0; },
                   "height: kernel 0"},
        RefusalRow{"poolChannels", poolGraph,
                   [](B& b) {
                       b.tensor(1).shape = {1, 2, 2, 1};
                   },
                   "a pool keeps the channels, not 2 to 1"},
        RefusalRow{"poolScale", poolGraph, [](B& b) { b.tensor(1).quantization.scales = {2.0F}; },
                   "differ in scale or zero point"},
        RefusalRow{"poolFused", poolGraph,
                   [](B& b) { optionsIn<Pool2DOptions>(b).activation = FusedActivation::SignBit; },
                   "SIGN_BIT"},
        RefusalRow{"addBroadcast", addGraph,
                   [](B& b) {
                       b.tensor(1).shape = {1, 1, 2, 1};
                   },
                   "there is no broadcasting"},
        RefusalRow{"addOutputShape", addGraph,
                   [](B& b) {
                       b.tensor(2).shape = {1, 4};
                   },
                   "there is no broadcasting"},
        RefusalRow{"addSecondInput", addGraph,
                   [](B& b) { b.tensor(1).type = ElementType::Float32; },
                   "input 1 is FLOAT32, not INT8"},
        RefusalRow{"addShift", addGraph,
                   [](B& b) {
                       b.tensor(0).quantization.scales = {1e20F};
                       b.tensor(2).quantization.scales = {1e-5F};
                   },
                   "the output's requantization shift"},
        RefusalRow{"addFused", addGraph,
                   [](B& b) { optionsIn<AddOptions>(b).activation = FusedActivation::Tanh; },
                   "TANH"},
        RefusalRow{"reluShape", reluGraph,
                   [](B& b) {
                       b.tensor(1).shape = {2, 2};
                   },
                   "differ in shape"},
        RefusalRow{"reluZeroPoint", reluGraph,
                   [](B& b) { b.tensor(1).quantization.zeroPoints = {1}; },
                   "differ in scale or zero point"},
        RefusalRow{"reshapeCount", reshapeGraph,
                   [](B& b) {
                       b.tensor(1).shape = {3, 1};
                   },
                   "number of elements"},
        RefusalRow{"reshapeType", reshapeGraph, [](B& b) { b.tensor(0).type = ElementType::Int32; },
                   "INT32"},
        RefusalRow{"softmaxShape", softmaxGraph,
                   [](B& b) {
                       b.tensor(1).shape = {2, 2};
                   },
                   "differ in shape"},
        RefusalRow{"softmaxScale", softmaxGraph,
                   [](B& b) { b.tensor(1).quantization.scales = {1.0F / 128}; },
                   "not 1/256 and -128"},
        RefusalRow{"softmaxZeroPoint", softmaxGraph,
                   [](B& b) { b.tensor(1).quantization.zeroPoints = {0}; }, "not 1/256 and -128"},
        RefusalRow{"softmaxBeta", softmaxGraph,
                   [](B& b) { optionsIn<SoftmaxOptions>(b).beta = 0.0F; },
                   "has no fixed-point form"}),
    rowName);

} // namespace
} // namespace plumbline
