// SPDX-License-Identifier: GPL-3.0-or-later
// A picture as a value: shapes in abstract units with meanings instead of colours. The report
// writes it as SVG, printing paints it, and the views draw the same rectangles, routes, ticks and
// labels. Units: 1 is one pixel at 100 %; y grows downwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/chart/colors.h"
#include "core/chart/text_width.h"
#include "core/graph/layout.h"

namespace plumbline {

/// What a shape is painted with: a tone, or a category's or heat's fill.
struct Ink {
    enum class Kind : std::uint8_t { None, Tone, Category, OnCategory, Heat, OnHeat };
    Kind kind = Kind::None;
    Tone tone = Tone::Text;
    std::size_t category = 0; ///< Category, OnCategory: categoryValues()
    double heat = 0;          ///< Heat, OnHeat: fraction, heatValues()

    bool operator==(const Ink&) const = default;
    static Ink none() { return {}; }
    static Ink of(Tone tone) { return {Kind::Tone, tone, 0, 0}; }
    static Ink ofCategory(std::size_t index) { return {Kind::Category, Tone::Text, index, 0}; }
    /// Text that reads on that category's fill; likewise for heat.
    static Ink onCategory(std::size_t index) { return {Kind::OnCategory, Tone::Text, index, 0}; }
    static Ink ofHeat(double fraction) { return {Kind::Heat, Tone::Text, 0, fraction}; }
    static Ink onHeat(double fraction) { return {Kind::OnHeat, Tone::Text, 0, fraction}; }
};
/// The colour of `ink`; black for none.
ThemedColor colorOf(const Ink& ink);

struct DrawnBox {
    GraphRect box;
    double radius = 0; ///< of the corners
    Ink fill, edge;
    double edgeWidth = 1;
    bool dashed = false;  ///< its edge
    bool hatched = false; ///< diagonal lines in `edge` over the fill: told apart without colour
    std::string title;    ///< what a pointer or a screen reader is told; may be empty
};

/// A line through `points`: straight where x or y stays the same or `curved` is false, else with
/// vertical ends (GraphEdge::route).
struct DrawnLine {
    std::vector<GraphPoint> points;
    Ink ink;
    double width = 1;
    bool dashed = false;
    bool curved = false;
    bool arrow = false;  ///< at the last point
    bool closed = false; ///< a polygon, filled with `fill`
    Ink fill;
};

/// One line of text inside its box, which is never narrower than the text by textWidth().
struct DrawnLabel {
    enum class Align : std::uint8_t { Left, Centre, Right };
    GraphRect box; ///< the text is centred in its height
    std::string text;
    double size = 12;
    Align align = Align::Left;
    Face face = Face::Sans;
    bool bold = false;
    Ink ink = Ink::of(Tone::Text);
    bool turned = false; ///< runs upwards: the box is then as wide as the text is high
};

using Shape = std::variant<DrawnBox, DrawnLine, DrawnLabel>;

struct Drawing {
    double width = 0, height = 0;
    std::string title;         ///< names the picture
    std::string description;   ///< says in a sentence or two what it shows, with the numbers
    std::vector<Shape> shapes; ///< painted in this order

    bool empty() const { return shapes.empty(); }
};

} // namespace plumbline
