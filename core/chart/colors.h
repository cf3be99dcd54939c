// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of charts, light and dark: one set for views, report and pictures, safe for
// colour-blind eyes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace plumbline {

struct Rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    bool operator==(const Rgb&) const = default;
};

/// "#8fb8e8"
std::string toText(const Rgb& color);

/// One meaning, two values.
struct ThemedColor {
    Rgb light, dark;
};

/// Meanings that have a colour; a mark or a word always stands beside it.
enum class Tone : std::uint8_t {
    Ok,
    Note,
    Warning,
    Error,
    Accent,      ///< the selection
    AccentFill,  ///< a large area that is selected; tones of text are readable on it
    Grid,        ///< hairlines
    Muted,       ///< secondary text; readable (contrast of 4.5 and more)
    Surface,     ///< raised areas on the background: nodes, cards
    SurfaceEdge, ///< their outline
    Edge,        ///< graph edges
    Text,        ///< main text on Background and Surface
    Background,  ///< what charts and tables stand on
};
inline constexpr std::size_t kToneCount = 13;
const ThemedColor& toneValues(Tone tone);

inline constexpr std::size_t kCategoryCount = 8;
/// One of eight fills that can be told apart, for buffers, slices and series; `index` wraps. Text
/// in textOn() is readable on it.
const ThemedColor& categoryValues(std::size_t index);

/// A fill for `fraction` (0..1) of the largest value, from pale to strong in one hue order
/// (lightness is monotonous).
ThemedColor heatValues(double fraction);

/// A fill for `fraction` (-1..1) of the largest deviation: blue below 0, orange above, the plain
/// surface at 0; both ends differ from it by as much (lightness is monotonous on either side).
ThemedColor divergingValues(double fraction);

/// From 1 for equal ones to 21 for black and white, by the Web Content Accessibility Guidelines.
double contrast(const Rgb& a, const Rgb& b);

/// Black or white, whichever reads better on `background`: a contrast of 4.58 and more.
Rgb textOn(const Rgb& background);

} // namespace plumbline
