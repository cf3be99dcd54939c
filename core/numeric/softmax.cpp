// SPDX-License-Identifier: GPL-3.0-or-later
// In the comments Qm.n is a fixed-point number of m integer and n fraction bits beside the sign;
// Q31 is Q0.31.
#include "core/numeric/softmax.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace plumbline {
namespace {

// exp(-2^exponent) as Q31, for the bits of weight 2^exponent in a Q5.26 number.
struct ExpFactor {
    int exponent;
    std::int32_t factor;
};
constexpr std::array<ExpFactor, 7> kExpFactors{{{-2, 1672461947},
                                                {-1, 1302514674},
                                                {0, 790015084},
                                                {1, 290630308},
                                                {2, 39332535},
                                                {3, 720401},
                                                {4, 242}}};

constexpr std::int32_t kExpMinusEighth = 1895147668; // exp(-1/8), Q31
constexpr std::int32_t kThird = 715827883;           // 1/3, Q31
constexpr std::int32_t k48Over17 = 1515870810;       // 48/17, Q2.29
constexpr std::int32_t kMinus32Over17 = -1010580540; // -32/17, Q2.29
constexpr std::int32_t kOneQ29 = std::int32_t{1} << 29;

std::int32_t saturate(std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, kInt32Min, kInt32Max));
}

} // namespace

std::int32_t expQuarter(std::int32_t a) {
    // Taylor series of exp around -1/8, up to the fourth power: x + x^2/2 + x^3/6 + x^4/24.
    const std::int32_t x = a + (std::int32_t{1} << 28);
    const std::int32_t x2 = srdhm(x, x);
    const std::int32_t x3 = srdhm(x2, x);
    const std::int32_t x4 = srdhm(x2, x2);
    const std::int32_t tail = rdbp(srdhm(rdbp(x4, 2) + x3, kThird) + x2, 1);
    return kExpMinusEighth + srdhm(kExpMinusEighth, x + tail);
}

std::int32_t expNegative(std::int32_t a) {
    if (a == 0)
        return kInt32Max;
    // a = fraction - whole, where the fraction is in [-1/4, 0) and the whole a multiple of 1/4.
    constexpr std::int32_t kQuarter = std::int32_t{1} << 24;
    const std::int32_t fraction = (a & (kQuarter - 1)) - kQuarter;
    const std::int32_t whole = fraction - a;
    std::int32_t result = expQuarter(fraction * (1 << 5));
    for (const ExpFactor& row : kExpFactors) {
        if (whole & (std::int32_t{1} << (26 + row.exponent)))
            result = srdhm(result, row.factor);
    }
    return result;
}

std::int32_t reciprocalOnePlus(std::int32_t a) {
    // Newton-Raphson for 1 / half with half = (1 + a) / 2 in [1/2, 1], from the linear estimate
    // 48/17 - 32/17 * half. y is Q2.29.
    const auto half = static_cast<std::int32_t>((std::int64_t{a} + kInt32Max + 1) / 2);
    std::int32_t y = k48Over17 + srdhm(half, kMinus32Over17);
    for (int i = 0; i < 3; ++i) {
        const std::int32_t correction = srdhm(y, kOneQ29 - srdhm(half, y));
        y = saturate(std::int64_t{y} + saturate(std::int64_t{correction} * 4));
    }
    return saturate(std::int64_t{y} * 2);
}

RowReciprocal reciprocalOfSum(std::int32_t sum) {
    // sum = 2^bits * (1 + rest) with rest in [0, 1), so 1 / sum = 2^-bits * 1 / (1 + rest).
    const auto sumBits = static_cast<std::uint32_t>(sum);
    const int headroom = std::countl_zero(sumBits);
    const int bits = 12 - headroom;
    const std::uint32_t rest = (sumBits << headroom) - (std::uint32_t{1} << 31);
    return {headroom, reciprocalOnePlus(static_cast<std::int32_t>(rest)), bits + 23};
}

std::int32_t softmaxExponential(std::int64_t difference, const SoftmaxParameters& parameters) {
    const std::int64_t shifted =
        shiftedLeft(static_cast<std::int32_t>(difference), static_cast<int>(parameters.leftShift));
    return expNegative(srdhm(static_cast<std::int32_t>(shifted),
                             static_cast<std::int32_t>(parameters.multiplier)));
}

std::int8_t softmaxLevel(std::int32_t exponential, const RowReciprocal& scale) {
    const std::int32_t quotient = rdbp(srdhm(scale.reciprocal, exponential), scale.shift);
    return static_cast<std::int8_t>(std::clamp(quotient - 128, -128, 127));
}

bool softmaxRow(std::span<const std::int8_t> input, std::span<std::int8_t> output,
                const SoftmaxParameters& parameters) {
    if (input.empty())
        return true;
    const std::int64_t largest = *std::max_element(input.begin(), input.end());
    std::int64_t sum = 0; // Q12.19
    for (const std::int8_t value : input) {
        const std::int64_t difference = value - largest;
        if (difference >= parameters.diffMin)
            sum += rdbp(softmaxExponential(difference, parameters), kTermShift);
    }
    if (sum > kInt32Max)
        return false;

    const RowReciprocal scale = reciprocalOfSum(static_cast<std::int32_t>(sum));
    for (std::size_t i = 0; i < input.size(); ++i) {
        const std::int64_t difference = input[i] - largest;
        output[i] = -128;
        if (difference >= parameters.diffMin && scale.shift <= kLargestQuotientShift)
            output[i] = softmaxLevel(softmaxExponential(difference, parameters), scale);
    }
    return true;
}

} // namespace plumbline
