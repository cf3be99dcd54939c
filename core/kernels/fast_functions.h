// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the vector kernels give to fast_kernels.cpp.
#pragma once

#include "core/kernels/bounds.h"
#include "core/kernels/kernels.h"

namespace plumbline {

struct WeightedFunctions {
    std::shared_ptr<const PreparedLayer> (*prepare)(const WeightedArguments&);
    KernelStatus (*run)(const WeightedArguments&);
};

struct ElementFunctions {
    KernelStatus (*add)(const AddArguments&);
    KernelStatus (*maxPool)(const PoolArguments&);
    KernelStatus (*averagePool)(const PoolArguments&);
    KernelStatus (*clamp)(const ClampArguments&);
};

/// Those of one instruction set, as Highway numbers them (HWY_AVX2); there is one for each set in
/// HWY_TARGETS, that is, for each that the compiler was asked for.
template <std::int64_t kTarget> WeightedFunctions denseFunctions();
template <std::int64_t kTarget> WeightedFunctions depthwiseFunctions();
template <std::int64_t kTarget> ElementFunctions elementFunctions();

KernelStatus tabledSoftmax(const SoftmaxArguments& args);

/// The weights of one channel; k counts kh, kw, cin.
struct ChannelWeights {
    const std::int8_t* first = nullptr;
    std::int64_t stride = 1;
    std::int8_t operator[](std::int64_t k) const { return first[k * stride]; }
};

/// The weights of a layer by channel, whichever way they lie.
class WeightReader {
  public:
    WeightReader(const WeightedArguments& args, std::int64_t fullK, bool isDepthwise)
        : m_weights(args.weights)
        , m_channels(args.outputShape.c)
        , m_fullK(fullK)
        , m_isGrouped(args.weightOrder == WeightOrder::LaneGroups)
        , m_isDepthwise(isDepthwise) {}

    ChannelWeights channel(std::int64_t c) const {
        if (m_isGrouped)
            return {m_weights + c / 8 * m_fullK * 8 + c % 8, 8};
        if (m_isDepthwise)
            return {m_weights + c, m_channels};
        return {m_weights + c * m_fullK, 1};
    }

    ChannelSums sums() const {
        ChannelSums made;
        for (std::int64_t c = 0; c < m_channels; ++c) {
            const ChannelWeights weights = channel(c);
            std::int64_t sum = 0, magnitude = 0;
            for (std::int64_t k = 0; k < m_fullK; ++k) {
                const int weight = weights[k];
                sum += weight;
                magnitude += weight < 0 ? -weight : weight;
            }
            made.weights.push_back(sum);
            made.magnitudes.push_back(magnitude);
        }
        return made;
    }

  private:
    const std::int8_t* m_weights;
    std::int64_t m_channels;
    std::int64_t m_fullK;
    bool m_isGrouped;
    bool m_isDepthwise;
};

} // namespace plumbline
