// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings as SVG text. The same drawing gives the same bytes: numbers have at most two decimals.
// Texts are shown as printable() has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/chart/drawing.h"

namespace plumbline {

enum class SvgTheme : std::uint8_t { Light, Dark };

/// A file of its own: XML declaration, colours of one theme as attributes (readers without CSS show
/// it too), a background, fonts by family name only.
std::string svgFile(const Drawing& drawing, SvgTheme theme = SvgTheme::Light);

/// An <svg class="chart"> element for a page: colours are classes that svgStyle() defines for
/// light, dark and print; heat comes in 16 steps. `id` begins the ids of its title and description
/// (role="img", aria-labelledby, aria-describedby) and is unique in the page. It shrinks with the
/// page and keeps its proportions.
std::string svgElement(const Drawing& drawing, std::string_view id);

/// The style sheet of svgElement(): custom properties and the classes. Pages may use the properties
/// too: --ok, --note, --warning, --error, --accent, --accent-fill, --grid, --muted, --surface,
/// --surface-edge, --edge, --text, --background; --category-0 to -7 and --on-category-0 to -7,
/// --heat-0 to -15 and --on-heat-0 to -15. Dark where the reader prefers it, on screens only.
std::string svgStyle();

} // namespace plumbline
