// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings as SVG text. The same drawing gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "core/chart/drawing.h"

namespace plumbline {

enum class SvgTheme : std::uint8_t { Light, Dark };

/// A file of its own: XML declaration, colours of one theme as attributes (readers without CSS show
/// it too), a background, fonts by family name only.
std::string svgFile(const Drawing& drawing, SvgTheme theme = SvgTheme::Light);

/// An <svg> element for a page: colours are classes that svgStyle() defines for light, dark and
/// print. `id` begins the ids of its title and description (role="img", aria-labelledby) and is
/// unique in the page. It shrinks with the page and keeps its proportions.
std::string svgElement(const Drawing& drawing, std::string_view id);

/// The style sheet of svgElement(): custom properties of every tone and category, and the classes.
std::string svgStyle();

} // namespace plumbline
