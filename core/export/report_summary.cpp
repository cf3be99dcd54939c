// SPDX-License-Identifier: GPL-3.0-or-later
// The report's first section: the verdict in a sentence, then the numbers at a glance.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

std::string comparedWith(const Document& document) {
    return fmt::format("{}, input {}", lastPart(document.verdicts->reference), document.inputName);
}

/// Rule ids of the errors about each refused operator.
std::map<std::int64_t, std::set<std::string>> refusals(const Document& document) {
    std::map<std::int64_t, std::set<std::string>> rules;
    for (const Diagnostic& d : document.diagnostics)
        if (d.severity == Severity::Error && d.where.operatorIndex)
            rules[*d.where.operatorIndex].emplace(codeInfo(d.code).id);
    return rules;
}

std::string refusedText(const Document& document) {
    const auto errors = std::count_if(document.diagnostics.begin(), document.diagnostics.end(),
                                      [](const auto& d) { return d.severity == Severity::Error; });
    if (document.kind == DocumentKind::Trace)
        return errors == 0 ? "The trace holds no layer."
                           : fmt::format("The folder cannot be read as a trace: {}.",
                                         counted(errors, "error"));
    if (document.graph() == nullptr)
        return fmt::format("The file cannot be read as a model: {}.", counted(errors, "error"));
    const auto rules = refusals(document);
    std::set<std::string> broken;
    for (const auto& [index, ids] : rules)
        broken.insert(ids.begin(), ids.end());
    if (rules.empty())
        return fmt::format("The model is not lowered: {} about the graph.",
                           counted(errors, "error"));
    return fmt::format(
        "The model is not lowered: {} of {} break {} ({}).", rules.size(),
        counted(static_cast<std::int64_t>(document.lowering->operators.size()), "operator"),
        broken.size() == 1 ? "a rule" : "rules", fmt::join(broken, ", "));
}

std::string culpritText(const Document& document) {
    const Verdicts& verdicts = *document.verdicts;
    if (!verdicts.culprit)
        return verdicts.doubt.empty() ? "No layer is known to be wrong by itself."
                                      : fmt::format("No culprit is named: {}.", verdicts.doubt);
    const LayerVerdict& layer = *verdicts.of(*verdicts.culprit);
    std::string text =
        fmt::format("The culprit is op/{} {}, the first layer that is wrong by itself",
                    layer.operatorIndex, layer.name);
    const TensorComparison* const telling = layer.isolated      ? &*layer.isolated
                                            : layer.accumulated ? &*layer.accumulated
                                                                : nullptr;
    if (telling && telling->mismatches && !telling->equal)
        text += fmt::format(": {} of {} differ, by {} at most", groupedDigits(*telling->mismatches),
                            counted(telling->elements, "element"), telling->maxAbs);
    return text + ".";
}

std::string comparisonText(const Document& document) {
    const Verdicts& verdicts = *document.verdicts;
    const auto compared = static_cast<std::int64_t>(verdicts.compared());
    const auto layers = static_cast<std::int64_t>(verdicts.layers.size());
    const std::string missing =
        compared == layers
            ? std::string()
            : fmt::format(" {} not in the reference.",
                          layers - compared == 1 ? "1 layer is"
                                                 : counted(layers - compared, "layer") + " are");
    const auto unequal = static_cast<std::int64_t>(verdicts.unequal());
    const std::string reference = fmt::format("the reference ({})", comparedWith(document));
    if (unequal == 0)
        return fmt::format("{} {}.{}",
                           compared == 1
                               ? "The one compared layer equals"
                               : fmt::format("All {} equal", counted(compared, "compared layer")),
                           reference, missing);
    return fmt::format("{} of {} {} from {}.{} {}", groupedDigits(unequal),
                       counted(compared, "compared layer"), unequal == 1 ? "differs" : "differ",
                       reference, missing, culpritText(document));
}

std::string notComparedText(const Document& document) {
    if (document.kind == DocumentKind::Trace)
        return fmt::format(
            "A trace of {}. A trace alone is not compared with anything.",
            counted(static_cast<std::int64_t>(document.lowering->operators.size()), "layer"));
    if (!document.referenceProblem.empty())
        return "Not compared with a reference. " + document.referenceProblem;
    if (!document.execution)
        return "The job was not run, so nothing is compared.";
    return fmt::format(
        "The job ran on {} without a fault. There is no reference to compare it with.",
        document.inputName);
}

std::string faultText(const Document& document) {
    const Fault& fault = *document.execution->fault;
    return fmt::format("The run on {} ends in fault {} ({}){}: {}", document.inputName,
                       static_cast<int>(fault.code), faultName(fault.code),
                       fault.record ? fmt::format(" at record/{}", *fault.record) : "",
                       toDiagnostic(fault).message);
}

std::string violationText(const Document& document) {
    const auto invalid = std::count_if(document.violations.begin(), document.violations.end(),
                                       [](const auto& v) { return v.has_value(); });
    const std::size_t findings = document.execution ? document.execution->findings.size() : 0;
    if (invalid == 0 && findings == 0)
        return "The records cannot be relocated; the diagnostics say why.";
    std::vector<std::string> parts;
    if (invalid > 0)
        parts.push_back(counted(invalid, "record") + (invalid == 1 ? " breaks" : " break") +
                        " the ABI");
    if (findings > 0)
        parts.push_back(fmt::format("the sanitizer has {}",
                                    counted(static_cast<std::int64_t>(findings), "finding")));
    std::string text = fmt::format("{}.", fmt::join(parts, ", and "));
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

struct Headline {
    std::string text;
    Tone tone;
};

Headline headlineOf(const Document& document) {
    switch (reportVerdict(document)) {
    case ReportVerdict::Refused:
        return {refusedText(document), Tone::Error};
    case ReportVerdict::Damaged:
        return {"The package is damaged; the diagnostics say what disagrees. What follows is what "
                "could be read.",
                Tone::Error};
    case ReportVerdict::Violates:
        return {violationText(document), Tone::Error};
    case ReportVerdict::Fault:
        return {faultText(document), Tone::Error};
    case ReportVerdict::Differs:
        return {comparisonText(document), Tone::Error};
    case ReportVerdict::Equal:
        return {comparisonText(document), Tone::Ok};
    case ReportVerdict::NotCompared:
        break;
    }
    return {notComparedText(document), Tone::Note};
}

/// The operator whose half buffers are filled most.
const LoweredOperator* fullestOf(const Lowering& lowering, std::int64_t& bytes) {
    const LoweredOperator* fullest = nullptr;
    bytes = -1;
    for (const LoweredOperator& op : lowering.operators) {
        const std::int64_t most =
            std::max({op.buffers.rawGatherHalf, op.buffers.packedA, op.buffers.packedW});
        if (op.record && op.buffers.limit > 0 && most > bytes) {
            bytes = most;
            fullest = &op;
        }
    }
    return fullest;
}

void addNumbers(ReportFacts& facts, const Lowering& lowering) {
    const Totals totals = totalsOf(lowering);
    const ArenaPlan& arena = lowering.arena;
    addFact(facts, "Arena peak", exactBytesText(arena.peakBytes));
    addFact(facts, "Least possible arena", exactBytesText(arena.minimumBytes));
    addFact(facts, "Weights", exactBytesText(lowering.weights.size()));
    addFact(facts, "Parameters", exactBytesText(lowering.params.size()));
    addFact(facts, "Useful MACs", groupedDigits(totals.macs));
    addFact(facts, "DMA read", counted(totals.readBytes, "byte"));
    addFact(facts, "DMA written", counted(totals.writeBytes, "byte"));
    addFact(facts, "Estimated cycles", groupedDigits(totals.cycles));
    std::int64_t bytes = 0;
    if (const LoweredOperator* const op = fullestOf(lowering, bytes))
        addFact(facts, "Fullest half buffer",
                fmt::format("{} of {}, op/{}", groupedDigits(bytes),
                            counted(op->buffers.limit, "byte"), op->index),
                bytes > op->buffers.limit ? Tone::Error : Tone::Text);
}

std::string severityCounts(const Document& document) {
    std::map<Severity, std::int64_t> counts;
    for (const Diagnostic& d : document.diagnostics)
        ++counts[d.severity];
    if (counts.empty())
        return "none";
    std::vector<std::string> parts;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
        if (counts[severity] > 0)
            parts.push_back(counted(counts[severity], severityName(severity)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

void addExperiment(ReportSection& section, const Document& document) {
    if (document.edits.empty())
        return;
    addParagraph(section,
                 fmt::format("This is an experiment with {}; operators, plans and estimates are "
                             "those of the original.",
                             counted(static_cast<std::int64_t>(document.edits.size()), "edit")),
                 Tone::Warning);
}

/// An edited package keeps the report of its original.
void addContradictions(ReportSection& section, const Document& document) {
    std::set<std::int64_t> records;
    for (const Diagnostic& d : document.diagnostics)
        if (d.code == Code::RecordDiffers && d.where.record)
            records.insert(*d.where.record);
    if (records.empty())
        return;
    addParagraph(section,
                 fmt::format("Plans and costs are those that npu.json states; {} from them, as the "
                             "diagnostics say.",
                             counted(records.size(), "record differs", "records differ")),
                 Tone::Warning);
}

} // namespace

ReportSection summarySection(const Source& source) {
    const Document& document = source.document;
    const Lowering& lowering = source.lowering();
    ReportSection section{"summary", "Summary", {}};
    const Headline headline = headlineOf(document);
    addParagraph(section, headline.text, headline.tone);
    addExperiment(section, document);
    addContradictions(section, document);
    if (source.options.passes)
        addParagraph(section,
                     fmt::format("Tables show only the operators that the filter takes: {}. "
                                 "Figures, totals, bounds and diagnostics are of all operators.",
                                 source.options.filter),
                     Tone::Note);
    ReportFacts facts{"summary-facts", {}, {}};
    addFact(facts, document.kind == DocumentKind::Trace ? "Layers" : "Operators",
            groupedDigits(static_cast<std::int64_t>(lowering.operators.size())));
    if (document.kind != DocumentKind::Trace)
        addFact(facts, "Records",
                groupedDigits(static_cast<std::int64_t>(lowering.records.size())));
    if (!lowering.records.empty())
        addNumbers(facts, lowering);
    addFact(facts, "Diagnostics", severityCounts(document));
    section.blocks.emplace_back(std::move(facts));
    return section;
}

} // namespace plumbline::reporting
