// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that import, lowering, validator, executor and sanitizer had to say.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

Tone toneOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return Tone::Error;
    case Severity::Warning:
        return Tone::Warning;
    case Severity::Note:
        break;
    }
    return Tone::Note;
}

/// The place as an address, "record/3/word/12"; empty where none fits.
std::string addressOf(const Location& where) {
    std::string text;
    if (where.operatorIndex)
        text = fmt::format("op/{}", *where.operatorIndex);
    else if (where.record)
        text = fmt::format("record/{}", *where.record);
    else if (where.relocation)
        return fmt::format("relocation/{}", *where.relocation);
    else if (where.tensor)
        return fmt::format("tensor/{}", *where.tensor);
    else
        return {};
    if (where.word)
        text += fmt::format("/word/{}", *where.word);
    return text;
}

ReportCell addressCell(const Source& source, const Location& where) {
    ReportCell cell = textCell(addressOf(where));
    std::optional<std::int64_t> index = where.operatorIndex;
    if (!index && where.record)
        index = source.operatorOf(*where.record);
    if (index)
        cell.target = operatorCell(source, *index).target;
    return cell;
}

/// The place as people say it; the file without its folder.
std::string placeOf(Location where) {
    where.file = lastPart(where.file);
    return placeText(where);
}

std::vector<ReportCell> diagnosticCells(const Source& source, std::size_t index) {
    const Diagnostic& d = source.document.diagnostics[index];
    const CodeInfo& info = codeInfo(d.code);
    return {{fmt::format("diagnostic/{}", index), std::to_string(index), Tone::Text, {}},
            textCell(severityName(d.severity), toneOf(d.severity)),
            textCell(info.id),
            addressCell(source, d.where),
            textCell(placeOf(d.where)),
            textCell(d.message),
            textCell(d.hint),
            textCell(info.rule)};
}

} // namespace

ReportSection diagnosticsSection(const Source& source) {
    ReportSection section{"diagnostics", "Diagnostics", {}};
    const Diagnostics& diagnostics = source.document.diagnostics;
    ReportTable table;
    table.id = "diagnostics";
    table.title = "All diagnostics";
    table.empty = "There is nothing to report: no error, warning or note.";
    table.columns = {numberColumn("diagnostic", "Diagnostic", "Address of the diagnostic."),
                     textColumn("severity", "Severity"),
                     textColumn("code", "Code"),
                     textColumn("address", "Address", "Leads to the operator."),
                     textColumn("place", "Place"),
                     textColumn("message", "Message"),
                     textColumn("hint", "Hint"),
                     textColumn("rule", "Rule", "The rule that is broken.")};
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        table.rows.push_back(diagnosticCells(source, i));
        table.rowIds.push_back(diagnosticRow(i));
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

} // namespace plumbline::reporting
