// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/colors.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr Rgb rgb(std::uint32_t value) {
    return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value)};
}

constexpr ThemedColor themed(std::uint32_t light, std::uint32_t dark) {
    return {rgb(light), rgb(dark)};
}

constexpr std::array<ThemedColor, kToneCount> kTones{{
    themed(0x187546, 0x5CC98F), // Ok
    themed(0x2A64A8, 0x7FB4EE), // Note
    themed(0x8F5A00, 0xE5B454), // Warning
    themed(0xB3261E, 0xF2857C), // Error
    themed(0x1F5FBF, 0x6CA8FF), // Accent
    themed(0xD9E7FB, 0x223C59), // AccentFill
    themed(0xDFE3E8, 0x363C44), // Grid
    themed(0x5A6573, 0x9AA6B4), // Muted
    themed(0xFFFFFF, 0x262B31), // Surface
    themed(0xB4BDC8, 0x4C555F), // SurfaceEdge
    themed(0x7D8996, 0x78848F), // Edge
    themed(0x1A2028, 0xE3E8EE), // Text
    themed(0xFFFFFF, 0x15181C), // Background
}};

// Spread in lightness as well as in hue, so that they differ for every kind of colour vision.
constexpr std::array<ThemedColor, kCategoryCount> kCategories{{
    themed(0x8FB8E8, 0x3F6FA8),
    themed(0xF2C879, 0x9A6F1E),
    themed(0x8CCFB4, 0x2C7A5C),
    themed(0xE9A6C0, 0x964768),
    themed(0xC3B5E8, 0x6450A0),
    themed(0xE8B08F, 0x98552F),
    themed(0xA9D6E5, 0x33768A),
    themed(0xCFD4A0, 0x6D7430),
}};

std::uint8_t mixed(std::uint8_t a, std::uint8_t b, double t) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * t));
}

Rgb mixed(const Rgb& a, const Rgb& b, double t) {
    return {mixed(a.red, b.red, t), mixed(a.green, b.green, t), mixed(a.blue, b.blue, t)};
}

ThemedColor mixed(const ThemedColor& a, const ThemedColor& b, double t) {
    return {mixed(a.light, b.light, t), mixed(a.dark, b.dark, t)};
}

/// 0 for black to 1 for white, as the Web Content Accessibility Guidelines define it.
double luminance(const Rgb& color) {
    const auto linear = [](std::uint8_t channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

} // namespace

std::string toText(const Rgb& color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

const ThemedColor& toneValues(Tone tone) { return kTones.at(static_cast<std::size_t>(tone)); }

const ThemedColor& categoryValues(std::size_t index) {
    return kCategories.at(index % kCategories.size());
}

ThemedColor heatValues(double fraction) {
    // From the surface over ochre to deep red; on dark, from the surface to bright yellow.
    static constexpr std::array<ThemedColor, 4> kStops{
        {themed(0xFFF7E0, 0x2C3036), themed(0xFFD27A, 0x6B4A1E), themed(0xEE8A3A, 0xC07A22),
         themed(0xA8321E, 0xFFDE7A)}};
    const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0) *
                      static_cast<double>(kStops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
    return mixed(kStops.at(below), kStops.at(below + 1), at - static_cast<double>(below));
}

ThemedColor divergingValues(double fraction) {
    static constexpr ThemedColor kZero = themed(0xF4F4F2, 0x2C3036);
    static constexpr ThemedColor kBelow = themed(0x1F4E9E, 0x86BBFF);
    static constexpr ThemedColor kAbove = themed(0xA34700, 0xFFB25C);
    const double at = std::clamp(std::isfinite(fraction) ? fraction : 0.0, -1.0, 1.0);
    return mixed(kZero, at < 0 ? kBelow : kAbove, std::abs(at));
}

double contrast(const Rgb& a, const Rgb& b) {
    const double first = luminance(a) + 0.05, second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

Rgb textOn(const Rgb& background) {
    constexpr Rgb kBlack = rgb(0x000000), kWhite = rgb(0xFFFFFF);
    return contrast(kBlack, background) >= contrast(kWhite, background) ? kBlack : kWhite;
}

} // namespace plumbline
