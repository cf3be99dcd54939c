// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bounds.h"

#include <algorithm>
#include <cstdlib>

namespace plumbline {

namespace {

/// `magnitude` after the left shift of `m`; below 2^61, since a magnitude is below 2^31.
std::int64_t shiftedMagnitude(std::int64_t magnitude, const Multiplier& m) {
    return magnitude << std::max(m.shift, 0);
}

} // namespace

std::optional<std::int64_t> magnitudeAfter(std::int64_t magnitude, const Multiplier& m) {
    const std::int64_t shifted = shiftedMagnitude(magnitude, m);
    if (shifted >= kSafeMagnitude)
        return std::nullopt;
    const std::int64_t product = ((shifted * m.multiplier) >> 31) + 1;
    return (product >> std::max(-m.shift, 0)) + 1;
}

bool addIsSafe(const AddMultipliers& multipliers) {
    constexpr std::int64_t kLargestTerm = std::int64_t{255} << kAddLeftShift;
    const auto term0 = magnitudeAfter(kLargestTerm, multipliers.input0);
    const auto term1 = magnitudeAfter(kLargestTerm, multipliers.input1);
    if (!term0 || !term1 || *term0 + *term1 > kInt32Max)
        return false;
    return magnitudeAfter(*term0 + *term1, multipliers.output).has_value();
}

SumProof proofOf(const WeightedArguments& args, const ChannelSums& sums) {
    SumProof proof = SumProof::Narrow;
    const std::int64_t largestInput =
        std::max(127 - args.inputZeroPoint, args.inputZeroPoint + 128);
    for (std::size_t c = 0; c < args.multipliers.size(); ++c) {
        const std::int64_t bias = args.bias.empty() ? 0 : args.bias[c];
        const std::int64_t sum = std::abs(bias) + largestInput * sums.magnitudes[c];
        if (sum > kInt32Max || shiftedMagnitude(sum, args.multipliers[c]) > kInt32Max)
            return SumProof::None;
        if (shiftedMagnitude(sum, args.multipliers[c]) >= kSafeMagnitude)
            proof = SumProof::Wide;
    }
    return proof;
}

} // namespace plumbline
