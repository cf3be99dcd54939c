// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the workbench: one calm set for light and one for dark, safe for colour-blind
// eyes.
#pragma once

#include <cstdint>

#include <QColor>
#include <QFont>
#include <QPalette>

class QApplication;

namespace plumbline {

enum class Theme : std::uint8_t { System, Light, Dark };

/// Sets Fusion style, the palette and the fonts for the whole application.
void applyTheme(QApplication& application, Theme theme);

/// Whether `palette` is a dark one; every colour below has two values and chooses by it.
bool isDark(const QPalette& palette);

/// Meanings that have a colour; a mark or a word always stands beside it.
enum class Tone : std::uint8_t {
    Ok,
    Note,
    Warning,
    Error,
    Accent,      ///< the selection
    AccentFill,  ///< a large area that is selected
    Grid,        ///< hairlines
    Muted,       ///< secondary text; readable (contrast of 4.5 and more)
    Surface,     ///< raised areas on the window: nodes, cards
    SurfaceEdge, ///< their outline
    Edge,        ///< graph edges
};
QColor toneColor(Tone tone, const QPalette& palette);

/// One of eight fills that can be told apart, for buffers, slices and series; `index` wraps. Text
/// in textOn() is readable on it.
QColor categoryColor(std::size_t index, const QPalette& palette);

/// A fill for `fraction` (0..1) of the largest value, from pale to strong in one hue order
/// (lightness is monotonous).
QColor heatColor(double fraction, const QPalette& palette);

/// A fill for `fraction` (-1..1) of the largest deviation: blue below 0, orange above, the plain
/// surface at 0; both ends differ from it by as much (lightness is monotonous on either side).
QColor divergingColor(double fraction, const QPalette& palette);

/// Black or white, whichever reads better on `background`.
QColor textOn(const QColor& background);

/// The fixed-width font at the application's size: addresses, bytes, numbers in columns.
QFont monoFont();

} // namespace plumbline
