// SPDX-License-Identifier: GPL-3.0-or-later
// plumb info of models that lower, models that do not, and packages.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

TEST(Info, OfAModelThatLowers) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "ds-cnn");
    const Outcome outcome = plumb({"info", model, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const json info = outcome.json();
    EXPECT_EQ(info.at("ok"), true);
    EXPECT_EQ(info.at("kind"), "model");
    EXPECT_EQ(info.at("sha256"), sha256Hex(readBytes(model)));
    EXPECT_EQ(info.at("bytes"), readBytes(model).size());
    EXPECT_EQ(info.at("lowers"), true);
    EXPECT_EQ(info.at("reference").at("runs"), true);
    EXPECT_GT(info.at("lowering").at("records"), 5);
    ASSERT_EQ(info.at("subgraphs").size(), 1U);
    const json& graph = info["subgraphs"][0];
    const json& input = graph.at("tensors").at(graph.at("inputs").at(0).get<std::size_t>());
    EXPECT_EQ(input.at("shape"), json::array({1, 49, 10, 1}));
    EXPECT_EQ(input.at("type"), "INT8");
    EXPECT_EQ(input.at("scales").size(), 1U);
    EXPECT_EQ(graph.at("operators").back().at("name"), "SOFTMAX");
    EXPECT_EQ(graph.at("operators").back().at("placement"), "cpu-softmax");
    const Outcome text = plumb({"info", model});
    for (const char* part : {"[1,49,10,1] INT8", "scale ", "CONV_2D", "record 0", "lowers to",
                             "Reference kernels  run it"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << text.out;
}

TEST(Info, OfARefusedModelSaysWhyAndExitsZero) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "refused");
    const Outcome outcome = plumb({"info", model, "--json"});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_EQ(outcome.json().at("lowers"), false);
    EXPECT_FALSE(outcome.json().at("lowering").at("diagnostics").empty());
    const Outcome text = plumb({"info", model});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_NE(text.out.find("does not lower"), std::string::npos);
    EXPECT_NE(text.out.find("P0-L"), std::string::npos);
}

TEST(Info, OfEveryGoldenCaseThatLoads) {
    const TemporaryDirectory directory;
    int refused = 0;
    for (const json& line : goldenLines("cases/index.jsonl")) {
        const std::string name = line.at("case");
        SCOPED_TRACE(name);
        const json expected = goldenJson("cases/" + name + ".expected.json");
        const std::string model = goldenOnDisk(directory.path(), "cases/" + name + ".tflite");
        const Outcome outcome = plumb({"info", model, "--json"});
        if (!expected.at("lowers").get<bool>() && expected.at("reason") == "malformed") {
            EXPECT_EQ(outcome.exitCode, 3);
            continue;
        }
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        EXPECT_EQ(outcome.json().at("lowers"), expected.at("lowers"));
        refused += expected["lowers"].get<bool>() ? 0 : 1;
    }
    EXPECT_GT(refused, 150);
}

TEST(Info, OfAPackage) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "ds-cnn");
    const std::string package = (directory.path() / "p0").string();
    ASSERT_EQ(plumb({"compile", model, "-o", package, "--workload", "kws", "--seed", "1"}).exitCode,
              0);
    const json manifest = readJson(directory.path() / "p0" / "npu.json");
    const Outcome outcome = plumb({"info", package, "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const json info = outcome.json();
    EXPECT_EQ(info.at("kind"), "package");
    EXPECT_EQ(info.at("workload"), "kws");
    EXPECT_EQ(info.at("files"), manifest.at("files"));
    EXPECT_EQ(info.at("arena_bytes"), manifest.at("arena_bytes"));
    EXPECT_EQ(info.at("damaged"), false);
    EXPECT_EQ(info.at("records").size(), manifest["report"]["totals"]["descriptors"]);
    EXPECT_EQ(info.at("reference_layers"), info["records"].size() + 1);
    const Outcome text = plumb({"info", package});
    for (const char* part : {"kws", "npu-p0/1.0.2", "weights.bin", "CONV2D", "its parts agree"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << text.out;
}

TEST(Info, ControlCharactersOfNamesDoNotReachTheTerminal) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "ds-cnn");
    const json graph = plumb({"info", model, "--json"}).json().at("subgraphs").at(0);
    const json& input = graph.at("tensors").at(graph.at("inputs").at(0).get<std::size_t>());
    const auto name = input.at("name").get<std::string>();
    ASSERT_FALSE(name.empty());
    Bytes bytes = readBytes(model);
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
    ASSERT_NE(at, bytes.end());
    *at = 0x1B;
    const std::string path = writeFile(directory.path() / "escape.tflite", bytes);
    const Outcome text = plumb({"info", path});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_EQ(text.out.find('\x1B'), std::string::npos);
    EXPECT_NE(text.out.find("?" + name.substr(1)), std::string::npos) << text.out;
    *at = 0xFF; // no UTF-8
    writeFile(directory.path() / "escape.tflite", bytes);
    EXPECT_TRUE(plumb({"info", path, "--json"}).json().is_object());
}

} // namespace
} // namespace plumbline::test
