// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_content.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/export/report_parts.h"
#include "core/filter/source.h"

namespace plumbline {
namespace {

std::string subtitleOf(const Document& document) {
    switch (document.kind) {
    case DocumentKind::Trace:
        return "Trace of a run";
    case DocumentKind::Package:
        return fmt::format("Package for {}", document.lowering->target);
    case DocumentKind::Model:
        break;
    }
    return (document.lowering->complete ? "Model lowered for " : "Model, refused for ") +
           document.lowering->target;
}

bool violates(const Document& document) {
    const auto isFinding = [](const Diagnostic& d) { return d.severity != Severity::Note; };
    const bool isInvalid = std::any_of(document.violations.begin(), document.violations.end(),
                                       [](const auto& violation) { return violation.has_value(); });
    const bool isStray =
        document.execution && std::any_of(document.execution->findings.begin(),
                                          document.execution->findings.end(), isFinding);
    // Records that do not relocate leave none to validate.
    const bool isUnrelocated =
        document.job && !document.job->descriptors.empty() && document.relocatedRecords.empty();
    return isInvalid || isStray || isUnrelocated;
}

} // namespace

ReportOptions filteredReport(const Document& document, const Filter& filter) {
    if (filter.isEmpty())
        return {};
    FilterContext context;
    context.mismatches = [&document](std::int64_t index) { return document.mismatchesOf(index); };
    context.diagnostics = &document.diagnostics;
    ReportOptions options;
    options.filter = filter.text();
    options.passes = [chosen = filterOperators(filter, *document.lowering, std::move(context))](
                         std::int64_t index) {
        const auto at = static_cast<std::size_t>(index);
        return index >= 0 && at < chosen.size() && chosen[at];
    };
    return options;
}

ReportContent reportContent(const Document& document, const ReportOptions& options) {
    const reporting::Source source{document, options};
    ReportContent content;
    content.title = printable(document.title);
    content.subtitle = subtitleOf(document);
    content.sections = {reporting::summarySection(source),     reporting::identitySection(source),
                        reporting::graphSection(source),       reporting::operatorsSection(source),
                        reporting::arenaSection(source),       reporting::buffersSection(source),
                        reporting::tilesSection(source),       reporting::dmaSection(source),
                        reporting::relocationsSection(source), reporting::verdictsSection(source),
                        reporting::diagnosticsSection(source), reporting::glossarySection(source)};
    return content;
}

ReportVerdict reportVerdict(const Document& document) {
    if (document.kind == DocumentKind::Trace)
        return document.lowering->operators.empty() || hasErrors(document.diagnostics)
                   ? ReportVerdict::Refused
                   : ReportVerdict::NotCompared;
    if (!document.lowering->complete)
        return document.kind == DocumentKind::Package ? ReportVerdict::Damaged
                                                      : ReportVerdict::Refused;
    if (violates(document))
        return ReportVerdict::Violates;
    if (document.execution && document.execution->fault)
        return ReportVerdict::Fault;
    if (!document.verdicts || document.verdicts->compared() == 0)
        return ReportVerdict::NotCompared;
    return document.verdicts->equal() ? ReportVerdict::Equal : ReportVerdict::Differs;
}

std::string_view reportVerdictName(ReportVerdict verdict) {
    switch (verdict) {
    case ReportVerdict::Refused:
        return "refused";
    case ReportVerdict::Damaged:
        return "damaged";
    case ReportVerdict::Violates:
        return "violates";
    case ReportVerdict::Fault:
        return "fault";
    case ReportVerdict::Differs:
        return "differs";
    case ReportVerdict::Equal:
        return "equal";
    case ReportVerdict::NotCompared:
        break;
    }
    return "not compared";
}

} // namespace plumbline
