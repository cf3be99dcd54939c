// SPDX-License-Identifier: GPL-3.0-or-later
// How wide text is, without a font: one fixed table of character widths, so that reports are the
// same on every machine and views place labels where reports do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

enum class Face : std::uint8_t { Sans, Mono };

/// Width of UTF-8 `text` in the units of `size`, the font's height in em. The table is generous: a
/// usual sans face (Mono: fixed face) at that size is not wider. In em: ASCII as in DejaVu Sans
/// (Mono: 0.602), other Latin-1 and arrows 0.86, CJK 1, emoji 1.25, combining marks 0, the rest
/// 1.1. What is not UTF-8 counts as the rest, byte by byte.
double textWidth(std::string_view text, double size, Face face = Face::Sans, bool bold = false);

enum class Elide : std::uint8_t { End, Middle };

/// `text`, or its beginning with "…" (Elide::Middle: both ends around it), not wider than `width`.
/// Cuts between code points only; empty where not even "…" fits.
std::string fittedText(std::string_view text, double width, double size, Elide elide = Elide::End,
                       Face face = Face::Sans, bool bold = false);

} // namespace plumbline
