// SPDX-License-Identifier: GPL-3.0-or-later
// A document with changes applied to its job: openExperiment, exportExperiment.
#include "core/artifacts/edited_package.h"
#include "core/document/document_run.h"

namespace plumbline {
namespace {

/// The lowering as the changed job has it; what was planned stays.
LoweringPtr changedLowering(const Lowering& original, const Job& job, std::size_t recordBytes) {
    auto changed = std::make_shared<Lowering>(original);
    for (std::size_t i = 0; i < changed->records.size(); ++i) {
        const auto begin = job.descriptors.begin() + static_cast<std::ptrdiff_t>(i * recordBytes);
        changed->records[i].bytes.assign(begin, begin + static_cast<std::ptrdiff_t>(recordBytes));
    }
    changed->relocations = job.relocations;
    changed->weights = job.weights;
    changed->params = job.params;
    return changed;
}

/// The original's own run as what an experiment is judged by.
Reference unchangedJob(const Document& original) {
    Reference reference;
    reference.name = "the unchanged job";
    reference.trace = original.execution->trace;
    for (const TraceLayer& layer : reference.trace.layers)
        reference.matches.push_back({layer.name, MatchedBy::Index, layer.operatorIndex, ""});
    return reference;
}

} // namespace

Result<DocumentPtr> openExperiment(const DocumentPtr& base, std::vector<Edit> edits,
                                   const JobContext& context) {
    const DocumentPtr original = base->original ? base->original : base;
    if (edits.empty())
        return original;
    if (!original->job)
        return makeError(Code::BadEdit, "There is no job to change.");
    const FieldTable& fields = original->target->fields();
    Result<Job> job = applyEdits(*original->job, fields, edits);
    if (!job)
        return std::move(job).diagnostics();
    auto made = std::make_shared<Document>(*original);
    made->original = original;
    made->edits = std::move(edits);
    made->lowering = changedLowering(*original->lowering, *job, fields.recordBytes);
    made->job = *std::move(job);
    made->diagnostics.resize(original->readingDiagnostics);
    made->execution.reset();
    made->verdicts.reset();
    if (!made->reference && original->execution && !original->execution->fault)
        made->reference = std::make_shared<const Reference>(unchangedJob(*original));
    checkRecords(*made);
    if (!made->input.empty() || made->job->inputBytes == 0)
        runJob(*made, context);
    judgeRun(*made, context);
    if (context.cancelled())
        return makeError(Code::Cancelled, "The experiment was cancelled.");
    return DocumentPtr(std::move(made));
}

Status exportExperiment(const Document& experiment, const std::filesystem::path& directory) {
    if (!experiment.job)
        return makeError(Code::BadEdit, "There is no job to write.");
    const Document& original = experiment.original ? *experiment.original : experiment;
    nlohmann::json manifest;
    if (original.kind == DocumentKind::Package) {
        manifest = nlohmann::json::parse(*original.file, nullptr, false);
        if (!manifest.is_object())
            return makeError(Code::BadManifest, "The original's npu.json is no object.");
    } else {
        const std::string name = std::filesystem::path(original.title).stem().string();
        manifest = manifestJson(*original.lowering, name);
    }
    return writeEditedPackage(directory, manifest, *experiment.job);
}

} // namespace plumbline
