// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg.h"

namespace plumbline {

std::string svgFile(const Drawing& /*drawing*/, SvgTheme /*theme*/) { return {}; }
std::string svgElement(const Drawing& /*drawing*/, std::string_view /*id*/) { return {}; }
std::string svgStyle() { return {}; }

} // namespace plumbline
