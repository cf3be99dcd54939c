// SPDX-License-Identifier: GPL-3.0-or-later
// From real scales to fixed point, in double precision. Source: spec sections 2, 7 and 8.
#pragma once

#include <cstdint>
#include <optional>

#include "core/numeric/fixed_point.h"

namespace plumbline {

/// `value` (finite, >= 0) as a Multiplier, the fraction rounded half away from zero: 0 gives (0,0);
/// a shift below -31 flushes to (0,0). The shift is not bounded above; callers check kMaxShift.
Multiplier quantizeMultiplier(double value);

/// The requantization of one output channel: quantizeMultiplier((inputScale * weightScale) /
/// outputScale), evaluated in that order.
Multiplier requantizationMultiplier(double inputScale, double weightScale, double outputScale);

/// The three multipliers of ADD. The operands are shifted left by kAddLeftShift bits first.
struct AddMultipliers {
    Multiplier input0;
    Multiplier input1;
    Multiplier output;
    bool operator==(const AddMultipliers&) const = default;
};
inline constexpr int kAddLeftShift = 20;
AddMultipliers addMultipliers(double inputScale0, double inputScale1, double outputScale);

/// clamp(round_half_away(real / scale) + zeroPoint, -128, 127) in double precision; `real` and
/// `scale` are finite, `scale` is above 0.
std::int32_t quantizeToInt8(double real, double scale, std::int64_t zeroPoint);

/// Clamp bounds of an output, signed bytes, lower <= upper.
struct ActivationBounds {
    std::int32_t lower = -128;
    std::int32_t upper = 127;
    bool operator==(const ActivationBounds&) const = default;
};
/// Bounds of RELU (max(-128, zeroPoint), 127) and of RELU6 (the same, quantizeToInt8(6)); the zero
/// point fits INT8.
ActivationBounds reluBounds(std::int64_t zeroPoint);
ActivationBounds relu6Bounds(double scale, std::int64_t zeroPoint);

/// Parameters of the integer softmax. They are 64 bits wide because a package may hold anything;
/// what softmaxParametersAreSafe accepts has multiplier 1..INT32_MAX, leftShift 0..31, diffMin <=
/// 0.
struct SoftmaxParameters {
    std::int64_t multiplier = 0;
    std::int64_t leftShift = 0;
    std::int64_t diffMin = 0;
    bool operator==(const SoftmaxParameters&) const = default;
};

/// From the input scale and beta. Nothing when either is not positive and finite, or beta * scale *
/// 2^26 is not above 1.
std::optional<SoftmaxParameters> softmaxParameters(double inputScale, double beta);

/// The checks that section 8 asks for before a softmax runs: no difference that passes `diffMin`
/// may leave int32 when it is shifted left.
bool softmaxParametersAreSafe(const SoftmaxParameters& parameters);

} // namespace plumbline
