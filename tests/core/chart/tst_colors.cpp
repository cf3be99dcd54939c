// SPDX-License-Identifier: GPL-3.0-or-later
// Every pair of text and ground that is used reaches the contrast that small text needs.
#include <cmath>

#include <gtest/gtest.h>

#include "core/chart/drawing.h"

namespace plumbline {
namespace {

constexpr double kSmallText = 4.5; // of WCAG 2.1, success criterion 1.4.3

/// The luminance of WCAG 2.1, which the tests compute on their own.
double luminanceOf(const Rgb& color) {
    const double channels[]{color.red / 255.0, color.green / 255.0, color.blue / 255.0};
    const double weights[]{0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += weights[i] * (channels[i] <= 0.03928 ? channels[i] / 12.92
                                                    : std::pow((channels[i] + 0.055) / 1.055, 2.4));
    return sum;
}

double ratio(const Rgb& a, const Rgb& b) {
    const double first = luminanceOf(a), second = luminanceOf(b);
    return first > second ? (first + 0.05) / (second + 0.05) : (second + 0.05) / (first + 0.05);
}

void expectReadable(const ThemedColor& text, const ThemedColor& ground, const std::string& what) {
    EXPECT_GE(ratio(text.light, ground.light), kSmallText) << what << ", light";
    EXPECT_GE(ratio(text.dark, ground.dark), kSmallText) << what << ", dark";
}

TEST(Colors, TonesOfTextReadOnEveryGround) {
    constexpr Tone kTexts[]{Tone::Ok,     Tone::Note,  Tone::Warning, Tone::Error,
                            Tone::Accent, Tone::Muted, Tone::Text};
    constexpr Tone kGrounds[]{Tone::Background, Tone::Surface, Tone::AccentFill};
    for (const Tone text : kTexts)
        for (const Tone ground : kGrounds)
            expectReadable(toneValues(text), toneValues(ground),
                           "tone " + std::to_string(static_cast<int>(text)) + " on " +
                               std::to_string(static_cast<int>(ground)));
    expectReadable(toneValues(Tone::Text), toneValues(Tone::Grid), "heads of tables on paper");
}

TEST(Colors, TextReadsOnEveryFill) {
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        expectReadable(colorOf(Ink::onCategory(i)), colorOf(Ink::ofCategory(i)),
                       "category " + std::to_string(i));
    for (int step = 0; step <= 200; ++step)
        expectReadable(colorOf(Ink::onHeat(step / 200.0)), colorOf(Ink::ofHeat(step / 200.0)),
                       "heat of " + std::to_string(step / 200.0));
    for (int step = -200; step <= 200; ++step) {
        const ThemedColor fill = divergingValues(step / 200.0);
        expectReadable({textOn(fill.light), textOn(fill.dark)}, fill,
                       "deviation of " + std::to_string(step / 200.0));
    }
    for (const Tone mark : {Tone::Error, Tone::Accent, Tone::AccentFill}) {
        const ThemedColor& fill = toneValues(mark);
        expectReadable({textOn(fill.light), textOn(fill.dark)}, fill,
                       "tone " + std::to_string(static_cast<int>(mark)));
    }
}

TEST(Colors, TextReadsOnEveryGrey) {
    for (int grey = 0; grey <= 255; ++grey) {
        const auto value = static_cast<std::uint8_t>(grey);
        const Rgb ground{value, value, value};
        EXPECT_GE(ratio(textOn(ground), ground), kSmallText) << grey;
    }
}

TEST(Colors, ContrastIsThatOfTheGuidelines) {
    const Rgb black{0, 0, 0}, white{255, 255, 255};
    EXPECT_DOUBLE_EQ(contrast(black, white), 21);
    EXPECT_DOUBLE_EQ(contrast(white, black), 21);
    EXPECT_DOUBLE_EQ(contrast(white, white), 1);
    EXPECT_NEAR(contrast({0x77, 0x77, 0x77}, white), 4.48, 0.005); // a known pair that just fails
    EXPECT_NEAR(contrast({0x76, 0x76, 0x76}, white), 4.54, 0.005); // and one that just passes
}

} // namespace
} // namespace plumbline
