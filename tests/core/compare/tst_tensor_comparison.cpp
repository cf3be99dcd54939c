// SPDX-License-Identifier: GPL-3.0-or-later
// Counts, places and ratios against plain loops over the elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/compare/tensor_comparison.h"
#include "tests/core/compare/tensor_pair.h"

namespace plumbline {
namespace {

using test::convolution;
using test::Pair;

Bytes randomBytes(SplitMix64& random, std::int64_t count) {
    Bytes made(static_cast<std::size_t>(count));
    for (std::uint8_t& byte : made)
        byte = static_cast<std::uint8_t>(random.next());
    return made;
}

struct Expected {
    std::int64_t mismatches = 0, maxAbs = 0;
    std::optional<std::int64_t> first;
    std::map<int, std::int64_t> histogram;
    std::vector<PartCount> channels, rows, columns, groups;
    PartCount shortened, borders, padded;
    long double signal = 0, noise = 0, ourPower = 0, product = 0;
};

/// Whether one of the nine taps of output (h, w) is outside the input.
bool reachesPadding(const OperatorGeometry& g, std::int64_t h, std::int64_t w) {
    for (std::int64_t kh = 0; kh < g.kh; ++kh) {
        for (std::int64_t kw = 0; kw < g.kw; ++kw) {
            const std::int64_t y = h * g.strideH + kh - g.pads[0];
            const std::int64_t x = w * g.strideW + kw - g.pads[2];
            if (y < 0 || x < 0 || y >= g.h || x >= g.w)
                return true;
        }
    }
    return false;
}

void count(PartCount& part, bool differs) {
    part.mismatches += differs ? 1 : 0;
    ++part.elements;
}

void countPlaces(Expected& made, const LoweredOperator& op, std::int64_t h, std::int64_t w,
                 bool differs) {
    const TilePlan& t = op.tiles;
    const std::int64_t top = h - h % t.tileH, left = w - w % t.tileW;
    const bool isShort = top + t.tileH > op.geometry.oh || left + t.tileW > op.geometry.ow;
    const bool isEdge = h == top || h == top + t.tileH - 1 || w == left || w == left + t.tileW - 1;
    if (isShort)
        count(made.shortened, differs);
    if (!isShort && isEdge)
        count(made.borders, differs);
    if (reachesPadding(op.geometry, h, w))
        count(made.padded, differs);
}

Expected expectedOf(const Bytes& ours, const Bytes& theirs, const LoweredOperator& op,
                    std::int64_t zeroPoint) {
    const OperatorGeometry& g = op.geometry;
    Expected made;
    made.channels.resize(static_cast<std::size_t>(g.cout));
    made.rows.resize(static_cast<std::size_t>(g.oh));
    made.columns.resize(static_cast<std::size_t>(g.ow));
    made.groups.resize(static_cast<std::size_t>((g.cout + 7) / 8));
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const std::int64_t c = index % g.cout, w = index / g.cout % g.ow, h = index / g.cout / g.ow;
        const int a = static_cast<std::int8_t>(ours[i]), b = static_cast<std::int8_t>(theirs[i]);
        const bool differs = a != b;
        made.mismatches += differs ? 1 : 0;
        made.maxAbs = std::max<std::int64_t>(made.maxAbs, std::abs(a - b));
        if (differs && !made.first)
            made.first = index;
        ++made.histogram[a - b];
        count(made.channels[static_cast<std::size_t>(c)], differs);
        count(made.rows[static_cast<std::size_t>(h)], differs);
        count(made.columns[static_cast<std::size_t>(w)], differs);
        count(made.groups[static_cast<std::size_t>(c / 8)], differs);
        countPlaces(made, op, h, w, differs);
        const auto x = static_cast<long double>(a - zeroPoint);
        const auto y = static_cast<long double>(b - zeroPoint);
        made.signal += y * y, made.ourPower += x * x, made.product += x * y;
        made.noise += (x - y) * (x - y);
    }
    return made;
}

void expectEqualTo(const TensorComparison& found, const Expected& expected) {
    EXPECT_EQ(found.equal, expected.mismatches == 0);
    EXPECT_EQ(found.mismatches, expected.mismatches);
    EXPECT_EQ(found.maxAbs, expected.maxAbs);
    ASSERT_EQ(found.first.has_value(), expected.first.has_value());
    const std::vector<std::pair<int, std::int64_t>> histogram(expected.histogram.begin(),
                                                              expected.histogram.end());
    EXPECT_EQ(found.histogram, histogram);
    EXPECT_EQ(found.places.channels, expected.channels);
    EXPECT_EQ(found.places.rows, expected.rows);
    EXPECT_EQ(found.places.columns, expected.columns);
    EXPECT_EQ(found.places.groups, expected.groups);
    EXPECT_EQ(found.places.shortenedTiles, expected.shortened);
    EXPECT_EQ(found.places.tileBorders, expected.borders);
    EXPECT_EQ(found.places.paddedWindows, expected.padded);
    ASSERT_TRUE(found.sqnrDb && found.cosine);
    EXPECT_NEAR(*found.sqnrDb, static_cast<double>(10 * log10l(expected.signal / expected.noise)),
                1e-9);
    EXPECT_NEAR(*found.cosine,
                static_cast<double>(expected.product / sqrtl(expected.signal * expected.ourPower)),
                1e-12);
}

TEST(TensorComparison, randomTensorsCountAsAPlainLoopDoes) {
    SplitMix64 random(4);
    const auto pick = [&](std::uint64_t most) {
        return static_cast<std::int64_t>(1 + random.below(most));
    };
    for (int round = 0; round < 60; ++round) {
        const Hwc shape{pick(13), pick(13), pick(20)};
        const LoweredOperator op = convolution(shape, pick(5), pick(5));
        const std::int64_t zeroPoint = static_cast<std::int64_t>(random.below(256)) - 128;
        const Bytes theirs = randomBytes(random, shape.elements());
        Bytes ours = theirs;
        for (std::uint8_t& byte : ours)
            if (random.below(4) == 0)
                byte = static_cast<std::uint8_t>(random.next());
        ours.back() = static_cast<std::uint8_t>(theirs.back() + 1); // never equal
        const TensorComparison found = compareTensors(ours, theirs, shape, zeroPoint, &op);
        expectEqualTo(found, expectedOf(ours, theirs, op, zeroPoint));
        EXPECT_EQ(found.places.slices, 3);
    }
}

TEST(TensorComparison, theFirstMismatchIsLocated) {
    Pair pair({4, 5, 6});
    pair.change(1, 2, 3, 9);
    pair.change(3, 4, 5, -9);
    const auto first = pair.compare().first;
    ASSERT_TRUE(first);
    EXPECT_EQ(first->h, 1);
    EXPECT_EQ(first->w, 2);
    EXPECT_EQ(first->c, 3);
    EXPECT_EQ(first->index, (1 * 5 + 2) * 6 + 3);
    EXPECT_EQ(first->ours - first->theirs, 9);
}

TEST(TensorComparison, differencesAreOfSignedBytes) {
    const TensorComparison found =
        compareTensors(Bytes{0x80, 0x7F}, Bytes{0x7F, 0x80}, {1, 1, 2}, 0, nullptr);
    EXPECT_EQ(found.maxAbs, 255);
    EXPECT_EQ(found.histogram, (std::vector<std::pair<int, std::int64_t>>{{-255, 1}, {255, 1}}));
    EXPECT_EQ(found.first->ours, -128);
    EXPECT_EQ(found.first->theirs, 127);
}

TEST(TensorComparison, equalTensorsHaveNoPlacesAndNoNoise) {
    const Pair pair({3, 4, 5});
    const LoweredOperator op = convolution(pair.shape, 2, 2);
    const TensorComparison found = pair.compare(&op);
    EXPECT_TRUE(found.equal);
    EXPECT_EQ(found.elements, 60);
    EXPECT_EQ(found.mismatches, 0);
    EXPECT_FALSE(found.first || found.sqnrDb);
    EXPECT_EQ(found.histogram, (std::vector<std::pair<int, std::int64_t>>{{0, 60}}));
    EXPECT_NEAR(found.cosine.value_or(0), 1, 1e-12);
    EXPECT_TRUE(found.places.channels.empty() && found.places.groups.empty());
    EXPECT_EQ(found.places.slices, 0);
    EXPECT_TRUE(findingsOf(found).empty());
}

TEST(TensorComparison, aSignalOfNothingHasNoRatios) {
    // The reference is at its zero point throughout.
    const TensorComparison found = compareTensors(Bytes{4, 5}, Bytes{4, 4}, {1, 1, 2}, 4, nullptr);
    EXPECT_FALSE(found.sqnrDb || found.cosine);
    // Taken with another zero point: 10 log10(2 / 1), (0 * 1 + 1 * 2) has cosine below.
    const TensorComparison other = compareTensors(Bytes{4, 5}, Bytes{4, 4}, {1, 1, 2}, 3, nullptr);
    EXPECT_NEAR(other.sqnrDb.value_or(0), 10 * std::log10(2.0), 1e-12);
    EXPECT_NEAR(other.cosine.value_or(0), 3 / std::sqrt(10.0), 1e-12); // (1,2) and (1,1)
}

TEST(TensorComparison, otherSizesAreSaidAndNotCounted) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, std::size_t{7}}) {
        const TensorComparison found =
            compareTensors(Bytes(6, 1), Bytes(bytes, 1), {1, 2, 3}, 0, nullptr);
        EXPECT_FALSE(found.equal);
        EXPECT_FALSE(found.mismatches);
        EXPECT_NE(found.note.find("has 6 bytes"), std::string::npos);
        EXPECT_TRUE(findingsOf(found).empty());
    }
    const std::int64_t huge = std::int64_t{1} << 62;
    EXPECT_FALSE(compareTensors(Bytes(6, 1), Bytes(6, 1), {huge, huge, 4}, 0, nullptr).mismatches);
    EXPECT_FALSE(compareTensors(Bytes(6, 1), Bytes(6, 1), {-2, -3, 1}, 0, nullptr).mismatches);
}

TEST(TensorComparison, withoutAWalkThePlacesOfTilesStayEmpty) {
    Pair pair({6, 6, 4});
    pair.change(0, 0, 0, 5);
    LoweredOperator damaged = convolution(pair.shape, 2, 2);
    damaged.tiles.tileH = 0;
    LoweredOperator other = convolution({6, 6, 5}, 2, 2);
    LoweredOperator onCpu = convolution(pair.shape, 2, 2);
    onCpu.placement = Placement::CpuSoftmax;
    for (const LoweredOperator* op : {static_cast<const LoweredOperator*>(nullptr),
                                      static_cast<const LoweredOperator*>(&damaged),
                                      static_cast<const LoweredOperator*>(&other),
                                      static_cast<const LoweredOperator*>(&onCpu)}) {
        const TensorComparison found = pair.compare(op);
        EXPECT_EQ(found.mismatches, 1);
        EXPECT_EQ(found.places.channels[0], (PartCount{1, 36}));
        EXPECT_EQ(found.places.tileBorders, PartCount{});
        EXPECT_EQ(found.places.paddedWindows, PartCount{});
        EXPECT_TRUE(found.places.groups.empty());
        EXPECT_EQ(found.places.slices, 0);
    }
}

} // namespace
} // namespace plumbline
