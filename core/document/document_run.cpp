// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/document_run.h"

#include <algorithm>

#include "core/base/sha256.h"

namespace plumbline {
namespace {

Diagnostic diagnosticOf(const Document& document, const Fault& fault) {
    Diagnostic diagnostic = toDiagnostic(fault);
    if (diagnostic.where.file.empty())
        diagnostic.where.file = document.title;
    return diagnostic;
}

/// A run ends in the same fault that the checks before it have found.
void addFault(Document& document, const Fault& fault) {
    Diagnostic diagnostic = diagnosticOf(document, fault);
    const Diagnostics& known = document.diagnostics;
    if (std::find(known.begin(), known.end(), diagnostic) == known.end())
        document.diagnostics.push_back(std::move(diagnostic));
}

/// Nothing before the validator speaks of a record's violation, and it once.
void addViolation(Document& document, const RecordViolation& violation, std::int64_t record) {
    Fault fault;
    fault.code = violation.code;
    fault.stage = "validator";
    fault.record = record;
    fault.word = violation.word;
    fault.reason = violation.message;
    document.diagnostics.push_back(diagnosticOf(document, fault));
}

} // namespace

void addDiagnostics(Document& document, Diagnostics more, const std::string& file) {
    for (Diagnostic& diagnostic : more) {
        if (diagnostic.where.file.empty())
            diagnostic.where.file = file;
        document.diagnostics.push_back(std::move(diagnostic));
    }
}

void checkRecords(Document& document) {
    document.violations.clear();
    if (!document.job)
        return;
    std::optional<Fault> fault;
    document.relocatedRecords = document.target->relocate(*document.job, fault);
    if (fault) {
        addFault(document, *fault);
        document.relocatedRecords.clear(); // half relocated ones break rules that none breaks
    }
    const std::size_t size = document.target->fields().recordBytes;
    const ByteView all = document.relocatedRecords;
    const AddressRange array{document.job->bases.descriptors, all.size()};
    for (std::size_t at = 0; at + size <= all.size(); at += size) {
        document.violations.push_back(document.target->checkRecord(all.subspan(at, size), array));
        if (const auto& violation = document.violations.back())
            addViolation(document, *violation,
                         static_cast<std::int64_t>(document.violations.size()) - 1);
    }
    document.runner = document.target->layerRunner(*document.job, fault);
}

void runJob(Document& document, const JobContext& context) {
    ExecuteOptions options;
    options.sanitize = true;
    options.threads = kAllProcessors;
    Execution execution = document.target->execute(*document.job, document.input, options, context);
    if (execution.cancelled)
        return;
    if (execution.fault)
        addFault(document, *execution.fault);
    addDiagnostics(document, execution.findings, document.title);
    execution.trace.modelSha256 = document.lowering->model->sha256;
    execution.trace.inputSha256 = sha256Hex(document.input);
    document.execution = std::move(execution);
}

void judgeRun(Document& document, const JobContext& context) {
    if (!document.execution || !document.reference)
        return;
    if (!document.runner) {
        Verdicts verdicts;
        verdicts.reference = document.reference->name;
        verdicts.fault = document.execution->fault;
        document.verdicts = std::make_shared<const Verdicts>(std::move(verdicts));
        return;
    }
    Result<Verdicts> verdicts =
        judge(*document.runner, document.input, *document.reference, *document.lowering, context);
    if (verdicts)
        document.verdicts = std::make_shared<const Verdicts>(*std::move(verdicts));
}

} // namespace plumbline
