// SPDX-License-Identifier: GPL-3.0-or-later
// Proofs that a layer's arithmetic cannot leave int32, so that its sums may be made in any order.
// Source: spec section 7.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kernels/kernels.h"

namespace plumbline {

/// Below it a value may be rounded by adding up to 2^30 without leaving int32.
inline constexpr std::int64_t kSafeMagnitude = (std::int64_t{1} << 30) - 2;

/// The largest |requantize(x, m)| for |x| <= `magnitude`. Nothing when the left shift may reach
/// kSafeMagnitude. `magnitude` is within int32, `m` not negative, its shift in
/// kMinShift..kMaxShift.
std::optional<std::int64_t> magnitudeAfter(std::int64_t magnitude, const Multiplier& m);

/// Whether no two int8 values can make an ADD leave int32 or reach kSafeMagnitude.
bool addIsSafe(const AddMultipliers& multipliers);

/// What the proof for a weighted layer looks at, per output channel.
struct ChannelSums {
    std::vector<std::int64_t> weights;    ///< sum of its weights
    std::vector<std::int64_t> magnitudes; ///< sum of their absolute values
};

/// What is proven of a weighted layer from max|x - z| times each channel's magnitudes, and its
/// bias.
enum class SumProof : std::uint8_t {
    None,
    Wide,   ///< sums, in any order, and their left shifts stay in int32
    Narrow, ///< and left shifts stay below kSafeMagnitude
};
SumProof proofOf(const WeightedArguments& args, const ChannelSums& sums);

} // namespace plumbline
