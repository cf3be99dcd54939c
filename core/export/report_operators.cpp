// SPDX-License-Identifier: GPL-3.0-or-later
// The graph and its operators: what each became, in geometry and in quantization.
#include <map>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

std::string extents(std::int64_t h, std::int64_t w, std::int64_t c) {
    return fmt::format("{}×{}×{}", h, w, c);
}

void addPort(ReportFacts& facts, std::string_view term, const PortSummary& port) {
    addFact(facts, term,
            fmt::format("tensor/{}, {}, scale {}, zero point {}, {}", port.tensor,
                        extents(port.shape.h, port.shape.w, port.shape.c), port.scale,
                        port.zeroPoint, exactBytesText(port.bytes)));
}

void addOutput(ReportFacts& facts, const PortSummary& port) {
    const std::string source =
        port.sourceRecord ? fmt::format(", from record/{}", *port.sourceRecord) : "";
    addFact(facts, "Graph output",
            fmt::format("tensor/{}, {}, {}, placement {}{}, at {} of the arena", port.tensor,
                        extents(port.shape.h, port.shape.w, port.shape.c),
                        exactBytesText(port.bytes), placementName(port.placement), source,
                        hexText(port.offset)));
}

bool isTrace(const Source& source) { return source.document.kind == DocumentKind::Trace; }

/// "49×10×1"; empty where the operator has no geometry.
ReportCell extentsCell(std::int64_t h, std::int64_t w, std::int64_t c) {
    return h == 0 || w == 0 || c == 0 ? ReportCell{} : textCell(extents(h, w, c));
}

ReportCell pairCell(std::int64_t h, std::int64_t w) {
    return h == 0 || w == 0 ? ReportCell{} : textCell(fmt::format("{}×{}", h, w));
}

ReportCell padsCell(const LoweredOperator& op) {
    const auto& pads = op.geometry.pads;
    return op.record ? textCell(fmt::format("{},{},{},{}", pads[0], pads[1], pads[2], pads[3]))
                     : ReportCell{};
}

/// What links of an operator's row lead to.
struct Links {
    std::map<std::int64_t, std::size_t> relocation; ///< the first one, by record
    std::map<std::int64_t, std::size_t> diagnostic; ///< the first one, by operator
    std::map<std::int64_t, std::int64_t> count;     ///< of diagnostics, by operator
};

Links linksOf(const Source& source) {
    Links links;
    const std::optional<Job>& job = source.document.job;
    for (std::size_t i = 0; job && i < job->relocations.size(); ++i) {
        const std::int64_t record = job->relocations[i].record;
        const std::optional<std::int64_t> owner = source.operatorOf(record);
        if (!owner || source.shows(*owner)) // the row is there
            links.relocation.emplace(record, i);
    }
    const Diagnostics& diagnostics = source.document.diagnostics;
    for (std::size_t i = 0; i < diagnostics.size(); ++i) {
        std::optional<std::int64_t> index = diagnostics[i].where.operatorIndex;
        if (!index && diagnostics[i].where.record)
            index = source.operatorOf(*diagnostics[i].where.record);
        if (!index)
            continue;
        links.diagnostic.emplace(*index, i);
        ++links.count[*index];
    }
    return links;
}

ReportCell recordCell(const LoweredOperator& op, const Links& links) {
    if (!op.record)
        return {};
    ReportCell cell{
        fmt::format("record/{}", *op.record), std::to_string(*op.record), Tone::Text, {}};
    if (const auto found = links.relocation.find(*op.record); found != links.relocation.end())
        cell.target = relocationRow(found->second);
    return cell;
}

ReportCell diagnosticsCell(const LoweredOperator& op, const Links& links) {
    const auto found = links.diagnostic.find(op.index);
    if (found == links.diagnostic.end())
        return countCell(0);
    const bool isRefused = op.placement == Placement::Refused;
    return linked(countCell(links.count.at(op.index), isRefused ? Tone::Error : Tone::Warning),
                  diagnosticRow(found->second));
}

std::vector<ReportCell> operatorCells(const Source& source, const LoweredOperator& op,
                                      const Links& links) {
    const OperatorGeometry& g = op.geometry;
    const bool isRefused = op.placement == Placement::Refused;
    const auto ofRecord = [&op](std::int64_t value) {
        return op.record ? countCell(value) : ReportCell{};
    };
    return {operatorTitle(op.index),
            recordCell(op, links),
            textCell(op.name),
            textCell(op.opcodeName),
            isTrace(source)
                ? ReportCell{} // a trace does not say where its layers ran
                : textCell(placementName(op.placement), isRefused ? Tone::Error : Tone::Text),
            extentsCell(g.h, g.w, g.cin),
            extentsCell(g.oh, g.ow, g.cout),
            pairCell(g.kh, g.kw),
            pairCell(g.strideH, g.strideW),
            padsCell(op),
            ofRecord(op.tiles.fullK),
            ofRecord(sliceCount(op.tiles)),
            ofRecord(op.cost.usefulMacs),
            ofRecord(op.cost.estimatedCycles),
            diagnosticsCell(op, links),
            textCell(op.note)};
}

ReportTable operatorTable(const Source& source) {
    ReportTable table;
    table.id = "operators";
    table.title = "Operators of the graph";
    table.empty = source.lowering().operators.empty() ? "No operator could be read."
                                                      : "There are no operators to show.";
    table.columns = {
        numberColumn("operator", "Operator", "Address of the operator; its index in the graph."),
        numberColumn("record", "Record", "The record that runs it; leads to its relocations."),
        textColumn("name", "Name", "TFLite name."),
        textColumn("opcode", "Opcode"),
        textColumn("placement", "Placement", "Where it runs."),
        textColumn("input", "Input", "Height×width×channels, elements."),
        textColumn("output", "Output", "Height×width×channels, elements."),
        textColumn("kernel", "Kernel", "Height×width, elements."),
        textColumn("stride", "Stride", "Vertical×horizontal, elements."),
        textColumn("pads", "Pads", "Top, bottom, left, right, elements."),
        numberColumn("full_k", "Full K", "Terms of one output element."),
        numberColumn("k_slices", "K slices"),
        numberColumn("useful_macs", "MACs", "Useful multiply-accumulates."),
        numberColumn("estimated_cycles", "Cycles", "An estimate."),
        numberColumn("diagnostics", "Diagnostics", "How many speak of it."),
        textColumn("note", "Note")};
    const Links links = linksOf(source);
    for (const LoweredOperator& op : source.lowering().operators) {
        if (!source.shows(op.index))
            continue;
        table.rows.push_back(operatorCells(source, op, links));
        table.rowIds.push_back(operatorRow(op.index));
    }
    return table;
}

constexpr std::size_t kOutputScale = 6; ///< its column; the zero point follows

std::vector<ReportColumn> quantizationColumns() {
    return {numberColumn("operator", "Operator"),
            textColumn("name", "Name"),
            numberColumn("input_scale", "Input scale"),
            numberColumn("input_zero_point", "Input zero point"),
            numberColumn("input1_scale", "Input 1 scale", "Of the second operand."),
            numberColumn("input1_zero_point", "Input 1 zero point"),
            numberColumn("output_scale", "Output scale"),
            numberColumn("output_zero_point", "Output zero point"),
            numberColumn("act_min", "Lower bound", "Of the clamp, a signed byte."),
            numberColumn("act_max", "Upper bound", "Of the clamp, a signed byte."),
            numberColumn("input_multiplier", "Multiplier", "Of the CPU softmax."),
            numberColumn("input_left_shift", "Left shift", "Of the CPU softmax."),
            numberColumn("diff_min", "Least difference", "Of the CPU softmax.")};
}

std::vector<ReportCell> quantizationCells(const Source& source, const LoweredOperator& op) {
    const OperatorQuantization& q = op.quantization;
    const bool isNpu = op.placement == Placement::Npu;
    const auto pinned = [&op](std::int64_t SoftmaxStep::*member) {
        return op.softmax ? countCell(*op.softmax.*member) : ReportCell{};
    };
    return {operatorCell(source, op.index),
            textCell(op.name),
            realCell(q.inputScale),
            countCell(q.inputZeroPoint),
            realCell(q.input1Scale),
            countCell(q.input1ZeroPoint),
            realCell(q.outputScale),
            countCell(q.outputZeroPoint),
            isNpu ? countCell(q.lower) : ReportCell{},
            isNpu ? countCell(q.upper) : ReportCell{},
            pinned(&SoftmaxStep::inputMultiplier),
            pinned(&SoftmaxStep::inputLeftShift),
            pinned(&SoftmaxStep::diffMin)};
}

/// Of a trace's layer: its output alone, as far as the trace holds it.
std::vector<ReportCell> layerQuantizationCells(const Source& source, const LoweredOperator& op) {
    std::vector<ReportCell> cells(quantizationColumns().size());
    cells[0] = operatorCell(source, op.index);
    cells[1] = textCell(op.name);
    if (const TraceLayer* const layer = source.document.layerOf(op.index)) {
        cells[kOutputScale] = realCell(layer->scale);
        cells[kOutputScale + 1] = countCell(layer->zeroPoint);
    }
    return cells;
}

void addQuantization(ReportSection& section, const Source& source) {
    ReportTable table;
    table.id = "quantization";
    table.title = "Quantization";
    table.empty = "No operator has a quantization to show.";
    table.columns = quantizationColumns();
    std::size_t all = 0;
    for (const LoweredOperator& op : source.lowering().operators) {
        if (op.placement != Placement::Npu && op.placement != Placement::CpuSoftmax)
            continue;
        ++all;
        if (source.shows(op.index))
            table.rows.push_back(isTrace(source) ? layerQuantizationCells(source, op)
                                                 : quantizationCells(source, op));
    }
    addTable(section, std::move(table), all, source);
}

} // namespace

ReportSection graphSection(const Source& source) {
    const Document& document = source.document;
    ReportSection section{"graph", "Graph", {}};
    const Graph* const graph = document.graph();
    if (graph == nullptr) {
        addParagraph(section, "There is no graph: the file could not be read.", Tone::Muted);
        return section;
    }
    ReportFacts facts{"graph-facts", {}, {}};
    addFact(facts, "Operators", groupedDigits(static_cast<std::int64_t>(graph->operators.size())));
    addFact(facts, "Tensors", groupedDigits(static_cast<std::int64_t>(graph->tensors.size())));
    if (!source.lowering().records.empty()) {
        addPort(facts, "Graph input", source.lowering().input);
        addOutput(facts, source.lowering().output);
    }
    section.blocks.emplace_back(std::move(facts));
    if (document.kind != DocumentKind::Model)
        addParagraph(
            section,
            document.kind == DocumentKind::Trace
                ? "A trace does not say how layers are connected; they are drawn as a "
                  "chain in the order of execution and counted anew. Their numbers in the model "
                  "stand under Verdicts."
                : "A package names no tensors; the graph is rebuilt from the arena "
                  "addresses that operators read and write.",
            Tone::Muted);
    addFigure(section, "figure-graph",
              "The operator graph, from input to output. A card has the operator's number, as in "
              "op/0, at its right, and the record's after #. A tick is a layer that equals the "
              "reference, ≠ one that differs, a diamond the first that is wrong by itself.",
              graphDrawing(document));
    return section;
}

ReportSection operatorsSection(const Source& source) {
    ReportSection section{"operators", "Operators", {}};
    addTable(section, operatorTable(source), source.lowering().operators.size(), source);
    addQuantization(section, source);
    return section;
}

} // namespace plumbline::reporting
