// SPDX-License-Identifier: GPL-3.0-or-later
// plumb edit: experiments from the command line, and that plumb diff names what they change.
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class EditCommand : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    std::string compiled() {
        EXPECT_EQ(plumb({"compile", m_model, "-o", path("a"), "--workload", "w"}).exitCode, 0);
        return path("a");
    }
    Outcome edit(const std::string& subject, const std::vector<std::string>& edits) {
        std::vector<std::string> arguments{"edit", subject, "-o", path("b"), "--json"};
        for (const std::string& text : edits)
            arguments.insert(arguments.end(), {"--set", text});
        return plumb(arguments);
    }
    /// What plumb diff says between the compiled and the edited package.
    json differences(const std::string& first) {
        return plumb({"diff", first, path("b"), "--json", "--quiet"}).json().at("differences");
    }

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
};

TEST_F(EditCommand, AChangedWeightIsAPackageThatRuns) {
    const std::string first = compiled();
    Bytes weights = readBytes(fs::path(first) / "weights.bin");
    const auto value = static_cast<std::uint8_t>(weights.at(9) ^ 0x40);
    const Outcome outcome = edit(first, {"weights/9=" + std::to_string(value)});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.json().at("ok"), true);
    weights[9] = value;
    EXPECT_EQ(readBytes(path("b") + "/weights.bin"), weights);
    EXPECT_EQ(plumb({"check", path("b")}).exitCode, 0);
    EXPECT_EQ(plumb({"run", path("b"), "--seed", "1"}).exitCode, 0);
    const json found = differences(first);
    ASSERT_EQ(found.size(), 1U) << found;
    EXPECT_EQ(found[0].at("kind"), "weights");
    EXPECT_EQ(found[0].at("offset"), 9);
    EXPECT_EQ(found[0].at("operator"), 0);
}

TEST_F(EditCommand, AnAddressAndItsRelocationAreOneChange) {
    const std::string first = compiled();
    const Bytes descriptors = readBytes(fs::path(first) / "descriptors.bin");
    const std::uint32_t base = loadU32(descriptors, 128 + 4 * 4); // OUTPUT_BASE of record 1
    const Outcome outcome =
        edit(first, {"record/1/word/4/OUTPUT_BASE=" + std::to_string(base + 64)});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out;
    const json found = differences(first);
    ASSERT_EQ(found.size(), 1U) << found;
    EXPECT_EQ(found[0].at("kind"), "address");
    EXPECT_EQ(found[0].at("key"), "OUTPUT_BASE");
    EXPECT_EQ(found[0].at("address_shift"), false);
    EXPECT_EQ(found[0].at("consequence"), "writes 64 bytes further on");
}

TEST_F(EditCommand, ABrokenRuleIsExit1AndThePackageIsThere) {
    const std::string first = compiled();
    const Outcome outcome = edit(first, {"record/2/word/15/K_SLICE=2000"});
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_EQ(outcome.json().at("ok"), false);
    const json diagnostic = outcome.json().at("diagnostics").at(0);
    EXPECT_EQ(diagnostic.at("record"), 2);
    EXPECT_EQ(diagnostic.at("word"), 15);
    EXPECT_EQ(outcome.json().at("diagnostics").size(), 1U);
    const json found = differences(first);
    ASSERT_EQ(found.size(), 1U) << found;
    EXPECT_EQ(found[0].at("key"), "K_SLICE");
    EXPECT_EQ(found[0].at("record"), 2);
    EXPECT_EQ(plumb({"edit", first, "--set", "record/2/word/15/K_SLICE=2000", "-o", path("b")})
                      .out.find("experiment") == std::string::npos,
              false);
}

TEST_F(EditCommand, ARelocationAloneIsNamed) {
    const std::string first = compiled();
    const Outcome outcome =
        edit(first, {"relocation/3/offset=4096", "relocation/3/region=weights"});
    EXPECT_EQ(outcome.exitCode, 1); // it no longer agrees with the word
    EXPECT_EQ(outcome.json().at("diagnostics").at(0).at("relocation"), 3);
    const json manifest = readJson(path("b") + "/npu.json");
    EXPECT_EQ(manifest.at("relocations").at(3).at("offset"), 4096);
    EXPECT_EQ(manifest.at("relocations").at(3).at("region"), "weights");
    const json found = differences(first);
    ASSERT_EQ(found.size(), 1U) << found;
    EXPECT_EQ(found[0].at("kind"), "relocation");
    EXPECT_EQ(found[0].at("key"), "relocations[3]");
}

TEST_F(EditCommand, AModelIsLoweredFirst) {
    EXPECT_EQ(edit(m_model, {"params/0=1"}).exitCode, 0);
    EXPECT_EQ(readBytes(path("b") + "/params.bin").at(0), 1);
    EXPECT_EQ(readJson(path("b") + "/npu.json").at("workload"), fs::path(m_model).stem().string());
}

TEST_F(EditCommand, WrongEditsAreExit2AndWriteNothing) {
    const std::string first = compiled();
    for (const char* text : {"K_SLICE=1", "record/99/word/15/K_SLICE=1", "weights/99999999=1",
                             "record/0/word/15/K_SLICE=0x100000000", "relocation/9999/offset=1"}) {
        const Outcome outcome = edit(first, {text});
        EXPECT_EQ(outcome.exitCode, 2) << text;
        EXPECT_EQ(codesOf(outcome.json()), std::vector<std::string>{"PL-E005"}) << text;
        EXPECT_FALSE(fs::exists(path("b")));
    }
    EXPECT_EQ(plumb({"edit", first, "-o", path("b")}).exitCode, 2);
    EXPECT_EQ(plumb({"edit", first, "--set", "weights/0=1"}).exitCode, 2);
}

TEST_F(EditCommand, RefusedModelsAndForeignFoldersAreTold) {
    const std::string refused = sampleFile(m_directory.path(), "refused");
    EXPECT_EQ(edit(refused, {"weights/0=1"}).exitCode, 3);
    fs::create_directory(path("b"));
    writeFile(path("b") + "/mine.txt", std::string("keep"));
    EXPECT_EQ(edit(m_model, {"weights/0=1"}).exitCode, 4);
    EXPECT_TRUE(fs::exists(path("b") + "/mine.txt"));
}

} // namespace
} // namespace plumbline::test
