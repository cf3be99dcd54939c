// SPDX-License-Identifier: GPL-3.0-or-later
// Requantization with its mistakes. Source: docs/hypotheses.md.
#pragma once

#include <algorithm>
#include <optional>

#include "core/npu_p0/variation.h"
#include "core/numeric/fixed_point.h"

namespace plumbline::npu_p0 {

/// `x` / 2^`exponent` rounded as `rounding` (not Single) says; exponent in 0..31.
constexpr std::int64_t mistakenDivide(std::int32_t x, int exponent, Rounding rounding) {
    if (exponent == 0 || rounding == Rounding::Truncate)
        return std::int64_t{x} >> exponent;
    const std::int64_t half = std::int64_t{1} << (exponent - 1);
    if (rounding == Rounding::Contract)
        return rdbp(x, exponent);
    const std::int64_t up = (std::int64_t{x} + half) >> exponent;
    if (rounding == Rounding::HalfUp)
        return up;
    const bool isTie = (std::int64_t{x} & (2 * half - 1)) == half;
    return isTie ? up & ~std::int64_t{1} : up;
}

/// As requantize(); with Rounding::Single the value may leave int32. `saturate` keeps a left shift
/// within int32, otherwise one that leaves it gives nothing.
constexpr std::optional<std::int64_t> mistakenRequantize(std::int32_t x, Multiplier m,
                                                         Rounding rounding, bool saturate) {
    if (rounding == Rounding::Single)
        return (std::int64_t{x} * m.multiplier + (std::int64_t{1} << (30 - m.shift))) >>
               (31 - m.shift);
    std::int64_t left = std::int64_t{x} * (std::int64_t{1} << std::max(m.shift, 0));
    if (saturate)
        left = std::clamp<std::int64_t>(left, kInt32Min, kInt32Max);
    if (!fitsInt32(left))
        return std::nullopt;
    return mistakenDivide(srdhm(static_cast<std::int32_t>(left), m.multiplier),
                          std::max(-m.shift, 0), rounding);
}

} // namespace plumbline::npu_p0
