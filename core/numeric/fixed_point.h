// SPDX-License-Identifier: GPL-3.0-or-later
// Numerical profile 1: fixed-point primitives. Source: spec section 7.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace plumbline {

inline constexpr std::int32_t kInt32Min = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kInt32Max = std::numeric_limits<std::int32_t>::max();
inline constexpr int kMinShift = -31; ///< smallest run-time shift of a multiplier
inline constexpr int kMaxShift = 30;  ///< largest run-time shift of a multiplier

/// A real >= 0 as multiplier * 2^(shift - 31). What quantizeMultiplier makes has a multiplier of 0
/// or in [2^30, 2^31); at run time the shift is in kMinShift..kMaxShift.
struct Multiplier {
    std::int32_t multiplier = 0;
    std::int32_t shift = 0;
    bool operator==(const Multiplier&) const = default;
};

inline constexpr bool fitsInt32(std::int64_t value) {
    return value >= kInt32Min && value <= kInt32Max;
}

/// Saturating rounding doubling high multiply: a * b / 2^31 to nearest, ties towards plus infinity
/// (0.5 gives 1, -0.5 gives 0). Only (INT32_MIN, INT32_MIN) saturates, to INT32_MAX.
inline constexpr std::int32_t srdhm(std::int32_t a, std::int32_t b) {
    if (a == kInt32Min && b == kInt32Min)
        return kInt32Max;
    const std::int64_t product = std::int64_t{a} * b;
    const std::int64_t nudge = product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30);
    return static_cast<std::int32_t>((product + nudge) / (std::int64_t{1} << 31));
}

/// Rounding divide by power: x / 2^exponent to nearest, ties away from zero; exponent in 0..31.
inline constexpr std::int32_t rdbp(std::int32_t x, int exponent) {
    const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
    const std::int64_t remainder = std::int64_t{x} & mask;
    const std::int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return static_cast<std::int32_t>((std::int64_t{x} >> exponent) +
                                     (remainder > threshold ? 1 : 0));
}

/// x * 2^exponent, which may leave int32; exponent in 0..31.
inline constexpr std::int64_t shiftedLeft(std::int32_t x, int exponent) {
    return std::int64_t{x} * (std::int64_t{1} << exponent);
}

/// The profile's double-rounding requantization of `x`: left shift, high multiply, rounding right
/// shift. `m.shift` is in -31..30. Nothing when the left shift leaves int32 (arithmetic fault).
inline constexpr std::optional<std::int32_t> requantize(std::int32_t x, Multiplier m) {
    const int left = m.shift > 0 ? m.shift : 0;
    const int right = m.shift > 0 ? 0 : -m.shift;
    const std::int64_t shifted = shiftedLeft(x, left);
    if (!fitsInt32(shifted))
        return std::nullopt;
    return rdbp(srdhm(static_cast<std::int32_t>(shifted), m.multiplier), right);
}

/// `total / count` to nearest, ties away from zero (average pools); count > 0, the quotient fits
/// int32.
inline constexpr std::int32_t roundedAverage(std::int64_t total, std::int64_t count) {
    const std::int64_t half = count / 2;
    return static_cast<std::int32_t>((total >= 0 ? total + half : total - half) / count);
}

} // namespace plumbline
