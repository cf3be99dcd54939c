// SPDX-License-Identifier: GPL-3.0-or-later
// What of a layout lies where, in time that depends on what is looked at and not on the whole
// graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/layout.h"
#include "views/common/rects.h"

namespace plumbline {

enum class GraphStep : std::uint8_t { Up, Down, Left, Right };

/// A grid of cells over the layout. Refers to the layout, which has to live longer.
class GraphIndex {
  public:
    explicit GraphIndex(const GraphLayout& layout);

    const GraphLayout& layout() const { return m_layout; }

    /// Nodes that touch `area`, ascending.
    std::vector<std::int32_t> nodesIn(const QRectF& area) const;
    /// Edges that may touch `area`, ascending: those whose bounding boxes of pieces do.
    std::vector<std::int32_t> edgesIn(const QRectF& area) const;

    std::optional<std::int32_t> nodeAt(const QPointF& point) const;
    /// The nearest edge within `reach` units.
    std::optional<std::int32_t> edgeAt(const QPointF& point, double reach) const;

    /// Where a key leads from `node`: Up and Down along edges, to the nearest neighbour; Left and
    /// Right to the nodes of its layer.
    std::optional<std::int32_t> step(std::int32_t node, GraphStep step) const;

  private:
    struct Cells {
        int left = 0, top = 0, right = 0, bottom = 0;
        std::int64_t count() const {
            return (std::int64_t{right} - left + 1) * (std::int64_t{bottom} - top + 1);
        }
    };
    Cells cellsOf(const QRectF& area) const;
    std::size_t cell(int column, int row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) +
               static_cast<std::size_t>(column);
    }
    void addEdge(std::int32_t edge);
    std::optional<std::int32_t> beside(std::int32_t node, int direction) const;

    const GraphLayout& m_layout;
    double m_cellWidth = 1;
    double m_cellHeight = 1;
    int m_columns = 1;
    int m_rows = 1;
    std::vector<std::vector<std::int32_t>> m_nodes;  ///< per cell
    std::vector<std::vector<std::int32_t>> m_edges;  ///< per cell
    std::vector<std::int32_t> m_longEdges;           ///< looked at every time
    std::vector<std::vector<std::int32_t>> m_layers; ///< nodes from left to right
    std::vector<std::int32_t> m_placeInLayer;        ///< per node
};

} // namespace plumbline
