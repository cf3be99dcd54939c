// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the vector kernels give to fast_kernels.cpp. Each function is that of the best
// instruction set among those that Highway was last told to use.
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

WeightedFunctions denseFunctions();
WeightedFunctions depthwiseFunctions();
ElementFunctions elementFunctions();
KernelStatus tabledSoftmax(const SoftmaxArguments& args);

/// Weight k of channel c, whichever way they lie; k counts kh, kw, cin.
class WeightReader {
  public:
    WeightReader(const WeightedArguments& args, std::int64_t fullK, bool isDepthwise)
        : m_weights(args.weights)
        , m_channels(args.outputShape.c)
        , m_fullK(fullK)
        , m_isGrouped(args.weightOrder == WeightOrder::LaneGroups)
        , m_isDepthwise(isDepthwise) {}

    std::int8_t at(std::int64_t c, std::int64_t k) const {
        if (m_isGrouped)
            return m_weights[(c / 8 * m_fullK + k) * 8 + c % 8];
        return m_isDepthwise ? m_weights[k * m_channels + c] : m_weights[c * m_fullK + k];
    }

    ChannelSums sums() const {
        ChannelSums made;
        for (std::int64_t c = 0; c < m_channels; ++c) {
            std::int64_t sum = 0, magnitude = 0;
            for (std::int64_t k = 0; k < m_fullK; ++k) {
                sum += at(c, k);
                magnitude += at(c, k) < 0 ? -at(c, k) : at(c, k);
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
