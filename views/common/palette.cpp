// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/palette.h"

#include <QFontDatabase>

namespace plumbline {
namespace {

QColor toColor(const Rgb& color) { return {color.red, color.green, color.blue}; }

QColor in(const QPalette& palette, const ThemedColor& color) {
    return toColor(isDark(palette) ? color.dark : color.light);
}

} // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

QColor toneColor(Tone tone, const QPalette& palette) { return in(palette, toneValues(tone)); }

QColor categoryColor(std::size_t index, const QPalette& palette) {
    return in(palette, categoryValues(index));
}

QColor heatColor(double fraction, const QPalette& palette) {
    return in(palette, heatValues(fraction));
}

QColor divergingColor(double fraction, const QPalette& palette) {
    return in(palette, divergingValues(fraction));
}

QColor inkColor(const Ink& ink, const QPalette& palette) { return in(palette, colorOf(ink)); }

QColor textOn(const QColor& background) {
    const auto channel = [](int value) { return static_cast<std::uint8_t>(value); };
    return toColor(textOn(
        Rgb{channel(background.red()), channel(background.green()), channel(background.blue())}));
}

QFont monoFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace plumbline
