// SPDX-License-Identifier: GPL-3.0-or-later
// plumb diff of packages, traces and reference digests.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Diff : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (m_directory.path() / name).string(); }
    std::string compiled(const std::string& name, const std::string& seed) {
        EXPECT_EQ(plumb({"compile", m_model, "-o", path(name), "--seed", seed}).exitCode, 0);
        return path(name);
    }
    std::string traced(const std::string& name, const std::string& seed) {
        EXPECT_EQ(plumb({"run", m_model, "--seed", seed, "--trace", path(name)}).exitCode, 0);
        return path(name);
    }

    TemporaryDirectory m_directory;
    std::string m_model = sampleFile(m_directory.path(), "ds-cnn");
};

TEST_F(Diff, EqualPackages) {
    const Outcome outcome = plumb({"diff", compiled("a", "1"), compiled("b", "1"), "--json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out;
    EXPECT_EQ(outcome.json().at("equal"), true);
    EXPECT_EQ(outcome.json().at("differences"), json::array());
}

TEST_F(Diff, ChangedFieldIsNamedWithRecordWordAndValues) {
    const std::string first = compiled("a", "1");
    const std::string second = compiled("b", "1");
    Bytes descriptors = readBytes(fs::path(second) / "descriptors.bin");
    const std::uint32_t slice = loadU32(descriptors, 2 * 128 + 15 * 4);
    storeU32(descriptors, 2 * 128 + 15 * 4, slice - 1);
    rewritePackageFile(second, "descriptors.bin", descriptors);
    const Outcome outcome = plumb({"diff", first, second, "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    const json differences = outcome.json().at("differences");
    const auto found = std::find_if(differences.begin(), differences.end(),
                                    [](const json& d) { return d.at("kind") == "field"; });
    ASSERT_NE(found, differences.end()) << outcome.out;
    EXPECT_EQ(found->at("record"), 2);
    EXPECT_EQ(found->at("word"), 15);
    EXPECT_EQ(found->at("key"), "K_SLICE");
    EXPECT_NE(found->at("ours").get<std::string>().find(std::to_string(slice)), std::string::npos);
    const Outcome text = plumb({"diff", first, second});
    EXPECT_EQ(text.exitCode, 1);
    EXPECT_NE(text.out.find("K_SLICE"), std::string::npos);
}

class FlippedByte : public Diff, public testing::WithParamInterface<const char*> {};

TEST_P(FlippedByte, IsOneDifferenceOfItsRegion) {
    const std::string region = GetParam();
    const std::string first = compiled("a", "1");
    const std::string second = compiled("b", "1");
    Bytes content = readBytes(fs::path(second) / (region + ".bin"));
    content.at(3) ^= 0x10;
    writeFile(fs::path(second) / (region + ".bin"), content); // npu.json disagrees now
    const Outcome outcome = plumb({"diff", first, second, "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_NE(outcome.err.find("PL-A003"), std::string::npos) << outcome.err;
    const json differences = outcome.json().at("differences");
    ASSERT_EQ(differences.size(), 1U) << outcome.out;
    EXPECT_EQ(differences[0].at("kind"), region);
    EXPECT_EQ(differences[0].at("operator"), 0);
}

INSTANTIATE_TEST_SUITE_P(Regions, FlippedByte, testing::Values("weights", "params"),
                         [](const auto& row) { return std::string(row.param); });

TEST_F(Diff, AModelEqualsItsOwnPackage) {
    const Outcome outcome = plumb({"diff", m_model, compiled("a", "1"), "--json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out;
    EXPECT_EQ(outcome.json().at("kind"), "lowerings");
    EXPECT_EQ(outcome.json().at("address_shifts"), 0);
    EXPECT_EQ(plumb({"diff", m_model, m_model}).exitCode, 0);
}

TEST_F(Diff, OtherModelsDifferWithConsequences) {
    const std::string other = sampleFile(m_directory.path(), "resnet8");
    const Outcome outcome = plumb({"diff", m_model, other, "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    const json differences = outcome.json().at("differences");
    for (const char* kind : {"only in first", "only in second", "field", "weights", "cost"})
        EXPECT_TRUE(std::any_of(differences.begin(), differences.end(), [&](const json& d) {
            return d.at("kind") == kind;
        })) << kind;
    const json& last = differences.back();
    for (const char* key :
         {"kind", "operator", "record", "word", "key", "ours", "theirs", "operator_theirs",
          "record_theirs", "offset", "offset_theirs", "consequence", "address_shift"})
        EXPECT_TRUE(last.contains(key)) << key;
}

TEST_F(Diff, ShiftsCanBeHidden) {
    const std::string other = sampleFile(m_directory.path(), "branches-30");
    const std::string third = sampleFile(m_directory.path(), "branches-31");
    const json all = plumb({"diff", other, third, "--json"}).json();
    const json some = plumb({"diff", other, third, "--json", "--hide-shifts"}).json();
    const auto shifts = all.at("address_shifts").get<std::size_t>();
    EXPECT_EQ(some.at("address_shifts"), shifts);
    EXPECT_EQ(all.at("differences").size() - some.at("differences").size(), shifts);
    for (const json& d : some.at("differences"))
        EXPECT_EQ(d.at("address_shift"), false);
}

TEST_F(Diff, AFilterTakesOperators) {
    const std::string first = compiled("a", "1");
    const std::string second = compiled("b", "2"); // other reference digests, and nothing else
    const auto operators = [&](const std::string& filter) {
        std::vector<int> indices;
        const json found =
            plumb({"diff", first, second, "--json", "--filter", filter}).json().at("differences");
        for (const json& d : found)
            indices.push_back(d.at("operator").get<int>());
        return indices;
    };
    EXPECT_EQ(operators("index == 3"), std::vector<int>{3});
    EXPECT_EQ(operators("index == 300"), std::vector<int>{});
}

TEST_F(Diff, OneChangedRelocationOfADamagedPackageIsNamed) {
    const std::string first = compiled("a", "1");
    const std::string second = compiled("b", "1");
    for (const char* member : {"offset", "word_index", "descriptor_index", "region"}) {
        json manifest = readJson(fs::path(first) / "npu.json");
        json& value = manifest["relocations"][5][member];
        value = value.is_string() ? json("nowhere") : json(value.get<int>() + 1);
        writeFile(fs::path(second) / "npu.json", manifest.dump(2));
        const json differences = plumb({"diff", first, second, "--json"}).json().at("differences");
        ASSERT_EQ(differences.size(), 1U) << differences;
        EXPECT_EQ(differences[0].at("kind"), "relocation") << member;
        EXPECT_EQ(differences[0].at("key"), "relocations[5]") << member;
    }
}

TEST_F(Diff, ARefusedModelIsExit3WithItsDiagnostics) {
    const std::string refused = sampleFile(m_directory.path(), "refused");
    const Outcome outcome = plumb({"diff", m_model, refused, "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    EXPECT_FALSE(codesOf(outcome.json()).empty());
    EXPECT_EQ(plumb({"diff", m_model, traced("t", "1")}).exitCode, 2);
    EXPECT_EQ(plumb({"diff", path("t"), path("t"), "--hide-shifts"}).exitCode, 2);
}

TEST_F(Diff, EqualAndUnequalTraces) {
    const std::string first = traced("t1", "1");
    const Outcome equal = plumb({"diff", first, traced("t1b", "1"), "--json"});
    EXPECT_EQ(equal.exitCode, 0) << equal.out;
    EXPECT_GT(equal.json().at("compared"), 5);
    const Outcome unequal = plumb({"diff", first, traced("t2", "2"), "--json"});
    EXPECT_EQ(unequal.exitCode, 1);
    const json layer = unequal.json().at("differences").at(0);
    EXPECT_EQ(layer.at("operator"), 0);
    EXPECT_GT(layer.at("mismatches"), 0);
    EXPECT_NE(layer.at("first").at("ours"), layer.at("first").at("theirs"));
}

TEST_F(Diff, OneChangedElementIsFoundByPlaceAndValue) {
    const std::string first = traced("t1", "1");
    const std::string second = traced("t2", "1");
    json trace = readJson(fs::path(second) / "trace.json");
    json& layer = trace["layers"][1];
    const fs::path file = fs::path(second) / layer.at("file").get<std::string>();
    Bytes bytes = readBytes(file);
    const auto width = layer.at("shape")[1].get<std::size_t>();
    const auto channels = layer.at("shape")[2].get<std::size_t>();
    const std::size_t index = (2 * width + 3) * channels + 4;
    const int before = static_cast<std::int8_t>(bytes.at(index));
    const int after = before < 0 ? before + 100 : before - 100;
    bytes[index] = static_cast<std::uint8_t>(after);
    // A plain directory of numbered files has no digests to correct.
    fs::create_directory(path("plain"));
    for (const json& l : trace["layers"]) {
        const std::string name = std::to_string(l.at("operator").get<int>()) + ".bin";
        writeFile(m_directory.path() / "plain" / name,
                  &l == &layer ? bytes
                               : readBytes(fs::path(second) / l.at("file").get<std::string>()));
    }
    const Outcome outcome = plumb({"diff", first, path("plain"), "--json"});
    EXPECT_EQ(outcome.exitCode, 1);
    const json differences = outcome.json().at("differences");
    ASSERT_EQ(differences.size(), 1U) << outcome.out;
    EXPECT_EQ(differences[0].at("operator"), layer.at("operator"));
    EXPECT_EQ(differences[0].at("mismatches"), 1);
    EXPECT_EQ(differences[0].at("max_abs"), 100);
    EXPECT_EQ(differences[0].at("first").at("index"), index);
    EXPECT_EQ(differences[0].at("first").at("h"), 2);
    EXPECT_EQ(differences[0].at("first").at("w"), 3);
    EXPECT_EQ(differences[0].at("first").at("c"), 4);
    EXPECT_EQ(differences[0].at("first").at("ours"), before);
    EXPECT_EQ(differences[0].at("first").at("theirs"), after);
}

TEST_F(Diff, TraceAgainstThePackagesReferenceDigests) {
    const std::string trace = traced("t1", "1");
    EXPECT_EQ(plumb({"diff", trace, compiled("a", "1")}).exitCode, 0);
    EXPECT_EQ(plumb({"diff", compiled("b", "2"), trace}).exitCode, 1);
    ASSERT_EQ(plumb({"compile", m_model, "-o", path("plain")}).exitCode, 0);
    const Outcome without = plumb({"diff", trace, path("plain"), "--json"});
    EXPECT_EQ(without.exitCode, 3);
    EXPECT_EQ(codesOf(without.json()), std::vector<std::string>{"PL-D004"});
}

} // namespace
} // namespace plumbline::test
