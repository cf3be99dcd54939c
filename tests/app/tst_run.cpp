// SPDX-License-Identifier: GPL-3.0-or-later
// plumb run against the golden cases and jobs, and what it writes.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The names of the cases that lower, "case_001".
std::vector<std::string> acceptedCases() {
    std::vector<std::string> names;
    for (const json& line : goldenLines("cases/index.jsonl")) {
        if (line.at("lowers").get<bool>())
            names.push_back(line.at("case"));
    }
    return names;
}

std::vector<int> signedValues(const std::string& hex) {
    std::vector<int> values;
    const Bytes bytes = fromHex(hex).value();
    std::transform(bytes.begin(), bytes.end(), std::back_inserter(values),
                   [](std::uint8_t byte) { return static_cast<std::int8_t>(byte); });
    return values;
}

void expectGoldenLayers(const json& layers, const json& expected) {
    ASSERT_EQ(layers.size(), expected.size());
    std::int64_t record = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        EXPECT_EQ(layers[i].at("operator"), expected[i].at("operator"));
        EXPECT_EQ(layers[i].at("name"), expected[i].at("op"));
        EXPECT_EQ(layers[i].at("shape"), expected[i].at("shape"));
        EXPECT_EQ(layers[i].at("sha256"), expected[i].at("sha256"));
        const bool onCpu = expected[i].at("op") == "SOFTMAX";
        EXPECT_EQ(layers[i].at("record"), onCpu ? json(nullptr) : json(record++));
    }
}

class EngineRun : public testing::TestWithParam<const char*> {};

TEST_P(EngineRun, GivesTheGoldenLayersOfEveryCase) {
    const TemporaryDirectory directory;
    for (const std::string& name : acceptedCases()) {
        SCOPED_TRACE(name);
        const json expected = goldenJson("cases/" + name + ".expected.json");
        const std::string model = goldenOnDisk(directory.path(), "cases/" + name + ".tflite");
        const std::string input = goldenOnDisk(directory.path(), "cases/" + name + ".input.bin");
        const Outcome outcome =
            plumb({"run", model, "--input", input, "--engine", GetParam(), "--json"});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        const json result = outcome.json();
        EXPECT_EQ(result.at("engine"), GetParam());
        EXPECT_TRUE(result.at("fault").is_null());
        EXPECT_EQ(result.at("output_sha256"), expected.at("output_sha256"));
        if (expected.contains("output_hex") && expected["output_hex"].is_string()) {
            EXPECT_EQ(result.at("output").get<std::vector<int>>(),
                      signedValues(expected["output_hex"]));
        }
        expectGoldenLayers(result.at("layers"), expected.at("layers"));
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineRun, testing::Values("executor", "reference", "plain"),
                         [](const auto& row) { return std::string(row.param); });

/// A golden job as a package directory, and its input.
struct GoldenJob {
    TemporaryDirectory directory;
    std::string package;
    std::string input;

    explicit GoldenJob(const std::string& name) {
        fs::create_directory(directory.path() / "package");
        package = (directory.path() / "package").string();
        for (const char* file : {"npu.json", "descriptors.bin", "weights.bin", "params.bin"})
            goldenOnDisk(package, "faults/" + name + "/" + file);
        input = goldenOnDisk(directory.path(), "faults/" + name + "/input.bin");
    }
};

TEST(PackageRun, EndsAsTheGoldenJobsDo) {
    int jobs = 0;
    for (const json& line : goldenLines("faults.jsonl")) {
        if (!line.at("changes").empty())
            continue;
        SCOPED_TRACE(line.at("id").get<std::string>());
        ++jobs;
        const GoldenJob job(line.at("job"));
        const Outcome outcome = plumb({"run", job.package, "--input", job.input, "--json"});
        const json result = outcome.json();
        ASSERT_TRUE(result.is_object()) << outcome.err;
        std::vector<std::string> digests;
        for (const json& layer : result.at("layers"))
            digests.push_back(layer.at("sha256"));
        EXPECT_EQ(digests, line.at("layers").get<std::vector<std::string>>());
        const json& fault = result.at("fault");
        if (line.at("fault").is_null()) {
            EXPECT_EQ(outcome.exitCode, 0);
            EXPECT_TRUE(fault.is_null());
            EXPECT_EQ(result.at("output").get<std::vector<int>>(),
                      signedValues(line.at("output_hex")));
            continue;
        }
        EXPECT_EQ(outcome.exitCode, 1);
        EXPECT_EQ(fault.at("code"), line["fault"].at("code"));
        EXPECT_EQ(fault.at("stage"), line["fault"].at("stage"));
        EXPECT_EQ(fault.at("record"), line["fault"].at("descriptor"));
        EXPECT_EQ(fault.at("word"), line["fault"].at("word"));
        EXPECT_EQ(fault.at("relocation"), line["fault"].at("relocation"));
        EXPECT_TRUE(fault.at("reason").is_string());
        EXPECT_TRUE(result.at("output").empty());
        EXPECT_TRUE(result.at("output_sha256").is_null());
        EXPECT_NE(outcome.err.find("P0-X007"), std::string::npos) << outcome.err;
    }
    EXPECT_GE(jobs, 10);
}

class SampleRun : public testing::Test {
  protected:
    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
};

TEST_F(SampleRun, SeedMeansTheBytesOfSplitMix64) {
    const std::string input = writeFile(m_directory.path() / "in.bin", splitMixBytes(77, 490));
    const Outcome seeded = plumb({"run", m_model, "--seed", "77", "--json"});
    const Outcome fromFile = plumb({"run", m_model, "--input", input, "--json"});
    EXPECT_EQ(seeded.exitCode, 0) << seeded.err;
    EXPECT_EQ(seeded.out, fromFile.out);
    EXPECT_EQ(plumb({"run", m_model, "--seed", "0x4d", "--json"}).out, seeded.out);
    EXPECT_NE(plumb({"run", m_model, "--seed", "78", "--json"}).out, seeded.out);
}

TEST_F(SampleRun, TextNamesInputEngineLayersAndTopClass) {
    const Outcome text = plumb({"run", m_model, "--seed", "1"});
    EXPECT_EQ(text.exitCode, 0);
    for (const char* part :
         {"executor", "seed 1", "490 bytes", "Operator", "SOFTMAX", "Top", "class "})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
    EXPECT_EQ(text.err, "");
}

TEST_F(SampleRun, PackageGivesWhatItsModelGives) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0")}).exitCode, 0);
    const Outcome model = plumb({"run", m_model, "--seed", "5", "--json"});
    EXPECT_EQ(plumb({"run", path("p0"), "--seed", "5", "--json"}).out, model.out);
    EXPECT_EQ(plumb({"run", path("p0/npu.json"), "--seed", "5", "--json"}).out, model.out);
    for (const char* engine : {"reference", "plain"}) {
        const Outcome refused =
            plumb({"run", path("p0"), "--seed", "5", "--engine", engine, "--json"});
        EXPECT_EQ(refused.exitCode, 2);
        EXPECT_EQ(codesOf(refused.json()), std::vector<std::string>{"PL-U001"});
        EXPECT_NE(refused.err.find(engine), std::string::npos) << refused.err;
    }
}

class SampleOfEveryEngine : public testing::TestWithParam<const char*> {};

TEST_P(SampleOfEveryEngine, HasTheSameLayersAndOutput) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), GetParam());
    json expected = plumb({"run", model, "--seed", "9", "--json"}).json();
    ASSERT_GT(expected.at("layers").size(), 3U);
    for (const char* engine : {"reference", "plain"}) {
        const Outcome outcome = plumb({"run", model, "--seed", "9", "--engine", engine, "--json"});
        EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
        expected["engine"] = engine;
        EXPECT_EQ(outcome.json(), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleOfEveryEngine,
                         testing::Values("ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                         "every-operator", "branches-60"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST_F(SampleRun, OutputFileHoldsTheBytesAndNpyItsShape) {
    const Outcome outcome = plumb({"run", m_model, "--seed", "1", "-o", path("out.bin"), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const Bytes raw = readBytes(path("out.bin"));
    EXPECT_EQ(raw.size(), 12U);
    EXPECT_EQ(sha256Hex(raw), outcome.json().at("output_sha256"));
    ASSERT_EQ(plumb({"run", m_model, "--seed", "1", "-o", path("out.npy")}).exitCode, 0);
    const Bytes npy = readBytes(path("out.npy"));
    ASSERT_GT(npy.size(), raw.size());
    EXPECT_EQ(std::string(npy.begin() + 1, npy.begin() + 6), "NUMPY");
    const std::string text(npy.begin(), npy.end());
    EXPECT_NE(text.find("'descr': '|i1'"), std::string::npos);
    EXPECT_NE(text.find("(1, 1, 12)"), std::string::npos);
    EXPECT_TRUE(std::equal(raw.begin(), raw.end(), npy.end() - 12));
}

TEST_F(SampleRun, TraceHoldsEveryLayerWithItsDigest) {
    const Outcome outcome = plumb({"run", m_model, "--seed", "1", "--trace", path("t"), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const json trace = readJson(path("t/trace.json"));
    EXPECT_EQ(trace.at("model_sha256"), sha256Hex(readBytes(m_model)));
    EXPECT_EQ(trace.at("input_sha256"), sha256Hex(splitMixBytes(1, 490)));
    const json result = outcome.json();
    ASSERT_EQ(trace.at("layers").size(), result.at("layers").size());
    for (std::size_t i = 0; i < result["layers"].size(); ++i) {
        const json& layer = trace["layers"][i];
        EXPECT_EQ(layer.at("operator"), result["layers"][i].at("operator"));
        EXPECT_EQ(layer.at("sha256"), result["layers"][i].at("sha256"));
        EXPECT_EQ(sha256Hex(readBytes(fs::path(path("t")) / layer.at("file").get<std::string>())),
                  layer.at("sha256"));
    }
}

TEST_F(SampleRun, SanitizerFindsNothingInWhatWeLower) {
    const Outcome outcome = plumb({"run", m_model, "--seed", "1", "--sanitize", "--json"});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.json().at("findings"), json::array());
    EXPECT_FALSE(plumb({"run", m_model, "--seed", "1", "--json"}).json().contains("findings"));
}

TEST_F(SampleRun, WrongInputSaysWhatWasExpected) {
    const std::string input = writeFile(m_directory.path() / "short.bin", Bytes(489));
    for (const char* engine : {"executor", "reference", "plain"}) {
        const Outcome outcome =
            plumb({"run", m_model, "--input", input, "--engine", engine, "--json"});
        EXPECT_EQ(outcome.exitCode, 3);
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-D001"});
        EXPECT_NE(outcome.err.find("490"), std::string::npos) << outcome.err;
    }
    EXPECT_EQ(plumb({"run", m_model, "--input", path("missing.bin")}).exitCode, 3);
}

TEST_F(SampleRun, OutputsThatCannotBeWrittenAreExitFour) {
    EXPECT_EQ(plumb({"run", m_model, "--seed", "1", "-o", "/dev/full"}).exitCode, 4);
    EXPECT_EQ(plumb({"run", m_model, "--seed", "1", "-o", "/proc/out.bin"}).exitCode, 4);
    fs::create_directory(path("foreign"));
    writeFile(m_directory.path() / "foreign" / "thesis.txt", std::string("years of work"));
    const Outcome foreign =
        plumb({"run", m_model, "--seed", "1", "--trace", path("foreign"), "--json"});
    EXPECT_EQ(foreign.exitCode, 4);
    EXPECT_EQ(codesOf(foreign.json()), std::vector<std::string>{"PL-F004"});
    EXPECT_EQ(contentOf(path("foreign")).size(), 1U);
}

TEST(RefusedModel, RunsWithTheReferenceEngineWhereKernelsExist) {
    const TemporaryDirectory directory;
    const std::string model = goldenOnDisk(directory.path(), "cases/case_393.tflite");
    const json expected = goldenJson("cases/case_393.expected.json");
    ASSERT_EQ(expected.at("reason"), "kernel_not_3x3");
    const Outcome executor = plumb({"run", model, "--seed", "1", "--json"});
    EXPECT_EQ(executor.exitCode, 3);
    ASSERT_TRUE(executor.json().is_object());
    EXPECT_EQ(executor.json()["diagnostics"][0].at("name"), "KernelNot3x3");
    EXPECT_EQ(executor.json()["diagnostics"][0].at("operator"), expected.at("operator"));
    std::vector<json> layers;
    for (const char* engine : {"reference", "plain"}) {
        const Outcome outcome = plumb({"run", model, "--seed", "1", "--engine", engine, "--json"});
        EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
        layers.push_back(outcome.json().at("layers"));
        ASSERT_FALSE(layers.back().empty());
        for (const json& layer : layers.back())
            EXPECT_TRUE(layer.at("record").is_null());
    }
    EXPECT_EQ(layers[0], layers[1]);
}

TEST(RefusedModel, WithoutAKernelNamesTheOperator) {
    const TemporaryDirectory directory;
    const std::string model = goldenOnDisk(directory.path(), "cases/case_278.tflite");
    const Outcome outcome = plumb({"run", model, "--seed", "1", "--engine", "reference", "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_EQ(outcome.json()["diagnostics"][0].at("code"), "PL-K001");
    EXPECT_TRUE(outcome.json()["diagnostics"][0].at("operator").is_number());
}

} // namespace
} // namespace plumbline::test
