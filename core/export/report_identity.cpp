// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes the report is about, and what made them.
#include <fmt/format.h>

#include "core/artifacts/json_reader.h"
#include "core/artifacts/package_format.h"
#include "core/base/build_info.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

using nlohmann::json;

/// npu.json of a package; null where it is none.
json manifestOf(const Document& document) {
    if (document.kind != DocumentKind::Package || !document.file)
        return nullptr;
    Result<json> parsed = parseJson(*document.file, std::string(kManifestName), Code::BadManifest);
    return parsed && parsed->is_object() ? *std::move(parsed) : json(nullptr);
}

/// A text of the manifest; empty where there is none.
std::string textIn(const json& object, std::string_view key) {
    if (!object.is_object())
        return {};
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string revisionText(const std::string& revision, bool isDirty) {
    if (revision.empty())
        return "not known";
    return revision + (isDirty ? " with changes" : "");
}

void addSubject(ReportFacts& facts, const Document& document, const json& manifest) {
    const Lowering& lowering = *document.lowering;
    switch (document.kind) {
    case DocumentKind::Model:
        addFact(facts, "Model", document.title);
        if (document.file) {
            addFact(facts, "Model size", exactBytesText(document.file->size()));
            addCode(facts, "Model SHA-256",
                    lowering.model->sha256.empty() ? sha256Hex(*document.file)
                                                   : lowering.model->sha256);
        }
        return;
    case DocumentKind::Package:
        addFact(facts, "Package", document.title);
        addFact(facts, "Workload", textIn(manifest, "workload"));
        break;
    case DocumentKind::Trace:
        addFact(facts, "Trace", document.title);
        break;
    }
    if (!lowering.model->sha256.empty())
        addCode(facts, "Source model SHA-256", lowering.model->sha256);
}

void addCompiler(ReportFacts& facts, const Document& document, const json& manifest) {
    addFact(facts, "Target", document.lowering->target);
    if (document.kind == DocumentKind::Package && manifest.is_object()) {
        const json compiler = manifest.value("compiler", json());
        const bool isDirty =
            compiler.is_object() && compiler.contains("git_dirty") && compiler["git_dirty"] == true;
        addFact(facts, "Contract of the package", textIn(compiler, "contract"));
        addCode(facts, "Revision that compiled it",
                revisionText(textIn(compiler, "git_revision"), isDirty));
    }
    addFact(facts, "Contract", document.lowering->contract);
    addFact(facts, "Numeric profile", std::to_string(kNumericProfile));
    addFact(facts, "Plumbline", buildInfo().version);
    addCode(
        facts, "Revision",
        revisionText(buildInfo().gitRevision.value_or(""), buildInfo().gitDirty.value_or(false)));
}

void addRun(ReportFacts& facts, const Document& document) {
    if (!document.input.empty()) {
        addFact(facts, "Input", document.inputName);
        addFact(facts, "Input size", exactBytesText(document.input.size()));
        addCode(facts, "Input SHA-256", sha256Hex(document.input));
    }
    if (document.reference && document.kind != DocumentKind::Trace)
        addFact(facts, "Reference", lastPart(document.reference->name));
    if (document.execution && !document.execution->output.empty())
        addCode(facts, "Output SHA-256", sha256Hex(document.execution->output));
}

std::vector<ReportCell> fileRow(std::string_view name, ByteView bytes) {
    return {textCell(name), bytesCell(bytes.size()), textCell(sha256Hex(bytes))};
}

void addFiles(ReportSection& section, const Document& document) {
    const Lowering& lowering = *document.lowering;
    if (!document.job)
        return;
    ReportTable table;
    table.id = "files";
    table.title = document.kind == DocumentKind::Package ? "Files of the package"
                                                         : "Files that the package would have";
    table.columns = {textColumn("file", "File"), numberColumn("bytes", "Bytes"),
                     digestColumn("sha256", "SHA-256")};
    if (document.kind == DocumentKind::Package && document.file && !document.original)
        table.rows.push_back(fileRow(kManifestName, *document.file));
    table.rows.push_back(fileRow(kDescriptorsFile, document.job->descriptors));
    table.rows.push_back(fileRow(kWeightsFile, lowering.weights));
    table.rows.push_back(fileRow(kParamsFile, lowering.params));
    section.blocks.emplace_back(std::move(table));
}

void addEdits(ReportSection& section, const Document& document) {
    if (!document.original || !document.original->job)
        return;
    ReportTable table;
    table.id = "edits";
    table.title = "Edits of this experiment";
    table.columns = {textColumn("edit", "Edit")};
    for (const Edit& edit : document.edits)
        table.rows.push_back(
            {textCell(toText(edit, *document.original->job, document.target->fields()))});
    section.blocks.emplace_back(std::move(table));
}

} // namespace

ReportSection identitySection(const Source& source) {
    const Document& document = source.document;
    const json manifest = manifestOf(document);
    ReportSection section{"identity", "Identity", {}};
    ReportFacts facts{"identity-facts", {}, {}};
    addSubject(facts, document, manifest);
    addCompiler(facts, document, manifest);
    addRun(facts, document);
    section.blocks.emplace_back(std::move(facts));
    addFiles(section, document);
    addEdits(section, document);
    return section;
}

} // namespace plumbline::reporting
