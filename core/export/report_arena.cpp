// SPDX-License-Identifier: GPL-3.0-or-later
// The arena over time: its peak and what makes it, its allocations, and what records touch of it.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/chart/text_width.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

const ArenaStep* peakStep(const ArenaPlan& arena) {
    const auto found =
        std::find_if(arena.steps.begin(), arena.steps.end(), [&arena](const ArenaStep& step) {
            return step.operatorIndex == arena.peakOperator;
        });
    return found == arena.steps.end() ? nullptr : &*found;
}

std::string peakBuffers(const ArenaPlan& arena) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < arena.allocations.size(); ++i)
        if (arena.allocations[i].isLiveAt(arena.peakOperator))
            names.push_back(
                fmt::format("buffer/{} ({})", i, exactBytesText(arena.allocations[i].size)));
    return fmt::format("{}", fmt::join(names, ", "));
}

ReportFacts peakFacts(const Lowering& lowering) {
    const ArenaPlan& arena = lowering.arena;
    ReportFacts facts{"arena-facts", "Peak", {}};
    addFact(facts, "Peak", exactBytesText(arena.peakBytes));
    addFact(facts, "Least possible", exactBytesText(arena.minimumBytes));
    if (arena.minimumBytes > 0)
        addFact(facts, "Above the least possible",
                fmt::format("{:.1f} %", (static_cast<double>(arena.peakBytes) /
                                             static_cast<double>(arena.minimumBytes) -
                                         1) *
                                            100));
    addFact(facts, "Alignment", exactBytesText(arena.alignment));
    if (const ArenaStep* const step = peakStep(arena)) {
        addFact(facts, "First stands at", fmt::format("op/{}", step->operatorIndex));
        addFact(facts, "Live there", exactBytesText(step->liveBytes));
        addFact(facts, "Padding there", exactBytesText(step->paddingBytes));
        addFact(facts, "Holes there",
                fmt::format("{} in {}", exactBytesText(step->holeBytes),
                            counted(static_cast<std::int64_t>(step->holes), "block")));
        addFact(facts, "Largest hole there", exactBytesText(step->largestHole));
        addFact(facts, "Buffers there", peakBuffers(arena));
    }
    return facts;
}

ReportCell stepCell(const Source& source, std::int64_t index, std::string_view otherwise) {
    if (!source.operatorAt(index))
        return {std::string(otherwise), std::to_string(index), Tone::Text, {}};
    return operatorCell(source, index);
}

/// Converters make names of hundreds of characters, more than three lines say little; the plain one
/// is whole.
ReportCell nameCell(std::string_view name) {
    constexpr double kSize = 12, kWidth = 900;
    ReportCell cell = textCell(name);
    const std::string fitted = fittedText(cell.text, kWidth, kSize, Elide::Middle);
    if (fitted != cell.text)
        cell.plain = std::exchange(cell.text, fitted);
    return cell;
}

std::vector<ReportCell> allocationCells(const Source& source, std::size_t index) {
    const ArenaPlan& arena = source.lowering().arena;
    const Allocation& a = arena.allocations[index];
    std::vector<std::string> aliases;
    for (const std::int64_t tensor : a.aliases)
        aliases.push_back(fmt::format("tensor/{}", tensor));
    return {{fmt::format("buffer/{}", index), std::to_string(index), Tone::Text, {}},
            nameCell(a.name),
            hexCell(a.offset),
            bytesCell(a.bytes),
            bytesCell(a.size),
            stepCell(source, a.firstOperator, "the input"),
            stepCell(source, a.lastOperator, "the end"),
            textCell(fmt::format("{}", fmt::join(aliases, ", "))),
            textCell(a.isLiveAt(arena.peakOperator) ? "yes" : "no")};
}

std::string whyNoBuffers(const Source& source) {
    if (!source.lowering().arena.allocations.empty())
        return "No buffer belongs to an operator that is shown.";
    const std::string why = whyNoRecords(source.document);
    return why.empty() ? "There is no plan of the arena." : why;
}

ReportTable allocationTable(const Source& source) {
    ReportTable table;
    table.id = "arena";
    table.title = "Allocations";
    table.empty = whyNoBuffers(source);
    table.columns = {numberColumn("buffer", "Buffer", "Address of the allocation."),
                     textColumn("name", "Tensor"),
                     addressColumn("offset", "Offset", "Bytes from the arena's start."),
                     numberColumn("bytes", "Bytes", "The tensor's own."),
                     numberColumn("size", "Size", "Bytes rounded up to the alignment."),
                     numberColumn("first_operator", "From", "The operator that writes it."),
                     numberColumn("last_operator", "Until", "The last one at which it is live."),
                     textColumn("aliases", "Shared with", "Tensors of the same storage."),
                     textColumn("live_at_peak", "At peak", "Whether it is live there.")};
    const auto& allocations = source.lowering().arena.allocations;
    for (std::size_t i = 0; i < allocations.size(); ++i) {
        const std::int64_t writer = allocations[i].firstOperator;
        if (writer >= 0 && !source.shows(writer))
            continue;
        table.rows.push_back(allocationCells(source, i));
        table.rowIds.push_back(bufferRow(i));
    }
    return table;
}

/// What is wrong with the access; empty where it keeps its bounds.
std::string boundsProblem(const OperandAccess& access, std::uint64_t arenaBytes) {
    const std::uint64_t end = access.declaredBegin + access.declaredBytes;
    if (access.touchedBegin < access.declaredBegin || access.touchedEnd > end)
        return "outside its span";
    if (access.touchedEnd > arenaBytes)
        return "outside the arena";
    return {};
}

std::vector<ReportCell> accessCells(const Source& source, const OperandAccess& access) {
    const std::string problem = boundsProblem(access, source.document.job->arenaBytes);
    return {
        operatorCell(source, access.operatorIndex),
        {fmt::format("record/{}", access.record), std::to_string(access.record), Tone::Text, {}},
        textCell(access.operand),
        textCell(access.isWrite ? "written" : "read"),
        hexCell(access.declaredBegin),
        bytesCell(access.declaredBytes),
        hexCell(access.touchedBegin),
        hexCell(access.touchedEnd),
        bytesCell(access.touchedBytes),
        problem.empty() ? textCell("within", Tone::Ok) : textCell(problem, Tone::Error)};
}

std::string whyNoAccesses(const Document& document) {
    const std::string why = whyNoRecords(document);
    return why.empty() ? "What records touch is not known: the job does not relocate and validate."
                       : why;
}

void addAccesses(ReportSection& section, const Source& source) {
    const LayerRunner* const runner = source.document.runner.get();
    ReportTable table;
    table.id = "accesses";
    table.title = "Declared and touched bytes of operands";
    table.empty = runner ? "No operand lies in the arena." : whyNoAccesses(source.document);
    table.columns = {
        numberColumn("operator", "Operator"),
        numberColumn("record", "Record"),
        textColumn("operand", "Operand"),
        textColumn("access", "Access"),
        addressColumn("declared_offset", "Declared from", "Bytes from the arena's start."),
        numberColumn("declared_bytes", "Declared bytes"),
        addressColumn("touched_offset", "Touched from", "The first byte that is accessed."),
        addressColumn("touched_end", "Touched up to", "One beyond the last such byte."),
        numberColumn("touched_bytes", "Touched bytes", "How many in between are accessed."),
        textColumn("bounds", "Bounds", "Whether the touched bytes keep to the declared ones.")};
    const std::vector<OperandAccess> accesses =
        runner ? runner->accesses() : std::vector<OperandAccess>();
    for (const OperandAccess& access : accesses)
        if (source.shows(access.operatorIndex))
            table.rows.push_back(accessCells(source, access));
    addTable(section, std::move(table), accesses.size(), source);
}

} // namespace

ReportSection arenaSection(const Source& source) {
    ReportSection section{"arena", "Arena", {}};
    const Lowering& lowering = source.lowering();
    if (!lowering.arena.allocations.empty())
        section.blocks.emplace_back(peakFacts(lowering));
    addFigure(section, "figure-arena", "Buffers over execution order (across) and addresses (up).",
              arenaDrawing(source.document));
    addTable(section, allocationTable(source), lowering.arena.allocations.size(), source);
    addAccesses(section, source);
    return section;
}

} // namespace plumbline::reporting
