// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bounds.h"

#include <algorithm>
#include <cstdlib>

namespace plumbline {

std::optional<std::int64_t> magnitudeAfter(std::int64_t magnitude, const Multiplier& m) {
    const int left = std::max(m.shift, 0);
    const int right = std::max(-m.shift, 0);
    const std::int64_t shifted = magnitude << left; // below 2^61: the magnitude is below 2^31
    if (shifted >= kSafeMagnitude)
        return std::nullopt;
    const std::int64_t product = ((shifted * m.multiplier) >> 31) + 1;
    return (product >> right) + 1;
}

bool addIsSafe(const AddMultipliers& multipliers) {
    constexpr std::int64_t kLargestTerm = std::int64_t{255} << kAddLeftShift;
    const auto term0 = magnitudeAfter(kLargestTerm, multipliers.input0);
    const auto term1 = magnitudeAfter(kLargestTerm, multipliers.input1);
    return term0 && term1 && magnitudeAfter(*term0 + *term1, multipliers.output);
}

bool sumsAreSafe(const WeightedArguments& args, const ChannelSums& sums) {
    const std::int64_t largestInput =
        std::max(127 - args.inputZeroPoint, args.inputZeroPoint + 128);
    for (std::size_t c = 0; c < args.multipliers.size(); ++c) {
        const std::int64_t bias = args.bias.empty() ? 0 : args.bias[c];
        const std::int64_t sum = std::abs(bias) + largestInput * sums.magnitudes[c];
        if (sum >= kSafeMagnitude || !magnitudeAfter(sum, args.multipliers[c]))
            return false;
    }
    return true;
}

} // namespace plumbline
