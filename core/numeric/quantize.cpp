// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/quantize.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

// 31 in Q5.26: the largest magnitude that a softmax difference may have after its left shift.
constexpr std::int64_t kSoftmaxRange = std::int64_t{31} << 26;

constexpr int kMantissaBits = 53;

} // namespace

Multiplier quantizeMultiplier(double value) {
    if (value == 0.0)
        return {};
    int shift = 0;
    const double fraction = std::frexp(value, &shift);
    // A fraction in [0.5, 1) is a whole number of 2^-53, so integers round it to 31 bits exactly.
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kMantissaBits));
    constexpr int kDropped = kMantissaBits - 31;
    std::int64_t rounded = (mantissa + (std::int64_t{1} << (kDropped - 1))) >> kDropped;
    if (rounded == std::int64_t{1} << 31) {
        rounded >>= 1;
        ++shift;
    }
    if (shift < kMinShift)
        return {};
    return {static_cast<std::int32_t>(rounded), shift};
}

Multiplier requantizationMultiplier(double inputScale, double weightScale, double outputScale) {
    return quantizeMultiplier((inputScale * weightScale) / outputScale);
}

AddMultipliers addMultipliers(double inputScale0, double inputScale1, double outputScale) {
    const double twiceLarger = 2.0 * std::max(inputScale0, inputScale1);
    const double shiftedOutput = std::ldexp(outputScale, kAddLeftShift);
    return {quantizeMultiplier(inputScale0 / twiceLarger),
            quantizeMultiplier(inputScale1 / twiceLarger),
            quantizeMultiplier(twiceLarger / shiftedOutput)};
}

std::int32_t quantizeToInt8(double real, double scale, std::int64_t zeroPoint) {
    const double shifted = std::round(real / scale) + static_cast<double>(zeroPoint);
    return static_cast<std::int32_t>(std::clamp(shifted, -128.0, 127.0));
}

ActivationBounds reluBounds(std::int64_t zeroPoint) {
    return {static_cast<std::int32_t>(std::clamp<std::int64_t>(zeroPoint, -128, 127)), 127};
}

ActivationBounds relu6Bounds(double scale, std::int64_t zeroPoint) {
    return {reluBounds(zeroPoint).lower, quantizeToInt8(6.0, scale, zeroPoint)};
}

std::optional<SoftmaxParameters> softmaxParameters(double inputScale, double beta) {
    const auto isPositive = [](double value) { return std::isfinite(value) && value > 0.0; };
    if (!isPositive(inputScale) || !isPositive(beta))
        return std::nullopt;
    const double scaled = std::min(std::ldexp(beta * inputScale, 26), double{kInt32Max});
    if (!(scaled > 1.0))
        return std::nullopt;
    const Multiplier m = quantizeMultiplier(scaled);
    return SoftmaxParameters{m.multiplier, m.shift, -(kSoftmaxRange >> m.shift)};
}

bool softmaxParametersAreSafe(const SoftmaxParameters& parameters) {
    return parameters.multiplier > 0 && parameters.multiplier <= kInt32Max &&
           parameters.leftShift >= 0 && parameters.leftShift <= 31 && parameters.diffMin <= 0 &&
           parameters.diffMin >= -(kSoftmaxRange >> parameters.leftShift);
}

} // namespace plumbline
