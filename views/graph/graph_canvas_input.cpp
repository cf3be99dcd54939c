// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of the canvas.
#include <cmath>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "views/graph/graph_canvas.h"
#include "views/graph/graph_overview.h"

namespace plumbline {
namespace {

constexpr double kEdgeReach = 6;    ///< pixels
constexpr int kDragThreshold = 4;   ///< pixels
constexpr double kWheelZoom = 1.18; ///< per notch
constexpr double kNotch = 120;      ///< of QWheelEvent::angleDelta()

} // namespace

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    const bool all = m_placed && m_view.showsAll();
    m_view.setWindow(QSizeF(viewport()->size()));
    if (!m_placed)
        m_view.fitReadably();
    else if (all)
        m_view.fit();
    m_overview->place(viewport()->rect());
    showPlace();
}

void GraphCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {
    if (m_syncing)
        return;
    m_placed = true;
    QPointF origin = m_view.origin();
    if (horizontalScrollBar()->maximum() > 0)
        origin.setX(horizontalScrollBar()->value() / m_view.zoom());
    if (verticalScrollBar()->maximum() > 0)
        origin.setY(verticalScrollBar()->value() / m_view.zoom());
    m_view.setOrigin(origin);
    showPlace();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    m_placed = true;
    const QPoint angle = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        m_view.zoomTo(m_view.zoom() * std::pow(kWheelZoom, angle.y() / kNotch), event->position());
    } else {
        QPointF pixels =
            event->pixelDelta().isNull() ? QPointF(angle) * 0.5 : QPointF(event->pixelDelta());
        if (event->modifiers().testFlag(Qt::ShiftModifier))
            pixels = pixels.transposed();
        m_view.panBy(pixels);
    }
    showPlace();
    event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = m_dragged = event->pos();
    m_dragging = false;
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if ((event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) == 0) {
        hover(event->pos());
        return;
    }
    if (!m_dragging && (event->pos() - m_pressed).manhattanLength() < kDragThreshold)
        return;
    m_dragging = true;
    m_placed = true;
    viewport()->setCursor(Qt::ClosedHandCursor);
    m_view.panBy(QPointF(event->pos() - m_dragged));
    m_dragged = event->pos();
    showPlace();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    viewport()->unsetCursor();
    if (m_dragging || !m_scene || event->button() != Qt::LeftButton) {
        m_dragging = false;
        return;
    }
    const QPointF at = m_view.toScene(QPointF(event->pos()));
    if (const auto node = m_scene->index.nodeAt(at))
        emit nodePicked(*node);
    else if (const auto edge = m_scene->index.edgeAt(at, kEdgeReach / m_view.zoom()))
        emit edgePicked(*edge);
}

void GraphCanvas::hover(const QPoint& window) {
    if (!m_scene)
        return;
    const auto node = m_scene->index.nodeAt(m_view.toScene(QPointF(window)));
    if (node == m_look.hovered)
        return;
    m_look.hovered = node;
    viewport()->update();
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        emit stepped(GraphStep::Up);
        break;
    case Qt::Key_Down:
        emit stepped(GraphStep::Down);
        break;
    case Qt::Key_Left:
        emit stepped(GraphStep::Left);
        break;
    case Qt::Key_Right:
        emit stepped(GraphStep::Right);
        break;
    case Qt::Key_Home:
        emit endsAsked(false);
        break;
    case Qt::Key_End:
        emit endsAsked(true);
        break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        m_view.panBy({0, (event->key() == Qt::Key_PageUp ? 0.9 : -0.9) * viewport()->height()});
        showPlace();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_scene)
        return;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (m_look.current)
            emit menuAsked(*m_look.current, viewport()->mapToGlobal(viewport()->rect().center()));
    } else if (const auto node = m_scene->index.nodeAt(m_view.toScene(QPointF(event->pos())))) {
        emit menuAsked(*node, event->globalPos());
    }
}

void GraphCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        takeAppearance();
}

bool GraphCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        showTip(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::Leave && m_look.hovered) {
        m_look.hovered.reset();
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void GraphCanvas::showTip(const QPoint& window, const QPoint& global) const {
    if (!m_scene)
        return;
    const QPointF at = m_view.toScene(QPointF(window));
    if (const auto node = m_scene->index.nodeAt(at))
        QToolTip::showText(global, m_scene->facts.nodeTip(*node), viewport());
    else if (const auto edge = m_scene->index.edgeAt(at, kEdgeReach / m_view.zoom()))
        QToolTip::showText(global, m_scene->facts.edgeTip(*edge), viewport());
    else
        QToolTip::hideText();
}

} // namespace plumbline
