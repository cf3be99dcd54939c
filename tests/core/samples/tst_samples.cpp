// SPDX-License-Identifier: GPL-3.0-or-later
// What the built-in samples are: shapes, operators, and the same bytes each time.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "core/samples/samples.h"
#include "core/tflite/importer.h"

using namespace plumbline;

namespace {

Model sample(std::string_view name, std::uint64_t seed = 1) {
    const Result<Bytes> file = makeSample(name, seed);
    if (!file)
        throw std::runtime_error(toText(file.diagnostics().front()));
    const Result<ModelPtr> model = importTflite(*file);
    if (!model)
        throw std::runtime_error(toText(model.diagnostics().front()));
    return **model;
}

const Graph& graphOf(const Model& model) { return model.graphs.at(0); }

const Tensor& tensorAt(const Graph& graph, std::int32_t index) {
    return graph.tensors.at(static_cast<std::size_t>(index));
}

/// "CONV_2D 2x DEPTHWISE_CONV_2D …": runs of equal operators, in order.
std::string operatorRuns(const Graph& graph) {
    std::string text;
    std::size_t i = 0;
    while (i < graph.operators.size()) {
        std::size_t end = i;
        while (end < graph.operators.size() && graph.operators[end].name == graph.operators[i].name)
            ++end;
        text += (text.empty() ? "" : " ") + graph.operators[i].name;
        if (end - i > 1)
            text += "x" + std::to_string(end - i);
        i = end;
    }
    return text;
}

std::size_t constantBytes(const Graph& graph) {
    std::size_t bytes = 0;
    for (const Tensor& tensor : graph.tensors)
        bytes += tensor.data.size();
    return bytes;
}

} // namespace

TEST(Samples, areListedInTheOrderOfAFirstLook) {
    std::vector<std::string_view> names;
    for (const SampleInfo& info : allSamples()) {
        names.push_back(info.name);
        EXPECT_FALSE(info.description.empty()) << info.name;
    }
    EXPECT_EQ(names, (std::vector<std::string_view>{"ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                                    "every-operator", "refused", "branches"}));
}

TEST(Samples, everyListedNameMakesAModelWithoutRemarks) {
    for (const SampleInfo& info : allSamples()) {
        SCOPED_TRACE(info.name);
        const Model model = sample(info.name);
        EXPECT_TRUE(model.diagnostics.empty());
        EXPECT_EQ(graphOf(model).inputs.size(), 1u);
        EXPECT_EQ(graphOf(model).outputs.size(), 1u);
        EXPECT_NE(model.description.find(info.name), std::string::npos) << model.description;
    }
}

TEST(Samples, sameSeedGivesTheSameBytesAndAnotherSeedOthers) {
    for (const SampleInfo& info : allSamples()) {
        SCOPED_TRACE(info.name);
        const Bytes one = *makeSample(info.name, 5);
        EXPECT_EQ(one, *makeSample(info.name, 5));
        EXPECT_NE(one, *makeSample(info.name, 6));
        EXPECT_EQ(*makeSample(info.name), *makeSample(info.name, 1));
    }
}

TEST(Samples, namesOfTensorsAreUnique) {
    for (const SampleInfo& info : allSamples()) {
        SCOPED_TRACE(info.name);
        const Model model = sample(info.name);
        std::set<std::string> names;
        for (const Tensor& tensor : graphOf(model).tensors)
            names.insert(tensor.name);
        EXPECT_EQ(names.size(), graphOf(model).tensors.size());
        EXPECT_FALSE(names.contains(""));
    }
}

struct SampleRow {
    const char* name;
    std::vector<std::int32_t> input;
    std::vector<std::int32_t> output;
    const char* operators;
};

class Sample : public testing::TestWithParam<SampleRow> {};

TEST_P(Sample, hasTheStatedShapesAndOperators) {
    const Model model = sample(GetParam().name);
    const Graph& graph = graphOf(model);
    EXPECT_EQ(tensorAt(graph, graph.inputs.at(0)).shape, GetParam().input);
    EXPECT_EQ(tensorAt(graph, graph.outputs.at(0)).shape, GetParam().output);
    EXPECT_EQ(operatorRuns(graph), GetParam().operators);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Sample,
    testing::Values(
        SampleRow{
            "ds-cnn",
            {1, 49, 10, 1},
            {1, 12},
            "CONV_2D DEPTHWISE_CONV_2D CONV_2D DEPTHWISE_CONV_2D CONV_2D DEPTHWISE_CONV_2D "
            "CONV_2D DEPTHWISE_CONV_2D CONV_2D AVERAGE_POOL_2D RESHAPE FULLY_CONNECTED SOFTMAX"},
        SampleRow{
            "resnet8",
            {1, 32, 32, 3},
            {1, 10},
            "CONV_2Dx3 ADD CONV_2Dx3 ADD CONV_2Dx3 ADD AVERAGE_POOL_2D RESHAPE FULLY_CONNECTED "
            "SOFTMAX"},
        SampleRow{"autoencoder", {1, 640}, {1, 640}, "FULLY_CONNECTEDx10"},
        SampleRow{"branches-1", {1, 4, 4, 8}, {1, 4, 4, 8}, "CONV_2D"},
        SampleRow{"branches-7",
                  {1, 4, 4, 8},
                  {1, 4, 4, 8},
                  "CONV_2D DEPTHWISE_CONV_2D CONV_2D ADD RELU CONV_2D DEPTHWISE_CONV_2D"}),
    [](const auto& row) {
        std::string name = row.param.name;
        for (char& letter : name)
            letter = letter == '-' ? '_' : letter;
        return name;
    });

TEST(SampleNetworks, dsCnnIsThatOfKeywordSpotting) {
    const Model model = sample("ds-cnn");
    const Graph& graph = graphOf(model);
    const Operator& first = graph.operators.at(0);
    EXPECT_EQ(tensorAt(graph, first.inputs.at(1)).shape, (std::vector<std::int32_t>{64, 10, 4, 1}));
    EXPECT_EQ(tensorAt(graph, first.inputs.at(0)).name, "input");
    EXPECT_EQ(tensorAt(graph, first.inputs.at(1)).name, "conv0/weights");
    EXPECT_EQ(tensorAt(graph, first.inputs.at(2)).name, "conv0/bias");
    EXPECT_EQ(std::get<Conv2DOptions>(first.options).strideH, 2);
    EXPECT_EQ(std::get<Conv2DOptions>(first.options).padding, Padding::Same);
    EXPECT_EQ(tensorAt(graph, first.outputs.at(0)).shape,
              (std::vector<std::int32_t>{1, 25, 5, 64}));
    const auto& pool = std::get<Pool2DOptions>(graph.operators.at(9).options);
    EXPECT_EQ(pool.filterH, 25);
    EXPECT_EQ(pool.filterW, 5);
}

TEST(SampleNetworks, mobilenetIsThatOfVisualWakeWords) {
    const Model model = sample("mobilenet");
    const Graph& graph = graphOf(model);
    EXPECT_EQ(tensorAt(graph, graph.inputs.at(0)).shape, (std::vector<std::int32_t>{1, 96, 96, 3}));
    EXPECT_EQ(tensorAt(graph, graph.outputs.at(0)).shape, (std::vector<std::int32_t>{1, 2}));
    ASSERT_EQ(graph.operators.size(),
              31u); // a conv, 13 blocks of two, pool, reshape, dense, softmax
    EXPECT_EQ(tensorAt(graph, graph.operators.at(26).outputs.at(0)).shape,
              (std::vector<std::int32_t>{1, 3, 3, 256}));
    // MobileNet V1 0.25 of two classes has 207,880 weights without biases and batch normalization.
    EXPECT_GT(constantBytes(graph), 207'000u);
}

TEST(SampleNetworks, autoencoderHasItsWidths) {
    const Model model = sample("autoencoder");
    std::vector<std::int32_t> widths;
    for (const Operator& op : graphOf(model).operators)
        widths.push_back(tensorAt(graphOf(model), op.outputs.at(0)).shape.back());
    EXPECT_EQ(widths, (std::vector<std::int32_t>{128, 128, 128, 128, 8, 128, 128, 128, 128, 640}));
}

TEST(SampleNetworks, everyOperatorHasAllTenAndSeveralSlices) {
    const Model model = sample("every-operator");
    const Graph& graph = graphOf(model);
    std::set<std::string> names;
    std::int64_t deepestConv = 0;
    std::int64_t deepestDense = 0;
    std::set<bool> newestFirst;
    for (const Operator& op : graph.operators) {
        names.insert(op.name);
        if (op.kind == OperatorKind::Add)
            newestFirst.insert(op.inputs.at(0) > op.inputs.at(1));
        if (op.kind == OperatorKind::Conv2D) {
            const Tensor& weights = tensorAt(graph, op.inputs.at(1));
            deepestConv = std::max(deepestConv, weights.elements() / weights.shape.at(0));
        }
        if (op.kind == OperatorKind::FullyConnected)
            deepestDense = tensorAt(graph, op.inputs.at(1)).shape.at(1);
    }
    EXPECT_EQ(names, (std::set<std::string>{"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED",
                                            "ADD", "MAX_POOL_2D", "AVERAGE_POOL_2D", "RELU",
                                            "RELU6", "RESHAPE", "SOFTMAX"}));
    EXPECT_GT(deepestConv, 1024);
    EXPECT_GT(deepestDense, 1024);
    EXPECT_EQ(newestFirst.size(), 2u) << "ADD with the older operand first, and with the newer";
}

TEST(SampleNetworks, branchesHasAsManyOperatorsAsAsked) {
    for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 6u, 100u, 10'000u}) {
        const Model model = sample("branches-" + std::to_string(count));
        EXPECT_EQ(graphOf(model).operators.size(), count);
    }
    EXPECT_EQ(makeBranchesSample(12, 9), *makeSample("branches-12", 9));
}

TEST(SampleNetworks, tenThousandOperatorsAreMadeQuickly) {
    const auto start = std::chrono::steady_clock::now();
    const Bytes file = makeBranchesSample(10'000);
    const auto spent = std::chrono::steady_clock::now() - start;
    EXPECT_GT(file.size(), 1'000'000u);
    EXPECT_LT(spent, std::chrono::seconds(5)); // well under one on an idle machine
}

TEST(SampleNetworks, everyPrefixOfOneLoadsOrIsRefused) {
    const Bytes file = makeBranchesSample(6);
    std::size_t refusals = 0;
    for (std::size_t size = 0; size < file.size(); ++size) {
        const auto end = file.begin() + static_cast<std::ptrdiff_t>(size);
        const Result<ModelPtr> model = importTflite(Bytes(file.begin(), end));
        if (model.ok())
            continue;
        ++refusals;
        ASSERT_EQ(model.diagnostics().size(), 1u) << size;
        const Code code = model.diagnostics().front().code;
        ASSERT_TRUE(code == Code::NotTflite || code == Code::DamagedModel) << size;
    }
    EXPECT_GT(refusals, file.size() / 2);
}

class UnknownSample : public testing::TestWithParam<const char*> {};

TEST_P(UnknownSample, isAUsageError) {
    const Result<Bytes> file = makeSample(GetParam());
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.diagnostics().front().code, Code::Usage);
    EXPECT_NE(file.diagnostics().front().message.find(GetParam()), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Names, UnknownSample,
                         testing::Values("", "nothing", "DS-CNN", "ds-cnn-2", "branches-",
                                         "branches-0", "branches-x", "branches-1x", "branches--1",
                                         "branches-+1", "branches-1000000000000",
                                         "branches-99999999999999999999"));
