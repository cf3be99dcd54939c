// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic and cycles, as estimates.
#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/export/report_parts.h"

namespace plumbline::reporting {
namespace {

std::vector<ReportCell> costCells(const Source& source, const LoweredOperator& op) {
    const Cost& c = op.cost;
    return {
        operatorCell(source, op.index), textCell(op.opcodeName),      countCell(c.gatherReadBytes),
        countCell(c.inputFetches),      countCell(c.weightReadBytes), countCell(c.weightFetches),
        countCell(c.paramReadBytes),    countCell(c.paramFetches),    countCell(c.readBytes()),
        countCell(c.writeBytes),        countCell(c.usefulMacs),      countCell(c.computeCycles),
        countCell(c.packCycles),        countCell(c.loadCycles),      countCell(c.storeCycles),
        countCell(c.estimatedCycles)};
}

std::vector<ReportColumn> costColumns() {
    return {numberColumn("operator", "Operator"),
            textColumn("opcode", "Opcode"),
            numberColumn("gather_read_bytes", "Gathered", "Bytes of input that are read."),
            numberColumn("input_tensor_fetches", "Input fetches", "Times that it is read."),
            numberColumn("weight_read_bytes", "Weights read", "Bytes."),
            numberColumn("weight_tensor_fetches", "Weight fetches", "Times that they are read."),
            numberColumn("param_read_bytes", "Parameters read", "Bytes."),
            numberColumn("param_tensor_fetches", "Parameter fetches", "Times that they are read."),
            numberColumn("read_bytes", "Read", "Bytes in all."),
            numberColumn("write_bytes", "Written", "Bytes."),
            numberColumn("useful_macs", "MACs", "Useful multiply-accumulates."),
            numberColumn("compute_cycles", "Compute cycles"),
            numberColumn("pack_cycles", "Pack cycles"),
            numberColumn("load_cycles", "Load cycles", "Of weights and parameters."),
            numberColumn("store_cycles", "Store cycles"),
            numberColumn("estimated_cycles", "Cycles", "The sum of the four.")};
}

ReportFacts totalFacts(const Lowering& lowering) {
    const Totals totals = totalsOf(lowering);
    ReportFacts facts{"dma-facts", "Totals", {}};
    addFact(facts, "Descriptors", groupedDigits(totals.records));
    addFact(facts, "Descriptor bytes read", groupedDigits(totals.descriptorBytes));
    addFact(facts, "Weights", counted(totals.weightsBytes, "byte"));
    addFact(facts, "Parameters", counted(totals.paramsBytes, "byte"));
    addFact(facts, "Useful MACs", groupedDigits(totals.macs));
    addFact(facts, "DMA read, descriptors included", counted(totals.readBytes, "byte"));
    addFact(facts, "DMA written", counted(totals.writeBytes, "byte"));
    addFact(facts, "Estimated cycles, descriptors included", groupedDigits(totals.cycles));
    return facts;
}

void addEstimates(ReportSection& section, const Source& source) {
    addParagraph(section,
                 "All numbers here are estimates, not measurements: eight multiply-accumulates "
                 "and eight bytes per cycle, without credit for transfers that overlap.",
                 Tone::Note);
    section.blocks.emplace_back(totalFacts(source.lowering()));
    addFigure(section, "figure-cycles", "Estimated cycles of every record, in execution order.",
              costDrawing(source.document, CostMeasure::Cycles));
    addFigure(section, "figure-dma", "Estimated DMA bytes of every record, in execution order.",
              costDrawing(source.document, CostMeasure::DmaBytes));
}

} // namespace

ReportSection dmaSection(const Source& source) {
    ReportSection section{"dma", "DMA and cycles", {}};
    const std::string why = whyNoRecords(source.document);
    if (why.empty())
        addEstimates(section, source);
    ReportTable table;
    table.id = "dma";
    table.title = "Estimated traffic and cycles";
    table.empty = why.empty() ? "No operator that is shown has a record." : why;
    table.columns = costColumns();
    std::size_t all = 0;
    for (const LoweredOperator& op : source.lowering().operators) {
        if (!op.record)
            continue;
        ++all;
        if (source.shows(op.index))
            table.rows.push_back(costCells(source, op));
    }
    addTable(section, std::move(table), all, source);
    return section;
}

} // namespace plumbline::reporting
