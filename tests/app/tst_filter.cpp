// SPDX-License-Identifier: GPL-3.0-or-later
// The option --filter of plumb info and plumb dump.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

/// Indices of the shown operators of the main graph.
std::vector<int> operatorsOf(const json& info) {
    std::vector<int> indices;
    for (const json& op : info.at("subgraphs").at(0).at("operators"))
        indices.push_back(op.at("operator"));
    return indices;
}

TEST(FilterOption, InfoListsOnlyTheOperatorsItTakes) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "ds-cnn");
    const json whole = plumb({"info", model, "--json"}).json();
    std::vector<int> expected;
    for (const json& op : whole["subgraphs"][0]["operators"]) {
        if (op.at("name") == "CONV_2D")
            expected.push_back(op.at("operator"));
    }
    ASSERT_FALSE(expected.empty());
    for (const char* filter :
         {"opcode == CONV2D", "name == CONV_2D", "'conv_2d' and not depthwise"}) {
        const Outcome outcome = plumb({"info", model, "--filter", filter, "--json"});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        EXPECT_EQ(operatorsOf(outcome.json()), expected) << filter;
        EXPECT_EQ(outcome.json()["subgraphs"][0]["tensors"], whole["subgraphs"][0]["tensors"]);
    }
    const Outcome text = plumb({"info", model, "--filter", "placement == cpu-softmax"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_NE(text.out.find("1 of "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("SOFTMAX"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("CONV_2D"), std::string::npos) << text.out;
}

TEST(FilterOption, InfoFindsWhatATargetRefuses) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "refused");
    const json whole = plumb({"info", model, "--json"}).json();
    std::vector<int> refused;
    for (const json& op : whole["subgraphs"][0]["operators"]) {
        if (op.at("placement") == "refused")
            refused.push_back(op.at("operator"));
    }
    ASSERT_FALSE(refused.empty());
    const Outcome outcome = plumb({"info", model, "--filter", "placement == refused", "--json"});
    EXPECT_EQ(operatorsOf(outcome.json()), refused);
    EXPECT_EQ(operatorsOf(plumb({"info", model, "--filter", "INPUT_H > 0", "--json"}).json()),
              std::vector<int>{});
}

TEST(FilterOption, DumpShowsOnlyTheRecordsItTakes) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "every-operator");
    const std::string package = (directory.path() / "p0").string();
    ASSERT_EQ(plumb({"compile", model, "-o", package}).exitCode, 0);
    const std::string filter = "opcode in {ADD, MAX_POOL} or OUTPUT_C > 16";
    for (const std::string& subject : {model, package}) {
        const json all = plumb({"dump", subject, "--json"}).json();
        json expected = json::array();
        for (const json& record : all.at("records")) {
            int channels = 0;
            for (const json& field : record.at("fields"))
                channels = field.at("name") == "OUTPUT_C" ? field.at("value").get<int>() : channels;
            if (record.at("opcode") == "ADD" || record.at("opcode") == "MAX_POOL" || channels > 16)
                expected.push_back(record);
        }
        ASSERT_FALSE(expected.empty());
        ASSERT_LT(expected.size(), all["records"].size());
        const Outcome some = plumb({"dump", subject, "--filter", filter, "--json"});
        ASSERT_EQ(some.exitCode, 0) << some.err;
        EXPECT_EQ(some.json().at("records"), expected) << subject;
        const Outcome none = plumb({"dump", subject, "--filter", "cout > 1M"});
        EXPECT_EQ(none.exitCode, 0);
        EXPECT_EQ(none.out, "");
    }
    const json info = plumb({"info", package, "--filter", filter, "--json"}).json();
    EXPECT_EQ(info.at("records").size(),
              plumb({"dump", package, "--filter", filter, "--json"}).json().at("records").size());
}

TEST(FilterOption, DamagedPackageIsFilteredByWhatItsRecordsHold) {
    const TemporaryDirectory directory;
    const std::string model = sampleFile(directory.path(), "ds-cnn");
    const std::filesystem::path package = directory.path() / "p0";
    ASSERT_EQ(plumb({"compile", model, "-o", package.string()}).exitCode, 0);
    Bytes descriptors = readBytes(package / "descriptors.bin");
    descriptors.at(24) = 0xEE; // INPUT_H of record 0
    descriptors.at(25) = 0x0E;
    rewritePackageFile(package, "descriptors.bin", descriptors);
    const Outcome outcome =
        plumb({"dump", package.string(), "--filter", "INPUT_H == 0xEEE", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    ASSERT_EQ(outcome.json().at("records").size(), 1U);
    EXPECT_EQ(outcome.json()["records"][0].at("record"), 0);
}

TEST(FilterOption, WrongTextIsExitTwoWithThePlaceMarked) {
    for (const char* command : {"info", "dump"}) {
        // The text is checked before any file is read.
        const std::vector<std::string> arguments{command, "/nonexistent/model.tflite", "--filter",
                                                 "cout > 3 and opcode == CONV_2D"};
        const Outcome outcome = plumb(arguments);
        EXPECT_EQ(outcome.exitCode, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find("PL-Q007"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("did you mean 'CONV2D'?"), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("cout > 3 and opcode == CONV_2D\n"
                                   "                       ^~~~~~~\n"),
                  std::string::npos)
            << outcome.err;
        std::vector<std::string> asJson = arguments;
        asJson.emplace_back("--json");
        const json failure = plumb(asJson).json();
        EXPECT_EQ(codesOf(failure), std::vector<std::string>{"PL-Q007"});
        EXPECT_EQ(failure.at("diagnostics").at(0).at("byte"), 23);
        EXPECT_EQ(failure.at("diagnostics").at(0).at("part"), "CONV_2D");
    }
}

} // namespace
} // namespace plumbline::test
