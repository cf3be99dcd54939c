// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bounds.h"

#include <algorithm>
#include <cstdlib>

namespace plumbline {

std::optional<RequantizedMagnitude> magnitudeAfter(std::int64_t magnitude, const Multiplier& m) {
    const int left = std::max(m.shift, 0);
    const int right = std::max(-m.shift, 0);
    const std::int64_t shifted = magnitude << left; // below 2^61: the magnitude is below 2^31
    if (shifted > kInt32Max)
        return std::nullopt;
    const std::int64_t product = ((shifted * m.multiplier) >> 31) + 1;
    return RequantizedMagnitude{shifted, (product >> right) + 1};
}

bool addIsSafe(const AddMultipliers& multipliers) {
    constexpr std::int64_t kLargestTerm = std::int64_t{255} << kAddLeftShift;
    const auto isNarrow = [](const auto& made) {
        return made && made->shifted < kSafeMagnitude && made->result < kSafeMagnitude;
    };
    const auto term0 = magnitudeAfter(kLargestTerm, multipliers.input0);
    const auto term1 = magnitudeAfter(kLargestTerm, multipliers.input1);
    return isNarrow(term0) && isNarrow(term1) &&
           isNarrow(magnitudeAfter(term0->result + term1->result, multipliers.output));
}

SumProof proofOf(const WeightedArguments& args, const ChannelSums& sums) {
    SumProof proof = SumProof::Narrow;
    const std::int64_t largestInput =
        std::max(127 - args.inputZeroPoint, args.inputZeroPoint + 128);
    for (std::size_t c = 0; c < args.multipliers.size(); ++c) {
        const std::int64_t bias = args.bias.empty() ? 0 : args.bias[c];
        const std::int64_t sum = std::abs(bias) + largestInput * sums.magnitudes[c];
        if (sum > kInt32Max)
            return SumProof::None;
        const auto made = magnitudeAfter(sum, args.multipliers[c]);
        if (!made || made->result >= kSafeMagnitude)
            return SumProof::None;
        if (made->shifted >= kSafeMagnitude)
            proof = SumProof::Wide;
    }
    return proof;
}

} // namespace plumbline
