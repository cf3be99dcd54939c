// SPDX-License-Identifier: GPL-3.0-or-later
// The plain and the vector kernels of every instruction set against golden layers: every accepted
// synthetic case, and the real models.
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/kernels/graph_runner.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

Bytes copyOf(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

std::string listOf(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics)
        text += toText(diagnostic) + "\n";
    return text;
}

/// The model ready for the plain loops and for the vectors of every instruction set.
std::vector<PreparedGraphPtr> prepare(Bytes file) {
    const Result<ModelPtr> model = importTflite(std::move(file));
    if (!model)
        throw std::runtime_error(listOf(model.diagnostics()));
    std::vector<const KernelSet*> sets = everyFastKernels();
    sets.push_back(&plainKernels());
    std::vector<PreparedGraphPtr> all;
    for (const KernelSet* set : sets) {
        const Result<PreparedGraphPtr> prepared = prepareGraph(**model, *set);
        if (!prepared)
            throw std::runtime_error(listOf(prepared.diagnostics()));
        all.push_back(*prepared);
    }
    return all;
}

GraphRun run(const PreparedGraph& prepared, ByteView input) {
    Result<GraphRun> result = runPrepared(prepared, input);
    if (!result)
        throw std::runtime_error(listOf(result.diagnostics()));
    return *std::move(result);
}

/// What an entry says of a layer besides its digest.
void expectDetails(const TraceLayer& actual, const std::string& name, const json& expected) {
    if (!name.empty()) {
        EXPECT_EQ(actual.name, name);
    }
    if (expected.contains("bytes")) {
        EXPECT_EQ(actual.byteCount, expected.at("bytes").get<std::uint64_t>());
    }
    if (expected.contains("op")) {
        EXPECT_EQ(actual.shape, expected.at("shape").get<std::vector<std::int64_t>>());
    }
    if (expected.contains("hex")) {
        EXPECT_EQ(toHex(actual.bytes), expected.at("hex").get<std::string>());
    }
}

/// Compares layers by operator index and digest. RESHAPE has no layer of its own, so entries of
/// that name are passed over.
void expectLayers(const Trace& trace, const json& expected) {
    std::size_t count = 0;
    for (const json& layer : expected) {
        const std::string name = layer.value("op", layer.value("name", ""));
        if (name == "RESHAPE")
            continue;
        const auto index = layer.at("operator").get<std::int64_t>();
        SCOPED_TRACE("operator " + std::to_string(index) + " " + name);
        ASSERT_LT(count, trace.layers.size());
        const TraceLayer& actual = trace.layers[count++];
        EXPECT_EQ(actual.operatorIndex, index);
        EXPECT_EQ(actual.sha256, layer.at("sha256").get<std::string>());
        expectDetails(actual, name, layer);
    }
    EXPECT_EQ(trace.layers.size(), count);
}

void runCase(const std::string& stem, const json& expected) {
    for (const PreparedGraphPtr& prepared : prepare(copyOf(test::goldenFile(stem + ".tflite")))) {
        SCOPED_TRACE(prepared->kernels->isa);
        const GraphRun result = run(*prepared, test::goldenFile(stem + ".input.bin"));
        EXPECT_FALSE(result.faultedOperator.has_value()) << result.faultReason;
        expectLayers(result.trace, expected.at("layers"));
        EXPECT_EQ(result.outputSha256, expected.at("output_sha256").get<std::string>());
        if (expected.contains("output_hex") && expected.at("output_hex").is_string()) {
            EXPECT_EQ(toHex(result.output), expected.at("output_hex").get<std::string>());
        }
    }
}

TEST(KernelsGolden, everyAcceptedCase) {
    constexpr std::string_view kSuffix = ".expected.json";
    int cases = 0;
    for (const std::string& name : test::goldenNames("cases/")) {
        if (!name.ends_with(kSuffix))
            continue;
        const json expected = test::goldenJson(name);
        if (!expected.at("lowers").get<bool>())
            continue;
        const std::string stem = name.substr(0, name.size() - kSuffix.size());
        SCOPED_TRACE(stem);
        ++cases;
        EXPECT_NO_THROW(runCase(stem, expected));
    }
    EXPECT_EQ(cases, 277);
}

// A refused case may still run here or be refused here; it must do one of the two, cleanly.
TEST(KernelsGolden, everyRefusedCaseEndsCleanly) {
    int cases = 0;
    for (const std::string& name : test::goldenNames("cases/")) {
        if (!name.ends_with(".tflite"))
            continue;
        const std::string stem = name.substr(0, name.size() - std::string(".tflite").size());
        if (test::goldenJson(stem + ".expected.json").at("lowers").get<bool>())
            continue;
        SCOPED_TRACE(stem);
        ++cases;
        const Result<ModelPtr> model = importTflite(copyOf(test::goldenFile(name)));
        if (!model)
            continue;
        const Result<PreparedGraphPtr> prepared = prepareGraph(**model, plainKernels());
        if (!prepared) {
            EXPECT_TRUE(hasErrors(prepared.diagnostics()));
            continue;
        }
        const Bytes input = seededBytes(1, static_cast<std::size_t>((*prepared)->inputBytes));
        EXPECT_TRUE(runPrepared(**prepared, input).ok());
    }
    EXPECT_EQ(cases, 177);
}

fs::path modelFile(const std::string& name) {
    const fs::path models = *test::sharedData() / "models";
    const fs::path plain = models / (name + ".tflite");
    return fs::exists(plain) ? plain : models / "more" / (name + ".tflite");
}

class RealModel : public testing::TestWithParam<std::string> {
  protected:
    static fs::path shared() { return *test::sharedData(); }
    /// Calls `check(folder, layers)` for every layers.json below `root`/MODEL; returns their
    /// number.
    template <class Check> static int forEachInput(const fs::path& root, const Check& check) {
        int inputs = 0;
        if (!fs::exists(root / GetParam()))
            return 0;
        for (const fs::directory_entry& entry : fs::directory_iterator(root / GetParam())) {
            if (!fs::exists(entry.path() / "layers.json"))
                continue;
            SCOPED_TRACE(entry.path().filename().string());
            check(entry.path(), test::readJson(entry.path() / "layers.json"));
            ++inputs;
        }
        return inputs;
    }
};

class LoweredModel : public RealModel {};

TEST_P(LoweredModel, agreesWithTheReferenceImplementation) {
    SKIP_WITHOUT_SHARED_DATA();
    for (const PreparedGraphPtr& prepared : prepare(test::readBytes(modelFile(GetParam())))) {
        SCOPED_TRACE(prepared->kernels->isa);
        const auto check = [&](const fs::path&, const json& golden) {
            const auto file = golden.at("input").at("file").get<std::string>();
            const GraphRun result = run(*prepared, test::readBytes(shared() / "models" / file));
            EXPECT_EQ(result.trace.inputSha256, golden.at("input").at("sha256").get<std::string>());
            expectLayers(result.trace, golden.at("layers"));
            EXPECT_EQ(result.outputSha256, golden.at("output_sha256").get<std::string>());
        };
        EXPECT_GT(forEachInput(shared() / "golden/models", check), 0);
    }
}

TEST_P(RealModel, agreesWithTheIndependentFramework) {
    SKIP_WITHOUT_SHARED_DATA();
    for (const PreparedGraphPtr& prepared : prepare(test::readBytes(modelFile(GetParam())))) {
        SCOPED_TRACE(prepared->kernels->isa);
        const auto check = [&](const fs::path& folder, const json& golden) {
            const GraphRun result = run(*prepared, test::readBytes(folder / "input.bin"));
            expectLayers(result.trace, golden.at("layers"));
        };
        EXPECT_GT(forEachInput(shared() / "golden/frameworks", check), 0);
    }
}

std::string plainName(const testing::TestParamInfo<std::string>& row) { return row.param; }

INSTANTIATE_TEST_SUITE_P(Models, LoweredModel, testing::Values("kws", "vww", "resnet8", "ad01"),
                         plainName);
INSTANTIATE_TEST_SUITE_P(Models, RealModel,
                         testing::Values("kws", "vww", "resnet8", "ad01", "hello_world_int8"),
                         plainName);

constexpr std::size_t kKwsInputBytes = 490;

TEST(KwsCorpus, layerDigests) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path models = *test::sharedData() / "models";
    const auto prepared = prepare(test::readBytes(models / "kws.tflite"));
    const Bytes corpus = test::readBytes(models / "kws01.bin");
    std::ifstream lines(*test::sharedData() / "golden/kws_corpus_digests.jsonl");
    int inputs = 0;
    for (std::string text; std::getline(lines, text); ++inputs) {
        const json line = json::parse(text);
        const auto index = line.at("index").get<std::size_t>();
        SCOPED_TRACE("input " + std::to_string(index));
        for (const PreparedGraphPtr& each : prepared) {
            const GraphRun result =
                run(*each, ByteView(corpus).subspan(index * kKwsInputBytes, kKwsInputBytes));
            EXPECT_EQ(result.trace.inputSha256, line.at("input_sha256").get<std::string>());
            expectLayers(result.trace, line.at("layers"));
            EXPECT_EQ(toHex(result.output), line.at("output_hex").get<std::string>());
        }
    }
    EXPECT_EQ(inputs, 30);
}

TEST(KwsCorpus, outputsOfAllInputs) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path shared = *test::sharedData();
    const Bytes corpus = test::readBytes(shared / "models/kws01.bin");
    const Bytes expected =
        test::readBytes(shared / "golden/frameworks/kws/corpus_outputs_1000x12.bin");
    GraphRunOptions options;
    options.captureLayers = false;
    for (const auto& prepared : prepare(test::readBytes(shared / "models/kws.tflite"))) {
        Bytes outputs;
        for (std::size_t at = 0; at + kKwsInputBytes <= corpus.size(); at += kKwsInputBytes) {
            const Result<GraphRun> result =
                runPrepared(*prepared, ByteView(corpus).subspan(at, kKwsInputBytes), {}, options);
            ASSERT_TRUE(result.ok());
            outputs.insert(outputs.end(), result->output.begin(), result->output.end());
        }
        EXPECT_EQ(outputs, expected) << prepared->kernels->isa;
    }
}

struct OtherModel {
    std::string name;
    bool runs;
    std::string reason; ///< part of a diagnostic when it does not run
};

void PrintTo(const OtherModel& row, std::ostream* out) { *out << row.name; }

class MoreModels : public testing::TestWithParam<OtherModel> {};

// Nobody else's digests of these exist; what counts is that they run, or say why not.
TEST_P(MoreModels, runsOrSaysWhyNot) {
    SKIP_WITHOUT_SHARED_DATA();
    const Result<ModelPtr> model = importTflite(test::readBytes(modelFile(GetParam().name)));
    ASSERT_TRUE(model.ok());
    const auto inputBytes = graphInputBytes((*model)->graphs.at(0));
    ASSERT_TRUE(inputBytes.has_value());
    const Bytes input = seededBytes(1, static_cast<std::size_t>(*inputBytes));
    const Result<GraphRun> result = runGraph(**model, input, plainKernels());
    ASSERT_EQ(result.ok(), GetParam().runs) << listOf(result.diagnostics());
    if (result.ok()) {
        EXPECT_FALSE(result->faultedOperator.has_value());
        EXPECT_FALSE(result->output.empty());
    } else {
        EXPECT_NE(listOf(result.diagnostics()).find(GetParam().reason), std::string::npos)
            << listOf(result.diagnostics());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, MoreModels,
    testing::Values(OtherModel{"person_detect", true, ""}, // depth multiplier 8
                    OtherModel{"micro_speech_quantized", true, ""},
                    OtherModel{"simple_add_model", true, ""}, // two inputs
                    OtherModel{"strww", true, ""},
                    OtherModel{"kws_float32", false, "CONV_2D: input 0 is FLOAT32, not INT8"},
                    OtherModel{"mobilenet_v2_quantized", false, "no kernel for this operator"},
                    OtherModel{"person_detect_vela", false,
                               "\"ethos-u\": no kernel for this operator"},
                    OtherModel{"trained_lstm_int8", false, "no kernel for this operator"}),
    [](const auto& row) { return row.param.name; });

} // namespace
} // namespace plumbline
