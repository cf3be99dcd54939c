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

/// One row of C values; `output` has the row's length. False when the sum of exponentials reaches
/// 2^31 (arithmetic fault; `output` is then unspecified). `parameters` passed
/// softmaxParametersAreSafe.
bool softmaxRow(std::span<const std::int8_t> input, std::span<std::int8_t> output,
                const SoftmaxParameters& parameters);

} // namespace plumbline
