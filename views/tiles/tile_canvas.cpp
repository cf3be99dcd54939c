// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tile_canvas.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/common/palette.h"
#include "views/common/rects.h"
#include "views/tiles/tile_painter.h"
#include "views/tiles/tile_text.h"

namespace plumbline {

TileCanvas::TileCanvas(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Tile walker"));
}

QSize TileCanvas::minimumSizeHint() const {
    return {560, static_cast<int>(TileLayout::leastHeight(fontMetrics().height()))};
}

void TileCanvas::setWalk(std::optional<TileWalk> walk, const BufferBounds& buffers,
                         bool hasTwoInputs) {
    m_walk = std::move(walk);
    m_buffers = buffers;
    m_hasTwoInputs = hasTwoInputs;
    setCursor(m_cursor);
}

void TileCanvas::setCursor(const TileCursor& cursor) {
    m_cursor = m_walk ? m_walk->clamped(cursor) : cursor;
    setAccessibleDescription(m_walk ? cursorText(*m_walk, m_cursor) : QString());
    update();
}

TileLayout TileCanvas::layoutFor(const QRect& area) const {
    return TileLayout::make(
        {0, 0, static_cast<double>(area.width()), static_cast<double>(area.height())},
        fontMetrics().height(), *m_walk, m_cursor);
}

TileLayout TileCanvas::tileLayout() const { return layoutFor(rect()); }

void TileCanvas::paintWalk(QPainter& painter, const QRect& area) const {
    const QPalette colors = QApplication::palette();
    painter.fillRect(area, colors.color(QPalette::Base));
    const TileLayout layout = layoutFor(area);
    const TilePainter parts(painter, colors, layout, *m_walk, m_cursor);
    parts.drawOutput();
    parts.drawInput(m_hasTwoInputs);
    parts.drawReduction();
    parts.drawGroups();
    parts.drawGauges(m_buffers);
}

void TileCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (!m_walk) {
        painter.fillRect(rect(), palette().color(QPalette::Base));
        return;
    }
    paintWalk(painter, rect());
    if (!hasFocus())
        return;
    painter.setPen(QPen(toneColor(Tone::Accent, palette()), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void TileCanvas::move(TileCursor cursor) {
    cursor = m_walk->clamped(cursor);
    if (cursor == m_cursor)
        return;
    setCursor(cursor);
    emit cursorMoved();
}

TileCursor TileCanvas::shiftedBy(std::int64_t down, std::int64_t across) const {
    GridPoint at = m_walk->position(m_cursor.tile, m_cursor.position);
    at.y = std::clamp<std::int64_t>(at.y + down, 0, m_walk->geometry().oh - 1);
    at.x = std::clamp<std::int64_t>(at.x + across, 0, m_walk->geometry().ow - 1);
    TileCursor moved = m_cursor;
    moved.tile = m_walk->tileAt(at);
    moved.position = m_walk->positionAt(moved.tile, at);
    return moved;
}

bool TileCanvas::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        emit activated();
        return true;
    }
    const std::optional<TileCursor> next = cursorAfter(key, modifiers);
    if (next)
        move(*next);
    return next.has_value();
}

std::optional<TileCursor> TileCanvas::cursorAfter(int key, Qt::KeyboardModifiers modifiers) const {
    const int direction = modifiers.testFlag(Qt::ShiftModifier) ? -1 : 1;
    const bool inOrder = modifiers.testFlag(Qt::ControlModifier);
    TileCursor next = m_cursor;
    switch (key) {
    case Qt::Key_Left:
        return inOrder ? m_walk->movedByPositions(m_cursor, -1) : shiftedBy(0, -1);
    case Qt::Key_Right:
        return inOrder ? m_walk->movedByPositions(m_cursor, 1) : shiftedBy(0, 1);
    case Qt::Key_Up:
        return shiftedBy(-1, 0);
    case Qt::Key_Down:
        return shiftedBy(1, 0);
    case Qt::Key_PageUp:
        --next.tile;
        return next;
    case Qt::Key_PageDown:
        ++next.tile;
        return next;
    case Qt::Key_Home:
        next.tile = next.position = 0;
        return next;
    case Qt::Key_End:
        next.tile = m_walk->tileCount() - 1;
        next.position = m_walk->positionsIn(next.tile) - 1;
        return next;
    case Qt::Key_G:
        next.group += direction;
        return next;
    case Qt::Key_K:
        next.slice += direction;
        return next;
    default:
        return std::nullopt;
    }
}

void TileCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_walk || !handleKey(event->key(), event->modifiers()))
        QWidget::keyPressEvent(event);
}

void TileCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_walk || event->button() != Qt::LeftButton) {
        QWidget::mousePressEvent(event);
        return;
    }
    const TileLayout layout = tileLayout();
    TileCursor next = m_cursor;
    const GraphPoint pointer = toGraphPoint(event->position());
    if (const auto at = layout.output.cellAt(pointer)) {
        next.tile = m_walk->tileAt(*at);
        next.position = m_walk->positionAt(next.tile, *at);
    } else if (const auto k = layout.reduction.partAt(pointer)) {
        next.slice = *k / m_walk->plan().kSlice;
    } else if (const auto group = layout.groups.partAt(pointer)) {
        next.group = *group;
    }
    move(next);
}

void TileCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_walk && event->button() == Qt::LeftButton &&
        tileLayout().output.cellAt(toGraphPoint(event->position())))
        emit activated();
}

QString TileCanvas::textAt(const GraphPoint& pixel) const {
    const TileLayout layout = tileLayout();
    if (const auto at = layout.output.cellAt(pixel)) {
        TileCursor there = m_cursor;
        there.tile = m_walk->tileAt(*at);
        there.position = m_walk->positionAt(there.tile, *at);
        return cursorText(*m_walk, there);
    }
    const auto inInput = layout.input.cellAt(pixel);
    if (const auto at = inInput ? inInput : layout.window.cellAt(pixel)) {
        const OperatorGeometry& g = m_walk->geometry();
        const bool isInside = GridRect{0, 0, g.h, g.w}.contains(at->y, at->x);
        return (isInside ? tr("Input row %1, column %2") : tr("Padding: row %1, column %2"))
            .arg(at->y)
            .arg(at->x);
    }
    if (const auto k = layout.reduction.partAt(pixel))
        return tr("k %1: %2, slice %3")
            .arg(*k)
            .arg(reductionText(*m_walk, *k))
            .arg(*k / m_walk->plan().kSlice);
    if (const auto group = layout.groups.partAt(pixel))
        return tr("Channel group %1: %2 of %3 lanes")
            .arg(*group)
            .arg(m_walk->lanesIn(*group))
            .arg(m_walk->plan().facts.lanes);
    return {};
}

void TileCanvas::mouseMoveEvent(QMouseEvent* event) {
    QWidget::mouseMoveEvent(event);
    if (!m_walk)
        return;
    const QString text = textAt(toGraphPoint(event->position())).toHtmlEscaped();
    QToolTip::showText(event->globalPosition().toPoint(), // rich text is wrapped
                       text.isEmpty() ? text : QStringLiteral("<p>%1</p>").arg(text), this);
}

} // namespace plumbline
