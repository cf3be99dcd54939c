// SPDX-License-Identifier: GPL-3.0-or-later
// Requantization parameters as the vector kernels load them: one array per parameter.
#pragma once

#include <cstdint>
#include <vector>

#include "core/numeric/fixed_point.h"

namespace plumbline {

struct Shifts {
    std::int32_t left = 0;  ///< 0..30
    std::int32_t right = 0; ///< 0..31
    std::int32_t half = 0;  ///< 2^right / 2
};
inline Shifts shiftsOf(const Multiplier& m) {
    const std::int32_t right = m.shift > 0 ? 0 : -m.shift;
    return {m.shift > 0 ? m.shift : 0, right,
            static_cast<std::int32_t>((std::uint32_t{1} << right) >> 1)};
}

/// Entry i belongs to lane i of the vectors that a kernel makes. Lanes without a channel are 0.
struct LaneScales {
    explicit LaneScales(std::size_t lanes)
        : multiplier(lanes)
        , left(lanes)
        , right(lanes)
        , half(lanes) {}

    void set(std::size_t lane, const Multiplier& m) {
        multiplier[lane] = m.multiplier;
        const Shifts shifts = shiftsOf(m);
        left[lane] = shifts.left;
        right[lane] = shifts.right;
        half[lane] = shifts.half;
        isCommon = isCommon && m.shift < 0;
    }

    std::vector<std::int32_t> multiplier;
    std::vector<std::int32_t> left;  ///< 0..30
    std::vector<std::int32_t> right; ///< 0..31
    std::vector<std::int32_t> half;  ///< 2^right / 2
    /// All shifts are to the right, by at least 1, and what is shifted stays below kSafeMagnitude.
    bool isCommon = true;
};

} // namespace plumbline
