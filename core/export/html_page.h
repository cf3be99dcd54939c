// SPDX-License-Identifier: GPL-3.0-or-later
// What surrounds a report as a page: text made safe, style, script and head.
#pragma once

#include <string>
#include <string_view>

#include "core/chart/colors.h"

namespace plumbline::reporting {

/// `text` as content of an element or of a quoted attribute.
std::string escapedHtml(std::string_view text);

/// The class of a tone, "error"; empty for plain text.
std::string_view toneClass(Tone tone);

/// Everything up to and including <body>. Its policy allows the page's own style and script only.
std::string pageHead(std::string_view title);
/// The script and the end of the page.
std::string pageEnd();

} // namespace plumbline::reporting
