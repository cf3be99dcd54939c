// SPDX-License-Identifier: GPL-3.0-or-later
// layoutGraph: the stages of layout_parts.h, one after the other.
#include "core/graph/layout.h"

#include "core/graph/layout_parts.h"

namespace plumbline {

Result<GraphLayout> layoutGraph(const Graph& graph, const JobContext& context,
                                const GraphLayoutSizes& sizes) {
    using namespace layout_parts;
    const auto cancelled = [] {
        return makeError(Code::Cancelled, "Laying out the graph was cancelled.");
    };
    GraphLayout layout;
    layout.sizes = sizes;
    if (!context.report(0, "Laying out the graph"))
        return cancelled();
    collectNodes(graph, layout);
    Items items = makeItems(layout);
    if (!context.report(0.3, "Laying out the graph") || !orderLayers(items, context))
        return cancelled();
    placeItems(items, sizes);
    if (!context.report(0.8, "Laying out the graph"))
        return cancelled();
    routeEdges(items, layout);
    return layout;
}

} // namespace plumbline
