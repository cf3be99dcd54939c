// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tile_painter.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/rects.h"
#include "views/tiles/tile_text.h"

namespace plumbline {
namespace {

constexpr double kLineCell = 5;       ///< smaller cells have no lines between them
constexpr double kNumberedCell = 22;  ///< cells this large show kh,kw
constexpr double kNumberedPart = 15;  ///< pixels of a part that shows its number
constexpr double kGaugeNames = 92;    ///< width of the gauges' names
constexpr double kGaugeNumbers = 176; ///< and of their numbers

struct Words {
    Q_DECLARE_TR_FUNCTIONS(plumbline::TilePainter)
};

/// Calls `visit(part)` for the parts of `bar`, but at most about one per pixel.
template <class Visit> void forEachPart(const PartBar& bar, Visit&& visit) {
    const auto pixels = std::max<std::int64_t>(1, std::llround(bar.rect.width));
    const std::int64_t stride = std::max<std::int64_t>(1, bar.count / pixels);
    for (std::int64_t part = 0; part < bar.count; part += stride)
        visit(part);
}

} // namespace

TilePainter::TilePainter(QPainter& painter, const QPalette& palette, const TileLayout& layout,
                         const TileWalk& walk, const TileCursor& cursor)
    : m_painter(painter)
    , m_palette(palette)
    , m_layout(layout)
    , m_walk(walk)
    , m_cursor(cursor) {}

void TilePainter::drawTitle(const GraphRect& box, const QString& text) const {
    const QRectF rect = toRect(box);
    m_painter.setPen(toneColor(Tone::Muted, m_palette));
    m_painter.drawText(
        rect, Qt::AlignLeft | Qt::AlignVCenter,
        m_painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(rect.width())));
}

QString TilePainter::partText(const GridView& grid) const {
    return grid.isWhole() ? QString() : Words::tr(" (showing %1)").arg(rangeText(grid.shown()));
}

void TilePainter::drawCells(const GridView& grid) const {
    if (grid.cell() < kLineCell)
        return;
    m_painter.setPen(QPen(toneColor(Tone::Grid, m_palette), 1));
    const QRectF frame = toRect(grid.frame());
    for (std::int64_t i = 1; i < grid.shown().h; ++i) {
        const double y = frame.top() + static_cast<double>(i) * grid.cell();
        m_painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y));
    }
    for (std::int64_t i = 1; i < grid.shown().w; ++i) {
        const double x = frame.left() + static_cast<double>(i) * grid.cell();
        m_painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()));
    }
}

void TilePainter::drawTiles() const {
    const GridView& grid = m_layout.output;
    const GridRect& shown = grid.shown();
    const std::int64_t stepH = m_walk.plan().tileH, stepW = m_walk.plan().tileW;
    m_painter.setBrush(Qt::NoBrush);
    for (std::int64_t y = shown.y / stepH * stepH; y < shown.y + shown.h; y += stepH) {
        for (std::int64_t x = shown.x / stepW * stepW; x < shown.x + shown.w; x += stepW) {
            const std::int64_t tile = m_walk.tileAt({y, x});
            const QRectF rect = toRect(grid.rectOf(m_walk.tile(tile)));
            if (m_walk.isShortened(tile))
                m_painter.fillRect(
                    rect, QBrush(toneColor(Tone::SurfaceEdge, m_palette), Qt::BDiagPattern));
            m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
            m_painter.drawRect(rect);
        }
    }
}

void TilePainter::drawOutput() const {
    const OperatorGeometry& g = m_walk.geometry();
    const GridView& grid = m_layout.output;
    drawTitle(m_layout.outputTitle, Words::tr("Output %1, tile %2 of %3%4")
                                        .arg(shapeText(Hwc{g.oh, g.ow, g.cout}))
                                        .arg(m_cursor.tile)
                                        .arg(m_walk.tileCount())
                                        .arg(partText(grid)));
    m_painter.fillRect(toRect(grid.frame()), toneColor(Tone::Surface, m_palette));
    drawCells(grid);
    drawTiles();
    const QColor accent = toneColor(Tone::Accent, m_palette);
    const QRectF tile = toRect(grid.rectOf(m_walk.tile(m_cursor.tile)));
    QColor fill = accent;
    fill.setAlpha(60);
    m_painter.fillRect(tile, fill);
    const GridPoint at = m_walk.position(m_cursor.tile, m_cursor.position);
    m_painter.fillRect(toRect(grid.rectOf({at.y, at.x, 1, 1})).adjusted(1, 1, 0, 0), accent);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(accent, 2));
    m_painter.drawRect(tile);
}

void TilePainter::drawSliceCells(const GridView& grid, const GridRect& window) const {
    if (m_walk.plan().facts.reduction == Reduction::None)
        return;
    const ReductionSlice slice = m_walk.slice(m_cursor.slice);
    const std::int64_t per = m_walk.stepsPerKernelPosition();
    QColor fill = categoryColor(static_cast<std::size_t>(m_cursor.slice), m_palette);
    fill.setAlpha(200);
    for (std::int64_t kh = 0; kh < m_walk.kernelH(); ++kh) {
        // Kernel positions of the slice in this row: first .. end - 1, counted over the kernel.
        const std::int64_t row = kh * m_walk.kernelW();
        const std::int64_t first = std::max(slice.begin / per, row);
        const std::int64_t end = std::min((slice.end - 1) / per + 1, row + m_walk.kernelW());
        if (end > first)
            m_painter.fillRect(
                toRect(grid.rectOf({window.y + kh, window.x + first - row, 1, end - first})), fill);
    }
}

void TilePainter::drawInput(bool hasTwoInputs) const {
    const OperatorGeometry& g = m_walk.geometry();
    const QString shape = shapeText(Hwc{g.h, g.w, g.cin});
    const GridRect padded = m_walk.paddedInput();
    const bool hasPadding = padded.h != g.h || padded.w != g.w;
    drawTitle(
        m_layout.inputTitle,
        (hasTwoInputs ? Words::tr("Inputs 0 and 1, %1 each") : Words::tr("Input %1")).arg(shape) +
            (hasPadding ? Words::tr(", padding hatched") : QString()) + partText(m_layout.input));
    drawInputGrid(m_layout.input);
    if (m_layout.windowTitle.width <= 0)
        return;
    const GridPoint at = m_walk.position(m_cursor.tile, m_cursor.position);
    const GridRect window = m_walk.window({at.y, at.x, 1, 1});
    drawTitle(m_layout.windowTitle, Words::tr("Window: %1").arg(rangeText(window)));
    drawInputGrid(m_layout.window);
    drawWindowNumbers(window);
}

void TilePainter::drawInputGrid(const GridView& grid) const {
    const OperatorGeometry& g = m_walk.geometry();
    const GridPoint at = m_walk.position(m_cursor.tile, m_cursor.position);
    const GridRect window = m_walk.window({at.y, at.x, 1, 1});
    m_painter.fillRect(toRect(grid.frame()),
                       QBrush(toneColor(Tone::SurfaceEdge, m_palette), Qt::BDiagPattern));
    m_painter.fillRect(toRect(grid.rectOf({0, 0, g.h, g.w})), toneColor(Tone::Surface, m_palette));
    drawCells(grid);
    QColor fill = toneColor(Tone::Accent, m_palette);
    fill.setAlpha(60);
    m_painter.fillRect(toRect(grid.rectOf(m_walk.window(m_walk.tile(m_cursor.tile)))), fill);
    drawSliceCells(grid, window);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
    m_painter.drawRect(toRect(grid.frame()));
    m_painter.setPen(QPen(toneColor(Tone::Edge, m_palette), 1));
    m_painter.drawRect(toRect(grid.rectOf({0, 0, g.h, g.w})));
    m_painter.setPen(QPen(toneColor(Tone::Accent, m_palette), 2));
    m_painter.drawRect(toRect(grid.rectOf(window)));
}

void TilePainter::drawWindowNumbers(const GridRect& window) const {
    if (m_layout.window.cell() < kNumberedCell || m_walk.plan().facts.reduction == Reduction::None)
        return;
    const ReductionSlice slice = m_walk.slice(m_cursor.slice);
    const std::int64_t per = m_walk.stepsPerKernelPosition();
    const QColor filled = categoryColor(static_cast<std::size_t>(m_cursor.slice), m_palette);
    for (std::int64_t i = slice.begin / per; i <= (slice.end - 1) / per; ++i) {
        const ReductionPlace place = m_walk.place(i * per);
        const QRectF cell =
            toRect(m_layout.window.rectOf({window.y + place.kh, window.x + place.kw, 1, 1}));
        if (cell.isEmpty())
            continue;
        m_painter.setPen(textOn(filled));
        m_painter.drawText(cell, Qt::AlignCenter,
                           QStringLiteral("%1,%2").arg(place.kh).arg(place.kw));
    }
}

void TilePainter::drawReduction() const {
    const std::int64_t k = m_walk.plan().fullK;
    const PartBar& bar = m_layout.reduction;
    const std::int64_t slices = m_walk.slices();
    if (m_walk.plan().facts.reduction == Reduction::None)
        drawTitle(m_layout.reductionTitle, Words::tr("K = 1: no reduction"));
    else
        drawTitle(m_layout.reductionTitle,
                  Words::tr("K = %1 = %2 kh × %3 kw%4, slice %5 of %6")
                      .arg(groupedNumber(k))
                      .arg(m_walk.kernelH())
                      .arg(m_walk.kernelW())
                      .arg(m_walk.plan().facts.reduction == Reduction::WindowChannels
                               ? Words::tr(" × %1 cin").arg(m_walk.geometry().cin)
                               : QString())
                      .arg(m_cursor.slice)
                      .arg(slices));
    const PartBar parts{bar.rect, slices};
    forEachPart(parts, [&](std::int64_t slice) {
        const ReductionSlice s = m_walk.slice(slice);
        const QRectF rect = toRect(bar.part(s.begin, s.end));
        const QColor fill = categoryColor(static_cast<std::size_t>(slice), m_palette);
        m_painter.fillRect(rect, fill);
        if (rect.width() < kNumberedPart)
            return;
        m_painter.setPen(textOn(fill));
        m_painter.drawText(rect, Qt::AlignCenter, QString::number(slice));
    });
    const ReductionSlice current = m_walk.slice(m_cursor.slice);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
    m_painter.drawRect(toRect(bar.rect));
    m_painter.setPen(QPen(toneColor(Tone::Accent, m_palette), 2));
    m_painter.drawRect(toRect(bar.part(current.begin, current.end)));
    drawReductionTicks();
}

void TilePainter::drawReductionTicks() const {
    const PartBar& bar = m_layout.reduction;
    if (m_walk.plan().facts.reduction == Reduction::None)
        return;
    const std::int64_t per = m_walk.stepsPerKernelPosition();
    const double top = bar.rect.bottom() + 1;
    const auto ticks = [&](std::int64_t steps, double length) {
        const PartBar every{bar.rect, (bar.count + steps - 1) / steps};
        forEachPart(every, [&](std::int64_t i) {
            const double x = bar.part(i * steps, i * steps).x;
            m_painter.drawLine(QPointF(x, top), QPointF(x, top + length));
        });
    };
    const std::int64_t row = per * m_walk.kernelW();
    m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
    if (bar.part(0, 1).width >= 3)
        ticks(1, 2);
    m_painter.setPen(QPen(toneColor(Tone::Edge, m_palette), 1));
    if (bar.part(0, per).width >= 3)
        ticks(per, 5);
    ticks(row, 9);
    m_painter.setPen(toneColor(Tone::Muted, m_palette));
    const QFontMetricsF metrics(m_painter.font());
    const double room = bar.part(0, row).width;
    for (std::int64_t kh = 0; kh < m_walk.kernelH(); ++kh) {
        const QString text = QStringLiteral("kh %1").arg(kh);
        if (metrics.horizontalAdvance(text) + 8 > room)
            break;
        const double x = bar.part(kh * row, kh * row).x + 4;
        m_painter.drawText(QRectF(x, top + 2, room, m_layout.reductionTicks.height),
                           Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

void TilePainter::drawGroups() const {
    const PartBar& bar = m_layout.groups;
    drawTitle(m_layout.groupTitle, Words::tr("Channel group %1 of %2, %3 of %4 lanes used")
                                       .arg(m_cursor.group)
                                       .arg(bar.count)
                                       .arg(m_walk.lanesIn(m_cursor.group))
                                       .arg(m_walk.plan().facts.lanes));
    const bool hasLines = bar.part(0, 1).width >= 4;
    m_painter.fillRect(toRect(bar.rect), toneColor(Tone::Surface, m_palette));
    m_painter.setBrush(Qt::NoBrush);
    forEachPart(bar, [&](std::int64_t group) {
        const QRectF rect = toRect(bar.part(group, group + 1));
        m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
        if (hasLines)
            m_painter.drawRect(rect);
        if (rect.width() >= kNumberedPart + 6 && group != m_cursor.group) {
            m_painter.setPen(toneColor(Tone::Muted, m_palette));
            m_painter.drawText(rect, Qt::AlignCenter, QString::number(group));
        }
    });
    QRectF current = toRect(bar.part(m_cursor.group, m_cursor.group + 1));
    current.setWidth(std::max(current.width(), 3.0));
    const QColor accent = toneColor(Tone::Accent, m_palette);
    m_painter.fillRect(current, accent);
    if (current.width() >= kNumberedPart + 6) {
        m_painter.setPen(textOn(accent));
        m_painter.drawText(current, Qt::AlignCenter, QString::number(m_cursor.group));
    }
    m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
    m_painter.drawRect(toRect(bar.rect));
    drawLanes();
}

void TilePainter::drawLanes() const {
    const PartBar& bar = m_layout.lanes;
    if (bar.count > 256)
        return;
    const std::int64_t used = m_walk.lanesIn(m_cursor.group);
    const QFontMetricsF metrics(m_painter.font());
    m_painter.setBrush(Qt::NoBrush);
    for (std::int64_t lane = 0; lane < bar.count; ++lane) {
        const QRectF rect = toRect(bar.part(lane, lane + 1)).adjusted(0, 0, -2, 0);
        const QColor fill = toneColor(Tone::AccentFill, m_palette);
        m_painter.fillRect(
            rect, lane < used ? QBrush(fill)
                              : QBrush(toneColor(Tone::SurfaceEdge, m_palette), Qt::BDiagPattern));
        m_painter.setPen(QPen(toneColor(Tone::SurfaceEdge, m_palette), 1));
        m_painter.drawRect(rect);
        const QString text =
            QStringLiteral("c %1").arg(m_cursor.group * m_walk.plan().facts.lanes + lane);
        if (lane >= used || metrics.horizontalAdvance(text) + 4 > rect.width())
            continue;
        m_painter.setPen(m_palette.color(QPalette::Text));
        m_painter.drawText(rect, Qt::AlignCenter, text);
    }
}

void TilePainter::drawGauges(const BufferBounds& buffers) const {
    drawTitle(m_layout.gaugeTitle, Words::tr("Half buffers"));
    drawGauge(m_layout.gauges[0], Words::tr("raw gather"), buffers.rawGatherHalf, buffers.limit);
    drawGauge(m_layout.gauges[1], Words::tr("packed A"), buffers.packedA, buffers.limit);
    drawGauge(m_layout.gauges[2], Words::tr("packed W"), buffers.packedW, buffers.limit);
}

void TilePainter::drawGauge(const GraphRect& box, const QString& name, std::int64_t bytes,
                            std::int64_t limit) const {
    const QRectF row = toRect(box);
    m_painter.setPen(m_palette.color(QPalette::Text));
    m_painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, name);
    const QRectF bar(row.left() + kGaugeNames, row.top() + 2,
                     std::max(row.width() - kGaugeNames - kGaugeNumbers, 20.0), row.height() - 4);
    const double fraction = limit > 0 ? static_cast<double>(bytes) / static_cast<double>(limit) : 0;
    const bool isOver = bytes > limit;
    m_painter.fillRect(bar, toneColor(Tone::Surface, m_palette));
    QRectF filled = bar;
    filled.setWidth(bar.width() * std::clamp(fraction, 0.0, 1.0));
    m_painter.fillRect(filled, isOver ? toneColor(Tone::Error, m_palette)
                                      : toneColor(Tone::Accent, m_palette));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(toneColor(isOver ? Tone::Error : Tone::SurfaceEdge, m_palette), 1));
    m_painter.drawRect(bar);
    const QString numbers =
        limit <= 0 ? Words::tr("not stated")
        : isOver   ? Words::tr("%1: %2 over the limit")
                       .arg(groupedNumber(bytes), groupedNumber(bytes - limit))
                 : Words::tr("%1 of %2, %3")
                       .arg(groupedNumber(bytes), groupedNumber(limit), percentText(fraction));
    m_painter.setPen(isOver ? toneColor(Tone::Error, m_palette) : m_palette.color(QPalette::Text));
    m_painter.drawText(QRectF(bar.right() + 8, row.top(), kGaugeNumbers - 8, row.height()),
                       Qt::AlignLeft | Qt::AlignVCenter, numbers);
}

} // namespace plumbline
