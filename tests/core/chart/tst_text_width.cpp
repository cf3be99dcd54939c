// SPDX-License-Identifier: GPL-3.0-or-later
// Widths of text without a font, and text cut to a width.
#include <gtest/gtest.h>

#include "core/chart/text_width.h"

using namespace plumbline;

namespace {

/// Whether no code point of `text` is cut: every byte that continues one has its beginning.
bool isWhole(const std::string& text) {
    int open = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool continues = (byte & 0xC0U) == 0x80;
        if (continues != (open > 0))
            return false;
        open = continues ? open - 1 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
    }
    return open == 0;
}

} // namespace

TEST(TextWidth, AddsAdvancesOfTheTable) {
    // DejaVu Sans, in 2048ths of an em: I 604, l 569, W 2025, space 651; 1/1000 em, rounded up.
    EXPECT_NEAR(textWidth("I", 1000), 604 * 1000.0 / 2048, 1);
    EXPECT_NEAR(textWidth("l", 1000), 569 * 1000.0 / 2048, 1);
    EXPECT_NEAR(textWidth("W", 1000), 2025 * 1000.0 / 2048, 1);
    EXPECT_NEAR(textWidth(" ", 1000), 651 * 1000.0 / 2048, 1);
    EXPECT_DOUBLE_EQ(textWidth("Il W", 12), (295 + 278 + 318 + 989) * 12 / 1000.0);
    EXPECT_EQ(textWidth("", 12), 0);
}

TEST(TextWidth, IsMeasuredInTheSize) {
    EXPECT_DOUBLE_EQ(textWidth("conv2d/Relu", 22), 2 * textWidth("conv2d/Relu", 11));
}

TEST(TextWidth, FixedFaceHasOneWidth) {
    EXPECT_DOUBLE_EQ(textWidth("iiii", 10, Face::Mono), 4 * 6.02);
    EXPECT_DOUBLE_EQ(textWidth("WWWW", 10, Face::Mono), 4 * 6.02);
    EXPECT_DOUBLE_EQ(textWidth("25×5→", 10, Face::Mono), 5 * 6.02);
}

TEST(TextWidth, BoldIsNeverNarrower) {
    for (char c = ' '; c <= '~'; ++c) {
        const std::string text(1, c);
        EXPECT_GE(textWidth(text, 100, Face::Sans, true), textWidth(text, 100)) << text;
        EXPECT_GT(textWidth(text, 100), 0) << text;
    }
    EXPECT_GT(textWidth("Peak", 12, Face::Sans, true), textWidth("Peak", 12));
}

TEST(TextWidth, HasAWidthForEveryCodePoint) {
    EXPECT_DOUBLE_EQ(textWidth("é", 100), 86);
    EXPECT_DOUBLE_EQ(textWidth("→", 100), 86);
    EXPECT_DOUBLE_EQ(textWidth("®", 100), 110);
    EXPECT_DOUBLE_EQ(textWidth("Ж", 100), 110);
    EXPECT_DOUBLE_EQ(textWidth("量", 100), 100);
    EXPECT_DOUBLE_EQ(textWidth("😀", 100), 125);
    EXPECT_DOUBLE_EQ(textWidth("e\u0301", 100), textWidth("e", 100));
    EXPECT_DOUBLE_EQ(textWidth("e\u0301", 100, Face::Mono), textWidth("e", 100, Face::Mono));
}

TEST(TextWidth, CountsStrayBytes) {
    EXPECT_DOUBLE_EQ(textWidth("\x80", 100), 110);
    EXPECT_DOUBLE_EQ(textWidth("\xE9\x87", 100), 220); // cut off
    EXPECT_DOUBLE_EQ(textWidth("\xC3g", 100), 110 + textWidth("g", 100));
    EXPECT_DOUBLE_EQ(textWidth(std::string_view("\0", 1), 100), 110);
}

TEST(FittedText, LeavesWhatFits) {
    const double width = textWidth("conv2d", 11);
    EXPECT_EQ(fittedText("conv2d", width, 11), "conv2d");
    EXPECT_NE(fittedText("conv2d", width - 0.1, 11), "conv2d");
    EXPECT_EQ(fittedText("", 0, 11), "");
}

TEST(FittedText, CutsTheEndOrTheMiddle) {
    const double four = textWidth("0000", 10, Face::Mono);
    EXPECT_EQ(fittedText("abcdefgh", four, 10, Elide::End, Face::Mono), "abc…");
    const double five = textWidth("00000", 10, Face::Mono);
    EXPECT_EQ(fittedText("abcdefgh", five, 10, Elide::Middle, Face::Mono), "ab…gh");
    EXPECT_EQ(fittedText("abcdefgh", four, 10, Elide::Middle, Face::Mono), "a…gh");
}

TEST(FittedText, SaysNothingWhereNothingFits) {
    const double one = textWidth("…", 10);
    EXPECT_EQ(fittedText("WW", one, 10), "…");
    EXPECT_EQ(fittedText("WW", one - 0.1, 10), "");
    EXPECT_EQ(fittedText("WW", -5, 10, Elide::Middle), "");
}

TEST(FittedText, IsNeverWiderAndCutsNoCodePoint) {
    const std::string name = "modèle/量化/Conv2D_é😀e\u0301→ReLU;3";
    for (const Face face : {Face::Sans, Face::Mono})
        for (const bool bold : {false, true})
            for (const Elide elide : {Elide::End, Elide::Middle})
                for (double width = 0; width < 300; width += 1.5) {
                    const std::string shown = fittedText(name, width, 12, elide, face, bold);
                    EXPECT_LE(textWidth(shown, 12, face, bold), width) << shown;
                    EXPECT_TRUE(isWhole(shown)) << shown;
                }
}

TEST(FittedText, UsesTheRoomThereIs) {
    const std::string name = "separable_conv2d_pointwise_batchnorm_fused";
    for (const Elide elide : {Elide::End, Elide::Middle})
        for (double width = 20; width < 200; width += 3) {
            const std::string shown = fittedText(name, width, 12, elide);
            EXPECT_GT(textWidth(shown, 12), width - 2 * textWidth("m", 12)) << shown;
        }
}
