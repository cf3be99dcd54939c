// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/mistaken_reduction.h"

#include <algorithm>
#include <cstdlib>

namespace plumbline::npu_p0 {
namespace {

constexpr std::int64_t kSignBit24 = std::int64_t{1} << 23;

std::int64_t largestMagnitude(std::span<const std::int32_t> values) {
    std::int64_t largest = 0;
    for (const std::int32_t value : values)
        largest = std::max(largest, std::abs(std::int64_t{value}));
    return largest;
}

std::int64_t largestBias(std::span<const ChannelParameters> channels) {
    std::int64_t largest = 0;
    for (const ChannelParameters& channel : channels)
        largest = std::max(largest, std::abs(std::int64_t{channel.bias}));
    return largest;
}

} // namespace

MistakenReduction::MistakenReduction(const RecordShape& s, const Variation& v,
                                     std::span<const ChannelParameters> channels,
                                     std::span<const std::int32_t> inputs,
                                     std::span<const std::int32_t> weights)
    : m_width(v.accumulator)
    , m_fullK(s.fullK)
    , m_kSlice(s.kSlice)
    , m_to(s.fullK)
    , m_biasEach(v.slices == SliceUse::BiasEach) {
    const std::int64_t slices = (s.fullK + s.kSlice - 1) / s.kSlice;
    if (v.slices == SliceUse::WithoutFirst && slices > 1)
        m_from = s.kSlice;
    if (v.slices == SliceUse::WithoutLast && slices > 1)
        m_to = (slices - 1) * s.kSlice;
    const std::int64_t padding = v.centring == Centring::PaddingRaw ? std::abs(s.inputZero) : 0;
    const std::int64_t x = std::max(largestMagnitude(inputs), padding);
    const std::int64_t bound =
        largestBias(channels) * slices + x * largestMagnitude(weights) * s.fullK;
    m_isOrdered = m_width == AccumulatorWidth::Saturating16 || bound > kInt32Max;
}

bool MistakenReduction::add(std::int64_t& acc, std::int64_t value) const {
    acc += value;
    if (m_width == AccumulatorWidth::Saturating16)
        acc = std::clamp<std::int64_t>(acc, -32768, 32767);
    return fitsInt32(acc);
}

std::int64_t MistakenReduction::plainSum(const std::int32_t* x, const std::int32_t* w,
                                         std::int32_t bias) const {
    std::int32_t acc = 0;
    for (std::int64_t k = m_from; k < m_to; ++k)
        acc += x[k] * w[k];
    const std::int64_t times = m_biasEach ? (m_fullK + m_kSlice - 1) / m_kSlice : 1;
    return acc + times * bias;
}

std::optional<std::int64_t> MistakenReduction::orderedSum(const std::int32_t* x,
                                                          const std::int32_t* w,
                                                          std::int32_t bias) const {
    std::int64_t acc = 0;
    if (!add(acc, bias))
        return std::nullopt;
    for (std::int64_t k = m_from; k < m_to; ++k) {
        const bool startsSlice = k > 0 && k % m_kSlice == 0;
        if (m_biasEach && startsSlice && !add(acc, bias))
            return std::nullopt;
        if (!add(acc, std::int64_t{x[k]} * w[k]))
            return std::nullopt;
    }
    return acc;
}

std::optional<std::int32_t> MistakenReduction::sum(const std::int32_t* x, const std::int32_t* w,
                                                   std::int32_t bias) const {
    const auto acc = m_isOrdered ? orderedSum(x, w, bias) : plainSum(x, w, bias);
    if (!acc)
        return std::nullopt;
    if (m_width == AccumulatorWidth::Wrapping24)
        return static_cast<std::int32_t>(((*acc + kSignBit24) & (2 * kSignBit24 - 1)) - kSignBit24);
    return static_cast<std::int32_t>(*acc);
}

} // namespace plumbline::npu_p0
