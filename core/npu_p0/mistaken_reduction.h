// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of products of one output element, with its mistakes. Internal to this room.
#pragma once

#include <span>

#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/variation.h"

namespace plumbline::npu_p0 {

class MistakenReduction {
  public:
    /// `inputs` and `weights` are what operands will be taken from; their extremes prove whether
    /// the order of updates can be ignored.
    MistakenReduction(const RecordShape& shape, const Variation& variation,
                      std::span<const ChannelParameters> channels,
                      std::span<const std::int32_t> inputs, std::span<const std::int32_t> weights);

    /// `x` and `w` have K values. Nothing when an ordered update leaves int32.
    std::optional<std::int32_t> sum(const std::int32_t* x, const std::int32_t* w,
                                    std::int32_t bias) const;

  private:
    std::int64_t plainSum(const std::int32_t* x, const std::int32_t* w, std::int32_t bias) const;
    std::optional<std::int64_t> orderedSum(const std::int32_t* x, const std::int32_t* w,
                                           std::int32_t bias) const;
    /// One ordered update; false when it leaves int32.
    bool add(std::int64_t& acc, std::int64_t value) const;

    AccumulatorWidth m_width;
    std::int64_t m_fullK, m_kSlice;
    std::int64_t m_from = 0, m_to = 0; ///< steps that count, at slice borders
    bool m_biasEach;
    bool m_isOrdered;
};

} // namespace plumbline::npu_p0
