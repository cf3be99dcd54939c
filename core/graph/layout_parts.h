// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of layoutGraph: nodes and edges, layers, order, columns of x, routes. Private to this
// folder.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/graph/layout.h"

namespace plumbline::layout_parts {

/// The way of one tensor's edges past the layers between producer and consumers: one bend per
/// layer, shared by all consumers.
struct Trunk {
    std::int32_t from = 0;   ///< node
    std::int32_t first = 0;  ///< item of the first bend; the others follow it
    std::int32_t length = 0; ///< bends
};

/// What is placed. Items are the nodes, by their index, and then the bends of all trunks. Every
/// link connects an item with one in the next layer.
struct Items {
    std::int32_t nodes = 0;
    std::vector<std::int32_t> layerOf;
    std::vector<double> width;
    std::vector<std::pair<std::int32_t, std::int32_t>> links;
    std::vector<Trunk> trunks;
    std::vector<std::int32_t> trunkOf;             ///< per edge; -1: no bends
    std::vector<bool> outside;                     ///< per edge: goes round in the margin
    std::vector<std::int32_t> height;              ///< per node: longest way down to an end
    std::vector<std::vector<std::int32_t>> layers; ///< items, left to right
    std::vector<double> x;                         ///< centre, per item

    bool isBend(std::int32_t item) const { return item >= nodes; }
    std::int32_t count() const { return static_cast<std::int32_t>(layerOf.size()); }
};

/// layout_items.cpp: fills `layout.nodes` and `layout.edges` (no boxes, no routes) with layers.
void collectNodes(const Graph& graph, GraphLayout& layout);
Items makeItems(const GraphLayout& layout);

/// layout_order.cpp: orders each layer so that few links cross. False when cancelled.
bool orderLayers(Items& items, const JobContext& context);

/// layout_place.cpp: chooses x so that chains are straight and nothing in a layer overlaps.
void placeItems(Items& items, const GraphLayoutSizes& sizes);

/// layout_route.cpp: boxes, routes, columns and the size of it all.
void routeEdges(const Items& items, GraphLayout& layout);

} // namespace plumbline::layout_parts
