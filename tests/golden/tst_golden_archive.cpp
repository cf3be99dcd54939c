// SPDX-License-Identifier: GPL-3.0-or-later
// The committed archive is whole, and equal to the golden data that it was packed from.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/test_data.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::set<std::string>& archiveNames() {
    static const std::vector<std::string> names = test::goldenNames("");
    static const std::set<std::string> set(names.begin(), names.end());
    return set;
}

/// The files below `folder` that belong in the archive, by their name under it.
std::set<std::string> synthetic(const fs::path& folder) {
    std::set<std::string> names{"faults.jsonl", "numerics.jsonl", "validator.jsonl"};
    for (const char* part : {"cases", "faults"}) {
        for (const auto& entry : fs::recursive_directory_iterator(folder / part)) {
            if (entry.is_regular_file())
                names.insert(fs::relative(entry.path(), folder).generic_string());
        }
    }
    return names;
}

TEST(GoldenArchive, equalsTheSharedData) {
    SKIP_WITHOUT_SHARED_DATA();
    const fs::path folder = *test::sharedData() / "golden";
    const std::set<std::string> names = synthetic(folder);
    EXPECT_EQ(archiveNames(), names);
    for (const std::string& name : names) {
        const Bytes expected = test::readBytes(folder / name);
        EXPECT_TRUE(std::ranges::equal(test::goldenFile(name), expected)) << name;
    }
}

TEST(GoldenArchive, holdsEveryCaseOfTheIndex) {
    std::map<bool, int> byVerdict;
    for (const json& line : test::goldenLines("cases/index.jsonl")) {
        const std::string stem = "cases/" + line.at("case").get<std::string>();
        const bool lowers = line.at("lowers").get<bool>();
        ++byVerdict[lowers];
        EXPECT_TRUE(archiveNames().contains(stem + ".tflite")) << stem;
        EXPECT_EQ(archiveNames().contains(stem + ".input.bin"), lowers) << stem;
        EXPECT_EQ(test::goldenJson(stem + ".expected.json").at("lowers"), lowers) << stem;
    }
    EXPECT_EQ(byVerdict[true], 277);
    EXPECT_EQ(byVerdict[false], 177);
    EXPECT_EQ(test::goldenNames("cases/").size(), 454U + 454U + 277U + 1U);
}

TEST(GoldenArchive, holdsEveryPackageOfTheFaults) {
    const std::vector<json> lines = test::goldenLines("faults.jsonl");
    EXPECT_EQ(lines.size(), 112U);
    EXPECT_EQ(std::ranges::count_if(lines, [](const json& l) { return l.at("fault").is_null(); }),
              21);
    for (const json& line : lines) {
        const std::string folder = "faults/" + line.at("job").get<std::string>();
        EXPECT_EQ(test::goldenNames(folder + "/").size(), 6U) << folder;
    }
}

TEST(GoldenArchive, holdsEveryValidatorLine) {
    EXPECT_EQ(test::goldenLines("validator.jsonl").size(), 6000U);
}

TEST(GoldenArchive, holdsEveryNumericVector) {
    EXPECT_EQ(test::goldenLines("numerics.jsonl").size(), 3148U);
}

TEST(GoldenArchive, namesTheFileThatIsMissing) {
    EXPECT_THROW(
        {
            try {
                test::goldenFile("cases/none.tflite");
            } catch (const std::runtime_error& error) {
                EXPECT_NE(std::string(error.what()).find("cases/none.tflite"), std::string::npos);
                throw;
            }
        },
        std::runtime_error);
}

TEST(TemporaryDirectory, isFreshAndGoesWithItsObject) {
    fs::path path;
    {
        const test::TemporaryDirectory directory;
        path = directory.path();
        EXPECT_TRUE(fs::is_empty(path));
        EXPECT_NE(test::TemporaryDirectory().path(), path);
    }
    EXPECT_FALSE(fs::exists(path));
}

} // namespace
} // namespace plumbline
