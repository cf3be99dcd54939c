// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/charts.h"
#include "core/chart/graph_cards.h"

namespace plumbline {
namespace {

std::string placementsText(const GraphCards& cards, std::int32_t operators) {
    constexpr std::array kOrder{Placement::Npu, Placement::Alias, Placement::CpuSoftmax,
                                Placement::Refused};
    std::string text;
    for (const Placement placement : kOrder) {
        std::int64_t count = 0;
        for (std::int32_t node = 0; node < operators; ++node)
            if (const LoweredOperator* const op = cards.placedOperator(node))
                count += op->placement == placement ? 1 : 0;
        if (count > 0)
            text += fmt::format("{}{} {}", text.empty() ? ": " : ", ", groupedDigits(count),
                                placementText(placement));
    }
    return text;
}

std::string verdictsText(const GraphCards& cards, std::int32_t operators) {
    std::int64_t equal = 0, differing = 0;
    for (std::int32_t node = 0; node < operators; ++node) {
        equal += cards.marksOf(node).verdict == GraphVerdict::Equal ? 1 : 0;
        differing += cards.marksOf(node).verdict == GraphVerdict::Differs ? 1 : 0;
    }
    if (equal + differing == 0)
        return {};
    const Verdicts& verdicts = *cards.document().verdicts;
    std::string text =
        fmt::format(" Of {} compared with {}, {}.", counted(equal + differing, "layer", "layers"),
                    printable(lastPart(verdicts.reference)),
                    differing == 0 ? "none differs" : counted(differing, "differs", "differ"));
    if (verdicts.culprit)
        text += fmt::format(" The first one that is wrong by itself is operator {}.",
                            *verdicts.culprit);
    return text;
}

std::string descriptionOf(const GraphCards& cards) {
    const auto operators = static_cast<std::int32_t>(cards.document().graph()->operators.size());
    return counted(operators, "operator", "operators") + " in " +
           counted(cards.layout().layers, "row", "rows") + placementsText(cards, operators) +
           ". An edge is labelled with shape and size of its tensor." +
           verdictsText(cards, operators);
}

DrawnLine lineOf(const GraphEdge& edge) {
    DrawnLine line;
    line.points = edge.route;
    line.ink = Ink::of(Tone::Edge);
    line.width = 1.2;
    line.dashed = edge.backward;
    line.curved = true;
    line.arrow = true;
    return line;
}

void append(std::vector<Shape>& shapes, std::vector<Shape> more) {
    shapes.insert(shapes.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

/// The document's layout, or one folded into columns that a page takes side by side; nothing where
/// it is as wide as a page already.
std::optional<GraphLayout> pageLayout(const Document& document) {
    constexpr double kPageWidth = 1040;
    constexpr std::int32_t kFewLayers = 8; // short graphs stay in one piece
    const GraphLayout& whole = *document.layout;
    const auto columns = static_cast<std::int32_t>(kPageWidth / std::max(whole.width, 1.0));
    if (whole.layers <= kFewLayers || columns < 2)
        return std::nullopt;
    GraphLayoutSizes sizes = whole.sizes;
    sizes.layersPerColumn = std::max(kFewLayers, (whole.layers + columns - 1) / columns);
    Result<GraphLayout> folded = layoutGraph(*document.graph(), {}, sizes);
    return folded ? std::optional(std::move(*folded)) : std::nullopt;
}

} // namespace

Drawing graphDrawing(const Document& document) {
    if (!hasGraphCards(document))
        return {};
    const std::optional<GraphLayout> folded = pageLayout(document);
    const GraphCards cards(document, folded ? *folded : *document.layout);
    const GraphLayout& layout = cards.layout();
    Drawing drawing;
    drawing.width = layout.width;
    drawing.height = layout.height;
    drawing.title = "Operator graph of " + printable(document.title);
    drawing.description = descriptionOf(cards);
    for (const GraphEdge& edge : layout.edges)
        drawing.shapes.emplace_back(lineOf(edge));
    const auto nodes = static_cast<std::int32_t>(layout.nodes.size());
    for (std::int32_t node = 0; node < nodes; ++node)
        append(drawing.shapes, cards.edgeLabelOf(node));
    for (std::int32_t node = 0; node < nodes; ++node) {
        std::vector<Shape> card = cards.card(node);
        std::get<DrawnBox>(card.front()).title = cards.title(node);
        append(drawing.shapes, std::move(card));
    }
    return drawing;
}

} // namespace plumbline
