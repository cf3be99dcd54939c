// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes, columns and routes: routeEdges. Between two layers edges change their x, past a layer they
// run vertically, from column to column they take a lane below, beside and above the nodes: so no
// edge touches a node that is not its end.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/graph/layout_parts.h"

namespace plumbline::layout_parts {
namespace {

constexpr double kLaneStep = 7;
constexpr std::int32_t kMaxLanes = 24;  ///< further edges share them
constexpr double kPortInset = 18;       ///< from a node's side to the edge nearest to it
constexpr std::int32_t kUnfolded = 160; ///< layers that stay in one column
constexpr std::int32_t kLeastPerColumn = 40;
constexpr double kScreenShape = 1.5; ///< width by height

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Column {
    double shift = 0;  ///< from an item's x to the drawn one
    double gutter = 0; ///< where the lanes at its right begin
    std::int32_t lanes = 0;
};

class Router {
  public:
    Router(const Items& items, GraphLayout& layout)
        : m_items(items)
        , m_layout(layout)
        , m_sizes(layout.sizes)
        , m_bandHeight(std::max(m_sizes.nodeHeight, m_sizes.portHeight))
        , m_perColumn(layersPerColumn()) {}

    void route() {
        m_layout.columns = (m_layout.layers + m_perColumn - 1) / m_perColumn;
        m_columns.resize(asSize(m_layout.columns));
        findLanes();
        placeColumns();
        placeNodes();
        for (GraphNode& node : m_layout.nodes)
            spreadPorts(node);
        std::int32_t outside = 0;
        for (std::size_t i = 0; i < m_layout.edges.size(); ++i) {
            if (m_items.outside[i])
                routeOutside(i, outside++ % kMaxLanes);
            else
                routeInside(i);
        }
    }

  private:
    std::int32_t layersPerColumn() const {
        if (m_sizes.layersPerColumn > 0)
            return m_sizes.layersPerColumn;
        if (m_sizes.layersPerColumn == 0 || m_layout.layers <= kUnfolded)
            return std::max(m_layout.layers, 1);
        const auto [least, most] = std::minmax_element(m_items.x.begin(), m_items.x.end());
        const double width = *most - *least + m_sizes.nodeWidth + 3 * m_sizes.edgeGap;
        const double rows =
            std::sqrt(m_layout.layers * width / kScreenShape / (m_bandHeight + m_sizes.layerGap));
        return static_cast<std::int32_t>(
            std::clamp(rows, double{kLeastPerColumn}, static_cast<double>(m_layout.layers)));
    }

    std::int32_t columnOf(std::int32_t layer) const { return layer / m_perColumn; }

    double bandTop(std::int32_t layer) const {
        return m_top + (m_bandHeight + m_sizes.layerGap) * (layer % m_perColumn);
    }
    double bandBottom(std::int32_t layer) const { return bandTop(layer) + m_bandHeight; }

    double drawnX(std::int32_t item) const {
        return m_items.x[asSize(item)] +
               m_columns[asSize(columnOf(m_items.layerOf[asSize(item)]))].shift;
    }

    const GraphNode& node(std::int32_t index) const { return m_layout.nodes[asSize(index)]; }

    /// A lane for every tensor that goes on in the next column.
    void findLanes() {
        for (std::size_t i = 0; i < m_layout.edges.size(); ++i) {
            const GraphEdge& edge = m_layout.edges[i];
            if (m_items.outside[i]) {
                m_outsideLanes = std::min(m_outsideLanes + 1, kMaxLanes);
                continue;
            }
            const std::int32_t last = columnOf(node(edge.to).layer);
            for (std::int32_t column = columnOf(node(edge.from).layer); column < last; ++column) {
                std::int32_t& lanes = m_columns[asSize(column)].lanes;
                if (m_lanes.try_emplace({column, edge.from, edge.tensor}, lanes % kMaxLanes).second)
                    ++lanes;
            }
        }
        for (Column& column : m_columns) {
            column.lanes = std::min(column.lanes, kMaxLanes);
            m_mostLanes = std::max(m_mostLanes, column.lanes);
        }
    }

    void placeColumns() {
        // Every layer holds an item, so every column gets its extent.
        std::vector<double> least(m_columns.size(), std::numeric_limits<double>::max());
        std::vector<double> most(m_columns.size(), std::numeric_limits<double>::lowest());
        for (std::int32_t item = 0; item < m_items.count(); ++item) {
            const std::size_t column = asSize(columnOf(m_items.layerOf[asSize(item)]));
            const double half = m_items.width[asSize(item)] / 2;
            least[column] = std::min(least[column], m_items.x[asSize(item)] - half);
            most[column] = std::max(most[column], m_items.x[asSize(item)] + half);
        }
        double left = m_sizes.margin;
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            m_columns[i].shift = left - least[i];
            m_columns[i].gutter = most[i] + m_columns[i].shift + m_sizes.edgeGap;
            const std::int32_t lanes = m_columns[i].lanes + m_outsideLanes;
            left = m_columns[i].gutter - m_sizes.edgeGap + kLaneStep * lanes +
                   (lanes > 0 ? m_sizes.edgeGap : 0) +
                   (i + 1 < m_columns.size() ? 2 * m_sizes.edgeGap : 0);
        }
        const bool lanes = m_mostLanes + m_outsideLanes > 0;
        const double half = m_sizes.layerGap / 2;
        m_top = m_sizes.margin + (lanes ? half + kLaneStep * (m_mostLanes + m_outsideLanes) : 0);
        m_layout.width = left + m_sizes.margin;
        const std::int32_t rows = std::min(m_layout.layers, m_perColumn);
        m_layout.height = rows == 0 ? 2 * m_sizes.margin
                                    : bandBottom(rows - 1) + m_sizes.margin +
                                          (lanes ? half + kLaneStep * m_mostLanes : 0);
    }

    void placeNodes() {
        for (std::size_t i = 0; i < m_layout.nodes.size(); ++i) {
            GraphNode& made = m_layout.nodes[i];
            const bool full = made.kind == GraphNodeKind::Operator;
            made.column = columnOf(made.layer);
            made.box.width = full ? m_sizes.nodeWidth : m_sizes.portWidth;
            made.box.height = full ? m_sizes.nodeHeight : m_sizes.portHeight;
            made.box.x = drawnX(static_cast<std::int32_t>(i)) - made.box.width / 2;
            made.box.y = bandTop(made.layer) + (m_bandHeight - made.box.height) / 2;
        }
        m_portX.resize(m_layout.edges.size());
    }

    /// The x of the item above the edge's end.
    double approachX(std::size_t index) const {
        const GraphEdge& edge = m_layout.edges[index];
        if (m_items.outside[index])
            return std::numeric_limits<double>::infinity();
        return m_items.x[asSize(lastItem(index, edge))];
    }

    std::int32_t lastItem(std::size_t index, const GraphEdge& edge) const {
        const std::int32_t trunk = m_items.trunkOf[index];
        const std::int32_t bends = node(edge.to).layer - node(edge.from).layer - 1;
        return trunk < 0 ? edge.from : m_items.trunks[asSize(trunk)].first + bends - 1;
    }

    /// What comes from straight above ends in the middle of the upper side, the rest beside it.
    void spreadPorts(const GraphNode& target) {
        std::vector<std::pair<double, std::int32_t>> ends;
        for (const std::int32_t edge : target.in)
            ends.emplace_back(approachX(asSize(edge)), edge);
        std::sort(ends.begin(), ends.end());
        const double centre = m_items.x[asSize(indexOf(target))];
        const auto left = std::count_if(ends.begin(), ends.end(), [centre](const auto& each) {
            return each.first < centre - 0.5;
        });
        const auto right = std::count_if(ends.begin(), ends.end(), [centre](const auto& each) {
            return each.first > centre + 0.5;
        });
        const auto most = static_cast<double>(std::max<std::ptrdiff_t>({left, right, 1}));
        const double step = (target.box.width / 2 - kPortInset) / most;
        const auto straight = static_cast<std::ptrdiff_t>(ends.size()) - left - right;
        for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(ends.size()); ++i) {
            std::ptrdiff_t offset = 0;
            if (i < left)
                offset = i - left;
            else if (i >= left + straight)
                offset = i - left - straight + 1;
            m_portX[asSize(ends[static_cast<std::size_t>(i)].second)] =
                target.box.centre() + step * static_cast<double>(offset);
        }
    }

    std::int32_t indexOf(const GraphNode& each) const {
        return static_cast<std::int32_t>(&each - m_layout.nodes.data());
    }

    static void add(std::vector<GraphPoint>& route, double x, double y) {
        const std::size_t size = route.size();
        if (size >= 1 && route.back() == GraphPoint{x, y})
            return;
        if (size >= 2 && route[size - 1].x == x && route[size - 2].x == x)
            route.back().y = y;
        else
            route.push_back({x, y});
    }

    /// What goes straight down begins in the middle of the lower side, the rest beside it, where
    /// the label of the middle one is not in its way.
    double leavingX(std::size_t index) const {
        const GraphEdge& edge = m_layout.edges[index];
        const GraphRect& box = node(edge.from).box;
        const std::int32_t trunk = m_items.trunkOf[index];
        const double here = m_items.x[asSize(edge.from)];
        const double next =
            m_items.x[asSize(trunk < 0 ? edge.to : m_items.trunks[asSize(trunk)].first)];
        if (std::abs(next - here) < 0.5)
            return box.centre();
        const double aside = box.width / 2 - kPortInset;
        return box.centre() + (next > here ? aside : -aside);
    }

    void routeInside(std::size_t index) {
        GraphEdge& edge = m_layout.edges[index];
        const std::int32_t first = node(edge.from).layer;
        const std::int32_t last = node(edge.to).layer;
        const std::int32_t trunk = m_items.trunkOf[index];
        double x = leavingX(index);
        add(edge.route, x, node(edge.from).box.bottom());
        for (std::int32_t layer = first; layer < last; ++layer) {
            add(edge.route, x, bandBottom(layer));
            const bool ends = layer + 1 == last;
            const double next =
                ends ? m_portX[index] : drawnX(m_items.trunks[asSize(trunk)].first + layer - first);
            if (columnOf(layer) != columnOf(layer + 1))
                changeColumn(edge, layer, x, next);
            add(edge.route, next, bandTop(layer + 1));
            x = next;
        }
        add(edge.route, x, node(edge.to).box.y);
    }

    void changeColumn(GraphEdge& edge, std::int32_t layer, double from, double to) const {
        const std::int32_t column = columnOf(layer);
        const std::int32_t lane = m_lanes.at({column, edge.from, edge.tensor});
        const double laneX = m_columns[asSize(column)].gutter + kLaneStep * lane;
        const double below = bandBottom(layer) + m_sizes.layerGap / 2 + kLaneStep * lane;
        const double above = m_top - m_sizes.layerGap / 2 - kLaneStep * lane;
        add(edge.route, from, below);
        add(edge.route, laneX, below);
        add(edge.route, laneX, above);
        add(edge.route, to, above);
    }

    void routeOutside(std::size_t index, std::int32_t lane) {
        GraphEdge& edge = m_layout.edges[index];
        const GraphNode& from = node(edge.from);
        const GraphNode& to = node(edge.to);
        const auto laneX = [this, lane](std::int32_t column) {
            const Column& in = m_columns[asSize(column)];
            return in.gutter + kLaneStep * (in.lanes + lane);
        };
        const double below = bandBottom(from.layer) + m_sizes.layerGap / 2;
        const double above = bandTop(to.layer) - m_sizes.layerGap / 2;
        const double x = m_portX[index];
        edge.route = {{from.box.centre(), from.box.bottom()}, {from.box.centre(), below}};
        edge.route.push_back({laneX(from.column), below});
        if (from.column != to.column) {
            const double corridor = m_sizes.margin + kLaneStep * lane;
            edge.route.push_back({laneX(from.column), corridor});
            edge.route.push_back({laneX(to.column), corridor});
        }
        edge.route.push_back({laneX(to.column), above});
        edge.route.push_back({x, above});
        edge.route.push_back({x, to.box.y});
    }

    const Items& m_items;
    GraphLayout& m_layout;
    const GraphLayoutSizes m_sizes;
    double m_bandHeight;
    std::int32_t m_perColumn;
    double m_top = 0; ///< of the first band
    std::vector<Column> m_columns;
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::int32_t>
        m_lanes; ///< by column, node and tensor
    std::int32_t m_mostLanes = 0;
    std::int32_t m_outsideLanes = 0;
    std::vector<double> m_portX; ///< per edge
};

} // namespace

void routeEdges(const Items& items, GraphLayout& layout) { Router(items, layout).route(); }

} // namespace plumbline::layout_parts
