// SPDX-License-Identifier: GPL-3.0-or-later
// plumb compile and plumb sample: what is written, and when nothing may be.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Compile : public testing::Test {
  protected:
    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
};

TEST_F(Compile, WritesThePackageAndSaysWhatIsInIt) {
    const Outcome outcome = plumb({"compile", m_model, "-o", path("p0"), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const json manifest = readJson(path("p0/npu.json"));
    EXPECT_EQ(manifest.at("workload"), "ds-cnn-1");
    EXPECT_EQ(manifest.at("source_model_sha256"), sha256Hex(readBytes(m_model)));
    EXPECT_EQ(contentOf(path("p0")).size(), 4U);
    const json result = outcome.json();
    EXPECT_EQ(result.at("ok"), true);
    EXPECT_EQ(result.at("workload"), "ds-cnn-1");
    EXPECT_EQ(result.at("arena_bytes"), manifest.at("arena_bytes"));
    EXPECT_EQ(result.at("weights_bytes"), readBytes(path("p0/weights.bin")).size());
    EXPECT_EQ(result.at("records"), readBytes(path("p0/descriptors.bin")).size() / 128);
    EXPECT_TRUE(result.at("reference_layers").is_null());
    EXPECT_EQ(plumb({"check", path("p0")}).exitCode, 0);
}

TEST_F(Compile, TwiceGivesIdenticalBytes) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("a"), "--seed", "3"}).exitCode, 0);
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("b"), "--seed", "3"}).exitCode, 0);
    EXPECT_EQ(contentOf(path("a")), contentOf(path("b")));
}

/// Removes the keys that only a reference input adds.
void dropReference(json& manifest) {
    for (json& entry : manifest.at("report").at("operators")) {
        entry.erase("reference_sha256");
        entry.erase("reference_shape");
    }
}

TEST_F(Compile, InputOnlyAddsReferenceDigests) {
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("plain")}).exitCode, 0);
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("with"), "--seed", "3"}).exitCode, 0);
    json plain = readJson(path("plain/npu.json"));
    json with = readJson(path("with/npu.json"));
    EXPECT_NE(plain, with);
    const json run = plumb({"run", m_model, "--seed", "3", "--json"}).json();
    for (const json& layer : run.at("layers")) {
        const json& entry = with["report"]["operators"].at(layer.at("operator").get<std::size_t>());
        EXPECT_EQ(entry.at("reference_sha256"), layer.at("sha256"));
        EXPECT_EQ(entry.at("reference_shape"), layer.at("shape"));
    }
    dropReference(with);
    EXPECT_EQ(plain, with);
    for (const char* file : {"descriptors.bin", "weights.bin", "params.bin"})
        EXPECT_EQ(readBytes(fs::path(path("plain")) / file),
                  readBytes(fs::path(path("with")) / file));
    const std::string input = writeFile(m_directory.path() / "in.bin", splitMixBytes(3, 490));
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("file"), "--input", input}).exitCode, 0);
    EXPECT_EQ(contentOf(path("file")), contentOf(path("with")));
}

TEST_F(Compile, ReplacesAnEarlierPackageWhole) {
    const std::string other = sampleFile(m_directory.path(), "autoencoder");
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("p0"), "--workload", "w"}).exitCode, 0);
    ASSERT_EQ(plumb({"compile", other, "-o", path("p0"), "--workload", "w"}).exitCode, 0);
    ASSERT_EQ(plumb({"compile", other, "-o", path("fresh"), "--workload", "w"}).exitCode, 0);
    EXPECT_EQ(contentOf(path("p0")), contentOf(path("fresh")));
}

TEST_F(Compile, ForeignDirectoryIsLeftAlone) {
    fs::create_directory(path("foreign"));
    writeFile(m_directory.path() / "foreign" / "thesis.txt", std::string("years of work"));
    const Outcome outcome = plumb({"compile", m_model, "-o", path("foreign"), "--json"});
    EXPECT_EQ(outcome.exitCode, 4);
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-F004"});
    EXPECT_EQ(contentOf(path("foreign")).size(), 1U);
    EXPECT_EQ(plumb({"compile", m_model, "-o", "/proc/p0"}).exitCode, 4);
    EXPECT_EQ(plumb({"compile", m_model, "-o", m_model}).exitCode, 4);
}

TEST_F(Compile, RefusedModelNamesEveryBrokenRuleAndWritesNothing) {
    const std::string refused = sampleFile(m_directory.path(), "refused");
    const Outcome outcome = plumb({"compile", refused, "-o", path("p0"), "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_FALSE(fs::exists(path("p0")));
    const json failure = outcome.json();
    ASSERT_TRUE(failure.is_object()) << outcome.out;
    EXPECT_EQ(failure.at("ok"), false);
    EXPECT_GE(failure.at("diagnostics").size(), 2U);
    for (const json& diagnostic : failure["diagnostics"]) {
        EXPECT_EQ(diagnostic.at("code").get<std::string>().substr(0, 4), "P0-L");
        EXPECT_NE(outcome.err.find(diagnostic["code"].get<std::string>()), std::string::npos);
    }
}

TEST_F(Compile, WorkloadIsTheFileNameWithoutItsEnding) {
    const Bytes model = readBytes(m_model);
    const std::pair<const char*, const char*> rows[] = {{"plain.tflite", "plain"},
                                                        {"two.dots.tflite", "two.dots"},
                                                        {"noending", "noending"},
                                                        {".tflite", ".tflite"},
                                                        {"m\xC3\xBCsli.tflite", "m\xC3\xBCsli"}};
    for (const auto& [file, workload] : rows) {
        const std::string copy = writeFile(m_directory.path() / file, model);
        ASSERT_EQ(plumb({"compile", copy, "-o", path("p0")}).exitCode, 0) << file;
        EXPECT_EQ(readJson(path("p0/npu.json")).at("workload"), workload);
        EXPECT_EQ(plumb({"check", path("p0")}).exitCode, 0) << file;
    }
}

TEST(GoldenCase, CompilesToTheGoldenBytes) {
    const TemporaryDirectory directory;
    for (const char* name :
         {"case_028", "case_063", "case_080", "case_094", "case_154", "case_227"}) {
        SCOPED_TRACE(name);
        const std::string stem = "cases/" + std::string(name);
        const json expected = goldenJson(stem + ".expected.json");
        const std::string model = goldenOnDisk(directory.path(), stem + ".tflite");
        const std::string input = goldenOnDisk(directory.path(), stem + ".input.bin");
        const fs::path package = directory.path() / "p0";
        ASSERT_EQ(plumb({"compile", model, "-o", package.string(), "--input", input}).exitCode, 0);
        for (const char* region : {"descriptors", "weights", "params"})
            EXPECT_EQ(sha256Hex(readBytes(package / (std::string(region) + ".bin"))),
                      expected.at(std::string(region) + "_sha256"))
                << region;
        const json manifest = readJson(package / "npu.json");
        EXPECT_EQ(manifest.at("workload"), name);
        EXPECT_EQ(manifest.at("relocations"), expected.at("relocations"));
        EXPECT_EQ(manifest.at("arena_bytes"), expected.at("arena_bytes"));
    }
}

TEST(GoldenCase, ReferenceInputThatEndsInAFaultIsExitOneAndWritesNothing) {
    const TemporaryDirectory directory;
    const std::string model = goldenOnDisk(directory.path(), "faults/prefix/model.tflite");
    const std::string input = goldenOnDisk(directory.path(), "faults/prefix/input.bin");
    const std::string package = (directory.path() / "p0").string();
    const Outcome outcome = plumb({"compile", model, "-o", package, "--input", input, "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"P0-X007"});
    EXPECT_FALSE(fs::exists(package));
    EXPECT_EQ(plumb({"compile", model, "-o", package}).exitCode, 0);
}

TEST(Sample, ListNamesWhatCanBeWritten) {
    const TemporaryDirectory directory;
    const json list = plumb({"sample", "--list", "--json"}).json();
    ASSERT_GE(list.at("samples").size(), 6U);
    const Outcome text = plumb({"sample", "--list"});
    for (const json& sample : list["samples"]) {
        const std::string name = sample.at("name");
        EXPECT_NE(text.out.find(name), std::string::npos);
        EXPECT_FALSE(sample.at("description").get<std::string>().empty());
        const Outcome info = plumb({"info", sampleFile(directory.path(), name), "--json"});
        EXPECT_EQ(info.exitCode, 0);
        EXPECT_EQ(info.json().at("lowers"), name != "refused") << name;
    }
}

TEST(Sample, SameSeedGivesSameBytes) {
    const TemporaryDirectory directory;
    const std::string first = (directory.path() / "a").string();
    const std::string second = (directory.path() / "b").string();
    const Outcome made = plumb({"sample", "resnet8", "-o", first, "--seed", "9", "--json"});
    ASSERT_EQ(made.exitCode, 0);
    ASSERT_EQ(plumb({"sample", "resnet8", "-o", second, "--seed", "9"}).exitCode, 0);
    EXPECT_EQ(readBytes(first), readBytes(second));
    EXPECT_EQ(made.json().at("sha256"), sha256Hex(readBytes(first)));
    EXPECT_EQ(made.json().at("bytes"), readBytes(first).size());
    ASSERT_EQ(plumb({"sample", "resnet8", "-o", second, "--seed", "10"}).exitCode, 0);
    EXPECT_NE(readBytes(first), readBytes(second));
    EXPECT_EQ(plumb({"sample", "resnet8", "-o", "/proc/x"}).exitCode, 4);
}

class Demo : public testing::TestWithParam<const char*> {};

TEST_P(Demo, PassesOnEveryLayer) {
    const Outcome text = plumb({"demo", GetParam()});
    EXPECT_EQ(text.exitCode, 0) << text.out << text.err;
    EXPECT_EQ(text.out.rfind("\nPASS: all "), text.out.rfind('\n', text.out.size() - 2))
        << text.out;
    const json result = plumb({"demo", GetParam(), "--json"}).json();
    EXPECT_EQ(result.at("ok"), true);
    EXPECT_EQ(result.at("equal"), true);
    EXPECT_FALSE(result.at("layers").empty());
}

INSTANTIATE_TEST_SUITE_P(Samples, Demo,
                         testing::Values("ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                         "every-operator"),
                         [](const auto& row) {
                             std::string name = row.param;
                             for (char& c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });

TEST(DemoDefault, IsTheMobilenetAndARefusedSampleIsExitThree) {
    EXPECT_EQ(plumb({"demo"}).out, plumb({"demo", "mobilenet"}).out);
    EXPECT_EQ(plumb({"demo", "refused"}).exitCode, 3);
}

} // namespace
} // namespace plumbline::test
