// SPDX-License-Identifier: GPL-3.0-or-later
// What the report says of documents that are not as they should be.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/artifacts/edited_package.h"
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

/// Nothing but tables without rows that say why.
bool saysWhy(const ReportSection& section) {
    return !section.blocks.empty() &&
           std::all_of(section.blocks.begin(), section.blocks.end(), [](const auto& block) {
               const auto* const table = std::get_if<ReportTable>(&block);
               return table && table->rows.empty() && !table->empty.empty() &&
                      !table->columns.empty();
           });
}

/// Tables that every report has, so that a script finds them.
constexpr const char* kAlways[] = {"operators", "quantization", "arena", "accesses",
                                   "buffers",   "tiles",        "dma",   "relocations",
                                   "verdicts",  "diagnostics"};

TEST(ReportSubjects, ARefusedModelNamesItsRules) {
    const DocumentPtr document = openSample("refused");
    const ReportContent content = reportContent(*document);
    EXPECT_EQ(reportVerdict(*document), ReportVerdict::Refused);
    const json operators = tableJson(content, "operators");
    EXPECT_EQ(reportContent(*document).subtitle, "Model, refused for npu-p0");
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

TEST(ReportSubjects, NoTableVanishes) {
    const TemporaryDirectory folder;
    const DocumentPtr whole = openSample("ds-cnn");
    ASSERT_TRUE(writeTrace(folder.path() / "trace", whole->execution->trace));
    const auto noModel = folder.path() / "none.tflite";
    std::ofstream(noModel) << "none";
    for (const DocumentPtr& document :
         {whole, openSample("refused"), openPath(noModel), openPath(folder.path() / "trace")}) {
        const ReportContent content = reportContent(*document);
        for (const char* id : kAlways) {
            const ReportTable* const table = content.table(id);
            ASSERT_NE(table, nullptr) << document->title << " " << id;
            EXPECT_FALSE(table->columns.empty());
            EXPECT_TRUE(!table->rows.empty() || !table->empty.empty()) << id;
        }
        EXPECT_TRUE(csvTable(*content.table("diagnostics")).starts_with("diagnostic,severity,"));
    }
    EXPECT_TRUE(tableJson(reportContent(*whole), "diagnostics").empty());
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

TEST(ReportSubjects, AnEditedPackageSaysThatItsPlansAreTheStatedOnes) {
    const SamplePackage package;
    const Package loaded = *loadPackage(package.path());
    Job changed = loaded.job;
    storeU32(changed.descriptors, 4 * 15, loadU32(changed.descriptors, 4 * 15) - 1); // K_SLICE
    const TemporaryDirectory folder;
    ASSERT_TRUE(writeEditedPackage(folder.path() / "edited", loaded.manifest, changed));
    const DocumentPtr document = openPath(folder.path() / "edited");
    const std::string text = allText(reportContent(*document));
    EXPECT_NE(text.find("Plans and costs are those that npu.json states; 1 record differs from "
                        "them, as the diagnostics say."),
              std::string::npos);
    const json diagnostics = tableJson(reportContent(*document), "diagnostics");
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].at("code"), codeInfo(Code::RecordDiffers).id);
    EXPECT_EQ(allText(reportContent(*openPath(package.path()))).find("npu.json states"),
              std::string::npos);
}

TEST(ReportSubjects, NumbersThatCannotBeReadAreNoFacts) {
    const SamplePackage package;
    json manifest = package.manifest();
    for (json& entry : manifest["report"]["operators"]) {
        if (entry["placement"] != "npu")
            continue;
        entry["dma"] = {{"estimated_cycles", "abc"}};
        entry["geometry"]["h"] = "x";
    }
    package.setManifest(manifest);
    EXPECT_EQ(reportVerdict(*openPath(package.path())), ReportVerdict::Damaged);
}

TEST(ReportSubjects, RecordsThatDoNotRelocateBreakNoRule) {
    const DocumentPtr document = openSample("ds-cnn");
    const auto edit =
        parseEdit("relocation/5/offset=99999999", *document->job, document->target->fields());
    ASSERT_TRUE(edit.ok());
    const DocumentPtr experiment = *openExperiment(document, {*edit});
    EXPECT_EQ(reportVerdict(*experiment), ReportVerdict::Violates);
    EXPECT_EQ(headlineOf(reportContent(*experiment)),
              "The records cannot be relocated; the diagnostics say why.");
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

TEST(ReportSubjects, ATraceSaysNothingThatItDoesNotHold) {
    const TemporaryDirectory folder;
    Trace trace = openSample("every-operator")->execution->trace;
    trace.layers.at(1).scale.reset();
    trace.layers.at(1).zeroPoint.reset();
    ASSERT_TRUE(writeTrace(folder.path() / "trace", trace));
    const DocumentPtr document = openPath(folder.path() / "trace");
    const ReportContent content = reportContent(*document);
    const ReportTable& quantization = *content.table("quantization");
    ASSERT_EQ(quantization.rows.size(), trace.layers.size());
    for (std::size_t i = 0; i < quantization.rows.size(); ++i) {
        const TraceLayer& layer = trace.layers[i];
        const ReportCell& title = content.table("layers")->rows.at(i).front();
        EXPECT_EQ(title.plain, std::to_string(layer.operatorIndex));
        EXPECT_EQ(title.target, "op-" + std::to_string(i));
        for (std::size_t column = 2; column < quantization.columns.size(); ++column) {
            const std::string& key = quantization.columns[column].key;
            std::string held;
            if (key == "output_scale" && layer.scale)
                held = fmt::format("{}", *layer.scale);
            if (key == "output_zero_point" && layer.zeroPoint)
                held = std::to_string(*layer.zeroPoint);
            EXPECT_EQ(quantization.rows[i][column].text, held) << key;
        }
    }
    const ReportTable& operators = *content.table("operators");
    for (std::size_t column = 0; column < operators.columns.size(); ++column) {
        const std::string& key = operators.columns[column].key;
        if (key == "operator" || key == "name" || key == "output" || key == "diagnostics")
            continue;
        for (const auto& row : operators.rows)
            EXPECT_EQ(row[column].text, "") << key;
    }
    const std::string graph = content.figure("figure-graph")->drawing.description;
    EXPECT_EQ(graph.find("NPU"), std::string::npos) << graph;
}

TEST(ReportSubjects, AFolderThatIsNoTraceIsRefused) {
    const TemporaryDirectory folder;
    const DocumentPtr nothing = openPath(folder.path());
    EXPECT_EQ(reportVerdict(*nothing), ReportVerdict::Refused);
    EXPECT_EQ(headlineOf(reportContent(*nothing)),
              "The folder cannot be read as a trace: 1 error.");
    Trace trace = openSample("ds-cnn")->execution->trace;
    trace.layers.clear();
    ASSERT_TRUE(writeTrace(folder.path() / "trace", trace));
    const DocumentPtr empty = openPath(folder.path() / "trace");
    EXPECT_EQ(reportVerdict(*empty), ReportVerdict::Refused);
    EXPECT_EQ(headlineOf(reportContent(*empty)), "The trace holds no layer.");
}

TEST(ReportSubjects, WhereNothingWasComparedNothingIsEqual) {
    Document document = *openSample("ds-cnn");
    Verdicts verdicts;
    verdicts.reference = "a trace";
    document.verdicts = std::make_shared<const Verdicts>(std::move(verdicts));
    const ReportContent content = reportContent(document);
    const auto& facts = std::get<ReportFacts>(sectionOf(content, "verdicts").blocks.front());
    for (const ReportFacts::Fact& fact : facts.facts) {
        EXPECT_NE(fact.term, "Layers that differ");
        EXPECT_NE(fact.term, "Culprit");
        EXPECT_NE(fact.tone, Tone::Ok);
    }
    EXPECT_EQ(content.table("verdicts")->empty, "No layer was run.");
    ReportOptions filtered;
    filtered.passes = [](std::int64_t) { return true; };
    EXPECT_EQ(reportContent(document, filtered).table("verdicts")->empty,
              "No layer that is shown was run.");
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
