// SPDX-License-Identifier: GPL-3.0-or-later
// Every sample but `refused` lowers and computes something that depends on its input; `refused`
// breaks the rules that it is made to break.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

using namespace plumbline;

namespace {

ModelPtr sample(std::string_view name, std::uint64_t seed) {
    return *importTflite(*makeSample(name, seed));
}

Bytes outputOf(const Model& model, std::uint64_t inputSeed) {
    const auto bytes = graphInputBytes(model.graphs.at(0));
    const Result<GraphRun> run =
        runGraph(model, seededBytes(inputSeed, bytes.value_or(0)), plainKernels());
    if (!run || run->faultedOperator) {
        ADD_FAILURE() << (run ? run->faultReason : toText(run.diagnostics().front()));
        return {};
    }
    return run->output;
}

/// Share of the values that stand at one of the two ends of int8.
double saturation(const Bytes& values) {
    std::size_t ends = 0;
    for (const std::uint8_t value : values)
        ends += value == 0x7F || value == 0x80 ? 1 : 0;
    return static_cast<double>(ends) / static_cast<double>(values.size());
}

class LoweringSample : public testing::TestWithParam<const char*> {};

} // namespace

TEST_P(LoweringSample, keepsEveryRuleOfTheTarget) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Result<LoweringPtr> lowering = npuP0Target().lower(sample(GetParam(), seed));
        ASSERT_TRUE(lowering.ok());
        for (const Diagnostic& one : (*lowering)->diagnostics)
            ADD_FAILURE() << toText(one);
        EXPECT_TRUE((*lowering)->complete);
    }
}

TEST_P(LoweringSample, outputIsNeitherConstantNorSaturated) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ModelPtr model = sample(GetParam(), seed);
        const Bytes one = outputOf(*model, 1);
        const Bytes two = outputOf(*model, 2);
        EXPECT_NE(one, two) << "the output depends on the input";
        EXPECT_GT(std::set<std::uint8_t>(one.begin(), one.end()).size(), 1u);
    }
}

TEST_P(LoweringSample, layersNeitherVanishNorSaturate) {
    const ModelPtr model = sample(GetParam(), 1);
    const auto bytes = graphInputBytes(model->graphs.at(0));
    const Result<GraphRun> run =
        runGraph(*model, seededBytes(1, bytes.value_or(0)), plainKernels());
    ASSERT_TRUE(run.ok());
    for (const TraceLayer& layer : run->trace.layers) {
        if (layer.name == "SOFTMAX")
            continue;
        SCOPED_TRACE("operator " + std::to_string(layer.operatorIndex) + " " + layer.name);
        const std::set<std::uint8_t> values(layer.bytes.begin(), layer.bytes.end());
        EXPECT_GT(values.size(), std::min<std::size_t>(4, layer.bytes.size() - 1));
        // A rectified layer has about half its values at the lower end.
        EXPECT_LT(saturation(layer.bytes), 0.9);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, LoweringSample,
                         testing::Values("ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                         "every-operator", "branches-1", "branches-12",
                                         "branches-500"),
                         [](const auto& row) {
                             std::string name = row.param;
                             for (char& letter : name)
                                 letter = letter == '-' ? '_' : letter;
                             return name;
                         });

TEST(RefusedSample, breaksARulePerOperator) {
    const Result<LoweringPtr> lowering = npuP0Target().lower(sample("refused", 1));
    ASSERT_TRUE(lowering.ok());
    EXPECT_FALSE((*lowering)->complete);
    std::map<std::int64_t, std::set<Code>> broken;
    for (const Diagnostic& one : (*lowering)->diagnostics)
        broken[one.where.operatorIndex.value_or(-1)].insert(one.code);
    EXPECT_TRUE(broken[0].contains(Code::Stride));
    EXPECT_TRUE(broken[1].contains(Code::KernelNot3x3));
    EXPECT_TRUE(broken[2].contains(Code::NoPlacement));
    EXPECT_TRUE(broken[3].contains(Code::FusedActivation));
}
