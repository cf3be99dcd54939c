// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/shape_geometry.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

constexpr double kHatchGap = 6;
constexpr double kArrowLength = 7;
constexpr double kArrowHalf = 3.5;
constexpr double kBaseline = 0.36; ///< of the size, from the middle of a line of text down

} // namespace

std::vector<std::pair<GraphPoint, GraphPoint>> hatchLines(const GraphRect& box) {
    std::vector<std::pair<GraphPoint, GraphPoint>> lines;
    const double reach = box.width + box.height;
    // Each runs from the left or lower edge up to the upper or right one: x + y is the same.
    for (double at = kHatchGap / 2; at < reach; at += kHatchGap) {
        const double down = std::min(at, box.height), across = std::min(at, box.width);
        lines.push_back({{box.x + at - down, box.y + down}, {box.x + across, box.y + at - across}});
    }
    return lines;
}

bool isBent(const DrawnLine& line, std::size_t i) {
    const GraphPoint &a = line.points[i - 1], &b = line.points[i];
    return line.curved && a.x != b.x && a.y != b.y;
}

std::array<GraphPoint, 3> arrowHead(const DrawnLine& line) {
    const std::size_t last = line.points.size() - 1;
    const GraphPoint &from = line.points[last - 1], &tip = line.points[last];
    double dx = isBent(line, last) ? 0 : tip.x - from.x, dy = tip.y - from.y;
    const double length = std::hypot(dx, dy);
    dx = length > 0 ? dx / length : 0;
    dy = length > 0 ? dy / length : 1;
    const GraphPoint base{tip.x - dx * kArrowLength, tip.y - dy * kArrowLength};
    return {{tip,
             {base.x - dy * kArrowHalf, base.y + dx * kArrowHalf},
             {base.x + dy * kArrowHalf, base.y - dx * kArrowHalf}}};
}

GraphPoint labelAnchor(const DrawnLabel& label) {
    const GraphRect& box = label.box;
    const double part = label.align == DrawnLabel::Align::Left     ? 0
                        : label.align == DrawnLabel::Align::Centre ? 0.5
                                                                   : 1;
    const double below = kBaseline * label.size;
    return label.turned
               ? GraphPoint{box.x + box.width / 2 + below, box.bottom() - part * box.height}
               : GraphPoint{box.x + part * box.width, box.y + box.height / 2 + below};
}

} // namespace plumbline
