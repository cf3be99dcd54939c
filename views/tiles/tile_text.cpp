// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tile_text.h"

#include <QCoreApplication>
#include <QLocale>

#include "views/common/format.h"

namespace plumbline {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(plumbline::TileText)
};

QString spanText(std::int64_t first, std::int64_t count) {
    return count == 1 ? QString::number(first)
                      : QStringLiteral("%1..%2").arg(first).arg(first + count - 1);
}

QString windowText(const TileWalk& walk, const GridPoint& at) {
    const GridRect window = walk.window({at.y, at.x, 1, 1});
    const GridRect inside = walk.insideInput(window);
    const std::int64_t padding = window.h * window.w - inside.h * inside.w;
    const QString reads = Words::tr("reads input %1").arg(rangeText(window));
    return padding == 0 ? reads
                        : Words::tr("%1, of which %2 in the padding").arg(reads).arg(padding);
}

} // namespace

QString whyNoTiles(const LoweredOperator& op, const QString& problem) {
    const QString name = QStringLiteral("%1 %2").arg(op.index).arg(safeText(op.name));
    switch (op.placement) {
    case Placement::Alias:
        return Words::tr(
                   "Operator %1 runs nowhere: its output shares the storage of its input, so there "
                   "is nothing to cut into tiles.")
            .arg(name);
    case Placement::CpuSoftmax:
        return Words::tr("Operator %1 runs on the CPU, row by row; it has no record and no tiles.")
            .arg(name);
    case Placement::Refused:
        return Words::tr("Operator %1 was refused; the Diagnostics view says which rule it breaks.")
            .arg(name);
    case Placement::Npu:
        break;
    }
    return problem.isEmpty() ? QString()
                             : Words::tr("The numbers of operator %1 do not fit together: %2.")
                                   .arg(name, problem);
}

QString rangeText(const GridRect& rect) {
    const QString rows = rect.h == 1 ? Words::tr("row %1") : Words::tr("rows %1");
    const QString columns = rect.w == 1 ? Words::tr("column %1") : Words::tr("columns %1");
    return rows.arg(spanText(rect.y, rect.h)) + QStringLiteral(", ") +
           columns.arg(spanText(rect.x, rect.w));
}

QString percentText(double fraction) {
    return QLocale::c().toString(fraction * 100, 'f', 1) + QStringLiteral(" %");
}

QString reductionText(const TileWalk& walk, std::int64_t k) {
    const ReductionPlace place = walk.place(k);
    const QString window = Words::tr("kh %1, kw %2").arg(place.kh).arg(place.kw);
    switch (walk.plan().facts.reduction) {
    case Reduction::None:
        return Words::tr("one element");
    case Reduction::Window:
        return window;
    case Reduction::WindowChannels:
        break;
    }
    const QString channel = Words::tr("cin %1").arg(place.cin);
    return walk.kernelH() * walk.kernelW() == 1 ? channel : window + QStringLiteral(", ") + channel;
}

QString cursorText(const TileWalk& walk, const TileCursor& cursor) {
    const GridRect tile = walk.tile(cursor.tile);
    const GridPoint at = walk.position(cursor.tile, cursor.position);
    const ReductionSlice slice = walk.slice(cursor.slice);
    const std::int64_t lanes = walk.plan().facts.lanes;
    const QString where =
        Words::tr(
            "Tile %1 of %2: output %3, %4 positions%5. Position %6 is row %7, column %8 and %9.")
            .arg(cursor.tile)
            .arg(walk.tileCount())
            .arg(rangeText(tile))
            .arg(tile.h * tile.w)
            .arg(walk.isShortened(cursor.tile) ? Words::tr(" (an edge tile, shortened)")
                                               : QString())
            .arg(cursor.position)
            .arg(at.y)
            .arg(at.x)
            .arg(windowText(walk, at));
    const QString group = Words::tr("Channel group %1 of %2: channels %3, %4 of %5 lanes.")
                              .arg(cursor.group)
                              .arg(walk.groups())
                              .arg(spanText(cursor.group * lanes, walk.lanesIn(cursor.group)))
                              .arg(walk.lanesIn(cursor.group))
                              .arg(lanes);
    const QString reduction =
        walk.plan().facts.reduction == Reduction::None
            ? Words::tr("No reduction: one input element per output element.")
            : Words::tr("K slice %1 of %2: k %3, from %4 to %5.")
                  .arg(cursor.slice)
                  .arg(walk.slices())
                  .arg(spanText(slice.begin, slice.end - slice.begin),
                       reductionText(walk, slice.begin), reductionText(walk, slice.end - 1));
    return where + QLatin1Char(' ') + group + QLatin1Char(' ') + reduction;
}

QString useText(const TileWalk& walk, const TileCursor& cursor) {
    const Reloads r = walk.reloads();
    return Words::
        tr("Lanes used %1 (this group %2), positions of this tile %3. Reloads (estimates): input "
           "slices %4, input %5×, weights %6×, parameters %7×.")
            .arg(percentText(walk.laneUse()), percentText(walk.laneUse(cursor.group)),
                 percentText(walk.positionUse(cursor.tile)), groupedNumber(r.inputSlices),
                 groupedNumber(r.inputTensors), groupedNumber(r.weightTensors),
                 groupedNumber(r.paramTensors));
}

std::vector<TileFact> tileFacts(const LoweredOperator& op, const TileWalk& walk,
                                const TileCursor& cursor) {
    const OperatorGeometry& g = walk.geometry();
    const GridPoint at = walk.position(cursor.tile, cursor.position);
    const Reloads r = walk.reloads();
    const auto number = [](std::int64_t value) { return groupedNumber(value); };
    const auto of = [&](std::int64_t value, std::int64_t limit) {
        return Words::tr("%1 of %2 bytes").arg(number(value), number(limit));
    };
    return {
        {Words::tr("Operator"), QStringLiteral("%1 %2").arg(op.index).arg(safeText(op.opcodeName))},
        {Words::tr("Output"), shapeText(Hwc{g.oh, g.ow, g.cout})},
        {Words::tr("Input"), shapeText(Hwc{g.h, g.w, g.cin})},
        {Words::tr("Tile"), Words::tr("%1 of %2").arg(cursor.tile).arg(walk.tileCount())},
        {Words::tr("Tile outputs"), rangeText(walk.tile(cursor.tile))},
        {Words::tr("Position"),
         Words::tr("%1: row %2, column %3").arg(cursor.position).arg(at.y).arg(at.x)},
        {Words::tr("Window"), windowText(walk, at)},
        {Words::tr("Channel group"), Words::tr("%1 of %2").arg(cursor.group).arg(walk.groups())},
        {Words::tr("K"), number(walk.plan().fullK)},
        {Words::tr("K slice"), Words::tr("%1 of %2").arg(cursor.slice).arg(walk.slices())},
        {Words::tr("Raw gather half"), of(op.buffers.rawGatherHalf, op.buffers.limit)},
        {Words::tr("Packed A"), of(op.buffers.packedA, op.buffers.limit)},
        {Words::tr("Packed W"), of(op.buffers.packedW, op.buffers.limit)},
        {Words::tr("Lane use"), percentText(walk.laneUse())},
        {Words::tr("Position use of the tile"), percentText(walk.positionUse(cursor.tile))},
        {Words::tr("Input slices reloaded"), number(r.inputSlices)},
        {Words::tr("Weight groups fetched"), number(r.weightGroups)},
        {Words::tr("Passes"),
         walk.plan().passes > 0 ? number(walk.plan().passes) : Words::tr("not stated")},
    };
}

} // namespace plumbline
