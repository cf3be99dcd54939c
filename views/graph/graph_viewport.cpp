// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_viewport.h"

#include <algorithm>

namespace plumbline {
namespace {

constexpr double kMaxZoom = 4;
constexpr double kReadable = 0.62; ///< from here on a node shows everything
constexpr double kNames = 0.3;
constexpr double kBoxHeight = 2.5; ///< pixels; below, boxes are spots

/// Origin along one axis: content that fits is centred, other content fills the window.
double clampedOrigin(double origin, double content, double shown) {
    if (content <= shown)
        return (content - shown) / 2;
    return std::clamp(origin, 0.0, content - shown);
}

} // namespace

GraphDetail detailAt(double zoom, double nodeHeight) {
    if (zoom >= kReadable)
        return GraphDetail::Full;
    if (zoom >= kNames)
        return GraphDetail::Names;
    return nodeHeight * zoom >= kBoxHeight ? GraphDetail::Boxes : GraphDetail::Dots;
}

void GraphViewport::setContent(const QSizeF& size) {
    m_content = size.expandedTo(QSizeF(1, 1));
    zoomTo(m_zoom, QPointF());
}

void GraphViewport::setWindow(const QSizeF& size) {
    m_window = size.expandedTo(QSizeF(1, 1));
    zoomTo(m_zoom, QPointF());
}

QRectF GraphViewport::visible() const { return {m_origin, m_window / m_zoom}; }

double GraphViewport::fitZoom() const {
    return std::min(
        {m_window.width() / m_content.width(), m_window.height() / m_content.height(), 1.0});
}

bool GraphViewport::showsAll() const { return m_zoom <= fitZoom() * 1.001; }

void GraphViewport::clamp() {
    const QSizeF shown = m_window / m_zoom;
    m_origin = {clampedOrigin(m_origin.x(), m_content.width(), shown.width()),
                clampedOrigin(m_origin.y(), m_content.height(), shown.height())};
}

void GraphViewport::setOrigin(const QPointF& scene) {
    m_origin = scene;
    clamp();
}

void GraphViewport::panBy(const QPointF& pixels) { setOrigin(m_origin - pixels / m_zoom); }

void GraphViewport::zoomTo(double zoom, const QPointF& window) {
    const QPointF fixed = toScene(window);
    m_zoom = std::clamp(zoom, fitZoom(), kMaxZoom);
    setOrigin(fixed - window / m_zoom);
}

void GraphViewport::fit() { zoomTo(fitZoom(), QPointF()); }

void GraphViewport::fitReadably() {
    const double wide = m_window.width() / m_content.width();
    zoomTo(fitZoom() >= kReadable ? fitZoom() : std::clamp(wide, 0.8, 1.0), QPointF());
    setOrigin({(m_content - m_window / m_zoom).width() / 2, 0});
}

void GraphViewport::centreOn(const QPointF& scene) {
    const QSizeF half = m_window / m_zoom / 2;
    setOrigin({scene.x() - half.width(), scene.y() - half.height()});
}

void GraphViewport::reveal(const QRectF& area, double margin) {
    const double around = margin / m_zoom;
    const QRectF wanted = area.adjusted(-around, -around, around, around);
    const QRectF shown = visible();
    if (shown.contains(wanted))
        return;
    if (!shown.intersects(wanted) || wanted.width() > shown.width() ||
        wanted.height() > shown.height()) {
        centreOn(area.center());
        return;
    }
    QPointF origin = m_origin;
    origin.rx() +=
        std::max(0.0, wanted.right() - shown.right()) - std::max(0.0, shown.left() - wanted.left());
    origin.ry() +=
        std::max(0.0, wanted.bottom() - shown.bottom()) - std::max(0.0, shown.top() - wanted.top());
    setOrigin(origin);
}

} // namespace plumbline
