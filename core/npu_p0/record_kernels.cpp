// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/record_kernels.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/stop_check.h"
#include "core/npu_p0/constants.h"

namespace plumbline::npu_p0 {
namespace {

struct Position {
    std::int64_t y = 0;
    std::int64_t x = 0;
};

/// Calls `visit(position)` for every output position, tile by tile; stops at the first failure
/// text.
template <class Visit>
RecordOutcome walkTiles(const RecordShape& s, const std::stop_token& stop, Visit&& visit) {
    StopCheck check(stop);
    const std::int64_t work =
        static_cast<std::int64_t>(s.work()) / std::max<std::int64_t>(s.oh * s.ow, 1);
    for (std::int64_t ty = 0; ty < s.oh; ty += s.tileH) {
        for (std::int64_t tx = 0; tx < s.ow; tx += s.tileW) {
            for (std::int64_t y = ty; y < std::min(ty + s.tileH, s.oh); ++y) {
                for (std::int64_t x = tx; x < std::min(tx + s.tileW, s.ow); ++x) {
                    if (check.after(work))
                        return {"", true};
                    if (std::string failure = visit(Position{y, x}); !failure.empty())
                        return {std::move(failure), false};
                }
            }
        }
    }
    return {};
}

std::string overflowAt(const Position& p, std::int64_t channel, std::string_view what) {
    return fmt::format("{} leaves int32 at position ({},{}), channel {}", what, p.y, p.x, channel);
}

std::int8_t clamped(std::int64_t value, const ActivationBounds& bounds) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, bounds.lower, bounds.upper));
}

const std::int8_t* pixel(ByteView input, std::uint64_t row, const RecordShape& s, std::int64_t y,
                         std::int64_t x) {
    return reinterpret_cast<const std::int8_t*>(input.data()) +
           static_cast<std::uint64_t>(y) * row + static_cast<std::uint64_t>(x * s.cin);
}

std::int8_t* outputPixel(const RecordShape& s, const RecordOperands& o, const Position& p) {
    return o.output.data() + (p.y * s.ow + p.x) * s.cout;
}

/// Whether no ordered update of any channel can leave int32 (spec section 7, |w| up to 128).
bool cannotOverflow(const RecordShape& s, std::span<const ChannelParameters> channels) {
    std::int64_t largest = 0;
    for (const ChannelParameters& c : channels)
        largest = std::max(largest, std::abs(std::int64_t{c.bias}));
    return largest + 255 * 128 * s.fullK <= kInt32Max;
}

using Accumulators = std::array<std::int32_t, kLanes>;

/// One K slice of eight lanes. `x` holds one centred input per k (dense) or eight (depthwise).
template <bool kPerLane>
void accumulate(const std::int32_t* x, const std::int8_t* w, std::int64_t count,
                Accumulators& acc) {
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const auto l = static_cast<std::size_t>(lane);
            acc[l] += x[kPerLane ? k * kLanes + lane : k] * w[k * kLanes + lane];
        }
    }
}

/// As above with every ordered update checked; the first lane that overflows, or -1.
template <bool kPerLane>
std::int64_t accumulateChecked(const std::int32_t* x, const std::int8_t* w, std::int64_t count,
                               std::int64_t lanes, Accumulators& acc) {
    for (std::int64_t k = 0; k < count; ++k) {
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            auto& value = acc[static_cast<std::size_t>(lane)];
            const std::int32_t product = x[kPerLane ? k * kLanes + lane : k] * w[k * kLanes + lane];
            if (__builtin_add_overflow(value, product, &value))
                return lane;
        }
    }
    return -1;
}

/// Conv, depthwise and fully connected.
class WeightedRecord {
  public:
    WeightedRecord(const RecordShape& shape, const RecordOperands& operands)
        : m_s(shape)
        , m_o(operands)
        , m_isDepthwise(shape.opcode == Opcode::Depthwise3x3)
        , m_unchecked(cannotOverflow(shape, operands.channels))
        , m_patch(static_cast<std::size_t>(shape.fullK * (m_isDepthwise ? kLanes : 1))) {}

    RecordOutcome run(const std::stop_token& stop) {
        return walkTiles(m_s, stop, [this](const Position& p) { return position(p); });
    }

  private:
    std::string position(const Position& p) {
        if (!m_isDepthwise)
            gatherDense(p);
        for (std::int64_t group = 0; group * kLanes < m_s.cout; ++group) {
            if (m_isDepthwise)
                gatherGroup(p, group);
            if (std::string failure = channelGroup(p, group); !failure.empty())
                return failure;
        }
        return "";
    }

    bool inside(std::int64_t y, std::int64_t x) const {
        return y >= 0 && y < m_s.h && x >= 0 && x < m_s.w;
    }

    /// The centred receptive field in kh, kw, cin order; padding reads the zero point, so it is 0.
    void gatherDense(const Position& p) {
        std::int32_t* to = m_patch.data();
        for (std::int64_t ky = 0; ky < m_s.kh; ++ky) {
            for (std::int64_t kx = 0; kx < m_s.kw; ++kx, to += m_s.cin) {
                const std::int64_t y = p.y * m_s.sh - m_s.padTop + ky;
                const std::int64_t x = p.x * m_s.sw - m_s.padLeft + kx;
                if (!inside(y, x)) {
                    std::fill_n(to, m_s.cin, 0);
                    continue;
                }
                const std::int8_t* from = pixel(m_o.input0, m_s.inputRow, m_s, y, x);
                for (std::int64_t c = 0; c < m_s.cin; ++c)
                    to[c] = from[c] - m_s.inputZero;
            }
        }
    }

    void gatherGroup(const Position& p, std::int64_t group) {
        std::fill(m_patch.begin(), m_patch.end(), 0);
        const std::int64_t lanes = std::min(kLanes, m_s.cout - group * kLanes);
        for (std::int64_t k = 0; k < m_s.fullK; ++k) {
            const std::int64_t y = p.y * m_s.sh - m_s.padTop + k / m_s.kw;
            const std::int64_t x = p.x * m_s.sw - m_s.padLeft + k % m_s.kw;
            if (!inside(y, x))
                continue;
            const std::int8_t* from = pixel(m_o.input0, m_s.inputRow, m_s, y, x) + group * kLanes;
            for (std::int64_t lane = 0; lane < lanes; ++lane)
                m_patch[static_cast<std::size_t>(k * kLanes + lane)] = from[lane] - m_s.inputZero;
        }
    }

    /// Bias once, then the K slices in order; -1 or the lane that overflowed.
    std::int64_t reduce(std::int64_t group, std::int64_t lanes, Accumulators& acc) const {
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            acc[static_cast<std::size_t>(lane)] =
                m_o.channels[static_cast<std::size_t>(group * kLanes + lane)].bias;
        const auto* w =
            reinterpret_cast<const std::int8_t*>(m_o.weights.data()) + group * m_s.fullK * kLanes;
        for (std::int64_t k = 0; k < m_s.fullK; k += m_s.kSlice) {
            const std::int64_t count = std::min(m_s.kSlice, m_s.fullK - k);
            const std::int32_t* x = m_patch.data() + (m_isDepthwise ? k * kLanes : k);
            const std::int64_t bad = slice(x, w + k * kLanes, count, lanes, acc);
            if (bad >= 0)
                return bad;
        }
        return -1;
    }

    std::int64_t slice(const std::int32_t* x, const std::int8_t* w, std::int64_t count,
                       std::int64_t lanes, Accumulators& acc) const {
        if (!m_unchecked)
            return m_isDepthwise ? accumulateChecked<true>(x, w, count, lanes, acc)
                                 : accumulateChecked<false>(x, w, count, lanes, acc);
        if (m_isDepthwise)
            accumulate<true>(x, w, count, acc);
        else
            accumulate<false>(x, w, count, acc);
        return -1;
    }

    std::string channelGroup(const Position& p, std::int64_t group) {
        const std::int64_t lanes = std::min(kLanes, m_s.cout - group * kLanes);
        Accumulators acc{};
        const std::int64_t bad = reduce(group, lanes, acc);
        if (bad >= 0)
            return overflowAt(p, group * kLanes + bad, "the accumulator");
        std::int8_t* out = outputPixel(m_s, m_o, p) + group * kLanes;
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
            const auto& channel = m_o.channels[static_cast<std::size_t>(group * kLanes + lane)];
            const auto scaled = requantize(acc[static_cast<std::size_t>(lane)], channel.multiplier);
            if (!scaled)
                return overflowAt(p, group * kLanes + lane, "the left shift");
            out[lane] = clamped(std::int64_t{*scaled} + m_s.outputZero, m_s.bounds);
        }
        return "";
    }

    const RecordShape& m_s;
    const RecordOperands& m_o;
    bool m_isDepthwise;
    bool m_unchecked;
    std::vector<std::int32_t> m_patch; ///< [K], or [K][8] for depthwise
};

std::optional<std::int8_t> addElement(const RecordShape& s, const AddMultipliers& m, std::int8_t a,
                                      std::int8_t b) {
    constexpr std::int32_t kScale = std::int32_t{1} << kAddLeftShift;
    const auto left = requantize((a - s.inputZero) * kScale, m.input0);
    const auto right = requantize((b - s.input1Zero) * kScale, m.input1);
    if (!left || !right)
        return std::nullopt;
    const std::int64_t sum = std::int64_t{*left} + *right;
    if (!fitsInt32(sum))
        return std::nullopt;
    const auto scaled = requantize(static_cast<std::int32_t>(sum), m.output);
    if (!scaled)
        return std::nullopt;
    return clamped(std::int64_t{*scaled} + s.outputZero, s.bounds);
}

RecordOutcome addRecord(const RecordShape& s, const RecordOperands& o,
                        const std::stop_token& stop) {
    return walkTiles(s, stop, [&](const Position& p) -> std::string {
        const std::int8_t* a = pixel(o.input0, s.inputRow, s, p.y, p.x);
        const std::int8_t* b = pixel(o.input1, s.input1Row, s, p.y, p.x);
        std::int8_t* out = outputPixel(s, o, p);
        for (std::int64_t c = 0; c < s.cout; ++c) {
            const auto value = addElement(s, o.add, a[c], b[c]);
            if (!value)
                return overflowAt(p, c, "a sum or left shift");
            out[c] = *value;
        }
        return "";
    });
}

RecordOutcome poolRecord(const RecordShape& s, const RecordOperands& o,
                         const std::stop_token& stop) {
    const bool isMax = s.opcode == Opcode::MaxPool;
    std::vector<std::int64_t> value(static_cast<std::size_t>(s.cout));
    return walkTiles(s, stop, [&](const Position& p) -> std::string {
        std::fill(value.begin(), value.end(), isMax ? -128 : 0);
        const std::int64_t top = p.y * s.sh - s.padTop, left = p.x * s.sw - s.padLeft;
        std::int64_t count = 0;
        for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(top + s.kh, s.h); ++y) {
            for (std::int64_t x = std::max<std::int64_t>(left, 0); x < std::min(left + s.kw, s.w);
                 ++x, ++count) {
                const std::int8_t* in = pixel(o.input0, s.inputRow, s, y, x);
                for (std::size_t c = 0; c < value.size(); ++c)
                    value[c] = isMax ? std::max<std::int64_t>(value[c], in[c]) : value[c] + in[c];
            }
        }
        std::int8_t* out = outputPixel(s, o, p);
        for (std::size_t c = 0; c < value.size(); ++c)
            out[c] = clamped(isMax ? value[c] : roundedAverage(value[c], count), s.bounds);
        return "";
    });
}

RecordOutcome clampRecord(const RecordShape& s, const RecordOperands& o,
                          const std::stop_token& stop) {
    return walkTiles(s, stop, [&](const Position& p) -> std::string {
        const std::int8_t* in = pixel(o.input0, s.inputRow, s, p.y, p.x);
        std::int8_t* out = outputPixel(s, o, p);
        for (std::int64_t c = 0; c < s.cout; ++c)
            out[c] = clamped(in[c], s.bounds);
        return "";
    });
}

} // namespace

RecordOutcome computeRecord(const RecordShape& shape, const RecordOperands& operands,
                            const std::stop_token& stop) {
    switch (shape.opcode) {
    case Opcode::Conv2D:
    case Opcode::Depthwise3x3:
    case Opcode::FullyConnected:
        return WeightedRecord(shape, operands).run(stop);
    case Opcode::Add:
        return addRecord(shape, operands, stop);
    case Opcode::MaxPool:
    case Opcode::AveragePool:
    case Opcode::GlobalAveragePool:
        return poolRecord(shape, operands, stop);
    case Opcode::Clamp:
        return clampRecord(shape, operands, stop);
    }
    return {};
}

} // namespace plumbline::npu_p0
