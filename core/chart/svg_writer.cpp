// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/chart/shape_geometry.h"

namespace plumbline {
namespace {

constexpr double kLargest = 1e9; ///< coordinates beyond are cut

constexpr std::array<std::string_view, kToneCount> kToneNames{
    "ok",    "note",    "warning",      "error", "accent", "accent-fill", "grid",
    "muted", "surface", "surface-edge", "edge",  "text",   "background"};

std::size_t heatStep(double fraction) {
    const double within = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(within * (kHeatSteps - 1)));
}

std::string pointText(const GraphPoint& point) {
    return svgNumber(point.x) + ' ' + svgNumber(point.y);
}

} // namespace

std::string inkName(const Ink& ink) {
    switch (ink.kind) {
    case Ink::Kind::None:
        return {};
    case Ink::Kind::Tone:
        return std::string(kToneNames.at(static_cast<std::size_t>(ink.tone)));
    case Ink::Kind::Category:
        return fmt::format("category-{}", ink.category % kCategoryCount);
    case Ink::Kind::OnCategory:
        return fmt::format("on-category-{}", ink.category % kCategoryCount);
    case Ink::Kind::Heat:
        return fmt::format("heat-{}", heatStep(ink.heat));
    case Ink::Kind::OnHeat:
        return fmt::format("on-heat-{}", heatStep(ink.heat));
    }
    return {};
}

std::string svgNumber(double value) {
    if (!std::isfinite(value))
        return "0";
    const long long hundredths = std::llround(std::clamp(value, -kLargest, kLargest) * 100);
    const long long size = std::abs(hundredths);
    std::string text = hundredths < 0 ? "-" : "";
    text += std::to_string(size / 100);
    if (size % 100 != 0)
        text += fmt::format(".{:02}", size % 100);
    if (size % 100 != 0 && text.back() == '0')
        text.pop_back();
    return text;
}

std::string xmlText(std::string_view text) {
    std::string made;
    while (true) {
        const std::size_t line = std::min(text.find('\n'), text.size());
        for (const char c : printable(text.substr(0, line))) {
            if (c == '&')
                made += "&amp;";
            else if (c == '<')
                made += "&lt;";
            else if (c == '>')
                made += "&gt;";
            else
                made += c;
        }
        if (line == text.size())
            return made;
        made += '\n';
        text.remove_prefix(line + 1);
    }
}

std::string svgAttribute(std::string_view name, double value) {
    return fmt::format(" {}=\"{}\"", name, svgNumber(value));
}

std::string pathOf(const DrawnLine& line) {
    if (line.points.empty())
        return {};
    std::string path = "M" + pointText(line.points.front());
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const GraphPoint &a = line.points[i - 1], &b = line.points[i];
        const double middle = (a.y + b.y) / 2;
        if (isBent(line, i))
            path += 'C' + pointText({a.x, middle}) + ' ' + pointText({b.x, middle}) + ' ' +
                    pointText(b);
        else if (a.y == b.y)
            path += 'H' + svgNumber(b.x);
        else if (a.x == b.x)
            path += 'V' + svgNumber(b.y);
        else
            path += 'L' + pointText(b);
    }
    return line.closed ? path + 'z' : path;
}

std::string pathOf(const GraphRect& box) {
    // Ends are rounded, not lengths: neighbours that touch still do.
    return 'M' + pointText({box.x, box.y}) + 'H' + svgNumber(box.right()) + 'V' +
           svgNumber(box.bottom()) + 'H' + svgNumber(box.x) + 'z';
}

std::string pathOf(const std::array<GraphPoint, 3>& triangle) {
    return 'M' + pointText(triangle[0]) + 'L' + pointText(triangle[1]) + 'L' +
           pointText(triangle[2]) + 'z';
}

std::string hatchPath(const GraphRect& box) {
    std::string path;
    for (const auto& [from, to] : hatchLines(box))
        path += 'M' + pointText(from) + 'L' + pointText(to);
    return path;
}

} // namespace plumbline
