// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/preparation.h"

#include <algorithm>

namespace plumbline {
namespace {

/// At least what any set needs: vectors of at most 64 bytes, packed weights of two bytes,
/// reductions rounded up to whole steps, and rows of which up to 16 vectors differ.
std::int64_t mostBytes(const WeightedArguments& args, bool isDepthwise) {
    constexpr std::int64_t kChannels = 64, kParameterBytes = 20;
    const std::int64_t channels = (args.outputShape.c + kChannels - 1) / kChannels * kChannels;
    const std::int64_t lanes = isDepthwise ? std::max(channels, 16 * kChannels) : channels;
    const std::int64_t steps =
        args.window.kernelH * args.window.kernelW * (isDepthwise ? 1 : args.input.shape.c + 3);
    return lanes * (2 * (steps + 3) + kParameterBytes);
}

} // namespace

std::shared_ptr<const PreparedLayer> PreparationBudget::prepare(const KernelSet& kernels,
                                                                const WeightedArguments& args,
                                                                bool isDepthwise) {
    const std::int64_t bytes = mostBytes(args, isDepthwise);
    if (bytes > m_left)
        return nullptr;
    const auto made = isDepthwise ? kernels.prepareDepthwise(args) : kernels.prepareConv(args);
    if (made)
        m_left -= bytes;
    return made;
}

} // namespace plumbline
