// SPDX-License-Identifier: GPL-3.0-or-later
// Half buffers, tiles and K slices: what a record needs on chip, and how it cuts its work.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/export/report_parts.h"
#include "core/lowering/tile_walk.h"

namespace plumbline::reporting {
namespace {

/// Everything that two operators with the same figure of tiles have in common.
auto tileKey(const LoweredOperator& op) {
    const OperatorGeometry& g = op.geometry;
    const TilePlan& t = op.tiles;
    const BufferBounds& b = op.buffers;
    return std::tuple(op.opcode, std::tuple(g.h, g.w, g.cin, g.oh, g.ow, g.cout),
                      std::tuple(g.kh, g.kw, g.strideH, g.strideW, g.pads),
                      std::tuple(t.tileH, t.tileW, t.tiles, t.fullK, t.kSlice),
                      std::tuple(b.rawGatherHalf, b.packedA, b.packedW, b.limit));
}

std::int64_t fullest(const BufferBounds& bounds) {
    return std::max({bounds.rawGatherHalf, bounds.packedA, bounds.packedW});
}

std::vector<ReportCell> bufferCells(const Source& source, const LoweredOperator& op) {
    const BufferBounds& b = op.buffers;
    const bool fits = fullest(b) <= b.limit;
    const auto cell = [&b](std::int64_t bytes) {
        return countCell(bytes, bytes > b.limit ? Tone::Error : Tone::Text);
    };
    return {operatorCell(source, op.index),
            textCell(op.opcodeName),
            cell(b.rawGatherHalf),
            cell(b.packedA),
            cell(b.packedW),
            countCell(b.limit),
            b.limit > 0 ? shareCell(static_cast<double>(fullest(b)) / static_cast<double>(b.limit))
                        : ReportCell{},
            textCell(fits ? "fits" : "exceeds", fits ? Tone::Ok : Tone::Error)};
}

/// Bounds are known of records, and of a refused operator that exceeds them.
bool hasBounds(const LoweredOperator& op) { return op.record || op.buffers.limit > 0; }

/// "1,024 + 128" or "3 × 1,024 + 128".
std::string slicesText(const TilePlan& plan) {
    const std::int64_t count = sliceCount(plan);
    if (count == 0)
        return {};
    const std::int64_t last = plan.fullK - (count - 1) * plan.kSlice;
    const std::int64_t whole = last == plan.kSlice ? count : count - 1;
    std::string text;
    if (whole > 1)
        text = fmt::format("{} × ", groupedDigits(whole));
    if (whole > 0)
        text += groupedDigits(plan.kSlice);
    if (whole < count)
        text += (whole > 0 ? " + " : "") + groupedDigits(last);
    return text;
}

std::vector<ReportCell> walkCells(const TileWalk& walk) {
    const OperatorGeometry& g = walk.geometry();
    const TilePlan& plan = walk.plan();
    const auto positions = std::min(plan.facts.maxPositions, g.oh * g.ow);
    const Reloads reloads = walk.reloads();
    return {
        countCell(g.cout % plan.facts.lanes),
        countCell(g.oh % plan.tileH),
        countCell(g.ow % plan.tileW),
        shareCell(walk.laneUse()),
        shareCell(static_cast<double>(positions) / static_cast<double>(plan.facts.maxPositions)),
        countCell(reloads.inputSlices),
        countCell(reloads.inputTensors),
        countCell(reloads.weightGroups),
        countCell(reloads.weightTensors),
        countCell(reloads.paramTensors)};
}

std::vector<ReportCell> tileCells(const Source& source, const LoweredOperator& op,
                                  const ReportCell& figure) {
    const TilePlan& plan = op.tiles;
    std::vector<ReportCell> cells{operatorCell(source, op.index),
                                  textCell(op.opcodeName),
                                  textCell(fmt::format("{}×{}", plan.tileH, plan.tileW)),
                                  countCell(plan.positions),
                                  countCell(plan.tiles),
                                  countCell(plan.fullK),
                                  countCell(plan.kSlice),
                                  countCell(sliceCount(plan)),
                                  textCell(slicesText(plan))};
    std::string problem;
    const std::optional<TileWalk> walk = TileWalk::of(op, &problem);
    const std::vector<ReportCell> more = walk ? walkCells(*walk) : std::vector<ReportCell>(10);
    cells.insert(cells.end(), more.begin(), more.end());
    cells.push_back(walk ? figure : textCell(problem, Tone::Error));
    return cells;
}

std::vector<ReportColumn> tileColumns() {
    return {numberColumn("operator", "Operator"),
            textColumn("opcode", "Opcode"),
            textColumn("tile", "Tile", "Height×width, output positions."),
            numberColumn("positions", "Positions", "Of a whole tile."),
            numberColumn("tiles", "Tiles"),
            numberColumn("full_k", "Full K", "Terms of one output element."),
            numberColumn("k_slice", "K slice", "Terms of a whole slice."),
            numberColumn("k_slices", "Slices"),
            textColumn("slice_sizes", "Slice sizes", "Terms."),
            numberColumn("cout_mod8", "Channel tail", "Output channels modulo the lanes."),
            numberColumn("oh_mod_tile", "Row tail", "Output rows modulo the tile's."),
            numberColumn("ow_mod_tile", "Column tail", "Output columns modulo the tile's."),
            numberColumn("output_channels", "Lane use", "Channels per lane of all groups."),
            numberColumn("tile_positions", "Position use", "Of the largest tile there can be."),
            numberColumn("input_k_slice", "Input reloads", "For slices after the first."),
            numberColumn("input_tensors", "Input fetches", "Of the whole tensor."),
            numberColumn("weight_groups", "Weight group loads"),
            numberColumn("weight_tensors", "Weight fetches", "Of the whole tensor."),
            numberColumn("param_tensors", "Parameter fetches", "Of the whole tensor."),
            textColumn("figure", "Figure")};
}

struct TileFigures {
    std::vector<ReportFigure> figures;
    std::map<std::int64_t, ReportCell> cells; ///< what a row says of its figure, by operator
    std::size_t left = 0;                     ///< plans without a figure
};

ReportFigure tileFigureOf(const LoweredOperator& op, const std::vector<std::int64_t>& operators,
                          std::size_t number) {
    const OperatorGeometry& g = op.geometry;
    return {tileFigure(number),
            fmt::format("Plan {}: {} from {}×{}×{} to {}×{}×{}. Used by {}.", number,
                        printable(op.opcodeName), g.h, g.w, g.cin, g.oh, g.ow, g.cout,
                        operatorList(operators)),
            tileDrawing(op)};
}

TileFigures tileFigures(const Source& source) {
    TileFigures made;
    std::size_t number = 0;
    for (const std::vector<std::int64_t>& operators : tileGroups(source.lowering())) {
        ++number;
        ReportCell cell = textCell(fmt::format("plan {}", number));
        if (made.figures.size() < kMaxTileFigures) {
            ReportFigure figure =
                tileFigureOf(*source.operatorAt(operators.front()), operators, number);
            if (!figure.drawing.empty()) {
                cell.target = figure.id;
                made.figures.push_back(std::move(figure));
            }
        } else {
            ++made.left;
        }
        for (const std::int64_t index : operators)
            made.cells.emplace(index, cell);
    }
    return made;
}

} // namespace

std::vector<std::vector<std::int64_t>> tileGroups(const Lowering& lowering) {
    std::vector<std::vector<std::int64_t>> groups;
    std::map<decltype(tileKey(LoweredOperator())), std::size_t> known;
    for (const LoweredOperator& op : lowering.operators) {
        if (!op.record)
            continue;
        const auto [at, isNew] = known.emplace(tileKey(op), groups.size());
        if (isNew)
            groups.emplace_back();
        groups[at->second].push_back(op.index);
    }
    return groups;
}

ReportSection buffersSection(const Source& source) {
    ReportSection section{"buffers", "Half buffers", {}};
    ReportTable table;
    table.id = "buffers";
    table.title = "Half buffers against their limit";
    table.empty = "No operator that is shown uses them.";
    table.columns = {
        numberColumn("operator", "Operator"),
        textColumn("opcode", "Opcode"),
        numberColumn("raw_gather_half_bytes", "Raw gather", "Bytes of gathered input."),
        numberColumn("packed_a_bytes", "Packed A", "Bytes of packed activations."),
        numberColumn("packed_w_bytes", "Packed W", "Bytes of packed weights."),
        numberColumn("limit_bytes", "Limit", "Bytes of each."),
        numberColumn("share", "Share", "Of the fullest one in the limit."),
        textColumn("verdict", "Verdict")};
    std::size_t all = 0;
    for (const LoweredOperator& op : source.lowering().operators) {
        if (!hasBounds(op))
            continue;
        ++all;
        if (source.shows(op.index))
            table.rows.push_back(bufferCells(source, op));
    }
    if (all == 0)
        table.empty = whyNoRecords(source.document);
    addTable(section, std::move(table), all, source);
    return section;
}

ReportSection tilesSection(const Source& source) {
    ReportSection section{"tiles", "Tiles and K slices", {}};
    const std::string why = whyNoRecords(source.document);
    TileFigures figures = tileFigures(source);
    ReportTable table;
    table.id = "tiles";
    table.title = "Plan of every record";
    table.empty = why.empty() ? "No operator that is shown has a record." : why;
    table.columns = tileColumns();
    std::size_t all = 0;
    for (const LoweredOperator& op : source.lowering().operators) {
        if (!op.record)
            continue;
        ++all;
        if (source.shows(op.index))
            table.rows.push_back(tileCells(source, op, figures.cells.at(op.index)));
    }
    addTable(section, std::move(table), all, source);
    for (ReportFigure& figure : figures.figures)
        section.blocks.emplace_back(std::move(figure));
    if (figures.left > 0)
        addParagraph(section,
                     fmt::format("{} left out; only the first {} plans have one.",
                                 counted(static_cast<std::int64_t>(figures.left), "figure") +
                                     (figures.left == 1 ? " is" : " are"),
                                 kMaxTileFigures),
                     Tone::Note);
    return section;
}

} // namespace plumbline::reporting
