// SPDX-License-Identifier: GPL-3.0-or-later
// The whole graph as a picture: GraphView::pictures.
#include <algorithm>
#include <cmath>

#include <QApplication>

#include "views/graph/graph_view.h"

namespace plumbline {
namespace {

constexpr double kMostSide = 16384; ///< pixels
constexpr double kMostPixels = 64e6;

QSizeF contentOf(const GraphScene& scene) {
    return {std::max(scene.facts.layout().width, 1.0), std::max(scene.facts.layout().height, 1.0)};
}

/// 100 %, or as much of it as a picture may have.
QSize pictureSize(const QSizeF& content) {
    const double scale = std::min({1.0, kMostSide / content.width(), kMostSide / content.height(),
                                   std::sqrt(kMostPixels / content.width() / content.height())});
    return {std::max(static_cast<int>(content.width() * scale), 1),
            std::max(static_cast<int>(content.height() * scale), 1)};
}

void paintWhole(QPaintDevice& device, QSize size, const GraphScene& scene, GraphLook look) {
    look.palette = QApplication::palette();
    const QSizeF content = contentOf(scene);
    const double scale = std::min(size.width() / content.width(), size.height() / content.height());
    const QSizeF drawn = content * scale;
    QPainter painter(&device);
    painter.fillRect(QRect(QPoint(), size), look.palette.color(QPalette::Base));
    painter.translate((size.width() - drawn.width()) / 2, (size.height() - drawn.height()) / 2);
    painter.scale(scale, scale);
    GraphPainter(scene.index, scene.facts, look)
        .paint(painter, QRectF(QPointF(), content), QPointF(), 1);
}

} // namespace

std::vector<ViewPicture> GraphView::pictures() {
    if (!m_scene)
        return {};
    GraphLook look = m_canvas->look();
    look.current.reset();
    look.hovered.reset();
    look.tensor.reset();
    look.found.clear();
    const auto paint = [scene = m_scene, look](QPaintDevice& device, QSize size) {
        paintWhole(device, size, *scene, look);
    };
    return {{id(), title(), pictureSize(contentOf(*m_scene)), paint}};
}

} // namespace plumbline
