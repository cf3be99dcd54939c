// SPDX-License-Identifier: GPL-3.0-or-later
// What the report says of documents that are not as they should be.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/artifacts/trace_io.h"
#include "core/export/report_content.h"
#include "core/export/report_formats.h"
#include "core/report/p0_report.h"
#include "tests/core/export/report_documents.h"
#include "tests/support/sample_package.h"

namespace plumbline::test {
namespace {

using nlohmann::json;

std::string headlineOf(const ReportContent& content) {
    return std::get<ReportParagraph>(content.sections.front().blocks.front()).text;
}

const ReportSection& sectionOf(const ReportContent& content, std::string_view id) {
    return *std::find_if(content.sections.begin(), content.sections.end(),
                         [id](const ReportSection& section) { return section.id == id; });
}

bool saysWhy(const ReportSection& section) {
    return section.blocks.size() == 1 && std::holds_alternative<ReportParagraph>(section.blocks[0]);
}

TEST(ReportSubjects, ARefusedModelNamesItsRules) {
    const DocumentPtr document = openSample("refused");
    const ReportContent content = reportContent(*document);
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::Refused);
    const json operators = tableJson(content, "operators");
    std::size_t refused = 0;
    for (const Diagnostic& d : document->diagnostics) {
        if (d.severity != Severity::Error)
            continue;
        EXPECT_NE(headlineOf(content).find(codeInfo(d.code).id), std::string::npos);
        ASSERT_TRUE(d.where.operatorIndex);
        const json& row = operators.at(static_cast<std::size_t>(*d.where.operatorIndex));
        EXPECT_EQ(row.at("placement"), "refused");
        EXPECT_GE(row.at("diagnostics"), 1);
        ++refused;
    }
    EXPECT_GE(refused, 4U);
    for (const char* part : {"arena", "tiles", "dma", "relocations", "verdicts"})
        EXPECT_TRUE(saysWhy(sectionOf(content, part))) << part;
    EXPECT_FALSE(p0Report(*document, false).ok());
}

TEST(ReportSubjects, APackageTellsItsOwnNumbers) {
    const SamplePackage package;
    const DocumentPtr document = openPath(package.path());
    const ReportContent content = reportContent(*document);
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::NotCompared); // it holds no digests
    EXPECT_EQ(factOf(content, "Workload"), "every-operator");
    EXPECT_EQ(factOf(content, "Source model SHA-256"), package.lowering().model->sha256);
    const json files = tableJson(content, "files");
    ASSERT_EQ(files.size(), 4U);
    EXPECT_EQ(files[0].at("file"), "npu.json");
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_EQ(files[i].at("sha256"),
                  package.manifest()["files"][files[i]["file"].get<std::string>()]["sha256"]);
    EXPECT_EQ(*p0Report(*document, false), package.manifest().at("report"));
}

TEST(ReportSubjects, ADamagedPackageSaysSo) {
    const SamplePackage package;
    package.flip("params.bin", 5);
    const DocumentPtr document = openPath(package.path());
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::Damaged);
    const ReportContent content = reportContent(*document);
    EXPECT_NE(headlineOf(content).find("damaged"), std::string::npos);
    const json diagnostics = tableJson(content, "diagnostics");
    EXPECT_TRUE(std::any_of(diagnostics.begin(), diagnostics.end(), [](const json& row) {
        return row.at("code") == codeInfo(Code::FileDigestDiffers).id;
    }));
}

TEST(ReportSubjects, NumbersBeyondMeasureAreHarmless) {
    const SamplePackage package;
    json manifest = package.manifest();
    for (json& entry : manifest["report"]["operators"]) {
        if (entry["placement"] != "npu")
            continue;
        entry["full_k"] = std::int64_t{1} << 40;
        entry["k_slice"] = 1;
        entry["tile"]["tile_h"] = 0;
        entry["geometry"]["h"] = std::int64_t{1} << 40;
        entry["buffers"]["limit_bytes"] = 0;
    }
    package.setManifest(manifest);
    const ReportContent content = reportContent(*openPath(package.path()));
    EXPECT_FALSE(htmlReport(content).empty());
    bool isThere = false;
    for (const json& row : tableJson(content, "tiles"))
        isThere = isThere || row.at("k_slices") == std::int64_t{1} << 40;
    EXPECT_TRUE(isThere);
}

TEST(ReportSubjects, ATraceListsItsLayers) {
    const TemporaryDirectory folder;
    const DocumentPtr model = openSample("ds-cnn");
    ASSERT_TRUE(writeTrace(folder.path() / "trace", model->execution->trace));
    const DocumentPtr document = openPath(folder.path() / "trace");
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::NotCompared);
    const json layers = tableJson(reportContent(*document), "layers");
    ASSERT_EQ(layers.size(), model->execution->trace.layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i)
        EXPECT_EQ(layers[i].at("sha256"), model->execution->trace.layers[i].sha256);
    EXPECT_FALSE(p0Report(*document, false).ok());
}

TEST(ReportSubjects, ALayerThatDiffersIsTheCulprit) {
    const TemporaryDirectory folder;
    const DocumentPtr model = openSample("ds-cnn");
    Trace trace = model->reference->trace;
    TraceLayer& changed = trace.layers.at(2);
    changed.bytes.at(7) ^= 1;
    changed.bytes.at(9) ^= 4;
    sealLayer(changed);
    trace.modelSha256 = model->lowering->model->sha256;
    ASSERT_TRUE(writeTrace(folder.path() / "run", trace));
    OpenRequest request;
    request.sample = "ds-cnn";
    request.reference = folder.path() / "run";
    const DocumentPtr document = openRequested(request);
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::Differs);
    const ReportContent content = reportContent(*document);
    const std::string address = "op/" + std::to_string(changed.operatorIndex);
    EXPECT_EQ(factOf(content, "Culprit"), address);
    EXPECT_NE(headlineOf(content).find(address + " "), std::string::npos);
    EXPECT_EQ(allText(content).find(folder.path().string()), std::string::npos);
    for (const json& row : tableJson(content, "verdicts")) {
        if (row.at("operator") != changed.operatorIndex)
            continue;
        EXPECT_EQ(row.at("isolated"), "differs");
        EXPECT_EQ(row.at("mismatches"), 2);
        EXPECT_EQ(row.at("max_abs"), 4);
        EXPECT_EQ(row.at("reference_sha256"), changed.sha256);
    }
}

TEST(ReportSubjects, AnExperimentSaysWhatWasEdited) {
    const DocumentPtr document = openSample("ds-cnn");
    const auto edit =
        parseEdit("record/0/word/5/PARAM_BASE=1", *document->job, document->target->fields());
    ASSERT_TRUE(edit.ok());
    const auto experiment = openExperiment(document, {*edit});
    ASSERT_TRUE(experiment.ok());
    EXPECT_EQ(reportVerdict(**experiment), ReportVerdict::Violates);
    const ReportContent content = reportContent(**experiment);
    EXPECT_EQ(tableJson(content, "edits")[0].at("edit"), "record/0/word/5/PARAM_BASE=1");
    EXPECT_NE(headlineOf(content).find("breaks the ABI"), std::string::npos);
}

TEST(ReportSubjects, AFilterLeavesRowsOutAndTotalsAlone) {
    const DocumentPtr document = openSample("every-operator");
    const auto filter = parseFilter("opcode == CONV2D", schemaOf(&npuP0Target().fields()));
    ASSERT_TRUE(filter.ok());
    const ReportContent all = reportContent(*document);
    const ReportContent some = reportContent(*document, filteredReport(*document, *filter));
    std::size_t taken = 0;
    for (const json& row : tableJson(all, "operators"))
        taken += row.at("opcode") == "CONV2D" ? 1 : 0;
    ASSERT_GT(taken, 0U);
    EXPECT_LT(taken, tableJson(all, "operators").size());
    for (const char* table : {"operators", "tiles", "dma", "buffers", "quantization", "verdicts"})
        EXPECT_EQ(tableJson(some, table).size(), taken) << table;
    for (const char* term : {"Estimated cycles", "Arena peak", "DMA read", "Fullest half buffer"})
        EXPECT_EQ(factOf(some, term), factOf(all, term));
    EXPECT_NE(allText(some).find("opcode == CONV2D"), std::string::npos);
}

TEST(ReportSubjects, TilePlansThatAreEqualShareAFigure) {
    const ReportContent content = reportContent(*openSample("branches-400"));
    std::set<std::string> plans, targets;
    const ReportTable& tiles = *content.table("tiles");
    for (const auto& row : tiles.rows) {
        plans.insert(row.back().text);
        targets.insert(row.back().target);
    }
    EXPECT_LT(plans.size(), tiles.rows.size() / 10);
    for (const std::string& target : targets)
        EXPECT_NE(content.figure(target), nullptr) << target;
}

TEST(ReportSubjects, P0ReportIsThePackagesOwn) {
    const DocumentPtr document = openSample("resnet8");
    const Result<json> plain = p0Report(*document, false);
    const Result<json> withDigests = p0Report(*document, true);
    ASSERT_TRUE(plain.ok() && withDigests.ok());
    EXPECT_EQ(*plain, manifestJson(*document->lowering, "resnet8").at("report"));
    EXPECT_EQ(
        *withDigests,
        manifestJson(*document->lowering, "resnet8", &document->reference->trace).at("report"));
    EXPECT_NE(*plain, *withDigests);
}

} // namespace
} // namespace plumbline::test
