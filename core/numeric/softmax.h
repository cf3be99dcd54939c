// SPDX-License-Identifier: GPL-3.0-or-later
// The int8 reference softmax in integers, Q5.26 input. Source: spec section 8.
#pragma once

#include <cstdint>
#include <span>

#include "core/numeric/quantize.h"

namespace plumbline {

/// exp(a) for a <= 0 in Q5.26, as Q31.
std::int32_t expNegative(std::int32_t a);

/// exp(a) for a in [-1/4, 0) in Q31, as Q31.
std::int32_t expQuarter(std::int32_t a);

/// 1 / (1 + a) for a >= 0 in Q31, as Q31.
std::int32_t reciprocalOnePlus(std::int32_t a);

inline constexpr int kTermShift = 12; ///< RDBP of an exponential, Q31, to a term of the row's sum
inline constexpr int kLargestQuotientShift = 31; ///< beyond it every quotient of the row is 0

/// 1 / sum of a row, and the shift that belongs to it.
struct RowReciprocal {
    int headroom = 0;            ///< leading zeros of the 32-bit sum
    std::int32_t reciprocal = 0; ///< of the sum, shifted left by `headroom`, as Q31
    int shift = 0;               ///< RDBP of SRDHM(reciprocal, exponential) to 1/256
};
/// `sum` is in 1..INT32_MAX.
RowReciprocal reciprocalOfSum(std::int32_t sum);

/// exp(difference) as Q31 for a difference of two levels, diffMin <= difference <= 0. `parameters`
/// passed softmaxParametersAreSafe.
std::int32_t softmaxExponential(std::int64_t difference, const SoftmaxParameters& parameters);

/// The output level of a value with that exponential; `scale.shift` is at most
/// kLargestQuotientShift.
std::int8_t softmaxLevel(std::int32_t exponential, const RowReciprocal& scale);

/// One row of C values; `output` has the row's length. False when the sum of exponentials reaches
/// 2^31 (arithmetic fault; `output` is then unspecified). `parameters` passed
/// softmaxParametersAreSafe.
bool softmaxRow(std::span<const std::int8_t> input, std::span<std::int8_t> output,
                const SoftmaxParameters& parameters);

} // namespace plumbline
