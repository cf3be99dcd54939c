// SPDX-License-Identifier: GPL-3.0-or-later
// Every address that relocation makes: the template's offset, the region's base, the sum.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/bytes.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

/// The field of a word: the address in it, else the first one.
std::string_view fieldOf(const FieldTable& table, std::int64_t word) {
    const auto isThere = [word](const FieldSpec& field) { return field.word == word; };
    const auto isAddress = [word](const FieldSpec& field) {
        return field.word == word && field.kind == FieldKind::Address;
    };
    auto found = std::find_if(table.fields.begin(), table.fields.end(), isAddress);
    if (found == table.fields.end())
        found = std::find_if(table.fields.begin(), table.fields.end(), isThere);
    return found == table.fields.end() ? std::string_view() : found->name;
}

/// What the template's word holds; nothing where there is no such word.
std::optional<std::uint32_t> templateWord(const Lowering& lowering, const Relocation& relocation) {
    const auto record = static_cast<std::size_t>(relocation.record);
    const auto word = static_cast<std::size_t>(relocation.word);
    const std::size_t words = lowering.fields->recordBytes / 4;
    if (relocation.record < 0 || record >= lowering.records.size() || relocation.word < 0 ||
        word >= words)
        return std::nullopt;
    return loadU32(lowering.records[record].bytes, word * 4);
}

ReportCell stateCell(const Lowering& lowering, const Relocation& relocation) {
    const std::optional<std::uint32_t> word = templateWord(lowering, relocation);
    if (!word)
        return textCell("no such word", Tone::Error);
    if (*word != relocation.offset)
        return textCell(fmt::format("the word holds 0x{:08X}", *word), Tone::Error);
    return textCell("agrees", Tone::Ok);
}

ReportCell wordCell(const FieldTable& table, const Relocation& relocation) {
    return textCell(fieldOf(table, relocation.word));
}

std::vector<ReportCell> relocationCells(const Source& source, const Job& job, std::size_t index) {
    const Relocation& r = job.relocations[index];
    const std::optional<std::uint32_t> base = regionBase(job.bases, r.region);
    const std::optional<std::int64_t> op = source.operatorOf(r.record);
    const bool isAddress = base && r.offset >= 0 && r.offset <= 0xFFFFFFFF - std::int64_t{*base};
    return {{fmt::format("relocation/{}", index), std::to_string(index), Tone::Text, {}},
            op ? operatorCell(source, *op) : ReportCell{},
            {fmt::format("record/{}", r.record), std::to_string(r.record), Tone::Text, {}},
            countCell(r.word),
            wordCell(*source.lowering().fields, r),
            textCell(r.region),
            r.offset < 0 ? countCell(r.offset, Tone::Error)
                         : hexCell(static_cast<std::uint64_t>(r.offset)),
            base ? hexCell(*base) : ReportCell{},
            isAddress ? hexCell(*base + static_cast<std::uint64_t>(r.offset)) : ReportCell{},
            stateCell(source.lowering(), r)};
}

} // namespace

ReportSection relocationsSection(const Source& source) {
    ReportSection section{"relocations", "Relocations", {}};
    const std::optional<Job>& job = source.document.job;
    ReportTable table;
    table.id = "relocations";
    table.title = "Words that are relocated";
    table.empty = job ? "No record that is shown is relocated." : whyNoRecords(source.document);
    table.columns = {numberColumn("relocation", "Relocation", "Its place in the list."),
                     numberColumn("operator", "Operator"),
                     numberColumn("record", "Record"),
                     numberColumn("word", "Word", "Index of the word in the record."),
                     textColumn("field", "Field"),
                     textColumn("region", "Region", "What the address points into."),
                     addressColumn("offset", "Offset", "In the template; bytes into the region."),
                     addressColumn("base", "Base", "Address of the region, which is added."),
                     addressColumn("address", "Address", "What the record holds when it runs."),
                     textColumn("state", "Template", "Whether its word equals the offset.")};
    const std::size_t all = job ? job->relocations.size() : 0;
    for (std::size_t i = 0; i < all; ++i) {
        const std::optional<std::int64_t> op = source.operatorOf(job->relocations[i].record);
        if (op && !source.shows(*op))
            continue;
        table.rows.push_back(relocationCells(source, *job, i));
        table.rowIds.push_back(relocationRow(i));
    }
    addTable(section, std::move(table), all, source);
    return section;
}

} // namespace plumbline::reporting
