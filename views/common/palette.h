// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the workbench: one calm set for light and one for dark, safe for colour-blind
// eyes.
#pragma once

#include <cstdint>

#include <QColor>
#include <QFont>
#include <QPalette>

#include "core/chart/drawing.h"

class QApplication;

namespace plumbline {

enum class Theme : std::uint8_t { System, Light, Dark };

/// Sets Fusion style, the palette and the fonts for the whole application.
void applyTheme(QApplication& application, Theme theme);

/// The palette of that theme.
QPalette themePalette(bool dark);

/// Whether `palette` is a dark one; every colour below has two values and chooses by it.
bool isDark(const QPalette& palette);

/// The colours are those of core/chart/colors.h, which says what each means.
QColor toneColor(Tone tone, const QPalette& palette);

QColor categoryColor(std::size_t index, const QPalette& palette);
QColor heatColor(double fraction, const QPalette& palette);
QColor divergingColor(double fraction, const QPalette& palette);
QColor inkColor(const Ink& ink, const QPalette& palette);

/// Black or white, whichever reads better on `background`.
QColor textOn(const QColor& background);

/// The fixed-width font at the application's size: addresses, bytes, numbers in columns.
QFont monoFont();

} // namespace plumbline
