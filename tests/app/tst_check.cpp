// SPDX-License-Identifier: GPL-3.0-or-later
// plumb check: damaged packages and single records.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Check : public testing::Test {
  protected:
    Check() {
        const std::string model = sampleFile(m_directory.path(), "every-operator");
        EXPECT_EQ(plumb({"compile", model, "-o", m_package.string()}).exitCode, 0);
    }
    Outcome check() const { return plumb({"check", m_package.string(), "--json"}); }

    TemporaryDirectory m_directory;
    fs::path m_package = m_directory.path() / "p0";
};

TEST_F(Check, CleanPackage) {
    const Outcome outcome = check();
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("ok"), true);
    EXPECT_EQ(outcome.json().at("records"), readBytes(m_package / "descriptors.bin").size() / 128);
    EXPECT_EQ(outcome.err, "");
    const Outcome text = plumb({"check", m_package.string()});
    EXPECT_NE(text.out.find("clean"), std::string::npos);
}

class DamagedFile : public Check, public testing::WithParamInterface<const char*> {};

TEST_P(DamagedFile, FlippedByteIsADigestFindingAndRefusedByRun) {
    Bytes content = readBytes(m_package / GetParam());
    content.at(content.size() / 2) ^= 1;
    writeFile(m_package / GetParam(), content);
    const Outcome outcome = check();
    EXPECT_EQ(outcome.exitCode, 1);
    const std::vector<std::string> codes = codesOf(outcome.json());
    EXPECT_NE(std::find(codes.begin(), codes.end(), "PL-A003"), codes.end()) << outcome.out;
    EXPECT_NE(outcome.err.find(GetParam()), std::string::npos) << outcome.err;
    EXPECT_EQ(plumb({"run", m_package.string(), "--seed", "1"}).exitCode, 3);
    EXPECT_EQ(plumb({"dump", m_package.string()}).exitCode, 0);
    const Outcome info = plumb({"info", m_package.string(), "--json"});
    EXPECT_EQ(info.exitCode, 0);
    EXPECT_EQ(info.json().at("damaged"), true);
}

TEST_P(DamagedFile, ShortFileIsASizeFinding) {
    Bytes content = readBytes(m_package / GetParam());
    content.resize(content.size() / 2);
    writeFile(m_package / GetParam(), content);
    const Outcome outcome = check();
    EXPECT_EQ(outcome.exitCode, 1);
    const std::vector<std::string> codes = codesOf(outcome.json());
    EXPECT_NE(std::find(codes.begin(), codes.end(), "PL-A002"), codes.end()) << outcome.out;
    EXPECT_EQ(plumb({"dump", m_package.string(), "--region", "weights"}).exitCode, 0);
}

TEST_P(DamagedFile, MissingFileIsAFinding) {
    fs::remove(m_package / GetParam());
    EXPECT_EQ(check().exitCode, 1);
}

INSTANTIATE_TEST_SUITE_P(Files, DamagedFile,
                         testing::Values("descriptors.bin", "weights.bin", "params.bin"),
                         [](const auto& row) {
                             const std::string name = row.param;
                             return name.substr(0, name.find('.'));
                         });

TEST_F(Check, InvalidRecordNamesRecordAndWord) {
    Bytes descriptors = readBytes(m_package / "descriptors.bin");
    storeU32(descriptors, 128 + 15 * 4, 0); // K_SLICE of record 1
    rewritePackageFile(m_package, "descriptors.bin", descriptors);
    const Outcome outcome = check();
    EXPECT_EQ(outcome.exitCode, 1);
    const json failure = outcome.json();
    const auto& diagnostics = failure.at("diagnostics");
    EXPECT_TRUE(std::any_of(diagnostics.begin(), diagnostics.end(), [](const json& d) {
        return d.at("code") == "P0-V001" && d.at("record") == 1 && d.at("word") == 15;
    })) << outcome.out;
}

TEST_F(Check, AStatedNumberThatARecordContradictsIsAWarning) {
    Bytes descriptors = readBytes(m_package / "descriptors.bin");
    const std::uint32_t slice = loadU32(descriptors, 15 * 4);
    ASSERT_GT(slice, 1U);
    storeU32(descriptors, 15 * 4, slice - 1); // K_SLICE of record 0
    rewritePackageFile(m_package, "descriptors.bin", descriptors);
    const Outcome outcome = check();
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-A009"});
    EXPECT_NE(outcome.err.find("K_SLICE is " + std::to_string(slice - 1) + ", the report says " +
                               std::to_string(slice)),
              std::string::npos)
        << outcome.err;
}

TEST_F(Check, DroppedRelocationIsAFinding) {
    json manifest = readJson(m_package / "npu.json");
    manifest["relocations"].erase(0);
    writeFile(m_package / "npu.json", manifest.dump());
    const std::vector<std::string> codes = codesOf(check().json());
    EXPECT_NE(std::find(codes.begin(), codes.end(), "PL-A008"), codes.end());
}

TEST_F(Check, UnreadableManifestIsExitThree) {
    for (const char* text : {"", "{", "[]", "null", "{\"schema\":1"}) {
        writeFile(m_package / "npu.json", std::string(text));
        const Outcome outcome = check();
        EXPECT_EQ(outcome.exitCode, 3) << text << outcome.out;
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-A001"}) << text;
    }
    fs::remove(m_package / "npu.json");
    EXPECT_EQ(check().exitCode, 3);
}

TEST(CheckRecords, GivesTheGoldenVerdictOfEveryLine) {
    const TemporaryDirectory directory;
    const ByteView file = goldenFile("validator.jsonl");
    const std::string path = writeFile(directory.path() / "records.jsonl", file);
    const Outcome outcome = plumb({"check", "--records", path});
    EXPECT_EQ(outcome.exitCode, 1);
    const std::vector<json> expected = goldenLines("validator.jsonl");
    const std::vector<json> verdicts = outcome.jsonLines();
    ASSERT_EQ(verdicts.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(verdicts[i].at("ok"), expected[i].at("ok"));
        if (expected[i]["ok"].get<bool>()) {
            EXPECT_EQ(verdicts[i].size(), 1U);
            continue;
        }
        EXPECT_EQ(verdicts[i].at("code"), expected[i].at("code"));
        EXPECT_EQ(verdicts[i].at("word"), expected[i].at("word"));
        EXPECT_TRUE(verdicts[i].at("message").is_string());
    }
}

/// The first golden line that is valid.
std::string validLine() {
    for (const json& line : goldenLines("validator.jsonl")) {
        if (line.at("ok").get<bool>())
            return line.dump() + "\n";
    }
    return "";
}

TEST(CheckRecords, ReadsStandardInputAndExitsZeroWhenAllAreValid) {
    ProcessOptions options;
    options.input = validLine() + validLine();
    const Outcome outcome = plumb({"check", "--records", "-"}, options);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "{\"ok\":true}\n{\"ok\":true}\n");
    options.input.pop_back(); // without a last line end
    EXPECT_EQ(plumb({"check", "--records", "-"}, options).out, outcome.out);
    options.input.clear();
    EXPECT_EQ(plumb({"check", "--records", "-"}, options).exitCode, 0);
}

struct BadLine {
    const char* name;
    std::string text;
};

class MalformedRecordLine : public testing::TestWithParam<BadLine> {};

TEST_P(MalformedRecordLine, IsRefusedByItsNumber) {
    ProcessOptions options;
    options.input = validLine() + GetParam().text + "\n" + validLine();
    const Outcome outcome = plumb({"check", "--records", "-"}, options);
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_EQ(outcome.out, "{\"ok\":true}\n");
    EXPECT_NE(outcome.err.find("line 2"), std::string::npos) << outcome.err;
}

std::string hexLine(const std::string& hex, const std::string& region = "null") {
    return R"({"hex":")" + hex + R"(","region":)" + region + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Rows, MalformedRecordLine,
    testing::Values(BadLine{"empty", ""}, BadLine{"no_json", "hex"}, BadLine{"no_object", "[1]"},
                    BadLine{"no_hex", "{}"}, BadLine{"short_hex", hexLine("00")},
                    BadLine{"no_digits", hexLine(std::string(256, 'g'))},
                    BadLine{"region_no_pair", hexLine(std::string(256, '0'), "[1]")},
                    BadLine{"region_negative", hexLine(std::string(256, '0'), "[-1,1]")},
                    BadLine{"region_huge",
                            hexLine(std::string(256, '0'), "[1,18446744073709551615]")},
                    BadLine{"deep", std::string(200000, '[')},
                    BadLine{"long", hexLine(std::string(2000000, '0'))}),
    [](const auto& row) { return std::string(row.param.name); });

} // namespace
} // namespace plumbline::test
