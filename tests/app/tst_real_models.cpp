// SPDX-License-Identifier: GPL-3.0-or-later
// The program on the public models: corpus accuracy, golden packages, and what it says to each.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path models() { return *sharedData() / "models"; }
fs::path golden() { return *sharedData() / "golden"; }

class KwsCorpus : public testing::TestWithParam<const char*> {};

TEST_P(KwsCorpus, Has901Of1000RightAndTheFrameworksOutputs) {
    SKIP_WITHOUT_SHARED_DATA();
    const TemporaryDirectory directory;
    const std::string digests = (directory.path() / "d.jsonl").string();
    const Outcome outcome = plumb({"corpus", (models() / "kws.tflite").string(), "--inputs",
                                   (models() / "kws01.bin").string(), "--item-bytes", "490",
                                   "--labels", (models() / "kws01_labels.csv").string(),
                                   "--digests", digests, "--engine", GetParam(), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("inputs"), 1000);
    EXPECT_EQ(outcome.json().at("correct"), 901);
    EXPECT_DOUBLE_EQ(outcome.json().at("accuracy").get<double>(), 0.901);

    Outcome lines;
    const Bytes text = readBytes(digests);
    lines.out.assign(text.begin(), text.end());
    const std::vector<json> made = lines.jsonLines();
    ASSERT_EQ(made.size(), 1000U);
    std::string outputs;
    for (const json& line : made)
        outputs += line.at("output_hex").get<std::string>();
    EXPECT_EQ(outputs,
              toHex(readBytes(golden() / "frameworks" / "kws" / "corpus_outputs_1000x12.bin")));

    const Bytes goldenText = readBytes(golden() / "kws_corpus_digests.jsonl");
    lines.out.assign(goldenText.begin(), goldenText.end());
    for (const json& expected : lines.jsonLines()) {
        const json& line = made.at(expected.at("index").get<std::size_t>());
        EXPECT_EQ(line.at("layers"), expected.at("layers"));
        EXPECT_EQ(line.at("output_hex"), expected.at("output_hex"));
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, KwsCorpus, testing::Values("executor", "reference", "plain"),
                         [](const auto& row) { return std::string(row.param); });

/// Removes what is ours to word.
void dropFreeText(json& value) {
    if (value.is_object()) {
        for (const char* key : {"note", "arena_note", "cycle_model", "compiler"}) {
            if (value.contains(key))
                value[key] = nullptr;
        }
    }
    if (value.is_structured()) {
        for (json& member : value)
            dropFreeText(member);
    }
}

class GoldenModel : public testing::TestWithParam<const char*> {};

TEST_P(GoldenModel, CompilesToTheGoldenPackageAndRunsToTheGoldenLayers) {
    SKIP_WITHOUT_SHARED_DATA();
    const TemporaryDirectory directory;
    const std::string name = GetParam();
    const std::string model = (models() / (name + ".tflite")).string();
    const fs::path package = directory.path() / "p0";
    for (const auto& entry : fs::directory_iterator(models() / "inputs" / name)) {
        const std::string input = entry.path().string();
        SCOPED_TRACE(input);
        ASSERT_EQ(plumb({"compile", model, "-o", package.string(), "--input", input}).exitCode, 0);
        json manifest = readJson(package / "npu.json");
        const fs::path expected = golden() / "models" / name / entry.path().stem();
        dropFreeText(manifest);
        EXPECT_EQ(manifest, readJson(expected / "npu.json"));
        for (const char* file : {"descriptors.bin", "weights.bin", "params.bin"})
            EXPECT_TRUE(readBytes(package / file) == readBytes(golden() / "models" / name / file))
                << file;
        EXPECT_EQ(plumb({"check", package.string()}).exitCode, 0);
        const json layers = readJson(expected / "layers.json");
        for (const std::vector<std::string>& run : std::vector<std::vector<std::string>>{
                 {"run", model, "--input", input, "--json"},
                 {"run", package.string(), "--input", input, "--json"},
                 {"run", model, "--input", input, "--engine", "reference", "--json"}}) {
            const json result = plumb(run).json();
            EXPECT_EQ(result.at("output_sha256"), layers.at("output_sha256"));
            ASSERT_EQ(result.at("layers").size(), layers.at("layers").size());
            for (std::size_t i = 0; i < layers["layers"].size(); ++i) {
                EXPECT_EQ(result["layers"][i].at("operator"), layers["layers"][i].at("operator"));
                EXPECT_EQ(result["layers"][i].at("record"), layers["layers"][i].at("descriptor"));
                EXPECT_EQ(result["layers"][i].at("name"), layers["layers"][i].at("op"));
                EXPECT_EQ(result["layers"][i].at("shape"), layers["layers"][i].at("shape"));
                EXPECT_EQ(result["layers"][i].at("sha256"), layers["layers"][i].at("sha256"));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, GoldenModel, testing::Values("kws", "vww", "resnet8", "ad01"),
                         [](const auto& row) { return std::string(row.param); });

/// What the strict lowering says to a public model: the operator (-1: the graph) and the code's
/// name; no name where it lowers.
struct PublicModel {
    const char* file;
    int operatorIndex;
    const char* code;
};

class PublicModels : public testing::TestWithParam<PublicModel> {};

TEST_P(PublicModels, OpenAndAreExplained) {
    SKIP_WITHOUT_SHARED_DATA();
    const PublicModel& row = GetParam();
    const std::string model = (models() / row.file).string();
    const Outcome info = plumb({"info", model, "--json"});
    ASSERT_EQ(info.exitCode, 0) << info.err;
    const json made = info.json();
    EXPECT_EQ(plumb({"info", model}).exitCode, 0);
    EXPECT_EQ(made.at("lowers"), row.code == nullptr);
    const TemporaryDirectory directory;
    const Outcome compiled =
        plumb({"compile", model, "-o", (directory.path() / "p0").string(), "--json"});
    if (!row.code) {
        EXPECT_EQ(compiled.exitCode, 0) << compiled.err;
        return;
    }
    EXPECT_EQ(compiled.exitCode, 3);
    const json failure = compiled.json();
    const auto found = std::any_of(
        failure.at("diagnostics").begin(), failure.at("diagnostics").end(), [&row](const json& d) {
            const bool place = row.operatorIndex < 0 ? d.at("operator").is_null()
                                                     : d.at("operator") == row.operatorIndex;
            return place && d.at("name") == row.code;
        });
    EXPECT_TRUE(found) << compiled.err;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, PublicModels,
    testing::Values(PublicModel{"more/hello_world_int8.tflite", 0, nullptr},
                    PublicModel{"more/person_detect.tflite", 0, "DepthMultiplier"},
                    PublicModel{"more/micro_speech_quantized.tflite", 1, "DepthMultiplier"},
                    PublicModel{"more/simple_add_model.tflite", -1, "GraphInputs"},
                    PublicModel{"more/mobilenet_v2_quantized.tflite", 0, "NoPlacement"},
                    PublicModel{"more/keyword_scrambled_8bit.tflite", 0, "NoPlacement"},
                    PublicModel{"more/trained_lstm_int8.tflite", 0, "NoPlacement"},
                    PublicModel{"more/audio_preprocessor_int8.tflite", 0, "NoPlacement"},
                    PublicModel{"more/dtln_noise_suppression.tflite", 0, "NoPlacement"},
                    PublicModel{"more/person_detect_vela.tflite", 0, "NoPlacement"},
                    PublicModel{"strww.tflite", 0, "KernelNot3x3"},
                    PublicModel{"strww.tflite", 6, "KernelNot3x3"},
                    PublicModel{"kws_float32.tflite", 0, "ActivationType"}),
    [](const auto& row) {
        std::string name =
            fs::path(row.param.file).stem().string() + std::to_string(row.param.operatorIndex + 1);
        std::replace_if(
            name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
        return name;
    });

TEST(PublicModelText, NamesTheCustomOperatorThatHasNoPlacement) {
    SKIP_WITHOUT_SHARED_DATA();
    const Outcome info =
        plumb({"info", (models() / "more" / "person_detect_vela.tflite").string()});
    EXPECT_NE(info.out.find("CUSTOM 'ethos-u'"), std::string::npos) << info.out;
    const Outcome strww = plumb({"run", (models() / "strww.tflite").string(), "--seed", "1",
                                 "--engine", "reference", "--json"});
    EXPECT_EQ(strww.exitCode, 0) << strww.err;
}

} // namespace
} // namespace plumbline::test
