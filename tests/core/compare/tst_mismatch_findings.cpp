// SPDX-License-Identifier: GPL-3.0-or-later
// Every finding with a case that has it and one that nearly does.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/compare/tensor_comparison.h"
#include "tests/core/compare/tensor_pair.h"

namespace plumbline {
namespace {

using test::convolution;
using test::Pair;
using test::pointwise;

bool has(const std::vector<std::string>& findings, const std::string& sentence) {
    return std::find(findings.begin(), findings.end(), sentence) != findings.end();
}

bool anyHas(const std::vector<std::string>& findings, const std::string& part) {
    return std::any_of(findings.begin(), findings.end(), [&](const std::string& finding) {
        return finding.find(part) != std::string::npos;
    });
}

TEST(MismatchFindings, oneChannel) {
    Pair pair({4, 4, 8});
    pair.changeWhere([](auto h, auto, auto c) { return c == 3 && h < 3 ? (h == 1 ? 5 : -9) : 0; });
    EXPECT_TRUE(has(pair.findings(), "All 12 mismatches lie in channel 3 (12 of 16 elements)."));
    pair.change(0, 0, 4, 5);
    EXPECT_FALSE(anyHas(pair.findings(), "in channel"));
}

TEST(MismatchFindings, aSingleMismatchIsNoPattern) {
    Pair pair({4, 4, 8});
    const LoweredOperator op = convolution(pair.shape, 3, 3);
    pair.change(2, 2, 3, 50);
    EXPECT_TRUE(pair.findings(&op).empty());
}

TEST(MismatchFindings, oneRowOneColumnOnePosition) {
    Pair row({6, 6, 4});
    row.changeWhere([](auto h, auto w, auto) { return h == 2 ? (w % 2 == 0 ? 4 : -3) : 0; });
    EXPECT_TRUE(has(row.findings(), "All 24 mismatches lie in row 2 (24 of 24 elements)."));
    row.change(3, 0, 0, 4);
    EXPECT_FALSE(anyHas(row.findings(), "in row"));

    Pair column({6, 6, 4});
    column.changeWhere([](auto h, auto w, auto) { return w == 5 ? (h % 2 == 0 ? 4 : -3) : 0; });
    EXPECT_TRUE(has(column.findings(), "All 24 mismatches lie in column 5 (24 of 24 elements)."));
    column.change(0, 0, 0, 4);
    EXPECT_FALSE(anyHas(column.findings(), "in column"));

    Pair position({6, 6, 4});
    position.changeWhere(
        [](auto h, auto w, auto c) { return h == 1 && w == 4 ? static_cast<int>(c) - 9 : 0; });
    EXPECT_TRUE(has(position.findings(), "All 4 mismatches lie in row 1, column 4."));
    position.change(1, 5, 0, 4);
    EXPECT_FALSE(anyHas(position.findings(), "column"));
}

TEST(MismatchFindings, aTensorOfOnePositionHasNoRow) {
    Pair pair({1, 1, 16});
    pair.changeWhere([](auto, auto, auto c) { return c < 9 ? (c % 2 == 0 ? 4 : -3) : 0; });
    EXPECT_FALSE(anyHas(pair.findings(), "row"));
    EXPECT_FALSE(anyHas(pair.findings(), "column"));
}

int frame(const Hwc& shape, std::int64_t h, std::int64_t w) {
    const bool outer = h == 0 || w == 0 || h == shape.h - 1 || w == shape.w - 1;
    return !outer ? 0 : (h + w) % 2 == 0 ? 3 : -4;
}

TEST(MismatchFindings, windowsInThePadding) {
    Pair pair({6, 6, 4});
    const LoweredOperator op = convolution(pair.shape, 4, 4);
    const LoweredOperator other = pointwise(pair.shape, 4, 4);
    pair.changeWhere([&](auto h, auto w, auto) { return frame(pair.shape, h, w); });
    const std::string sentence =
        "All 80 mismatches lie in elements whose window reaches into the padding (80 of 80 "
        "elements).";
    EXPECT_TRUE(has(pair.findings(&op), sentence));
    EXPECT_FALSE(anyHas(pair.findings(&other), "padding"));
    pair.change(2, 2, 0, 3);
    EXPECT_FALSE(anyHas(pair.findings(&op), "padding"));
}

TEST(MismatchFindings, fewMismatchesInAPlaceTellWhenTheyAreStrewnWide) {
    // 36 of 100 positions have padded windows; 5 rows: 0.36^5 is below 1 in 100, 0.36^4 is not.
    Pair pair({10, 10, 16});
    const LoweredOperator op = convolution(pair.shape, 10, 10);
    for (const std::int64_t h : {1, 3, 5, 7})
        pair.change(h, 9, h % 3, h == 3 ? 7 : -8);
    EXPECT_FALSE(anyHas(pair.findings(&op), "padding"));
    pair.change(8, 0, 9, 6);
    EXPECT_TRUE(anyHas(pair.findings(&op), "padding (5 of 576 elements)"));
}

TEST(MismatchFindings, shortenedTiles) {
    Pair pair({10, 6, 4});
    const LoweredOperator op = pointwise(pair.shape, 4, 6); // rows 8 and 9 are half a tile
    pair.changeWhere([](auto h, auto w, auto) { return h >= 8 ? (w % 2 == 0 ? 3 : -4) : 0; });
    EXPECT_TRUE(has(pair.findings(&op), "All 48 mismatches lie in tiles that are cut short at the "
                                        "edge of the output (48 of 48 elements)."));
    const LoweredOperator whole = pointwise(pair.shape, 5, 6);
    EXPECT_FALSE(anyHas(pair.findings(&whole), "cut short"));
    pair.change(7, 0, 0, 3);
    EXPECT_FALSE(anyHas(pair.findings(&op), "cut short"));
}

TEST(MismatchFindings, oneMismatchInASmallPlaceMayBeChance) {
    Pair pair({5, 1, 1});
    const LoweredOperator op = pointwise(pair.shape, 4, 1); // the cut tile has one element
    pair.change(4, 0, 0, 9);
    EXPECT_TRUE(pair.findings(&op).empty());
}

TEST(MismatchFindings, aPlaceThatIsTheWholeTensorTellsNothing) {
    Pair pair({2, 2, 4});
    const LoweredOperator op = convolution(pair.shape, 2, 2); // every window is padded
    pair.changeWhere([](auto h, auto w, auto) { return (h + w) % 2 == 0 ? 3 : -4; });
    EXPECT_FALSE(anyHas(pair.findings(&op), "lie in"));
}

TEST(MismatchFindings, tileBorders) {
    Pair pair({8, 8, 4});
    const LoweredOperator op = pointwise(pair.shape, 4, 4); // four tiles, each with 12 of 16
    pair.changeWhere([](auto h, auto w, auto) {
        const bool inner = (h % 4 == 1 || h % 4 == 2) && (w % 4 == 1 || w % 4 == 2);
        return inner ? 0 : (h + w) % 2 == 0 ? 3 : -4;
    });
    EXPECT_TRUE(has(pair.findings(&op), "All 192 mismatches lie in the first or last row or column "
                                        "of whole tiles (192 of 192 elements)."));
    pair.change(1, 1, 0, 3);
    EXPECT_FALSE(anyHas(pair.findings(&op), "whole tiles"));
}

TEST(MismatchFindings, channelGroups) {
    Pair pair({3, 3, 24});
    const LoweredOperator op = convolution(pair.shape, 3, 3); // lanes 8: three groups
    pair.changeWhere([](auto h, auto w, auto c) {
        return c >= 8 && c < 16 ? ((h + w + c) % 2 == 0 ? 3 : -4) : 0;
    });
    EXPECT_TRUE(has(pair.findings(&op),
                    "All 72 mismatches lie in channel group 1 of 3 (72 of 72 elements)."));
    EXPECT_FALSE(anyHas(pair.findings(), "group")); // without lanes
    pair.change(0, 0, 16, 3);
    EXPECT_FALSE(anyHas(pair.findings(&op), "group"));
}

TEST(MismatchFindings, twoChannelsOfOneGroupMayBeChance) {
    Pair pair({3, 3, 24});
    const LoweredOperator op = convolution(pair.shape, 3, 3);
    pair.changeWhere(
        [](auto h, auto, auto c) { return c == 8 || c == 11 ? (h % 2 == 0 ? 3 : -4) : 0; });
    EXPECT_FALSE(anyHas(pair.findings(&op), "group"));
}

TEST(MismatchFindings, aGroupThatIsMostlyWrongTells) {
    Pair pair({3, 3, 10});
    const LoweredOperator op = convolution(pair.shape, 3, 3); // the last group has two channels
    pair.changeWhere([](auto h, auto, auto c) { return c < 8 ? 0 : h % 2 == 0 ? 3 : -4; });
    EXPECT_TRUE(has(pair.findings(&op),
                    "All 18 mismatches lie in channel group 1 of 2 (18 of 18 elements)."));
}

TEST(MismatchFindings, aChannelIsNotToldAgainAsAGroup) {
    Pair pair({3, 3, 9});
    const LoweredOperator op = convolution(pair.shape, 3, 3); // the last group has one channel
    pair.changeWhere([](auto h, auto, auto c) { return c < 8 ? 0 : h % 2 == 0 ? 3 : -4; });
    EXPECT_TRUE(anyHas(pair.findings(&op), "in channel 8 "));
    EXPECT_FALSE(anyHas(pair.findings(&op), "group"));
}

TEST(MismatchFindings, everySecondChannel) {
    Pair pair({3, 3, 12});
    pair.changeWhere(
        [](auto h, auto w, auto c) { return c % 2 == 1 ? ((h + w) % 2 == 0 ? 3 : -4) : 0; });
    EXPECT_TRUE(has(pair.findings(), "All 54 mismatches lie in odd channels (6 of 6 of them)."));
    pair.change(0, 0, 4, 3);
    EXPECT_FALSE(anyHas(pair.findings(), "odd channels"));

    Pair even({3, 3, 13}); // even channels 0..12 are seven; four of them are over half
    even.changeWhere(
        [](auto h, auto, auto c) { return c % 2 == 0 && c < 8 ? (h % 2 == 0 ? 3 : -4) : 0; });
    EXPECT_TRUE(has(even.findings(), "All 36 mismatches lie in even channels (4 of 7 of them)."));
    for (const Hwc shape : {Hwc{3, 3, 5}, Hwc{3, 3, 20}}) { // three of three, four of ten
        Pair few(shape);
        few.changeWhere(
            [](auto h, auto, auto c) { return c % 2 == 0 && c < 8 ? (h % 2 == 0 ? 3 : -4) : 0; });
        EXPECT_FALSE(anyHas(few.findings(), "even channels"));
    }
}

TEST(MismatchFindings, rounding) {
    Pair pair({4, 4, 4});
    pair.change(0, 1, 2, 1);
    EXPECT_TRUE(has(pair.findings(), "The one difference is +1, as a rounding mistake makes."));
    pair.change(2, 3, 1, 1);
    EXPECT_TRUE(has(pair.findings(), "Every difference is +1, as a rounding mistake makes."));
    EXPECT_FALSE(anyHas(pair.findings(), "differences are"));
    pair.change(3, 1, 0, -1);
    EXPECT_TRUE(has(pair.findings(), "Every difference is +1 or -1, as a rounding mistake makes."));
    pair.change(1, 1, 1, 2);
    EXPECT_FALSE(anyHas(pair.findings(), "rounding"));
}

TEST(MismatchFindings, offsets) {
    Pair pair({4, 4, 4});
    pair.changeWhere([](auto, auto, auto) { return -3; });
    EXPECT_EQ(pair.findings().at(0), "Every element is off by -3, as a wrong zero point makes.");
    pair.change(0, 0, 0, 3); // this one is right again
    EXPECT_EQ(pair.findings().at(0), "All 63 differences are -3.");
    pair.change(1, 0, 0, 1);
    EXPECT_FALSE(anyHas(pair.findings(), "off by"));
    EXPECT_FALSE(anyHas(pair.findings(), "differences are"));

    Pair byOne({4, 4, 4});
    byOne.changeWhere([](auto, auto, auto) { return 1; });
    EXPECT_EQ(byOne.findings().at(0), "Every element is off by +1, as a wrong zero point makes.");
    EXPECT_FALSE(anyHas(byOne.findings(), "rounding"));
}

TEST(MismatchFindings, oneSign) {
    Pair pair({4, 4, 4});
    pair.changeWhere([](auto h, auto w, auto c) {
        return h == w && c < 2 ? static_cast<int>(h) + 2 : 0; // eight, +2 .. +5
    });
    EXPECT_TRUE(has(pair.findings(), "Ours is too high in all 8 mismatches."));
    std::swap(pair.ours, pair.theirs);
    EXPECT_TRUE(has(pair.findings(), "Ours is too low in all 8 mismatches."));
    pair.ours[pair.ours.size() - 1] = 100;
    EXPECT_FALSE(anyHas(pair.findings(), "too"));

    Pair same({4, 4, 4});
    same.changeWhere([](auto h, auto w, auto c) { return h == w && c < 2 ? 3 : 0; });
    EXPECT_TRUE(has(same.findings(), "All 8 differences are +3."));
    EXPECT_FALSE(anyHas(same.findings(), "too"));

    Pair seven({4, 4, 4});
    seven.changeWhere([](auto h, auto w, auto c) {
        return h == w && c < 2 && h + c < 4 ? static_cast<int>(h) + 2 : 0;
    });
    EXPECT_EQ(seven.compare().mismatches, 7);
    EXPECT_FALSE(anyHas(seven.findings(), "too"));
}

TEST(MismatchFindings, constantSides) {
    Pair pair({4, 4, 4});
    std::fill(pair.theirs.begin(), pair.theirs.end(), std::uint8_t{0x80});
    EXPECT_EQ(pair.findings().at(0), "The reference is -128 everywhere.");
    EXPECT_FALSE(anyHas(pair.findings(), "Ours is 0"));
    pair.theirs[9] = 0;
    EXPECT_FALSE(anyHas(pair.findings(), "everywhere"));
    std::fill(pair.ours.begin(), pair.ours.end(), std::uint8_t{7});
    EXPECT_EQ(pair.findings().at(0), "Ours is 7 everywhere.");

    Pair one({1, 1, 1});
    one.change(0, 0, 0, 9);
    EXPECT_TRUE(one.findings().empty());
}

TEST(MismatchFindings, slices) {
    Pair pair({4, 4, 4});
    const LoweredOperator op = convolution(pair.shape, 4, 4);
    const LoweredOperator other = pointwise(pair.shape, 4, 4);
    pair.changeWhere([](auto h, auto w, auto) { return h < 2 ? ((h + w) % 2 == 0 ? 3 : -4) : 0; });
    const std::string sentence =
        "The reduction runs in 3 K slices; a lost slice changes every channel.";
    EXPECT_TRUE(has(pair.findings(&op), sentence));
    EXPECT_FALSE(anyHas(pair.findings(&other), "slices"));
    LoweredOperator oneSlice = op;
    oneSlice.tiles.kSlice = oneSlice.tiles.fullK;
    EXPECT_FALSE(anyHas(pair.findings(&oneSlice), "slices"));
    pair.ours[0] = pair.theirs[0]; // 31 of 64 differ
    EXPECT_FALSE(anyHas(pair.findings(&op), "slices"));

    Pair spared({4, 4, 4}); // three quarters differ, but channel 0 is right
    spared.changeWhere([](auto h, auto, auto c) { return c == 0 ? 0 : h % 2 == 0 ? 3 : -4; });
    EXPECT_FALSE(anyHas(spared.findings(&op), "slices"));
}

TEST(MismatchFindings, thereAreAtMostFive) {
    // Nine mismatches of +3 in the last row of one channel: that row is a cut tile and padded.
    Pair pair({9, 9, 8});
    const LoweredOperator op = convolution(pair.shape, 4, 9);
    std::fill(pair.theirs.begin(), pair.theirs.end(), std::uint8_t{1});
    pair.ours = pair.theirs;
    pair.changeWhere([](auto h, auto, auto c) { return h == 8 && c == 2 ? 3 : 0; });
    const std::vector<std::string> five{
        "The reference is 1 everywhere.",
        "All 9 differences are +3.",
        "All 9 mismatches lie in channel 2 (9 of 81 elements).",
        "All 9 mismatches lie in row 8 (9 of 72 elements).",
        "All 9 mismatches lie in elements whose window reaches into the padding (9 of 256 "
        "elements).",
    };
    EXPECT_EQ(pair.findings(&op), five);
    pair.ours[0] = pair.theirs[0] = 2; // the first no longer holds, a sixth moves up
    EXPECT_EQ(pair.findings(&op).back(), "All 9 mismatches lie in tiles that are cut short at the "
                                         "edge of the output (9 of 72 elements).");
}

} // namespace
} // namespace plumbline
