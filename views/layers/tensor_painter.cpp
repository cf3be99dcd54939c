// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_painter.h"

#include <algorithm>
#include <cmath>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kGridZoom = 12; ///< pixels per cell from which on cells are outlined
constexpr double kMarkZoom = 5;  ///< and a mismatch has a mark of its own
constexpr double kTick = 4;      ///< length of a ruler's tick

/// Viewers of SVG blur the pixels of a small image; there they are repeated.
void drawPixels(QPainter& painter, const QRectF& target, const QImage& image) {
    constexpr double kSvgScale = 2; // pixels per unit
    const bool isSvg = painter.paintEngine()->type() == QPaintEngine::SVG;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(target, isSvg ? image.scaled((target.size() * kSvgScale).toSize()) : image);
}

int roundUp(double value) { return std::max(1, static_cast<int>(std::ceil(value))); }

/// A step of 1, 2, 5, 10, … cells whose labels, `least` pixels apart, do not touch.
std::int64_t labelStep(double zoom, double least) {
    std::int64_t step = 1;
    for (int i = 0; static_cast<double>(step) * zoom < least; ++i)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/// The channel that a vector's row begins with, else the row itself.
std::int64_t rowLabel(const SliceGrid& grid, std::int64_t row) {
    return grid.isVector() ? row * grid.columns() : row;
}

} // namespace

QSize rulerSize(const SliceGrid& grid, const QFont& font) {
    const QFontMetrics metrics(font);
    const QString widest = QString::number(rowLabel(grid, grid.rows() - 1));
    return {metrics.horizontalAdvance(widest) + static_cast<int>(kTick) + 8,
            metrics.height() + static_cast<int>(kTick)};
}

QSizeF valueCellSize(const QFont& font) {
    const QFontMetricsF metrics(font);
    return {metrics.horizontalAdvance(QStringLiteral("-128")) + 6, metrics.height() + 2};
}

double captionHeight(const QFont& font) { return QFontMetricsF(font).height() + 2; }

TensorPainter::TensorPainter(QPainter& painter, const TensorPicture& picture)
    : m_painter(painter)
    , m_picture(picture) {
    m_painter.setFont(picture.font);
}

QColor TensorPainter::tone(Tone tone) const { return toneColor(tone, m_picture.palette); }

void TensorPainter::paintSlice(const SliceGeometry& geometry, const QRectF& area) {
    const CellRange range = geometry.visible(area);
    m_painter.save();
    m_painter.setClipRect(area);
    paintCells(geometry, range);
    if (geometry.zoom >= kGridZoom)
        paintGrid(geometry, range);
    if (geometry.zoom >= kMarkZoom)
        paintMarks(geometry, range);
    const QSizeF least = valueCellSize(m_picture.font);
    if (geometry.zoom >= least.width() && geometry.zoom >= least.height())
        paintValues(geometry, range);
    paintCurrent(geometry);
    m_painter.restore();
}

void TensorPainter::paintCells(const SliceGeometry& geometry, const CellRange& range) {
    const QRectF target = geometry.rectOf(range);
    const double ratio = m_painter.device()->devicePixelRatioF();
    const QSize pixels =
        geometry.zoom >= 1
            ? QSize(static_cast<int>(range.columns), static_cast<int>(range.rows))
            : QSize(roundUp(target.width() * ratio), roundUp(target.height() * ratio));
    drawPixels(m_painter, target,
               sliceImage(m_picture.content, geometry.grid, range, pixels, m_picture.colors));
}

void TensorPainter::paintGrid(const SliceGeometry& geometry, const CellRange& range) {
    m_painter.setPen(QPen(m_picture.palette.color(QPalette::Base), 1));
    const QRectF whole = geometry.rectOf(range);
    for (std::int64_t column = range.column; column <= range.column + range.columns; ++column) {
        const double x = geometry.rectOf(GridCell{0, column}).left();
        m_painter.drawLine(QPointF(x, whole.top()), QPointF(x, whole.bottom()));
    }
    for (std::int64_t row = range.row; row <= range.row + range.rows; ++row) {
        const double y = geometry.rectOf(GridCell{row, 0}).top();
        m_painter.drawLine(QPointF(whole.left(), y), QPointF(whole.right(), y));
    }
}

void TensorPainter::paintMarks(const SliceGeometry& geometry, const CellRange& range) {
    const SliceContent& content = m_picture.content;
    const double mark = std::clamp(geometry.zoom * 0.35, 3.0, 9.0);
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::int64_t row = range.row; row < range.row + range.rows; ++row)
        for (std::int64_t column = range.column; column < range.column + range.columns; ++column) {
            const auto element = geometry.grid.elementAt({row, column}, content.channel);
            if (!element)
                continue;
            const std::int64_t index = content.values->indexOf(*element);
            if (!content.values->differs(content.side, index))
                continue;
            const QColor fill(m_picture.colors.of(content.values->at(content.side, index)));
            const QRectF cell = geometry.rectOf(GridCell{row, column});
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(textOn(fill));
            m_painter.drawPolygon(QPolygonF({cell.topRight(), cell.topRight() - QPointF(mark, 0),
                                             cell.topRight() + QPointF(0, mark)}));
        }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void TensorPainter::paintValues(const SliceGeometry& geometry, const CellRange& range) {
    const SliceContent& content = m_picture.content;
    for (std::int64_t row = range.row; row < range.row + range.rows; ++row)
        for (std::int64_t column = range.column; column < range.column + range.columns; ++column) {
            const auto element = geometry.grid.elementAt({row, column}, content.channel);
            if (!element)
                continue;
            const int value = content.values->at(content.side, content.values->indexOf(*element));
            m_painter.setPen(textOn(QColor(m_picture.colors.of(value))));
            m_painter.drawText(geometry.rectOf(GridCell{row, column}), Qt::AlignCenter,
                               content.side == TensorSide::Difference ? signedNumber(value)
                                                                      : QString::number(value));
        }
}

void TensorPainter::paintCurrent(const SliceGeometry& geometry) {
    const auto& current = m_picture.current;
    const bool isHere = current && m_picture.content.values->contains(*current) &&
                        (geometry.grid.isVector() || current->c == m_picture.content.channel);
    if (!isHere)
        return;
    QRectF cell = geometry.rectOf(geometry.grid.cellOf(*current));
    if (cell.width() < kMarkZoom) // a ring around what is too small for an outline
        cell.adjust(-kMarkZoom, -kMarkZoom, kMarkZoom, kMarkZoom);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_picture.palette.color(QPalette::Base), 4));
    m_painter.drawRect(cell);
    m_painter.setPen(QPen(tone(Tone::Accent), 2));
    m_painter.drawRect(cell);
}

void TensorPainter::paintRulers(const SliceGeometry& geometry, const QRectF& area) {
    // They stand at the slice where that begins inside the area.
    const QRectF at = area & QRectF(geometry.origin, geometry.size());
    if (at.isEmpty())
        return;
    const QFontMetricsF metrics(m_picture.font);
    const CellRange range = geometry.visible(area);
    m_painter.setPen(tone(Tone::Muted));
    const std::int64_t rowStep = labelStep(geometry.zoom, metrics.height() + 2);
    for (std::int64_t row = (range.row + rowStep - 1) / rowStep * rowStep;
         row < range.row + range.rows; row += rowStep) {
        const QRectF cell = geometry.rectOf(GridCell{row, 0});
        const double middle = std::max(cell.center().y(), at.top() + metrics.height() / 2);
        m_painter.drawText(QRectF(at.left() - area.left(), middle - metrics.height() / 2,
                                  area.left() - kTick - 3, metrics.height()),
                           Qt::AlignRight | Qt::AlignVCenter,
                           QString::number(rowLabel(geometry.grid, row)));
    }
    const QString widest = QString::number(geometry.grid.columns() - 1);
    const std::int64_t step = labelStep(geometry.zoom, metrics.horizontalAdvance(widest) + 8);
    for (std::int64_t column = (range.column + step - 1) / step * step;
         column < range.column + range.columns; column += step) {
        const QString text = QString::number(column);
        const double middle = geometry.rectOf(GridCell{0, column}).center().x();
        const double left = std::max(middle - metrics.horizontalAdvance(text) / 2, at.left());
        m_painter.drawText(QPointF(left, at.top() - kTick - metrics.descent()), text);
    }
    if (m_picture.comparison && !geometry.grid.isVector()) {
        paintTicks(geometry, at, true);
        paintTicks(geometry, at, false);
    }
}

void TensorPainter::paintTicks(const SliceGeometry& geometry, const QRectF& area, bool isVertical) {
    const MismatchPlaces& places = m_picture.comparison->places;
    const std::vector<PartCount>& lines = isVertical ? places.rows : places.columns;
    const CellRange range = geometry.visible(area);
    const std::int64_t first = isVertical ? range.row : range.column;
    const std::int64_t count = isVertical ? range.rows : range.columns;
    const auto size = static_cast<std::int64_t>(lines.size());
    for (std::int64_t i = first; i < std::min(first + count, size); ++i) {
        if (lines[static_cast<std::size_t>(i)].mismatches == 0)
            continue;
        const QRectF cell = geometry.rectOf(isVertical ? GridCell{i, 0} : GridCell{0, i});
        const double length = std::max(1.0, geometry.zoom - 1);
        const QRectF tick = isVertical ? QRectF(area.left() - kTick, cell.top(), kTick - 1, length)
                                       : QRectF(cell.left(), area.top() - kTick, length, kTick - 1);
        m_painter.fillRect(tick, tone(Tone::Error));
    }
}

void TensorPainter::paintSheet(const SheetGeometry& sheet, double top, double height) {
    const auto [first, count] = sheet.visible(top, height);
    m_painter.save();
    m_painter.translate(0, -top);
    for (std::int64_t channel = first; channel < first + count; ++channel)
        paintChannel(sheet, channel);
    m_painter.restore();
}

void TensorPainter::paintChannel(const SheetGeometry& sheet, std::int64_t channel) {
    const SliceGrid grid(m_picture.content.values->shape());
    const QRectF target = sheet.pictureOf(channel);
    SliceContent content = m_picture.content;
    content.channel = channel;
    const double ratio = m_painter.device()->devicePixelRatioF();
    const QSize pixels(
        static_cast<int>(std::min<std::int64_t>(grid.columns(), roundUp(target.width() * ratio))),
        static_cast<int>(std::min<std::int64_t>(grid.rows(), roundUp(target.height() * ratio))));
    drawPixels(m_painter, target, sliceImage(content, grid, grid.all(), pixels, m_picture.colors));
    const bool isCurrent = channel == m_picture.content.channel;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(tone(isCurrent ? Tone::Accent : Tone::SurfaceEdge), isCurrent ? 3 : 1));
    m_painter.drawRect(isCurrent ? target.adjusted(-2, -2, 2, 2) : target);
    const QRectF caption = sheet.captionOf(channel).adjusted(0, 2, 0, 2);
    const QString number = QString::number(channel);
    m_painter.setPen(isCurrent ? m_picture.palette.color(QPalette::Text) : tone(Tone::Muted));
    m_painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter, number);
    const auto* const comparison = m_picture.comparison;
    const auto at = static_cast<std::size_t>(channel);
    if (!comparison || at >= comparison->places.channels.size() ||
        comparison->places.channels[at].mismatches == 0)
        return;
    const double used = QFontMetricsF(m_picture.font).horizontalAdvance(number) + 6;
    m_painter.setPen(tone(Tone::Error));
    m_painter.drawText(caption.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                       tr("≠ %1").arg(shortCount(comparison->places.channels[at].mismatches)));
}

} // namespace plumbline
