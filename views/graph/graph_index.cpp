// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_index.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

constexpr double kCell = 512;             ///< units
constexpr std::int64_t kMaxCells = 65536; ///< larger layouts get larger cells
constexpr std::int64_t kLongEdge = 96;    ///< cells

QRectF pieceBox(const GraphPoint& a, const GraphPoint& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
}

/// QRectF::intersects() is false for the empty boxes that straight edges have.
bool touches(const QRectF& a, const QRectF& b) {
    return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() &&
           b.top() <= a.bottom();
}

double distance(const QPointF& point, const GraphPoint& a, const GraphPoint& b) {
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double length = dx * dx + dy * dy;
    const double t =
        length > 0
            ? std::clamp(((point.x() - a.x) * dx + (point.y() - a.y) * dy) / length, 0.0, 1.0)
            : 0;
    return std::hypot(point.x() - a.x - t * dx, point.y() - a.y - t * dy);
}

} // namespace

GraphIndex::GraphIndex(const GraphLayout& layout)
    : m_layout(layout) {
    const double cells = std::max(1.0, layout.width / kCell) * std::max(1.0, layout.height / kCell);
    const double scale = std::max(1.0, cells / static_cast<double>(kMaxCells));
    m_cellWidth = layout.width > layout.height ? kCell * scale : kCell;
    m_cellHeight = layout.width > layout.height ? kCell : kCell * scale;
    m_columns = std::max(1, static_cast<int>(std::ceil(layout.width / m_cellWidth)));
    m_rows = std::max(1, static_cast<int>(std::ceil(layout.height / m_cellHeight)));
    m_nodes.resize(cell(0, m_rows));
    m_edges.resize(m_nodes.size());
    m_layers.resize(static_cast<std::size_t>(std::max(layout.layers, 0)));
    for (std::size_t i = 0; i < layout.nodes.size(); ++i) {
        const Cells at = cellsOf(toRect(layout.nodes[i].box));
        for (int row = at.top; row <= at.bottom; ++row)
            for (int column = at.left; column <= at.right; ++column)
                m_nodes[cell(column, row)].push_back(static_cast<std::int32_t>(i));
        m_layers[static_cast<std::size_t>(layout.nodes[i].layer)].push_back(
            static_cast<std::int32_t>(i));
    }
    m_placeInLayer.resize(layout.nodes.size());
    for (std::vector<std::int32_t>& nodes : m_layers) {
        std::sort(nodes.begin(), nodes.end(), [&layout](std::int32_t a, std::int32_t b) {
            return layout.nodes[static_cast<std::size_t>(a)].box.x <
                   layout.nodes[static_cast<std::size_t>(b)].box.x;
        });
        for (std::size_t i = 0; i < nodes.size(); ++i)
            m_placeInLayer[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);
    }
    for (std::size_t i = 0; i < layout.edges.size(); ++i)
        addEdge(static_cast<std::int32_t>(i));
}

GraphIndex::Cells GraphIndex::cellsOf(const QRectF& area) const {
    const auto at = [](double value, double size, int count) {
        return static_cast<int>(std::clamp(std::floor(value / size), 0.0, count - 1.0));
    };
    return {at(area.left(), m_cellWidth, m_columns), at(area.top(), m_cellHeight, m_rows),
            at(area.right(), m_cellWidth, m_columns), at(area.bottom(), m_cellHeight, m_rows)};
}

void GraphIndex::addEdge(std::int32_t edge) {
    const std::vector<GraphPoint>& route = m_layout.edges[static_cast<std::size_t>(edge)].route;
    std::int64_t count = 0;
    for (std::size_t i = 1; i < route.size(); ++i)
        count += cellsOf(pieceBox(route[i - 1], route[i])).count();
    if (count > kLongEdge) {
        m_longEdges.push_back(edge);
        return;
    }
    for (std::size_t i = 1; i < route.size(); ++i) {
        const Cells at = cellsOf(pieceBox(route[i - 1], route[i]));
        for (int row = at.top; row <= at.bottom; ++row)
            for (int column = at.left; column <= at.right; ++column) {
                std::vector<std::int32_t>& list = m_edges[cell(column, row)];
                if (list.empty() || list.back() != edge)
                    list.push_back(edge);
            }
    }
}

std::vector<std::int32_t> GraphIndex::nodesIn(const QRectF& area) const {
    std::vector<std::int32_t> found;
    const Cells at = cellsOf(area);
    for (int row = at.top; row <= at.bottom; ++row)
        for (int column = at.left; column <= at.right; ++column)
            for (const std::int32_t node : m_nodes[cell(column, row)])
                if (touches(toRect(m_layout.nodes[static_cast<std::size_t>(node)].box), area))
                    found.push_back(node);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<std::int32_t> GraphIndex::edgesIn(const QRectF& area) const {
    std::vector<std::int32_t> found;
    const auto consider = [&](std::int32_t edge) {
        const std::vector<GraphPoint>& route = m_layout.edges[static_cast<std::size_t>(edge)].route;
        for (std::size_t i = 1; i < route.size(); ++i)
            if (touches(pieceBox(route[i - 1], route[i]), area)) {
                found.push_back(edge);
                return;
            }
    };
    const Cells at = cellsOf(area);
    for (int row = at.top; row <= at.bottom; ++row)
        for (int column = at.left; column <= at.right; ++column)
            for (const std::int32_t edge : m_edges[cell(column, row)])
                consider(edge);
    for (const std::int32_t edge : m_longEdges)
        consider(edge);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::optional<std::int32_t> GraphIndex::nodeAt(const QPointF& point) const {
    const std::vector<std::int32_t> found = nodesIn(QRectF(point, QSizeF(0, 0)));
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::optional<std::int32_t> GraphIndex::edgeAt(const QPointF& point, double reach) const {
    std::optional<std::int32_t> nearest;
    const QRectF area(point.x() - reach, point.y() - reach, 2 * reach, 2 * reach);
    for (const std::int32_t edge : edgesIn(area)) {
        const std::vector<GraphPoint>& route = m_layout.edges[static_cast<std::size_t>(edge)].route;
        for (std::size_t i = 1; i < route.size(); ++i) {
            const double away = distance(point, route[i - 1], route[i]);
            if (away <= reach) {
                reach = away;
                nearest = edge;
            }
        }
    }
    return nearest;
}

std::optional<std::int32_t> GraphIndex::beside(std::int32_t node, int direction) const {
    const auto at = static_cast<std::size_t>(node);
    const std::vector<std::int32_t>& layer =
        m_layers[static_cast<std::size_t>(m_layout.nodes[at].layer)];
    const std::int32_t place = m_placeInLayer[at] + direction;
    if (place < 0 || static_cast<std::size_t>(place) >= layer.size())
        return std::nullopt;
    return layer[static_cast<std::size_t>(place)];
}

std::optional<std::int32_t> GraphIndex::step(std::int32_t node, GraphStep step) const {
    if (node < 0 || static_cast<std::size_t>(node) >= m_layout.nodes.size())
        return std::nullopt;
    if (step == GraphStep::Left || step == GraphStep::Right)
        return beside(node, step == GraphStep::Left ? -1 : 1);
    const GraphNode& from = m_layout.nodes[static_cast<std::size_t>(node)];
    std::optional<std::int32_t> nearest;
    auto best = std::pair(0, 0.0);
    for (const std::int32_t index : step == GraphStep::Up ? from.in : from.out) {
        const GraphEdge& edge = m_layout.edges[static_cast<std::size_t>(index)];
        const std::int32_t other = step == GraphStep::Up ? edge.from : edge.to;
        const GraphNode& target = m_layout.nodes[static_cast<std::size_t>(other)];
        const auto away = std::pair(std::abs(target.layer - from.layer),
                                    std::abs(target.box.centre() - from.box.centre()));
        if (!nearest || away < best) {
            nearest = other;
            best = away;
        }
    }
    return nearest;
}

} // namespace plumbline
