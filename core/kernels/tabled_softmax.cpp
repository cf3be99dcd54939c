// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax with one exponential per distinct difference instead of one per value. Source: spec
// section 8.
#include <algorithm>
#include <array>
#include <span>

#include "core/kernels/fast_functions.h"
#include "core/numeric/softmax.h"

namespace plumbline {
namespace {

constexpr std::size_t kDifferences = 256; ///< of two int8 values

/// What a value that lies `difference` below the row's largest contributes; nothing beyond `count`.
struct Exponentials {
    std::array<std::int32_t, kDifferences> value{}; ///< Q31
    std::array<std::int32_t, kDifferences> term{};  ///< Q12.19
    std::int64_t count = 0;
};

Exponentials exponentialsOf(const SoftmaxParameters& parameters) {
    Exponentials made;
    made.count = std::min<std::int64_t>(kDifferences, 1 - parameters.diffMin);
    for (std::int64_t i = 0; i < made.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        made.value[at] = softmaxExponential(-i, parameters);
        made.term[at] = rdbp(made.value[at], kTermShift);
    }
    return made;
}

/// One row; false when the sum reaches 2^31.
bool softmaxRow(const Exponentials& exponentials, std::span<const std::int8_t> input,
                std::int8_t* output) {
    const int largest = *std::max_element(input.begin(), input.end());
    std::array<std::int64_t, kDifferences> times{};
    for (const std::int8_t value : input)
        ++times[static_cast<std::size_t>(largest - value)];
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(exponentials.count); ++i)
        sum += times[i] * exponentials.term[i];
    if (sum > kInt32Max)
        return false;
    const RowReciprocal scale = reciprocalOfSum(static_cast<std::int32_t>(sum));
    std::array<std::int8_t, kDifferences> levels;
    levels.fill(-128);
    for (std::size_t i = 0; i < static_cast<std::size_t>(exponentials.count); ++i) {
        if (times[i] != 0 && scale.shift <= kLargestQuotientShift)
            levels[i] = softmaxLevel(exponentials.value[i], scale);
    }
    for (const std::int8_t value : input)
        *output++ = levels[static_cast<std::size_t>(largest - value)];
    return true;
}

} // namespace

KernelStatus tabledSoftmax(const SoftmaxArguments& args) {
    constexpr std::int64_t kLeastDepth = 16; // below it a table costs more than it saves
    if (args.depth < kLeastDepth ||
        args.rows * args.depth < static_cast<std::int64_t>(kDifferences))
        return plainKernels().softmax(args);
    const Exponentials exponentials = exponentialsOf(args.parameters);
    const auto depth = static_cast<std::size_t>(args.depth);
    for (std::int64_t row = 0; row < args.rows; ++row) {
        const std::int64_t offset = row * args.depth;
        if (!softmaxRow(exponentials, {args.input + offset, depth}, args.output + offset))
            return KernelStatus::Fault;
    }
    return KernelStatus::Done;
}

} // namespace plumbline
