// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that follow each other and are painted alike become one path where that looks the same:
// lines, and boxes without outline and title.
#include "core/chart/svg.h"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/chart/shape_geometry.h"
#include "core/chart/svg_writer.h"

namespace plumbline {
namespace {

constexpr double kTextSize = 12;                ///< where an element says no other
constexpr int kLeastClass = 8, kMostClass = 20; ///< whole text sizes that have a class

struct Paint {
    Ink fill, edge;
    double width = 1;
    bool dashed = false;
    bool operator==(const Paint&) const = default;
};

Paint paintOf(const DrawnBox& box) { return {box.fill, box.edge, box.edgeWidth, box.dashed}; }

Paint paintOf(const DrawnLine& line) {
    return {line.closed ? line.fill : Ink::none(), line.ink, line.width, line.dashed};
}

/// Writes elements with classes, or with colours of one theme.
class Writer {
  public:
    explicit Writer(std::optional<SvgTheme> theme)
        : m_theme(theme) {}

    void writeAll(const std::vector<Shape>& shapes);
    std::string take() { return std::move(m_text); }

  private:
    std::string colour(const Ink& ink) const;
    std::string paintAttributes(const Paint& paint) const;
    std::string textAttributes(const DrawnLabel& label) const;
    void writePath(const std::string& data, const Paint& paint);
    void writeBox(const DrawnBox& box);
    void write(const DrawnLabel& label);
    std::size_t writeBoxes(const std::vector<Shape>& shapes, std::size_t first);
    std::size_t writeLines(const std::vector<Shape>& shapes, std::size_t first);

    std::optional<SvgTheme> m_theme; ///< nothing: classes
    std::string m_text;
};

std::string Writer::colour(const Ink& ink) const {
    const ThemedColor color = colorOf(ink);
    return toText(m_theme == SvgTheme::Dark ? color.dark : color.light);
}

std::string Writer::paintAttributes(const Paint& paint) const {
    const bool hasFill = paint.fill.kind != Ink::Kind::None;
    const bool hasEdge = paint.edge.kind != Ink::Kind::None;
    std::string attributes;
    if (m_theme) {
        if (hasFill)
            attributes += fmt::format(" fill=\"{}\"", colour(paint.fill));
        if (hasEdge)
            attributes += fmt::format(" stroke=\"{}\"", colour(paint.edge));
        if (hasEdge && paint.dashed)
            attributes += fmt::format(" stroke-dasharray=\"{} {}\"", kDashes[0], kDashes[1]);
    } else if (hasFill || hasEdge) {
        std::string names = hasFill ? "f-" + inkName(paint.fill) : "";
        if (hasEdge)
            names += (hasFill ? " s-" : "s-") + inkName(paint.edge);
        if (hasEdge && paint.dashed)
            names += " s-dash";
        attributes += fmt::format(" class=\"{}\"", names);
    }
    if (hasEdge && paint.width != 1)
        attributes += svgAttribute("stroke-width", paint.width);
    return attributes;
}

void Writer::writePath(const std::string& data, const Paint& paint) {
    m_text += fmt::format("<path{} d=\"{}\"/>\n", paintAttributes(paint), data);
}

void Writer::writeBox(const DrawnBox& box) {
    const bool isHatched = box.hatched && box.edge.kind != Ink::Kind::None;
    const std::string title = box.title.empty() ? "" : "<title>" + xmlText(box.title) + "</title>";
    const bool isGroup = isHatched && !title.empty();
    if (isGroup)
        m_text += "<g>" + title;
    m_text += "<rect" + paintAttributes(paintOf(box)) + svgAttribute("x", box.box.x) +
              svgAttribute("y", box.box.y) + svgAttribute("width", box.box.width) +
              svgAttribute("height", box.box.height);
    if (box.radius > 0)
        m_text += svgAttribute("rx", box.radius);
    m_text += title.empty() || isGroup ? "/>\n" : ">" + title + "</rect>\n";
    if (isHatched)
        writePath(hatchPath(box.box), {Ink::none(), box.edge, 1, false});
    if (isGroup)
        m_text += "</g>\n";
}

std::string Writer::textAttributes(const DrawnLabel& label) const {
    using Align = DrawnLabel::Align;
    if (m_theme) {
        std::string attributes = fmt::format(" fill=\"{}\"", colour(label.ink));
        if (label.size != kTextSize)
            attributes += svgAttribute("font-size", label.size);
        if (label.face == Face::Mono)
            attributes += " font-family=\"monospace\"";
        if (label.bold)
            attributes += " font-weight=\"bold\"";
        if (label.align != Align::Left)
            attributes +=
                label.align == Align::Centre ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
        return attributes;
    }
    const bool hasClass = label.size == std::floor(label.size) && label.size >= kLeastClass &&
                          label.size <= kMostClass;
    std::string names = "f-" + inkName(label.ink);
    if (label.size != kTextSize && hasClass)
        names += fmt::format(" t-{}", static_cast<int>(label.size));
    if (label.face == Face::Mono)
        names += " t-mono";
    if (label.bold)
        names += " t-bold";
    if (label.align != Align::Left)
        names += label.align == Align::Centre ? " t-mid" : " t-end";
    return fmt::format(" class=\"{}\"", names) +
           (hasClass ? std::string() : svgAttribute("font-size", label.size));
}

void Writer::write(const DrawnLabel& label) {
    if (label.ink.kind == Ink::Kind::None || label.text.empty())
        return;
    const GraphPoint at = labelAnchor(label);
    m_text += "<text" + textAttributes(label) + svgAttribute("x", at.x) + svgAttribute("y", at.y);
    if (label.turned)
        m_text += fmt::format(" transform=\"rotate(-90 {} {})\"", svgNumber(at.x), svgNumber(at.y));
    m_text += ">" + xmlText(label.text) + "</text>\n";
}

bool isPlain(const DrawnBox& box) {
    return box.title.empty() && box.edge.kind == Ink::Kind::None && box.radius == 0;
}

std::size_t Writer::writeBoxes(const std::vector<Shape>& shapes, std::size_t first) {
    const auto& box = std::get<DrawnBox>(shapes[first]);
    const auto isAlike = [&](std::size_t i) {
        const auto* const other = i < shapes.size() ? std::get_if<DrawnBox>(&shapes[i]) : nullptr;
        return other != nullptr && isPlain(*other) && other->fill == box.fill;
    };
    if (!isPlain(box) || !isAlike(first + 1)) {
        writeBox(box);
        return first + 1;
    }
    std::string data;
    std::size_t end = first;
    for (; isAlike(end); ++end)
        data += pathOf(std::get<DrawnBox>(shapes[end]).box);
    writePath(data, {box.fill, Ink::none(), 1, false});
    return end;
}

std::size_t Writer::writeLines(const std::vector<Shape>& shapes, std::size_t first) {
    const auto& line = std::get<DrawnLine>(shapes[first]);
    const Paint paint = paintOf(line);
    const bool isStroke = paint.fill.kind == Ink::Kind::None;
    std::string data, heads;
    std::size_t end = first;
    for (; end < shapes.size() && (end == first || isStroke); ++end) {
        const auto* const other = std::get_if<DrawnLine>(&shapes[end]);
        if (other == nullptr || paintOf(*other) != paint)
            break;
        data += pathOf(*other);
        if (other->arrow && other->points.size() > 1)
            heads += pathOf(arrowHead(*other));
    }
    writePath(data, paint);
    if (!heads.empty())
        writePath(heads, {line.ink, Ink::none(), 1, false});
    return end;
}

void Writer::writeAll(const std::vector<Shape>& shapes) {
    for (std::size_t i = 0; i < shapes.size();) {
        if (std::holds_alternative<DrawnBox>(shapes[i])) {
            i = writeBoxes(shapes, i);
        } else if (std::holds_alternative<DrawnLine>(shapes[i])) {
            i = writeLines(shapes, i);
        } else {
            write(std::get<DrawnLabel>(shapes[i]));
            ++i;
        }
    }
}

std::string sizeAttributes(const Drawing& drawing) {
    return fmt::format(R"( viewBox="0 0 {0} {1}" width="{0}" height="{1}")",
                       svgNumber(drawing.width), svgNumber(drawing.height));
}

/// Every ink that has a name, in the order of the style sheet.
std::vector<Ink> allInks() {
    std::vector<Ink> inks;
    for (std::size_t i = 0; i < kToneCount; ++i)
        inks.push_back(Ink::of(static_cast<Tone>(i)));
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        inks.insert(inks.end(), {Ink::ofCategory(i), Ink::onCategory(i)});
    for (std::size_t i = 0; i < kHeatSteps; ++i) {
        const double fraction = static_cast<double>(i) / (kHeatSteps - 1);
        inks.insert(inks.end(), {Ink::ofHeat(fraction), Ink::onHeat(fraction)});
    }
    return inks;
}

std::string properties(SvgTheme theme) {
    std::string made = ":root{";
    for (const Ink& ink : allInks()) {
        const ThemedColor color = colorOf(ink);
        made += fmt::format("--{}:{};", inkName(ink),
                            toText(theme == SvgTheme::Dark ? color.dark : color.light));
    }
    made.back() = '}';
    return made + '\n';
}

} // namespace

std::string svgFile(const Drawing& drawing, SvgTheme theme) {
    DrawnBox background;
    background.box = {0, 0, drawing.width, drawing.height};
    background.fill = Ink::of(Tone::Background);
    Writer writer(theme);
    writer.writeAll({background});
    writer.writeAll(drawing.shapes);
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\"{} fill=\"none\" "
                       "font-family=\"sans-serif\" font-size=\"{}\">\n"
                       "<title>{}</title>\n<desc>{}</desc>\n{}</svg>\n",
                       sizeAttributes(drawing), kTextSize, xmlText(drawing.title),
                       xmlText(drawing.description), writer.take());
}

std::string svgElement(const Drawing& drawing, std::string_view id) {
    Writer writer(std::nullopt);
    writer.writeAll(drawing.shapes);
    return fmt::format("<svg class=\"chart\"{0} fill=\"none\" role=\"img\" "
                       "aria-labelledby=\"{1}-title\" aria-describedby=\"{1}-desc\">\n"
                       "<title id=\"{1}-title\">{2}</title>\n<desc id=\"{1}-desc\">{3}</desc>\n"
                       "{4}</svg>\n",
                       sizeAttributes(drawing), id, xmlText(drawing.title),
                       xmlText(drawing.description), writer.take());
}

std::string svgStyle() {
    std::string style = properties(SvgTheme::Light);
    style += "@media screen and (prefers-color-scheme:dark){" + properties(SvgTheme::Dark);
    style.back() = '}';
    style += fmt::format("\n.chart{{display:block;max-width:100%;height:auto;"
                         "font:{}px sans-serif;print-color-adjust:exact}}\n"
                         ".chart text{{pointer-events:none}}\n"
                         ".s-dash{{stroke-dasharray:{} {}}}\n"
                         ".t-mono{{font-family:monospace}}\n.t-bold{{font-weight:bold}}\n"
                         ".t-mid{{text-anchor:middle}}\n.t-end{{text-anchor:end}}\n",
                         kTextSize, kDashes[0], kDashes[1]);
    for (int size = kLeastClass; size <= kMostClass; ++size)
        style += fmt::format(".t-{0}{{font-size:{0}px}}\n", size);
    for (const Ink& ink : allInks())
        style +=
            fmt::format(".f-{0}{{fill:var(--{0})}}\n.s-{0}{{stroke:var(--{0})}}\n", inkName(ink));
    return style;
}

} // namespace plumbline
