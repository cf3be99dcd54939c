// SPDX-License-Identifier: GPL-3.0-or-later
// The real models: binaries, manifests and the layers of both engines against the golden data and
// against an independent framework.
#include <gtest/gtest.h>

#include "core/artifacts/package.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/refusal_labels.h"
#include "tests/support/golden_compare.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kModels[] = {"kws", "vww", "resnet8", "ad01"};

LoweringPtr lowered(const fs::path& file) {
    const auto model = importTflite(test::readBytes(file));
    EXPECT_TRUE(model) << test::allText(model.diagnostics());
    return model ? *npuP0Target().lower(*model) : nullptr;
}

void expectLayers(const Trace& trace, const json& layers, bool withReshape) {
    std::size_t next = 0;
    for (const json& layer : layers) {
        if (withReshape && layer["name"] == "RESHAPE")
            continue;
        ASSERT_LT(next, trace.layers.size());
        EXPECT_EQ(trace.layers[next].operatorIndex, layer["operator"]) << trace.producer;
        EXPECT_EQ(trace.layers[next].sha256, layer["sha256"])
            << trace.producer << " operator " << layer["operator"];
        ++next;
    }
    EXPECT_EQ(next, trace.layers.size()) << trace.producer;
}

/// Both engines on one input against one list of layers.
void expectBothEngines(const Lowering& lowering, const Bytes& input, const json& layers,
                       bool withReshape) {
    const Execution run = npuP0Target().execute(jobOf(lowering), input, {true, true});
    ASSERT_FALSE(run.fault) << run.fault->reason;
    EXPECT_EQ(test::allText(run.findings), "");
    expectLayers(run.trace, layers, withReshape);
    const auto reference = runGraph(*lowering.model, input, plainKernels());
    ASSERT_TRUE(reference) << test::allText(reference.diagnostics());
    expectLayers(reference->trace, layers, withReshape);
}

TEST(LoweringModels, ArtifactsAndLayersEqualTheGoldenData) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path data = *test::sharedData();
    for (const std::string name : kModels) {
        SCOPED_TRACE(name);
        const LoweringPtr lowering = lowered(data / "models" / (name + ".tflite"));
        ASSERT_TRUE(lowering && lowering->complete);
        const fs::path golden = data / "golden" / "models" / name;
        EXPECT_EQ(lowering->descriptorBytes(), test::readBytes(golden / "descriptors.bin"));
        EXPECT_EQ(lowering->weights, test::readBytes(golden / "weights.bin"));
        EXPECT_EQ(lowering->params, test::readBytes(golden / "params.bin"));
        EXPECT_EQ(verifyArenaPlan(lowering->arena), "");
        int inputs = 0;
        for (const auto& entry : fs::directory_iterator(golden)) {
            if (!entry.is_directory())
                continue;
            ++inputs;
            const std::string stem = entry.path().filename().string();
            SCOPED_TRACE(stem);
            const Bytes input =
                test::readBytes(data / "models" / "inputs" / name / (stem + ".bin"));
            expectBothEngines(*lowering, input,
                              test::readJson(entry.path() / "layers.json")["layers"], false);
            const auto reference = runGraph(*lowering->model, input, plainKernels());
            ASSERT_TRUE(reference);
            const json manifest = manifestJson(*lowering, name, &reference->trace);
            EXPECT_EQ(test::firstDifference(manifest, test::readJson(entry.path() / "npu.json")),
                      "");
        }
        EXPECT_GT(inputs, 0);
    }
}

TEST(LoweringModels, LayersEqualTheIndependentFramework) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path data = *test::sharedData();
    int compared = 0;
    for (const auto& model : fs::directory_iterator(data / "golden" / "frameworks")) {
        if (!model.is_directory())
            continue;
        const std::string name = model.path().filename().string();
        SCOPED_TRACE(name);
        fs::path file = data / "models" / (name + ".tflite");
        if (!fs::exists(file))
            file = data / "models" / "more" / (name + ".tflite");
        const LoweringPtr lowering = lowered(file);
        ASSERT_TRUE(lowering && lowering->complete);
        for (const auto& entry : fs::directory_iterator(model)) {
            if (!entry.is_directory())
                continue;
            SCOPED_TRACE(entry.path().filename().string());
            expectBothEngines(*lowering, test::readBytes(entry.path() / "input.bin"),
                              test::readJson(entry.path() / "layers.json")["layers"], true);
            ++compared;
        }
    }
    EXPECT_GT(compared, 20);
}

struct Refusal {
    const char* file;
    const char* label;
    std::optional<std::int64_t> op;
};

TEST(LoweringModels, OtherPublicModelsAreRefusedForTheStatedRule) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path models = *test::sharedData() / "models";
    const Refusal kRefusals[] = {
        {"strww", "kernel_not_3x3", 0},
        {"kws_float32", "activation_dtype", 0},
        {"more/person_detect", "depth_multiplier", 0},
        {"more/micro_speech_quantized", "depth_multiplier", 1},
        {"more/simple_add_model", "graph_inputs", std::nullopt},
        {"more/mobilenet_v2_quantized", "no_placement", 0},
        {"more/keyword_scrambled_8bit", "no_placement", 0},
        {"more/trained_lstm_int8", "no_placement", 0},
        {"more/audio_preprocessor_int8", "no_placement", 0},
        {"more/dtln_noise_suppression", "no_placement", 0},
        {"more/person_detect_vela", "no_placement", 0},
    };
    for (const Refusal& refusal : kRefusals) {
        SCOPED_TRACE(refusal.file);
        const LoweringPtr lowering = lowered(models / (std::string(refusal.file) + ".tflite"));
        ASSERT_TRUE(lowering);
        EXPECT_FALSE(lowering->complete);
        EXPECT_TRUE(test::reports(lowering->diagnostics, refusal.label, refusal.op))
            << test::allText(lowering->diagnostics);
    }
    const LoweringPtr hello = lowered(models / "more" / "hello_world_int8.tflite");
    ASSERT_TRUE(hello && hello->complete);
    EXPECT_EQ(hello->records.size(), 3U);
    EXPECT_EQ(hello->arena.peakBytes, 192U);
}

} // namespace
} // namespace plumbline
