// SPDX-License-Identifier: GPL-3.0-or-later
// Where the operators and edges of a graph are drawn: layer by layer from top to bottom, long
// models folded into columns like a text.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/graph/model.h"

namespace plumbline {

/// In layout units; the graph view shows one unit as one pixel at 100 %. y grows downwards.
struct GraphPoint {
    double x = 0;
    double y = 0;
    bool operator==(const GraphPoint&) const = default;
};

struct GraphRect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
    double centre() const { return x + width / 2; }
    bool operator==(const GraphRect&) const = default;
};

struct GraphLayoutSizes {
    double nodeWidth = 212;
    double nodeHeight = 62;
    double portWidth = 132; ///< of a graph input or output
    double portHeight = 34;
    double layerGap = 42; ///< between two layers; edges change their column there
    double nodeGap = 26;
    double edgeGap = 18; ///< between an edge and what stands beside it
    double margin = 24;  ///< around everything
    /// Layers per column before the graph goes on at the top of the next one; 0 never folds, a
    /// negative number folds graphs of more than 160 layers into about the shape of a screen.
    std::int32_t layersPerColumn = -1;
};

enum class GraphNodeKind : std::uint8_t { Operator, Input, Output };

struct GraphNode {
    GraphNodeKind kind = GraphNodeKind::Operator;
    std::int64_t index = 0; ///< of the operator; of the tensor of an input or output
    std::int32_t layer = 0; ///< zero-based from the top, columns not counted
    std::int32_t column = 0;
    GraphRect box;
    std::vector<std::int32_t> in;  ///< indices in GraphLayout::edges
    std::vector<std::int32_t> out; ///< likewise
};

struct GraphEdge {
    std::int32_t from = 0; ///< index in GraphLayout::nodes
    std::int32_t to = 0;
    std::int32_t tensor = 0;
    /// The consumer comes first in execution order: only in damaged models.
    bool backward = false;
    /// At least two points. Between two of them the edge runs straight where x or y stays the same,
    /// else as a curve with vertical ends inside their bounding box. It touches no node but its own
    /// ends.
    std::vector<GraphPoint> route;
};

struct GraphLayout {
    GraphLayoutSizes sizes;
    /// First one per operator, in order, then the graph's inputs, then its outputs. Constants have
    /// no node.
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    std::int32_t layers = 0;
    std::int32_t columns = 0;
    double width = 0; ///< margins included
    double height = 0;
};

/// Lays out any graph, damaged ones too: tensors that nothing makes have no edge. The same graph
/// gives the same layout. Time and memory grow about linearly; what would not is drawn more simply.
/// Error: Cancelled.
Result<GraphLayout> layoutGraph(const Graph& graph, const JobContext& context = {},
                                const GraphLayoutSizes& sizes = {});

} // namespace plumbline
