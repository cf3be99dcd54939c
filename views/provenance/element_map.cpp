// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/element_map.h"

#include <algorithm>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/provenance/step_text.h"

namespace plumbline {
namespace {

constexpr double kMargin = 6;   ///< pixels around map and legend
constexpr double kSwatch = 11;  ///< pixels of a mark in the legend
constexpr double kLineCell = 5; ///< smaller cells have no lines between them

Tone toneOf(ElementMark mark) {
    switch (mark) {
    case ElementMark::Right:
        break;
    case ElementMark::Explained:
        return Tone::Ok;
    case ElementMark::Spoiled:
        return Tone::Warning;
    case ElementMark::Unexplained:
        return Tone::Error;
    }
    return Tone::Surface;
}

} // namespace

QString markText(ElementMark mark) {
    switch (mark) {
    case ElementMark::Right:
        return ElementMap::tr("right anyway");
    case ElementMark::Explained:
        return ElementMap::tr("wrong, explained");
    case ElementMark::Spoiled:
        return ElementMap::tr("right, but not with this mistake");
    case ElementMark::Unexplained:
        return ElementMap::tr("wrong, not explained");
    }
    return {};
}

ElementMap::ElementMap(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Which elements the hypothesis explains"));
}

void ElementMap::setMarks(ElementMarks marks) {
    m_marks = std::move(marks);
    if (m_channel && *m_channel >= m_marks.shape().c)
        m_channel.reset();
    describe();
    setElement(m_element);
}

void ElementMap::setChannel(std::optional<std::int64_t> channel) {
    m_channel = channel;
    update();
}

void ElementMap::setElement(std::optional<ElementIndex> element) {
    m_element = element;
    m_cursor = element && !m_marks.empty() ? geometryNow().cellOf(*element) : MapCell{};
    update();
}

void ElementMap::describe() {
    QStringList words;
    for (std::size_t mark = 0; !m_marks.empty() && mark < kElementMarks; ++mark)
        words += QStringLiteral("%1: %2").arg(markText(static_cast<ElementMark>(mark)),
                                              groupedNumber(m_marks.counts()[mark]));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
}

std::vector<ElementMap::LegendEntry> ElementMap::legend() const {
    std::vector<LegendEntry> entries;
    const QFontMetrics metrics(font());
    const double line = metrics.height() + 2;
    double widest = 0;
    for (std::size_t i = kElementMarks; i-- > 0;) {
        if (m_marks.counts()[i] == 0)
            continue;
        const auto mark = static_cast<ElementMark>(i);
        const QString words =
            QStringLiteral("%1 %2").arg(groupedNumber(m_marks.counts()[i]), markText(mark));
        const double textWidth = metrics.horizontalAdvance(words) + 2;
        const double y = static_cast<double>(entries.size()) * line;
        entries.push_back({mark, QRectF(0, y + (line - kSwatch) / 2, kSwatch, kSwatch),
                           QRectF(kSwatch + 4, y, textWidth, line), words});
        widest = std::max(widest, kSwatch + 4 + textWidth);
    }
    const bool isBeside = width() - widest > height();
    const double left = isBeside ? width() - widest - kMargin : kMargin;
    const double top =
        isBeside ? kMargin : height() - kMargin - static_cast<double>(entries.size()) * line;
    for (LegendEntry& entry : entries) {
        entry.swatch.translate(left, top);
        entry.text.translate(left, top);
    }
    return entries;
}

MapGeometry ElementMap::geometryNow() const {
    const std::vector<LegendEntry> entries = legend();
    QRectF room(kMargin, kMargin, width() - 2 * kMargin, height() - 2 * kMargin);
    if (!entries.empty() && entries.front().swatch.left() > kMargin)
        room.setRight(entries.front().swatch.left() - 2 * kMargin);
    else if (!entries.empty())
        room.setBottom(entries.front().text.top() - kMargin);
    room.setWidth(std::max(0.0, room.width()));
    room.setHeight(std::max(0.0, room.height()));
    return {m_marks.empty() ? Hwc{0, 0, 0} : m_marks.shape(), room};
}

ElementMark ElementMap::shownMark(const MapCell& cell) const {
    return worstOf(geometryNow().countsAt(cell, m_marks, m_channel));
}

void ElementMap::paintMark(QPainter& painter, const QRectF& cell, ElementMark mark) const {
    const QColor color = toneColor(toneOf(mark), palette());
    painter.fillRect(cell, toneColor(Tone::Surface, palette()));
    const double inset = std::max(1.0, cell.width() * 0.18);
    const QRectF inner = cell.adjusted(inset, inset, -inset, -inset);
    switch (mark) {
    case ElementMark::Right:
        break;
    case ElementMark::Explained:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(inner);
        break;
    case ElementMark::Spoiled:
        painter.setPen(QPen(color, std::max(1.2, cell.width() * 0.1)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(inner);
        break;
    case ElementMark::Unexplained:
        painter.fillRect(cell, color);
        painter.setPen(QPen(textOn(color), std::max(1.2, cell.width() * 0.1)));
        painter.drawLine(inner.topLeft(), inner.bottomRight());
        painter.drawLine(inner.topRight(), inner.bottomLeft());
        break;
    }
}

void ElementMap::paintCells(QPainter& painter, const MapGeometry& geometry) const {
    for (MapCell cell; cell.row < geometry.rows(); ++cell.row)
        for (cell.column = 0; cell.column < geometry.columns(); ++cell.column)
            if (geometry.exists(cell))
                paintMark(painter, geometry.rectOf(cell),
                          worstOf(geometry.countsAt(cell, m_marks, m_channel)));
    if (geometry.cell() < kLineCell)
        return;
    painter.setPen(QPen(toneColor(Tone::Grid, palette()), 1));
    painter.setBrush(Qt::NoBrush);
    for (MapCell cell; cell.row < geometry.rows(); ++cell.row)
        for (cell.column = 0; cell.column < geometry.columns(); ++cell.column)
            if (geometry.exists(cell))
                painter.drawRect(geometry.rectOf(cell));
    painter.setPen(QPen(toneColor(Tone::SurfaceEdge, palette()), 1));
    painter.drawRect(geometry.frame());
}

void ElementMap::paintSmallCells(QPainter& painter, const MapGeometry& geometry) const {
    const QRectF& frame = geometry.frame();
    painter.fillRect(frame, toneColor(Tone::Surface, palette()));
    // In the order of the marks, so that the greatest one of a pixel lies on top.
    for (std::size_t i = 1; i < kElementMarks; ++i) {
        const auto mark = static_cast<ElementMark>(i);
        const QColor color = toneColor(toneOf(mark), palette());
        const double least = mark == ElementMark::Unexplained ? 2.0 : 1.0;
        const double size = std::max(least, geometry.cell() * (least > 1 ? 1.0 : 0.6));
        for (MapCell cell; cell.row < geometry.rows(); ++cell.row)
            for (cell.column = 0; cell.column < geometry.columns(); ++cell.column)
                if (worstOf(geometry.countsAt(cell, m_marks, m_channel)) == mark)
                    painter.fillRect(QRectF(geometry.rectOf(cell).topLeft(), QSizeF(size, size)),
                                     color);
    }
    painter.setPen(QPen(toneColor(Tone::SurfaceEdge, palette()), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
}

void ElementMap::paintFrames(QPainter& painter, const MapGeometry& geometry) const {
    painter.setBrush(Qt::NoBrush);
    const auto frameOf = [&geometry](const MapCell& cell) {
        QRectF rect = geometry.rectOf(cell);
        const double more = std::max(0.0, 5 - rect.width()) / 2;
        return rect.adjusted(-more, -more, more, more);
    };
    if (m_element && geometry.exists(geometry.cellOf(*m_element))) {
        painter.setPen(QPen(toneColor(Tone::Accent, palette()), 2));
        painter.drawRect(frameOf(geometry.cellOf(*m_element)));
    }
    if (hasFocus() && geometry.exists(m_cursor)) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.drawRect(frameOf(m_cursor).adjusted(-2, -2, 2, 2));
    }
}

void ElementMap::paintEvent(QPaintEvent* /*event*/) {
    if (m_marks.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const MapGeometry geometry = geometryNow();
    if (geometry.cell() < kShapeCell)
        paintSmallCells(painter, geometry);
    else
        paintCells(painter, geometry);
    paintFrames(painter, geometry);
    for (const LegendEntry& entry : legend()) {
        paintMark(painter, entry.swatch, entry.mark);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(toneColor(Tone::SurfaceEdge, palette()), 1));
        painter.drawRect(entry.swatch);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(entry.text, Qt::AlignLeft | Qt::AlignVCenter, entry.words);
    }
}

QString ElementMap::cellText(const MapGeometry& geometry, const MapCell& cell) const {
    const ElementIndex element = geometry.elementAt(cell, m_marks, m_channel);
    const ElementMarks::Counts counts = geometry.countsAt(cell, m_marks, m_channel);
    QStringList lines;
    if (geometry.showsChannels() || m_channel)
        lines += tr("Element %1").arg(elementText(element));
    else
        lines += tr("Row %1, column %2, all channels").arg(cell.row).arg(cell.column);
    for (std::size_t i = kElementMarks; i-- > 0;)
        if (counts[i] > 0)
            lines += QStringLiteral("%1 %2").arg(groupedNumber(counts[i]),
                                                 markText(static_cast<ElementMark>(i)));
    return lines.join(QLatin1Char('\n'));
}

void ElementMap::mousePressEvent(QMouseEvent* event) {
    const MapGeometry geometry = geometryNow();
    const auto cell = geometry.cellAt(event->position());
    if (!cell)
        return;
    m_cursor = *cell;
    emit elementPicked(geometry.elementAt(*cell, m_marks, m_channel));
}

void ElementMap::mouseMoveEvent(QMouseEvent* event) {
    const MapGeometry geometry = geometryNow();
    const auto cell = geometry.cellAt(event->position());
    QToolTip::showText(event->globalPosition().toPoint(),
                       cell ? cellText(geometry, *cell) : QString(), this);
}

void ElementMap::keyPressEvent(QKeyEvent* event) {
    const MapGeometry geometry = geometryNow();
    MapCell to = m_cursor;
    switch (event->key()) {
    case Qt::Key_Left:
        --to.column;
        break;
    case Qt::Key_Right:
        ++to.column;
        break;
    case Qt::Key_Up:
        --to.row;
        break;
    case Qt::Key_Down:
        ++to.row;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (geometry.exists(m_cursor))
            emit elementPicked(geometry.elementAt(m_cursor, m_marks, m_channel));
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (geometry.exists(to))
        m_cursor = to;
    update();
}

} // namespace plumbline
