// SPDX-License-Identifier: GPL-3.0-or-later
// The way from a scaled value to the stored byte, with its mistakes. Internal to this room.
#pragma once

#include <algorithm>

#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/variation.h"

namespace plumbline::npu_p0 {

class MistakenOutput {
  public:
    MistakenOutput(const MistakenRecord& made, const Variation& variation)
        : m_s(made.record.shape)
        , m_v(variation)
        , m_zero(variation.outputZeroMissing ? 0 : m_s.outputZero)
        , m_bytes(made.outputBefore) {
        const std::int32_t own = m_s.bounds.lower;
        if (m_v.bounds == BoundsUse::LowerZero)
            m_bounds = {own > -128 ? 0 : own, m_s.bounds.upper};
        else if (m_v.bounds != BoundsUse::Missing)
            m_bounds = m_s.bounds;
    }

    /// Stores a scaled value: the zero point is still to be added.
    void putScaled(std::int64_t y, std::int64_t x, std::int64_t c, std::int64_t value) {
        put(y, x, c, value + m_zero);
    }
    /// Stores a value that only the bounds change.
    void put(std::int64_t y, std::int64_t x, std::int64_t c, std::int64_t value) {
        store(y, x, c,
              bounded(m_v.bounds == BoundsUse::Wrapping ? static_cast<std::int8_t>(value) : value));
    }

    Bytes take() { return std::move(m_bytes); }

  private:
    /// The upper bound is applied last: LowerZero may put the lower one above it.
    std::int64_t bounded(std::int64_t value) const {
        return std::min<std::int64_t>(std::max<std::int64_t>(value, m_bounds.lower),
                                      m_bounds.upper);
    }
    bool isUnwritten(std::int64_t y, std::int64_t x) const {
        return m_v.shortTilesUnwritten && (y / m_s.tileH * m_s.tileH + m_s.tileH > m_s.oh ||
                                           x / m_s.tileW * m_s.tileW + m_s.tileW > m_s.ow);
    }
    void store(std::int64_t y, std::int64_t x, std::int64_t c, std::int64_t value) {
        if (isUnwritten(y, x))
            return;
        const std::int64_t at = m_v.outputOrder == TensorOrder::ChannelFirst
                                    ? (c * m_s.oh + y) * m_s.ow + x
                                    : (y * m_s.ow + x) * m_s.cout + c;
        m_bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(value);
    }

    const RecordShape& m_s;
    const Variation& m_v;
    std::int32_t m_zero;
    ActivationBounds m_bounds;
    Bytes m_bytes;
};

} // namespace plumbline::npu_p0
