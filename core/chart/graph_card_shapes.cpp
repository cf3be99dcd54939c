// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of a card: GraphCards::card and edgeLabelOf.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/chart/graph_cards.h"

namespace plumbline {
namespace {

constexpr double kRadius = 5;
constexpr double kStripe = 5;       ///< from the card's left side to the end of its stripe
constexpr double kPadding = 12;     ///< from the card's left side to its text
constexpr double kRightPadding = 9; ///< from its text to its right side
constexpr double kMark = 13;        ///< width and height of a sign
constexpr double kMarkGap = 3;
constexpr double kTextGap = 8; ///< between a text and what stands right of it
constexpr double kLabelHeight = 15;
constexpr double kSignWidth = 1.6; ///< of the lines in a sign

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

double widthOf(const std::string& text, bool bold = false) {
    return textWidth(text, kCardTextSize, Face::Sans, bold);
}

/// How many signs `marks` put side by side.
int signCount(const GraphMarks& marks) {
    const bool differs = marks.verdict == GraphVerdict::Differs;
    const bool wrong = marks.refused || marks.diagnostic.has_value();
    return (differs ? 1 : 0) + (differs && marks.culprit ? 1 : 0) + (wrong ? 1 : 0) +
           (marks.verdict == GraphVerdict::Equal && !wrong ? 1 : 0);
}

/// Puts the signs of a card from right to left.
class SignPlacer {
  public:
    /// `edge` surrounds the signs.
    SignPlacer(std::vector<Shape>& shapes, const GraphRect& card, Ink edge)
        : m_shapes(shapes)
        , m_at{card.right() - 8 - kMark, card.bottom() - 6 - kMark, kMark, kMark}
        , m_edge(edge) {}

    void putTick(Ink ink) {
        line({{3.0 / kMark, 7.0 / kMark}, {5.5 / kMark, 9.5 / kMark}, {10.5 / kMark, 3.5 / kMark}},
             ink, 1.8);
        next();
    }

    void putUnequal() {
        box(2, Tone::Error);
        for (const double y : {0.42, 0.6})
            line({{0.28, y}, {0.72, y}}, onSign(), kSignWidth);
        line({{0.4, 0.76}, {0.6, 0.26}}, onSign(), kSignWidth);
        next();
    }

    void putDiamond() {
        polygon({{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}}, Tone::Error);
        next();
    }

    void putCross() {
        box(kMark / 2, Tone::Error);
        line({{0.3, 0.3}, {0.7, 0.7}}, onSign(), kSignWidth);
        line({{0.7, 0.3}, {0.3, 0.7}}, onSign(), kSignWidth);
        next();
    }

    void putWarning() {
        polygon({{0.5, 0}, {1, 1}, {0, 1}}, Tone::Warning);
        line({{0.5, 0.36}, {0.5, 0.66}}, onSign(), kSignWidth);
        line({{0.5, 0.76}, {0.5, 0.88}}, onSign(), kSignWidth);
        next();
    }

  private:
    /// What reads on a sign's fill, light or dark.
    static Ink onSign() { return Ink::of(Tone::Background); }

    /// `points` in parts of the sign.
    std::vector<GraphPoint> placed(std::vector<GraphPoint> points) const {
        for (GraphPoint& point : points)
            point = {m_at.x + point.x * kMark, m_at.y + point.y * kMark};
        return points;
    }

    void line(std::vector<GraphPoint> points, Ink ink, double width) {
        DrawnLine drawn;
        drawn.points = placed(std::move(points));
        drawn.ink = ink;
        drawn.width = width;
        m_shapes.emplace_back(std::move(drawn));
    }

    void polygon(std::vector<GraphPoint> points, Tone fill) {
        DrawnLine drawn;
        drawn.points = placed(std::move(points));
        drawn.ink = m_edge;
        drawn.closed = true;
        drawn.fill = Ink::of(fill);
        m_shapes.emplace_back(std::move(drawn));
    }

    void box(double radius, Tone fill) {
        DrawnBox drawn;
        drawn.box = m_at;
        drawn.radius = radius;
        drawn.fill = Ink::of(fill);
        drawn.edge = m_edge;
        m_shapes.emplace_back(std::move(drawn));
    }

    void next() { m_at.x -= kMark + kMarkGap; }

    std::vector<Shape>& m_shapes;
    GraphRect m_at;
    Ink m_edge;
};

void addSigns(std::vector<Shape>& shapes, const GraphRect& box, const GraphMarks& marks,
              const std::optional<GraphHeat>& heat) {
    // On a heat colour a sign needs more than its own.
    SignPlacer signs(shapes, box, heat ? Ink::onHeat(heat->fraction) : Ink::none());
    const bool refused = marks.refused || marks.diagnostic == Severity::Error;
    if (marks.verdict == GraphVerdict::Differs) {
        signs.putUnequal();
        if (marks.culprit)
            signs.putDiamond();
    } else if (marks.verdict == GraphVerdict::Equal && !refused && !marks.diagnostic) {
        signs.putTick(heat ? Ink::onHeat(heat->fraction) : Ink::of(Tone::Ok));
    }
    if (refused)
        signs.putCross();
    else if (marks.diagnostic == Severity::Warning)
        signs.putWarning();
}

DrawnLabel label(const GraphRect& box, std::string text, DrawnLabel::Align align, Ink ink) {
    DrawnLabel made;
    made.box = box;
    made.text = std::move(text);
    made.size = kCardTextSize;
    made.align = align;
    made.ink = ink;
    return made;
}

/// The three lines of a card.
class LinePlacer {
  public:
    LinePlacer(std::vector<Shape>& shapes, const GraphRect& card)
        : m_shapes(shapes)
        , m_card(card)
        , m_height((card.height - 8) / 3) {}

    /// `text`, as much of it as there is room, up to `rightRoom` from the text's right end.
    void putLeft(int line, const std::string& text, double rightRoom, Ink ink, bool bold = false) {
        const double width = m_card.width - kPadding - kRightPadding - rightRoom;
        std::string shown = fittedText(text, width, kCardTextSize, Elide::End, Face::Sans, bold);
        if (shown.empty())
            return;
        DrawnLabel made = label(row(line, m_card.x + kPadding, width), std::move(shown),
                                DrawnLabel::Align::Left, ink);
        made.bold = bold;
        m_shapes.emplace_back(std::move(made));
    }

    /// Returns the room that `text` takes with its gap; 0 for none.
    double putRight(int line, const std::string& text, Ink ink, bool bold = false) {
        if (text.empty())
            return 0;
        const double width = std::min(widthOf(text, bold), m_card.width / 2);
        DrawnLabel made =
            label(row(line, m_card.right() - kRightPadding - width, width),
                  fittedText(text, width, kCardTextSize, Elide::End, Face::Sans, bold),
                  DrawnLabel::Align::Right, ink);
        made.bold = bold;
        m_shapes.emplace_back(std::move(made));
        return width + kTextGap;
    }

  private:
    GraphRect row(int line, double x, double width) const {
        return {x, m_card.y + 4 + m_height * line, width, m_height};
    }

    std::vector<Shape>& m_shapes;
    const GraphRect& m_card;
    double m_height;
};

/// An input or output of the graph.
std::vector<Shape> portShapes(const GraphRect& box, const GraphNodeText& text) {
    DrawnBox outline;
    outline.box = box;
    outline.radius = box.height / 2;
    outline.fill = Ink::of(Tone::Grid);
    outline.edge = Ink::of(Tone::SurfaceEdge);
    const GraphRect inner{box.x + 10, box.y, box.width - 20, box.height};
    return {outline,
            label(inner, fittedText(text.name + "  " + text.shape, inner.width, kCardTextSize),
                  DrawnLabel::Align::Centre, Ink::of(Tone::Text))};
}

} // namespace

Ink GraphCards::stripeOf(std::int32_t node) const {
    const LoweredOperator* const op = placedOperator(node);
    if (op != nullptr && op->placement == Placement::Npu)
        return Ink::ofCategory(0);
    if (op != nullptr && op->placement == Placement::CpuSoftmax)
        return Ink::ofCategory(1);
    if (op != nullptr && op->placement == Placement::Refused)
        return Ink::of(Tone::Error);
    return Ink::of(Tone::Muted);
}

std::vector<Shape> GraphCards::card(std::int32_t node, const std::optional<GraphHeat>& heat) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    const GraphRect& box = at.box;
    const GraphNodeText& text = textOf(node);
    if (at.kind != GraphNodeKind::Operator)
        return portShapes(box, text);
    const LoweredOperator* const op = operatorOf(node);
    const GraphMarks& marks = marksOf(node);
    std::vector<Shape> shapes;
    shapes.reserve(12);
    DrawnBox outline;
    outline.box = box;
    outline.radius = kRadius;
    outline.fill = heat ? Ink::ofHeat(heat->fraction) : Ink::of(Tone::Surface);
    outline.edge = Ink::of(marks.alarming() ? Tone::Error : Tone::SurfaceEdge);
    outline.edgeWidth = marks.alarming() ? 1.6 : 1;
    outline.dashed = !marks.alarming() && op != nullptr && op->placement == Placement::Alias;
    shapes.emplace_back(std::move(outline));
    DrawnBox stripe;
    stripe.box = {box.x + 1.5, box.y + kRadius, kStripe - 1.5, box.height - 2 * kRadius};
    stripe.fill = stripeOf(node);
    shapes.emplace_back(std::move(stripe));
    const Ink strong = heat ? Ink::onHeat(heat->fraction) : Ink::of(Tone::Text);
    const Ink muted = heat ? strong : Ink::of(Tone::Muted);
    LinePlacer lines(shapes, box);
    const double numberRoom = lines.putRight(0, text.number, muted);
    const double heatRoom = heat ? lines.putRight(1, heat->number, strong, true) : 0;
    lines.putLeft(1, text.shape, heatRoom, strong);
    lines.putLeft(2, text.detail, signCount(marks) * (kMark + kMarkGap), muted);
    lines.putLeft(0, text.name, numberRoom, strong, true);
    addSigns(shapes, box, marks, heat);
    return shapes;
}

std::vector<Shape> GraphCards::edgeLabelOf(std::int32_t node) const {
    const GraphNode& at = layout().nodes[asSize(node)];
    if (at.out.empty())
        return {};
    const std::int32_t tensor = layout().edges[asSize(at.out.front())].tensor;
    const auto others = std::count_if(at.out.begin(), at.out.end(), [&](std::int32_t edge) {
        return layout().edges[asSize(edge)].tensor != tensor;
    });
    std::string text = edgeLabel(tensor);
    if (text.empty())
        return {};
    if (others > 0)
        text += fmt::format("  +{}", others);
    const double width = widthOf(text) + 8;
    if (width > layout().sizes.nodeWidth)
        return {};
    const double bandBottom = at.box.bottom() + (layout().sizes.nodeHeight - at.box.height) / 2;
    DrawnBox behind;
    behind.box = {at.box.centre() - width / 2, bandBottom + 7, width, kLabelHeight};
    behind.fill = Ink::of(Tone::Background);
    return {behind,
            label(behind.box, std::move(text), DrawnLabel::Align::Centre, Ink::of(Tone::Muted))};
}

} // namespace plumbline
