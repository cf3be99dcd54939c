// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a shape for whoever paints it: the same lines in files and on paper.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "core/chart/drawing.h"

namespace plumbline {

/// Lengths of a dash and of the gap after it, in units.
inline constexpr std::array<double, 2> kDashes{4, 3};

/// The diagonal lines over a hatched box, 6 units apart; they end at its edges.
std::vector<std::pair<GraphPoint, GraphPoint>> hatchLines(const GraphRect& box);

/// Whether the line bends between `points[i - 1]` and `points[i]`: a cubic curve whose two control
/// points stand at half height above and below its ends. 0 < i < points.size().
bool isBent(const DrawnLine& line, std::size_t i);

/// The triangle at the end of a line of at least two points; the tip is the first one.
std::array<GraphPoint, 3> arrowHead(const DrawnLine& line);

/// Where the text of a label begins, is centred or ends, as its Align says, on its baseline.
GraphPoint labelAnchor(const DrawnLabel& label);

} // namespace plumbline
