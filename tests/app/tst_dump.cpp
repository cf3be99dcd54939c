// SPDX-License-Identifier: GPL-3.0-or-later
// plumb dump against the golden records and regions.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "tests/app/plumb_process.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The record that the dumped fields make up.
std::string recordOf(const json& fields) {
    Bytes bytes(128);
    for (const json& field : fields) {
        const std::size_t offset = field.at("word").get<std::size_t>() * 4;
        storeU32(bytes, offset,
                 loadU32(bytes, offset) | field.at("raw").get<std::uint32_t>()
                                              << field.at("lsb").get<unsigned>());
    }
    return toHex(bytes);
}

const json& fieldCalled(const json& record, const std::string& name) {
    const json& fields = record.at("fields");
    return *std::find_if(fields.begin(), fields.end(),
                         [&name](const json& field) { return field.at("name") == name; });
}

TEST(DumpRecords, FieldsMakeUpTheGoldenRecords) {
    const TemporaryDirectory directory;
    for (const char* name : {"case_028", "case_063", "case_094", "case_227"}) {
        SCOPED_TRACE(name);
        const json expected = goldenJson("cases/" + std::string(name) + ".expected.json");
        const std::string model =
            goldenOnDisk(directory.path(), "cases/" + std::string(name) + ".tflite");
        const Outcome outcome = plumb({"dump", model, "--json"});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        const json dumped = outcome.json();
        const json& records = dumped.at("records");
        ASSERT_EQ(records.size(), expected.at("descriptors").size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            EXPECT_EQ(records[i].at("record"), i);
            EXPECT_EQ(records[i].at("hex"), expected["descriptors"][i]);
            EXPECT_EQ(recordOf(records[i].at("fields")), expected["descriptors"][i]);
            EXPECT_EQ(records[i].at("valid"), true);
        }
    }
}

TEST(DumpRecords, AddressFieldsCarryRelocationAndFinalAddress) {
    const TemporaryDirectory directory;
    const json expected = goldenJson("cases/case_094.expected.json");
    const std::string model = goldenOnDisk(directory.path(), "cases/case_094.tflite");
    const json dumped = plumb({"dump", model, "--json"}).json();
    const std::map<std::string, std::uint64_t> bases{
        {"arena", 0x10000000}, {"weights", 0x20000000}, {"params", 0x30000000}};
    std::size_t relocations = 0;
    for (const json& record : dumped.at("records")) {
        for (const json& field : record.at("fields")) {
            if (field.at("relocation").is_null()) {
                EXPECT_TRUE(field.at("address").is_null());
                continue;
            }
            const json& golden =
                expected.at("relocations").at(field["relocation"].at("index").get<std::size_t>());
            EXPECT_EQ(golden.at("descriptor_index"), record.at("record"));
            EXPECT_EQ(golden.at("word_index"), field.at("word"));
            EXPECT_EQ(golden.at("region"), field["relocation"].at("region"));
            EXPECT_EQ(field.at("address"),
                      bases.at(golden.at("region")) + golden.at("offset").get<std::uint64_t>());
            ++relocations;
        }
    }
    EXPECT_EQ(relocations, expected.at("relocations").size());
}

class DumpPackage : public testing::Test {
  protected:
    DumpPackage() {
        const std::string model = sampleFile(m_directory.path(), "every-operator");
        EXPECT_EQ(plumb({"compile", model, "-o", m_package.string()}).exitCode, 0);
    }
    json dump(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"dump", m_package.string(), "--json"});
        const Outcome outcome = plumb(arguments);
        EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
        return outcome.json();
    }
    int exitOf(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"dump", m_package.string()});
        return plumb(arguments).exitCode;
    }

    TemporaryDirectory m_directory;
    fs::path m_package = m_directory.path() / "p0";
};

TEST_F(DumpPackage, BrokenRuleStandsAtItsField) {
    Bytes descriptors = readBytes(m_package / "descriptors.bin");
    storeU32(descriptors, 26 * 4, 7);
    rewritePackageFile(m_package, "descriptors.bin", descriptors);
    const json record = dump({"--record", "0"}).at("records").at(0);
    EXPECT_EQ(record.at("valid"), false);
    EXPECT_TRUE(fieldCalled(record, "RESERVED_26").at("violation").is_string());
    EXPECT_TRUE(fieldCalled(record, "RESERVED_27").at("violation").is_null());
    const Outcome text = plumb({"dump", m_package.string(), "--record", "0"});
    EXPECT_NE(text.out.find("RESERVED_26"), std::string::npos);
    EXPECT_NE(text.out.find("word 26"), std::string::npos) << text.out;
}

TEST_F(DumpPackage, RegionHexIsTheFile) {
    for (const char* region : {"descriptors", "weights", "params"}) {
        const Bytes file = readBytes(m_package / (std::string(region) + ".bin"));
        EXPECT_EQ(dump({"--region", region}).at("hex"), toHex(file)) << region;
        EXPECT_EQ(dump({"--region", region, "--range", "0x10:40"}).at("hex"),
                  toHex(ByteView(file).subspan(16, 24)));
        EXPECT_EQ(dump({"--region", region, "--range", "4:4"}).at("hex"), "");
    }
    const Bytes weights = readBytes(m_package / "weights.bin");
    const Outcome text =
        plumb({"dump", m_package.string(), "--region", "weights", "--range", "0x20:0x22"});
    EXPECT_EQ(text.out.substr(0, 13), "00000020  " + toHex(ByteView(weights).subspan(32, 1)) + " ");
}

TEST_F(DumpPackage, WrongSelectionsAreWrongUsage) {
    EXPECT_EQ(exitOf({"--record", "99999"}), 2);
    EXPECT_EQ(exitOf({"--region", "arena"}), 2);
    EXPECT_EQ(exitOf({"--region", "heap"}), 2);
    EXPECT_EQ(exitOf({"--region", "weights", "--range", "5"}), 2);
    EXPECT_EQ(exitOf({"--region", "weights", "--range", "8:4"}), 2);
    EXPECT_EQ(exitOf({"--region", "weights", "--range", "0:99999999"}), 2);
    EXPECT_EQ(exitOf({"--region", "weights", "--range", "a:b"}), 2);
    EXPECT_EQ(exitOf({"--record", "0", "--region", "descriptors"}), 2);
}

TEST_F(DumpPackage, PackedWeightsAndParametersAreThoseOfTheRegions) {
    const Bytes weights = readBytes(m_package / "weights.bin");
    const Bytes params = readBytes(m_package / "params.bin");
    int weighted = 0, adds = 0;
    const json all = dump({});
    for (const json& record : all.at("records")) {
        const std::string index = std::to_string(record.at("record").get<int>());
        if (record.at("opcode") == "ADD") {
            const auto offset = fieldCalled(record, "PARAM_BASE").at("value").get<std::size_t>();
            const json add = dump({"--record", index, "--region", "params"}).at("add");
            EXPECT_EQ(add.at("left_shift"), 20);
            EXPECT_EQ(add.at("output_multiplier"), loadI32(params, offset + 20));
            ++adds;
        }
        if (fieldCalled(record, "WEIGHT_BYTES").at("value") == 0) {
            EXPECT_EQ(exitOf({"--record", index, "--region", "weights"}), 2);
            continue;
        }
        ++weighted;
        const json packed = dump({"--record", index, "--region", "weights"});
        std::size_t at = fieldCalled(record, "WEIGHT_BASE").at("value").get<std::size_t>();
        for (const json& group : packed.at("weights")) {
            for (const json& row : group) {
                for (const json& value : row)
                    ASSERT_EQ(value, static_cast<std::int8_t>(weights.at(at++)));
            }
        }
        const json channels = dump({"--record", index, "--region", "params"}).at("channels");
        ASSERT_EQ(channels.size(), fieldCalled(record, "OUTPUT_C").at("value"));
        const auto base = fieldCalled(record, "PARAM_BASE").at("value").get<std::size_t>();
        EXPECT_EQ(channels.back().at("bias"), loadI32(params, base + 16 * (channels.size() - 1)));
        EXPECT_EQ(exitOf({"--record", index, "--region", "weights"}), 0);
        EXPECT_EQ(exitOf({"--record", index, "--region", "params"}), 0);
    }
    EXPECT_GE(weighted, 3);
    EXPECT_GE(adds, 1);
}

TEST(DumpRefused, IsExitThree) {
    const TemporaryDirectory directory;
    EXPECT_EQ(plumb({"dump", sampleFile(directory.path(), "refused")}).exitCode, 3);
}

} // namespace
} // namespace plumbline::test
