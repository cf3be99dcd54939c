// SPDX-License-Identifier: GPL-3.0-or-later
// From a graph to nodes, edges and layers: collectNodes, makeItems.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/graph/layout_parts.h"

namespace plumbline::layout_parts {
namespace {

constexpr std::int32_t kNone = -1;
/// Bends of all edges together; a damaged graph could ask for the square of its size. Longer edges
/// go round outside.
constexpr std::int64_t kMaxBends = 60'000;
constexpr std::int64_t kMaxBendUses = 600'000;

class Collector {
  public:
    Collector(const Graph& graph, GraphLayout& layout)
        : m_graph(graph)
        , m_layout(layout)
        , m_maker(graph.tensors.size(), kNone) {}

    void collect() {
        for (std::size_t i = 0; i < m_graph.operators.size(); ++i)
            addNode(GraphNodeKind::Operator, static_cast<std::int64_t>(i));
        const std::vector<std::int32_t> last = lastMakers();
        for (const std::int32_t tensor : distinct(m_graph.inputs))
            if (!m_graph.tensors[asSize(tensor)].isConstant())
                m_maker[asSize(tensor)] = addNode(GraphNodeKind::Input, tensor);
        for (std::size_t i = 0; i < m_graph.operators.size(); ++i)
            addOperator(static_cast<std::int32_t>(i), last);
        for (const std::int32_t tensor : distinct(m_graph.outputs))
            if (m_maker[asSize(tensor)] != kNone)
                addEdge(m_maker[asSize(tensor)], addNode(GraphNodeKind::Output, tensor), tensor);
    }

  private:
    static std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

    bool exists(std::int32_t tensor) const {
        return tensor >= 0 && asSize(tensor) < m_graph.tensors.size();
    }

    /// The tensors of `list` that exist, each once.
    std::vector<std::int32_t> distinct(std::vector<std::int32_t> list) const {
        std::vector<bool> seen(m_graph.tensors.size());
        std::erase_if(list, [&](std::int32_t tensor) {
            if (!exists(tensor) || seen[asSize(tensor)])
                return true;
            seen[asSize(tensor)] = true;
            return false;
        });
        return list;
    }

    std::int32_t addNode(GraphNodeKind kind, std::int64_t index) {
        GraphNode node;
        node.kind = kind;
        node.index = index;
        m_layout.nodes.push_back(std::move(node));
        return static_cast<std::int32_t>(m_layout.nodes.size()) - 1;
    }

    std::vector<std::int32_t> lastMakers() const {
        std::vector<std::int32_t> last(m_graph.tensors.size(), kNone);
        for (std::size_t i = 0; i < m_graph.operators.size(); ++i)
            for (const std::int32_t tensor : m_graph.operators[i].outputs)
                if (exists(tensor))
                    last[asSize(tensor)] = static_cast<std::int32_t>(i);
        return last;
    }

    /// Operators run in order: what an operator reads was made by the last one before it. A maker
    /// further on is shown all the same, as an edge backwards.
    void addOperator(std::int32_t index, const std::vector<std::int32_t>& last) {
        const Operator& op = m_graph.operators[asSize(index)];
        std::vector<std::int32_t> inputs = op.inputs;
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        for (const std::int32_t tensor : inputs) {
            if (!exists(tensor) || m_graph.tensors[asSize(tensor)].isConstant())
                continue;
            const std::int32_t before = m_maker[asSize(tensor)];
            const std::int32_t maker = before != kNone ? before : last[asSize(tensor)];
            if (maker != kNone)
                addEdge(maker, index, tensor);
        }
        for (const std::int32_t tensor : op.outputs)
            if (exists(tensor))
                m_maker[asSize(tensor)] = index;
    }

    void addEdge(std::int32_t from, std::int32_t to, std::int32_t tensor) {
        const auto edge = static_cast<std::int32_t>(m_layout.edges.size());
        const bool ordinary = m_layout.nodes[asSize(from)].kind == GraphNodeKind::Operator &&
                              m_layout.nodes[asSize(to)].kind == GraphNodeKind::Operator;
        GraphEdge made;
        made.from = from;
        made.to = to;
        made.tensor = tensor;
        made.backward = ordinary && from >= to;
        m_layout.edges.push_back(std::move(made));
        m_layout.nodes[asSize(from)].out.push_back(edge);
        m_layout.nodes[asSize(to)].in.push_back(edge);
    }

    const Graph& m_graph;
    GraphLayout& m_layout;
    std::vector<std::int32_t> m_maker; ///< per tensor: the node that made it last
};

std::int32_t lowestConsumerLayer(const GraphLayout& layout, const GraphNode& node) {
    std::int32_t lowest = 1;
    bool any = false;
    for (const std::int32_t edge : node.out) {
        const std::int32_t layer =
            layout.nodes[static_cast<std::size_t>(layout.edges[static_cast<std::size_t>(edge)].to)]
                .layer;
        lowest = any ? std::min(lowest, layer) : layer;
        any = true;
    }
    return lowest;
}

/// Operators without edges stand together in a block, below everything else.
void layerLoners(GraphLayout& layout) {
    std::vector<GraphNode*> loners;
    std::int32_t lowest = 0;
    for (GraphNode& node : layout.nodes) {
        if (node.in.empty() && node.out.empty())
            loners.push_back(&node);
        else
            lowest = std::max(lowest, node.layer + 1);
    }
    const auto perLayer = static_cast<std::size_t>(
        std::max(1.0, std::ceil(std::sqrt(static_cast<double>(loners.size()) / 2))));
    for (std::size_t i = 0; i < loners.size(); ++i)
        loners[i]->layer = lowest + static_cast<std::int32_t>(i / perLayer);
}

void layerNodes(GraphLayout& layout) {
    const auto settle = [&layout](GraphNode& node) {
        node.layer = node.kind == GraphNodeKind::Operator ? 1 : 0;
        for (const std::int32_t edge : node.in) {
            const GraphEdge& in = layout.edges[static_cast<std::size_t>(edge)];
            if (!in.backward)
                node.layer =
                    std::max(node.layer, layout.nodes[static_cast<std::size_t>(in.from)].layer + 1);
        }
    };
    for (GraphNode& node : layout.nodes)
        if (node.kind == GraphNodeKind::Operator)
            settle(node);
    for (GraphNode& node : layout.nodes) {
        if (node.kind == GraphNodeKind::Input)
            node.layer = std::max(0, lowestConsumerLayer(layout, node) - 1);
        else if (node.kind == GraphNodeKind::Output)
            settle(node);
    }
    layerLoners(layout);
    std::int32_t top = layout.nodes.empty() ? 0 : layout.nodes.front().layer;
    for (const GraphNode& node : layout.nodes)
        top = std::min(top, node.layer);
    for (GraphNode& node : layout.nodes) {
        node.layer -= top;
        layout.layers = std::max(layout.layers, node.layer + 1);
    }
}

std::int32_t spanOf(const GraphLayout& layout, const GraphEdge& edge) {
    return layout.nodes[static_cast<std::size_t>(edge.to)].layer -
           layout.nodes[static_cast<std::size_t>(edge.from)].layer;
}

/// Decides per edge: straight to the next layer, along a trunk, or outside; shortest edges first.
void makeTrunks(const GraphLayout& layout, Items& items) {
    std::vector<std::int32_t> order(layout.edges.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return spanOf(layout, layout.edges[static_cast<std::size_t>(a)]) <
               spanOf(layout, layout.edges[static_cast<std::size_t>(b)]);
    });
    std::int64_t bends = 0;
    std::int64_t uses = 0;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known; // node and tensor to trunk
    for (const std::int32_t index : order) {
        const auto at = static_cast<std::size_t>(index);
        const GraphEdge& edge = layout.edges[at];
        const std::int32_t length = spanOf(layout, edge) - 1;
        if (length == 0 && !edge.backward)
            continue;
        const auto found = known.find({edge.from, edge.tensor});
        const std::int32_t before =
            found == known.end() ? 0 : items.trunks[static_cast<std::size_t>(found->second)].length;
        items.outside[at] = edge.backward || length < 0 || bends + length - before > kMaxBends ||
                            uses + length > kMaxBendUses;
        if (items.outside[at])
            continue;
        bends += length - before;
        uses += length;
        if (found == known.end()) {
            items.trunkOf[at] = static_cast<std::int32_t>(items.trunks.size());
            known[{edge.from, edge.tensor}] = items.trunkOf[at];
            items.trunks.push_back({edge.from, 0, length});
        } else {
            items.trunkOf[at] = found->second;
            items.trunks[static_cast<std::size_t>(found->second)].length = length;
        }
    }
}

void addBends(const GraphLayout& layout, Items& items) {
    for (Trunk& trunk : items.trunks) {
        trunk.first = items.count();
        const std::int32_t layer = layout.nodes[static_cast<std::size_t>(trunk.from)].layer;
        for (std::int32_t i = 0; i < trunk.length; ++i) {
            items.links.emplace_back(i == 0 ? trunk.from : trunk.first + i - 1, trunk.first + i);
            items.layerOf.push_back(layer + 1 + i);
            items.width.push_back(0);
        }
    }
}

void measureHeights(const GraphLayout& layout, Items& items) {
    items.height.assign(layout.nodes.size(), 0);
    for (std::size_t i = layout.nodes.size(); i-- > 0;) {
        if (layout.nodes[i].kind == GraphNodeKind::Output)
            continue;
        for (const std::int32_t edge : layout.nodes[i].out) {
            const GraphEdge& out = layout.edges[static_cast<std::size_t>(edge)];
            if (!out.backward)
                items.height[i] =
                    std::max(items.height[i], items.height[static_cast<std::size_t>(out.to)] + 1);
        }
    }
}

} // namespace

void collectNodes(const Graph& graph, GraphLayout& layout) {
    Collector(graph, layout).collect();
    layerNodes(layout);
}

Items makeItems(const GraphLayout& layout) {
    Items items;
    items.nodes = static_cast<std::int32_t>(layout.nodes.size());
    for (const GraphNode& node : layout.nodes) {
        items.layerOf.push_back(node.layer);
        items.width.push_back(node.kind == GraphNodeKind::Operator ? layout.sizes.nodeWidth
                                                                   : layout.sizes.portWidth);
    }
    items.trunkOf.assign(layout.edges.size(), kNone);
    items.outside.assign(layout.edges.size(), false);
    makeTrunks(layout, items);
    addBends(layout, items);
    for (std::size_t i = 0; i < layout.edges.size(); ++i) {
        const GraphEdge& edge = layout.edges[i];
        if (items.outside[i])
            continue;
        const std::int32_t trunk = items.trunkOf[i];
        items.links.emplace_back(trunk == kNone
                                     ? edge.from
                                     : items.trunks[static_cast<std::size_t>(trunk)].first +
                                           spanOf(layout, edge) - 2,
                                 edge.to);
    }
    std::sort(items.links.begin(), items.links.end());
    items.links.erase(std::unique(items.links.begin(), items.links.end()), items.links.end());
    measureHeights(layout, items);
    return items;
}

} // namespace plumbline::layout_parts
