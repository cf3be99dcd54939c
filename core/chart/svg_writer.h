// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of SVG text: numbers, escapes, paths, and the names of inks in a style sheet.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/chart/drawing.h"

namespace plumbline {

inline constexpr std::size_t kHeatSteps = 16;

/// "accent-fill", "category-3", "on-heat-15"; empty for none.
std::string inkName(const Ink& ink);

/// At most two decimals, no exponent, no negative zero; 0 for what is no number.
std::string svgNumber(double value);

/// As the content of an element; line feeds stay, all else becomes printable.
std::string xmlText(std::string_view text);

/// ` name="1.5"`
std::string svgAttribute(std::string_view name, double value);

/// The data of a path: the line, the box without its corners' radius, the closed triangle.
std::string pathOf(const DrawnLine& line);
std::string pathOf(const GraphRect& box);
std::string pathOf(const std::array<GraphPoint, 3>& triangle);
/// The diagonal lines over a hatched box.
std::string hatchPath(const GraphRect& box);

} // namespace plumbline
