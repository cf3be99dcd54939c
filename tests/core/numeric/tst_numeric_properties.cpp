// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed-point primitives against wide integers and against their mathematical meaning.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/bytes.h"
#include "core/numeric/quantize.h"
#include "core/numeric/softmax.h"

namespace plumbline {
namespace {

__extension__ using Wide = __int128;

constexpr std::array<std::int32_t, 15> kCorners{
    kInt32Min, kInt32Min + 1, -(1 << 30) - 1, -(1 << 30), -(1 << 30) + 1, -3, -2, -1, 0, 1, 2,
    3,         1 << 30,       kInt32Max - 1,  kInt32Max};

// floor(numerator / 2^bits) for any sign.
Wide floorShift(Wide numerator, int bits) {
    const Wide divisor = Wide{1} << bits;
    Wide quotient = numerator / divisor;
    if (numerator % divisor < 0)
        --quotient;
    return quotient;
}

// a * b / 2^31 to nearest, ties towards plus infinity, saturated.
std::int32_t wideSrdhm(std::int32_t a, std::int32_t b) {
    const Wide rounded = floorShift(Wide{a} * b + (Wide{1} << 30), 31);
    return static_cast<std::int32_t>(std::min<Wide>(rounded, kInt32Max));
}

// x / 2^exponent to nearest, ties away from zero.
std::int32_t wideRdbp(std::int32_t x, int exponent) {
    const Wide magnitude = x < 0 ? -Wide{x} : Wide{x};
    const Wide half = exponent == 0 ? 0 : Wide{1} << (exponent - 1);
    const Wide rounded = floorShift(magnitude + half, exponent);
    return static_cast<std::int32_t>(x < 0 ? -rounded : rounded);
}

std::int32_t randomInt32(SplitMix64& random) {
    // Magnitudes of every order, so that small numbers occur too.
    const auto bits = static_cast<std::uint32_t>(random.next());
    return static_cast<std::int32_t>(bits) >> random.below(32);
}

TEST(Srdhm, agreesWithWideIntegersAtCorners) {
    for (const std::int32_t a : kCorners) {
        for (const std::int32_t b : kCorners)
            EXPECT_EQ(srdhm(a, b), wideSrdhm(a, b)) << a << " * " << b;
    }
}

TEST(Srdhm, agreesWithWideIntegersOnRandomPairs) {
    SplitMix64 random(1);
    for (int i = 0; i < 200'000; ++i) {
        const std::int32_t a = randomInt32(random);
        const std::int32_t b = randomInt32(random);
        ASSERT_EQ(srdhm(a, b), wideSrdhm(a, b)) << a << " * " << b;
    }
}

TEST(Srdhm, tiesGoTowardsPlusInfinity) {
    EXPECT_EQ(srdhm(1 << 30, 1), 1);     // 0.5
    EXPECT_EQ(srdhm(-(1 << 30), 1), 0);  // -0.5
    EXPECT_EQ(srdhm(1 << 30, 3), 2);     // 1.5
    EXPECT_EQ(srdhm(-(1 << 30), 3), -1); // -1.5
    EXPECT_EQ(srdhm(kInt32Min, kInt32Min), kInt32Max);
}

TEST(Rdbp, agreesWithWideIntegersForEveryExponent) {
    SplitMix64 random(2);
    for (int exponent = 0; exponent <= 31; ++exponent) {
        for (const std::int32_t x : kCorners)
            EXPECT_EQ(rdbp(x, exponent), wideRdbp(x, exponent)) << x << " / 2^" << exponent;
        for (int i = 0; i < 5'000; ++i) {
            const std::int32_t x = randomInt32(random);
            ASSERT_EQ(rdbp(x, exponent), wideRdbp(x, exponent)) << x << " / 2^" << exponent;
        }
    }
}

TEST(Rdbp, tiesGoAwayFromZero) {
    EXPECT_EQ(rdbp(1, 1), 1);
    EXPECT_EQ(rdbp(-1, 1), -1);
    EXPECT_EQ(rdbp(6, 2), 2);
    EXPECT_EQ(rdbp(-6, 2), -2);
    EXPECT_EQ(rdbp(5, 2), 1);
    EXPECT_EQ(rdbp(-5, 2), -1);
}

TEST(Requantize, growsWithItsArgument) {
    SplitMix64 random(3);
    for (int i = 0; i < 2'000; ++i) {
        const auto multiplier = static_cast<std::int32_t>((1 << 30) + random.below(1u << 30));
        const Multiplier m{multiplier, static_cast<std::int32_t>(random.below(38)) - 31};
        std::vector<std::int32_t> xs(50);
        for (std::int32_t& x : xs)
            x = randomInt32(random) / (1 << 7);
        std::sort(xs.begin(), xs.end());
        std::int32_t last = kInt32Min;
        for (const std::int32_t x : xs) {
            const auto y = requantize(x, m);
            ASSERT_TRUE(y.has_value());
            ASSERT_GE(*y, last) << x << " multiplier " << m.multiplier << " shift " << m.shift;
            last = *y;
        }
    }
}

TEST(Requantize, isWithinOneOfTheRealProduct) {
    SplitMix64 random(4);
    for (int i = 0; i < 50'000; ++i) {
        const double scale = std::ldexp(0.5 + 0.5 * double(random.below(1u << 20)) / (1u << 20),
                                        static_cast<int>(random.below(20)) - 20);
        const std::int32_t x = randomInt32(random);
        const auto y = requantize(x, quantizeMultiplier(scale));
        ASSERT_TRUE(y.has_value());
        ASSERT_NEAR(*y, x * scale, 2.0) << x << " * " << scale;
    }
}

TEST(Requantize, leftShiftOutOfInt32IsAFault) {
    const Multiplier m{1 << 30, 4};
    EXPECT_TRUE(requantize((1 << 27) - 1, m).has_value());
    EXPECT_FALSE(requantize(1 << 27, m).has_value());
    EXPECT_TRUE(requantize(-(1 << 27), m).has_value());
    EXPECT_FALSE(requantize(-(1 << 27) - 1, m).has_value());
}

TEST(Requantize, flushedMultiplierGivesZero) {
    EXPECT_EQ(requantize(kInt32Max, {0, 0}), 0);
    EXPECT_EQ(requantize(kInt32Min, {0, 0}), 0);
}

TEST(QuantizeMultiplier, reproducesTheValue) {
    SplitMix64 random(5);
    for (int i = 0; i < 50'000; ++i) {
        const double value = std::ldexp(1.0 + double(random.next() >> 12) * std::ldexp(1.0, -52),
                                        static_cast<int>(random.below(60)) - 31);
        const Multiplier m = quantizeMultiplier(value);
        ASSERT_GE(m.multiplier, 1 << 30);
        ASSERT_NEAR(std::ldexp(m.multiplier, m.shift - 31), value, std::ldexp(value, -30)) << value;
    }
}

TEST(QuantizeMultiplier, edges) {
    EXPECT_EQ(quantizeMultiplier(0.0), (Multiplier{0, 0}));
    EXPECT_EQ(quantizeMultiplier(1.0), (Multiplier{1 << 30, 1}));
    // The fraction rounds up to one: carried into the shift.
    EXPECT_EQ(quantizeMultiplier(1.0 - std::ldexp(1.0, -40)), (Multiplier{1 << 30, 1}));
    // Exactly half an ulp of the multiplier rounds away from zero.
    EXPECT_EQ(quantizeMultiplier(0.5 + std::ldexp(1.0, -32)), (Multiplier{(1 << 30) + 1, 0}));
    EXPECT_EQ(quantizeMultiplier(std::ldexp(0.5, -31)), (Multiplier{1 << 30, -31}));
    EXPECT_EQ(quantizeMultiplier(std::ldexp(0.5, -32)), (Multiplier{0, 0}));
    // Just below 2^-32: rounding carries it back into range.
    EXPECT_EQ(quantizeMultiplier(std::nextafter(std::ldexp(1.0, -32), 0.0)),
              (Multiplier{1 << 30, -31}));
    EXPECT_EQ(quantizeMultiplier(std::numeric_limits<double>::denorm_min()), (Multiplier{0, 0}));
    EXPECT_GT(quantizeMultiplier(std::numeric_limits<double>::max()).shift, kMaxShift);
}

TEST(QuantizeToInt8, clampsAndRoundsHalfAwayFromZero) {
    EXPECT_EQ(quantizeToInt8(6.0, 4.0, 0), 2);   // 1.5
    EXPECT_EQ(quantizeToInt8(-1.0, 2.0, 0), -1); // -0.5
    EXPECT_EQ(quantizeToInt8(6.0, 1e-30, 0), 127);
    EXPECT_EQ(quantizeToInt8(-1.0, 1e-300, 127), -128);
    EXPECT_EQ(quantizeToInt8(6.0, 1.0, std::numeric_limits<std::int64_t>::max()), 127);
}

TEST(ActivationBounds, lowerNeverExceedsUpper) {
    for (std::int64_t zeroPoint = -128; zeroPoint <= 127; ++zeroPoint) {
        for (const double scale : {1e-6, 0.0235, 0.5, 4.0, 12.0, 1e6}) {
            const ActivationBounds bounds = relu6Bounds(scale, zeroPoint);
            EXPECT_EQ(bounds.lower, zeroPoint);
            EXPECT_LE(bounds.lower, bounds.upper);
            EXPECT_LE(bounds.upper, 127);
        }
    }
}

TEST(SoftmaxParameters, unsafeOnesAreRejected) {
    const SoftmaxParameters good{1 << 30, 24, -124};
    EXPECT_TRUE(softmaxParametersAreSafe(good));
    EXPECT_TRUE(softmaxParametersAreSafe({1, 0, 0}));
    EXPECT_FALSE(softmaxParametersAreSafe({0, 24, -124}));
    EXPECT_FALSE(softmaxParametersAreSafe({-1, 24, -124}));
    EXPECT_FALSE(softmaxParametersAreSafe({std::int64_t{1} << 31, 24, -124}));
    EXPECT_FALSE(softmaxParametersAreSafe({1 << 30, -1, -124}));
    EXPECT_FALSE(softmaxParametersAreSafe({1 << 30, 32, 0}));
    EXPECT_FALSE(softmaxParametersAreSafe({1 << 30, 24, -125}));
    EXPECT_FALSE(softmaxParametersAreSafe({1 << 30, 24, 1}));
}

TEST(Softmax, exponentialFollowsTheReal) {
    for (std::int64_t a = 0; a >= -(std::int64_t{31} << 26); a -= 7'654'321) {
        const double real = std::exp(std::ldexp(double(a), -26));
        EXPECT_NEAR(std::ldexp(expNegative(static_cast<std::int32_t>(a)), -31), real, 1e-6) << a;
    }
}

TEST(Softmax, reciprocalFollowsTheReal) {
    for (std::int64_t a = 0; a <= kInt32Max; a += 1'234'567) {
        const double real = 1.0 / (1.0 + std::ldexp(double(a), -31));
        EXPECT_NEAR(std::ldexp(reciprocalOnePlus(static_cast<std::int32_t>(a)), -31), real, 1e-8)
            << a;
    }
}

TEST(Softmax, sumOfTooManyEqualTermsIsAFault) {
    const auto parameters = softmaxParameters(0.1, 1.0);
    ASSERT_TRUE(parameters.has_value());
    // A full term is 2^19, so 2^12 of them reach 2^31.
    const std::vector<std::int8_t> row(4096, 5);
    std::vector<std::int8_t> output(row.size());
    EXPECT_FALSE(softmaxRow(row, output, *parameters));
    EXPECT_TRUE(softmaxRow(std::span(row).first(4095), std::span(output).first(4095), *parameters));
}

TEST(Softmax, hundredsOfEqualTermsQuantizeToZeroProbability) {
    const auto parameters = softmaxParameters(0.1, 1.0);
    ASSERT_TRUE(parameters.has_value());
    const std::vector<std::int8_t> row(1024, 5); // each 1/1024, below half a level of 1/256
    std::vector<std::int8_t> output(row.size(), 0);
    ASSERT_TRUE(softmaxRow(row, output, *parameters));
    EXPECT_EQ(output, std::vector<std::int8_t>(row.size(), -128));
}

TEST(Softmax, equalPairSplitsEvenly) {
    const auto parameters = softmaxParameters(0.1, 1.0);
    ASSERT_TRUE(parameters.has_value());
    const std::vector<std::int8_t> row{-7, -7};
    std::vector<std::int8_t> output(2);
    ASSERT_TRUE(softmaxRow(row, output, *parameters));
    EXPECT_EQ(output, (std::vector<std::int8_t>{0, 0})); // 0.5 * 256 - 128
}

TEST(Softmax, valuesFarBelowTheLargestGetNothing) {
    const SoftmaxParameters parameters{1 << 30, 24, -10};
    const std::vector<std::int8_t> row{100, 89, 90};
    std::vector<std::int8_t> output(3);
    ASSERT_TRUE(softmaxRow(row, output, parameters));
    EXPECT_EQ(output[1], -128); // 11 below: left out
    EXPECT_GT(output[0], output[2]);
}

} // namespace
} // namespace plumbline
