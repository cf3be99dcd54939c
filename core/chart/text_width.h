// SPDX-License-Identifier: GPL-3.0-or-later
// How wide text is, without a font: one fixed table of character widths, so that reports are the
// same on every machine and views place labels where reports do.
#pragma once

#include <string>
#include <string_view>

namespace plumbline {

enum class Face : std::uint8_t { Sans, Mono };

/// Width of UTF-8 `text` in the units of `size`, the font's height in em. The table is generous: a
/// usual sans face (Mono: fixed face) at that size is not wider.
double textWidth(std::string_view text, double size, Face face = Face::Sans);

enum class Elide : std::uint8_t { End, Middle };

/// `text`, or its beginning with "…" (Elide::Middle: both ends around it), not wider than `width`.
/// Cuts between code points only; empty where not even "…" fits.
std::string fittedText(std::string_view text, double width, double size, Elide elide = Elide::End,
                       Face face = Face::Sans);

} // namespace plumbline
