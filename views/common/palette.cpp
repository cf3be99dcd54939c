// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QFontDatabase>

namespace plumbline {
namespace {

struct TwoColors {
    QRgb light;
    QRgb dark;
    QColor in(const QPalette& palette) const { return QColor(isDark(palette) ? dark : light); }
};

TwoColors toneColors(Tone tone) {
    switch (tone) {
    case Tone::Ok:
        return {0xFF1B7F4D, 0xFF5CC98F};
    case Tone::Note:
        return {0xFF2F6DB5, 0xFF7FB4EE};
    case Tone::Warning:
        return {0xFF9A6200, 0xFFE5B454};
    case Tone::Error:
        return {0xFFB3261E, 0xFFF2857C};
    case Tone::Accent:
        return {0xFF1F5FBF, 0xFF6CA8FF};
    case Tone::AccentFill:
        return {0xFFD9E7FB, 0xFF24405F};
    case Tone::Grid:
        return {0xFFDFE3E8, 0xFF363C44};
    case Tone::Muted:
        return {0xFF5A6573, 0xFF9AA6B4};
    case Tone::Surface:
        return {0xFFFFFFFF, 0xFF262B31};
    case Tone::SurfaceEdge:
        return {0xFFB4BDC8, 0xFF4C555F};
    case Tone::Edge:
        return {0xFF7D8996, 0xFF78848F};
    }
    return {};
}

// Spread in lightness as well as in hue, so that they differ for every kind of colour vision.
constexpr std::array<TwoColors, 8> kCategories{{{0xFF8FB8E8, 0xFF3F6FA8},
                                                {0xFFF2C879, 0xFF9A6F1E},
                                                {0xFF8CCFB4, 0xFF2C7A5C},
                                                {0xFFE9A6C0, 0xFF964768},
                                                {0xFFC3B5E8, 0xFF6450A0},
                                                {0xFFE8B08F, 0xFF98552F},
                                                {0xFFA9D6E5, 0xFF33768A},
                                                {0xFFCFD4A0, 0xFF6D7430}}};

QColor mixed(const QColor& a, const QColor& b, double t) {
    const auto channel = [t](int x, int y) {
        return static_cast<int>(std::lround(x + (y - x) * t));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightness() < 128; }

QColor toneColor(Tone tone, const QPalette& palette) { return toneColors(tone).in(palette); }

QColor categoryColor(std::size_t index, const QPalette& palette) {
    return kCategories.at(index % kCategories.size()).in(palette);
}

QColor heatColor(double fraction, const QPalette& palette) {
    // From the surface over ochre to deep red; on dark, from the surface to bright yellow.
    static constexpr std::array<QRgb, 4> kLight{0xFFFFF7E0, 0xFFFFD27A, 0xFFEE8A3A, 0xFFA8321E};
    static constexpr std::array<QRgb, 4> kDark{0xFF2C3036, 0xFF6B4A1E, 0xFFC07A22, 0xFFFFDE7A};
    const auto& stops = isDark(palette) ? kDark : kLight;
    const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) *
                      static_cast<double>(stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mixed(QColor(stops.at(below)), QColor(stops.at(below + 1)),
                 at - static_cast<double>(below));
}

QColor divergingColor(double fraction, const QPalette& palette) {
    static constexpr TwoColors kZero{0xFFF4F4F2, 0xFF2C3036};
    static constexpr TwoColors kBelow{0xFF1F4E9E, 0xFF86BBFF};
    static constexpr TwoColors kAbove{0xFFA34700, 0xFFFFB25C};
    const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, -1.0, 1.0);
    return mixed(kZero.in(palette), (at < 0 ? kBelow : kAbove).in(palette), std::abs(at));
}

QColor textOn(const QColor& background) {
    const double luminance =
        0.299 * background.red() + 0.587 * background.green() + 0.114 * background.blue();
    return luminance > 140 ? QColor(0xFF14181D) : QColor(0xFFF7F9FB);
}

QFont monoFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    return font;
}

} // namespace plumbline
