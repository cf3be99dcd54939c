// SPDX-License-Identifier: GPL-3.0-or-later
// Edges, boxes and the order of things: GraphPainter::paint. Cards are in
// graph_cards.cpp.
#include "views/graph/graph_painter.h"

#include <algorithm>
#include <cmath>

#include <QPainterPath>

namespace plumbline {
namespace {

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

QFont sceneFont(const QFont& base, bool bold) {
    QFont font = base;
    font.setPixelSize(kCardTextSize);
    font.setBold(bold);
    return font;
}

bool isSet(const std::vector<bool>& flags, std::int32_t at) {
    return asSize(at) < flags.size() && flags[asSize(at)];
}

} // namespace

GraphPainter::GraphPainter(const GraphIndex& index, const GraphFacts& facts, const GraphLook& look)
    : m_index(index)
    , m_facts(facts)
    , m_look(look)
    , m_nameFont(sceneFont(look.font, true))
    , m_textFont(sceneFont(look.font, false)) {}

bool GraphPainter::isFaded(std::int32_t node) const { return isSet(m_look.faded, node); }
bool GraphPainter::isFound(std::int32_t node) const { return isSet(m_look.found, node); }

bool GraphPainter::isSelected(std::int32_t edge) const {
    const GraphEdge& at = m_facts.layout().edges[asSize(edge)];
    return at.from == m_look.current || at.to == m_look.current || at.tensor == m_look.tensor;
}

QRectF GraphPainter::windowRect(std::int32_t node) const {
    const GraphRect& box = m_facts.layout().nodes[asSize(node)].box;
    return {windowPoint({box.x, box.y}), QSizeF(box.width * m_zoom, box.height * m_zoom)};
}

QPointF GraphPainter::windowPoint(const GraphPoint& point) const {
    return {(point.x - m_origin.x()) * m_zoom, (point.y - m_origin.y()) * m_zoom};
}

QColor GraphPainter::towardsWindow(const QColor& color, bool faded) const {
    if (!faded)
        return color;
    constexpr double kLeft = 0.28;
    const QColor window = m_look.palette.color(QPalette::Base);
    return QColor::fromRgbF(
        static_cast<float>(color.redF() * kLeft + window.redF() * (1 - kLeft)),
        static_cast<float>(color.greenF() * kLeft + window.greenF() * (1 - kLeft)),
        static_cast<float>(color.blueF() * kLeft + window.blueF() * (1 - kLeft)));
}

QColor GraphPainter::fillOf(std::int32_t node) const {
    Ink fill = Ink::of(m_facts.operatorOf(node) == nullptr ? Tone::Grid : Tone::Surface);
    if (const auto share = heatShareOf(node))
        fill = Ink::ofHeat(*share);
    return inkOf(fill, isFaded(node));
}

QColor GraphPainter::stripeOf(std::int32_t node) const {
    return inkOf(m_facts.cards().stripeOf(node), isFaded(node));
}

void GraphPainter::paint(QPainter& painter, const QRectF& area, const QPointF& origin,
                         double zoom) {
    const GraphDetail detail = detailAt(zoom, m_facts.layout().sizes.nodeHeight);
    m_origin = origin;
    m_zoom = zoom;
    const std::vector<std::int32_t> nodes = m_index.nodesIn(area);
    painter.save();
    paintEdges(painter, area, detail);
    if (detail == GraphDetail::Full) {
        painter.save();
        painter.translate(-origin * zoom);
        painter.scale(zoom, zoom);
        for (const std::int32_t node : nodes)
            paintShapes(painter, m_facts.cards().edgeLabelOf(node), isFaded(node));
        for (const std::int32_t node : nodes)
            paintShapes(painter, m_facts.cards().card(node, heatOf(node)), isFaded(node));
        painter.restore();
    } else if (detail == GraphDetail::Names) {
        for (const std::int32_t node : nodes)
            paintNamed(painter, node);
    } else {
        const double least = detail == GraphDetail::Dots ? 3 : 1;
        for (const std::int32_t node : nodes)
            if (!m_facts.marksOf(node).alarming())
                paintBox(painter, node, least);
        for (const std::int32_t node : nodes) // on top, so that none of them is covered
            if (m_facts.marksOf(node).alarming())
                paintBox(painter, node, 4);
    }
    painter.restore();
    for (const std::int32_t node : nodes)
        if (node == m_look.current || node == m_look.hovered || isFound(node))
            paintOutline(painter, node);
}

void GraphPainter::paintEdges(QPainter& painter, const QRectF& area, GraphDetail detail) {
    // Room for labels and curves that begin outside.
    const std::vector<std::int32_t> edges = m_index.edgesIn(area.adjusted(-8, -8, 8, 8));
    const bool curved = detail == GraphDetail::Full || detail == GraphDetail::Names;
    const QColor normal = tone(Tone::Edge);
    const auto isFadedEdge = [this](std::int32_t edge) {
        const GraphEdge& at = m_facts.layout().edges[asSize(edge)];
        return isFaded(at.from) || isFaded(at.to);
    };
    const auto color = [&](std::int32_t edge) { return towardsWindow(normal, isFadedEdge(edge)); };
    painter.setBrush(Qt::NoBrush);
    if (!curved) {
        QVector<QLineF> lines[2]; // others, faded ones
        for (const std::int32_t edge : edges) {
            const std::vector<GraphPoint>& route = m_facts.layout().edges[asSize(edge)].route;
            QVector<QLineF>& list = lines[isFadedEdge(edge) ? 1 : 0];
            for (std::size_t i = 1; i < route.size(); ++i) {
                const QLineF line(windowPoint(route[i - 1]), windowPoint(route[i]));
                if (std::abs(line.dx()) + std::abs(line.dy()) >= 1)
                    list.append(line);
            }
        }
        for (int faded = 1; faded >= 0; --faded) {
            painter.setPen(QPen(towardsWindow(normal, faded == 1), 0));
            painter.drawLines(lines[faded]);
        }
    }
    for (const bool selected : {false, true})
        for (const std::int32_t edge : edges) {
            if (isSelected(edge) != selected || (!selected && !curved))
                continue;
            const GraphEdge& at = m_facts.layout().edges[asSize(edge)];
            const QColor ink = selected ? tone(Tone::Accent) : color(edge);
            QPen pen(ink, selected ? 2 : 1.2);
            if (at.backward)
                pen.setStyle(Qt::DashLine);
            painter.setPen(pen);
            paintEdge(painter, edge, curved);
            if (detail == GraphDetail::Full)
                paintArrow(painter, at, ink);
        }
}

void GraphPainter::paintEdge(QPainter& painter, std::int32_t edge, bool curved) const {
    const std::vector<GraphPoint>& route = m_facts.layout().edges[asSize(edge)].route;
    for (std::size_t i = 1; i < route.size(); ++i) {
        const QPointF a = windowPoint(route[i - 1]);
        const QPointF b = windowPoint(route[i]);
        if (!curved || route[i - 1].x == route[i].x || route[i - 1].y == route[i].y) {
            painter.drawLine(a, b);
            continue;
        }
        QPainterPath path(a);
        const double middle = (a.y() + b.y()) / 2;
        path.cubicTo(QPointF(a.x(), middle), QPointF(b.x(), middle), b);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawPath(path);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void GraphPainter::paintArrow(QPainter& painter, const GraphEdge& edge, const QColor& color) const {
    const QPointF tip = windowPoint(edge.route.back());
    const double size = 5 * std::min(1.4, m_zoom);
    const QPointF triangle[] = {tip, tip + QPointF(-size * 0.7, -size * 1.4),
                                tip + QPointF(size * 0.7, -size * 1.4)};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawConvexPolygon(triangle, 3);
    painter.restore();
}

void GraphPainter::paintBox(QPainter& painter, std::int32_t node, double least) const {
    QRectF box = windowRect(node);
    const QPointF centre = box.center();
    box.setSize(box.size().expandedTo(QSizeF(least, std::min(least, 4.0))));
    box.moveCenter(centre);
    const GraphMarks& marks = m_facts.marksOf(node);
    if (marks.alarming()) {
        painter.fillRect(box, towardsWindow(tone(Tone::Error), isFaded(node)));
        if (box.height() >= 7) {
            painter.setPen(QPen(textOn(tone(Tone::Error)), 1));
            const QRectF cross(centre - QPointF(3, 3), QSizeF(6, 6));
            painter.drawLine(cross.topLeft(), cross.bottomRight());
            painter.drawLine(cross.topRight(), cross.bottomLeft());
        }
        return;
    }
    const bool heated = m_look.heat != Heat::None && m_facts.operatorOf(node) != nullptr;
    painter.fillRect(box, heated ? fillOf(node) : stripeOf(node));
    if (heated && box.height() >= 5) {
        painter.setPen(QPen(tone(Tone::SurfaceEdge), 0));
        painter.drawRect(box);
    }
}

void GraphPainter::paintOutline(QPainter& painter, std::int32_t node) const {
    QRectF box = windowRect(node);
    const double least = 7;
    const QPointF centre = box.center();
    box.setSize(box.size().expandedTo(QSizeF(least, least)));
    box.moveCenter(centre);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = 6 * std::min(1.0, m_zoom) + 1;
    if (isFound(node)) {
        painter.setPen(QPen(tone(Tone::Warning), 2, Qt::DotLine));
        painter.drawRoundedRect(box.adjusted(-4, -4, 4, 4), radius + 3, radius + 3);
    }
    if (node == m_look.current) {
        painter.setPen(QPen(tone(Tone::Accent), 2.5));
        painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), radius, radius);
    } else if (node == m_look.hovered) {
        painter.setPen(QPen(tone(Tone::Accent), 1));
        painter.drawRoundedRect(box, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace plumbline
