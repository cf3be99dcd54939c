// SPDX-License-Identifier: GPL-3.0-or-later
// What the report says against the golden reports, number by number.
#include <array>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/export/report_content.h"
#include "tests/core/export/report_documents.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

/// "1,024" of 1024, as plain arithmetic.
std::string withCommas(const json& number) {
    std::string digits = std::to_string(number.get<std::int64_t>());
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    return digits;
}

std::string by(const json& a, const json& b) {
    return std::to_string(a.get<int>()) + "×" + std::to_string(b.get<int>());
}

json rowOf(const json& table, const json& index) {
    for (const json& row : table)
        if (row.at("operator") == index)
            return row;
    ADD_FAILURE() << "no row of operator " << index;
    return json::object();
}

/// All members of `golden` that are also columns of `row` are equal, and there is one at least.
void expectEqualMembers(const json& row, const json& golden) {
    int compared = 0;
    for (const auto& [key, value] : golden.items()) {
        if (!row.contains(key) || value.is_structured())
            continue;
        EXPECT_EQ(row.at(key), value) << key;
        ++compared;
    }
    EXPECT_GT(compared, 0) << golden;
}

void expectGeometry(const json& row, const json& g) {
    EXPECT_EQ(row.at("input"), by(g["h"], g["w"]) + "×" + std::to_string(g["cin"].get<int>()));
    EXPECT_EQ(row.at("output"), by(g["oh"], g["ow"]) + "×" + std::to_string(g["cout"].get<int>()));
    if (g["kh"] != 0) {
        EXPECT_EQ(row.at("kernel"), by(g["kh"], g["kw"]));
        EXPECT_EQ(row.at("stride"), by(g["stride_h"], g["stride_w"]));
    }
    std::string pads;
    for (const json& pad : g["pads"])
        pads += (pads.empty() ? "" : ",") + std::to_string(pad.get<int>());
    EXPECT_EQ(row.at("pads"), pads);
}

void expectTiles(const json& row, const json& entry) {
    EXPECT_EQ(row.at("tile"), by(entry["tile"]["tile_h"], entry["tile"]["tile_w"]));
    EXPECT_EQ(row.at("positions"), entry["tile"]["positions"]);
    EXPECT_EQ(row.at("tiles"), entry["tile"]["tiles"]);
    EXPECT_EQ(row.at("full_k"), entry["full_k"]);
    EXPECT_EQ(row.at("k_slice"), entry["k_slice"]);
    EXPECT_EQ(row.at("k_slices"), entry["k_slices"]["count"]);
    expectEqualMembers(row, entry["lane_tails"]);
    expectEqualMembers(row, entry["tail_utilization"]);
    expectEqualMembers(row, entry["reloads"]);
}

/// Where the arena table and the accesses put the operands.
void expectArena(const ReportContent& content, const json& entry) {
    std::set<std::int64_t> offsets;
    for (const json& access : tableJson(content, "accesses"))
        if (access.at("operator") == entry["index"])
            offsets.insert(access.at("declared_offset").get<std::int64_t>());
    EXPECT_TRUE(offsets.contains(entry["arena"]["input_offset"].get<std::int64_t>()));
    EXPECT_TRUE(offsets.contains(entry["arena"]["output_offset"].get<std::int64_t>()));
    for (const json& buffer : tableJson(content, "arena"))
        if (buffer.at("first_operator") == entry["index"]) {
            EXPECT_EQ(buffer.at("offset"), entry["arena"]["output_offset"]);
            EXPECT_EQ(buffer.at("bytes"), entry["arena"]["output_bytes"]);
        }
}

void expectTotals(const ReportContent& content, const json& report) {
    const json& totals = report.at("totals");
    EXPECT_EQ(factOf(content, "Descriptors"), withCommas(totals["descriptors"]));
    EXPECT_EQ(factOf(content, "Descriptor bytes read"),
              withCommas(totals["descriptor_read_bytes"]));
    EXPECT_EQ(factOf(content, "Useful MACs"), withCommas(totals["useful_macs"]));
    EXPECT_EQ(factOf(content, "Estimated cycles"), withCommas(totals["estimated_cycles"]));
    EXPECT_EQ(factOf(content, "DMA read"), withCommas(totals["dma_read_bytes"]) + " bytes");
    EXPECT_EQ(
        factOf(content, "DMA written").substr(0, withCommas(totals["dma_write_bytes"]).size()),
        withCommas(totals["dma_write_bytes"]));
    EXPECT_EQ(factOf(content, "Arena peak"), withCommas(report["arena_bytes"]) + " bytes");
}

/// Every number of the report that `golden`, a P0 report, has too.
void expectReport(const ReportContent& content, const json& golden) {
    const json operators = tableJson(content, "operators");
    const json quantization = tableJson(content, "quantization");
    ASSERT_EQ(operators.size(), golden.at("operators").size());
    for (const json& entry : golden.at("operators")) {
        SCOPED_TRACE(entry.at("index"));
        const json row = rowOf(operators, entry["index"]);
        EXPECT_EQ(row.at("name"), entry["operator"]);
        EXPECT_EQ(row.at("record"), entry["descriptor_index"]);
        EXPECT_EQ(row.at("placement"), entry["placement"]);
        if (entry["placement"] == "none")
            continue;
        const json q = rowOf(quantization, entry["index"]);
        expectEqualMembers(q, entry["quantization"]);
        if (entry.contains("pinned"))
            expectEqualMembers(q, entry["pinned"]);
        if (entry["placement"] != "npu")
            continue;
        EXPECT_EQ(row.at("opcode"), entry["opcode_name"]);
        expectGeometry(row, entry["geometry"]);
        for (const char* key : {"full_k", "useful_macs", "estimated_cycles"})
            EXPECT_EQ(row.at(key), entry.at(key)) << key;
        expectEqualMembers(rowOf(tableJson(content, "buffers"), entry["index"]), entry["buffers"]);
        expectTiles(rowOf(tableJson(content, "tiles"), entry["index"]), entry);
        expectEqualMembers(rowOf(tableJson(content, "dma"), entry["index"]), entry["dma"]);
        expectArena(content, entry);
    }
    expectTotals(content, golden);
}

void expectRelocations(const ReportContent& content, const json& golden) {
    const json rows = tableJson(content, "relocations");
    ASSERT_EQ(rows.size(), golden.size());
    const std::map<std::string, std::int64_t> bases{
        {"arena", 0x10000000}, {"weights", 0x20000000}, {"params", 0x30000000}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("record"), golden[i].at("descriptor_index"));
        EXPECT_EQ(rows[i].at("word"), golden[i].at("word_index"));
        EXPECT_EQ(rows[i].at("region"), golden[i].at("region"));
        EXPECT_EQ(rows[i].at("offset"), golden[i].at("offset"));
        EXPECT_EQ(rows[i].at("address").get<std::int64_t>(),
                  bases.at(golden[i].at("region")) + golden[i].at("offset").get<std::int64_t>());
        EXPECT_EQ(rows[i].at("state"), "agrees");
    }
}

DocumentPtr openGolden(const TemporaryDirectory& folder, const std::string& name) {
    const auto path = folder.path() / "case.tflite";
    const ByteView bytes = goldenFile(name);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return openPath(path);
}

TEST(ReportContent, AgreesWithTheGoldenReportsOfRealModels) {
    SKIP_WITHOUT_SHARED_DATA();
    const auto data = *sharedData();
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data / "golden/models")) {
        const auto golden = entry.path() / "rand/npu.json";
        const auto model = data / "models" / (entry.path().filename().string() + ".tflite");
        if (!std::filesystem::exists(golden) || !std::filesystem::exists(model))
            continue;
        SCOPED_TRACE(model);
        const DocumentPtr document = openPath(model);
        const json manifest = readJson(golden);
        expectReport(reportContent(*document), manifest.at("report"));
        expectRelocations(reportContent(*document), manifest.at("relocations"));
        EXPECT_EQ(reportVerdict(*document), ReportVerdict::Equal);
        ++compared;
    }
    EXPECT_GE(compared, 4);
}

TEST(ReportContent, AgreesWithTheGoldenReportsOfEveryLoweredCase) {
    const TemporaryDirectory folder;
    int compared = 0;
    for (const json& line : goldenLines("cases/index.jsonl")) {
        if (!line.at("lowers").get<bool>())
            continue;
        const std::string name = "cases/" + line.at("case").get<std::string>();
        SCOPED_TRACE(name);
        const json expected = goldenJson(name + ".expected.json");
        const DocumentPtr document = openGolden(folder, name + ".tflite");
        const ReportContent content = reportContent(*document);
        expectReport(content, expected.at("report"));
        expectRelocations(content, expected.at("relocations"));
        EXPECT_EQ(factOf(content, "Model SHA-256"), expected["report"]["source_model_sha256"]);
        const json files = tableJson(content, "files");
        ASSERT_EQ(files.size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::string part = std::array{"descriptors", "weights", "params"}.at(i);
            EXPECT_EQ(files[i].at("file"), part + ".bin");
            EXPECT_EQ(files[i].at("sha256"), expected.at(part + "_sha256"));
        }
        ++compared;
    }
    EXPECT_EQ(compared, 277);
}

} // namespace
} // namespace plumbline::test
