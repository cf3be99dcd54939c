// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace plumbline::reporting {

const LoweredOperator* Source::operatorAt(std::int64_t index) const {
    const auto& operators = lowering().operators;
    const auto at = static_cast<std::size_t>(index);
    return index >= 0 && at < operators.size() ? &operators[at] : nullptr;
}

std::optional<std::int64_t> Source::operatorOf(std::int64_t record) const {
    const auto& records = lowering().records;
    const auto at = static_cast<std::size_t>(record);
    if (record < 0 || at >= records.size() || records[at].operatorIndex < 0)
        return std::nullopt;
    return records[at].operatorIndex;
}

ReportCell textCell(std::string_view text, Tone tone) { return {printable(text), {}, tone, {}}; }

ReportCell countCell(std::int64_t value, Tone tone) {
    return {groupedDigits(value), std::to_string(value), tone, {}};
}

ReportCell countCell(const std::optional<std::int64_t>& value) {
    return value ? countCell(*value) : ReportCell{};
}

ReportCell bytesCell(std::uint64_t value) { return countCell(static_cast<std::int64_t>(value)); }

ReportCell realCell(double value) { return {fmt::format("{}", value), {}, Tone::Text, {}}; }

ReportCell realCell(const std::optional<double>& value) {
    return value ? realCell(*value) : ReportCell{};
}

ReportCell hexCell(std::uint64_t value) {
    return {hexText(value), std::to_string(value), Tone::Text, {}};
}

ReportCell shareCell(double fraction, Tone tone) {
    return {fmt::format("{:.1f} %", fraction * 100), fmt::format("{}", fraction), tone, {}};
}

ReportCell linked(ReportCell cell, std::string target) {
    cell.target = std::move(target);
    return cell;
}

ReportCell operatorCell(const Source& source, std::int64_t index) {
    ReportCell cell = operatorTitle(index);
    if (source.operatorAt(index) && source.shows(index))
        cell.target = operatorRow(index);
    return cell;
}

ReportCell operatorTitle(std::int64_t index) {
    return {fmt::format("op/{}", index), std::to_string(index), Tone::Text, {}};
}

ReportColumn textColumn(std::string key, std::string title, std::string meaning) {
    return {std::move(key), std::move(title), std::move(meaning), false, false};
}

ReportColumn numberColumn(std::string key, std::string title, std::string meaning) {
    return {std::move(key), std::move(title), std::move(meaning), true, false};
}

ReportColumn addressColumn(std::string key, std::string title, std::string meaning) {
    return {std::move(key), std::move(title), std::move(meaning), true, true};
}

ReportColumn digestColumn(std::string key, std::string title, std::string meaning) {
    return {std::move(key), std::move(title), std::move(meaning), false, true};
}

std::string operatorRow(std::int64_t index) { return fmt::format("op-{}", index); }
std::string relocationRow(std::size_t index) { return fmt::format("rel-{}", index); }
std::string diagnosticRow(std::size_t index) { return fmt::format("diag-{}", index); }
std::string bufferRow(std::size_t index) { return fmt::format("buffer-{}", index); }
std::string tileFigure(std::size_t index) { return fmt::format("figure-tiles-{}", index); }

void addFigure(ReportSection& section, std::string id, std::string caption, Drawing drawing) {
    if (!drawing.empty())
        section.blocks.emplace_back(
            ReportFigure{std::move(id), std::move(caption), std::move(drawing)});
}

void addTable(ReportSection& section, ReportTable table, std::size_t all, const Source& source) {
    if (source.options.passes)
        table.title += fmt::format(" ({} of {}, filtered)", table.rows.size(), all);
    section.blocks.emplace_back(std::move(table));
}

void addParagraph(ReportSection& section, std::string_view text, Tone tone) {
    section.blocks.emplace_back(ReportParagraph{printable(text), tone});
}

void addFact(ReportFacts& facts, std::string_view term, std::string_view value, Tone tone) {
    facts.facts.push_back({std::string(term), printable(value), false, tone});
}

void addCode(ReportFacts& facts, std::string_view term, std::string_view value) {
    facts.facts.push_back({std::string(term), printable(value), true, Tone::Text});
}

std::string operatorList(const std::vector<std::int64_t>& indices, std::size_t most) {
    const std::size_t named = std::min(most, indices.size());
    std::string text;
    for (std::size_t i = 0; i < named; ++i)
        text += fmt::format("{}op/{}", i == 0 ? "" : ", ", indices[i]);
    if (named < indices.size())
        text += fmt::format(" and {} more", indices.size() - named);
    return text;
}

std::string whyNoRecords(const Document& document) {
    if (!document.lowering->records.empty())
        return {};
    switch (document.kind) {
    case DocumentKind::Trace:
        return "A trace holds tensors only; it says nothing of records.";
    case DocumentKind::Package:
        return "The package holds no records.";
    case DocumentKind::Model:
        break;
    }
    return "The model is not lowered, so there are no records; the diagnostics say why.";
}

Totals totalsOf(const Lowering& lowering) {
    constexpr std::int64_t kBytesPerCycle = 8;
    Totals totals;
    totals.records = static_cast<std::int64_t>(lowering.records.size());
    totals.descriptorBytes =
        totals.records * static_cast<std::int64_t>(lowering.fields->recordBytes);
    totals.weightsBytes = static_cast<std::int64_t>(lowering.weights.size());
    totals.paramsBytes = static_cast<std::int64_t>(lowering.params.size());
    totals.readBytes = totals.descriptorBytes;
    totals.cycles = (totals.descriptorBytes + kBytesPerCycle - 1) / kBytesPerCycle;
    for (const LoweredOperator& op : lowering.operators) {
        totals.macs += op.cost.usefulMacs;
        totals.readBytes += op.cost.readBytes();
        totals.writeBytes += op.cost.writeBytes;
        totals.cycles += op.cost.estimatedCycles;
    }
    return totals;
}

std::int64_t sliceCount(const TilePlan& plan) {
    if (plan.kSlice <= 0 || plan.fullK <= 0)
        return 0;
    return (plan.fullK - 1) / plan.kSlice + 1;
}

} // namespace plumbline::reporting
