// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/mistaken_kernels.h"

#include <algorithm>

#include "core/npu_p0/mistaken_operands.h"
#include "core/npu_p0/mistaken_output.h"
#include "core/npu_p0/mistaken_reduction.h"
#include "core/npu_p0/mistaken_requantize.h"

namespace plumbline::npu_p0 {
namespace {

bool inside(const RecordShape& s, std::int64_t y, std::int64_t x) {
    return y >= 0 && y < s.h && x >= 0 && x < s.w;
}

ByteView input0Of(const MistakenRecord& made, const Variation& v) {
    return v.inputStale ? ByteView(*made.staleInput) : made.record.operands.input0;
}

/// Conv, depthwise and fully connected.
class Weighted {
  public:
    Weighted(const MistakenRecord& made, const Variation& v,
             std::vector<ChannelParameters> channels)
        : m_s(made.record.shape)
        , m_v(v)
        , m_window(mistakenWindow(m_s, v))
        , m_channels(std::move(channels))
        , m_zero(v.centring == Centring::Missing ? 0 : m_s.inputZero)
        , m_padding(v.centring == Centring::PaddingRaw ? -m_s.inputZero : 0)
        , m_input(mistakenInput(m_s, input0Of(made, v), m_s.inputRow, m_zero, v))
        , m_weights(mistakenWeights(m_s, made.record.operands.weights, v))
        , m_reduction(m_s, v, m_channels, m_input, m_weights)
        , m_isDepthwise(m_s.opcode == Opcode::Depthwise3x3)
        , m_patch(static_cast<std::size_t>(m_s.fullK * (m_isDepthwise ? m_s.cin : 1)))
        , m_output(made, v) {}

    std::optional<Bytes> run() {
        for (std::int64_t y = 0; y < m_s.oh; ++y) {
            for (std::int64_t x = 0; x < m_s.ow; ++x) {
                gather(y, x);
                if (!position(y, x))
                    return std::nullopt;
            }
        }
        return m_output.take();
    }

  private:
    /// The window of a position: [K], or [Cin][K] for depthwise.
    void gather(std::int64_t oy, std::int64_t ox) {
        const std::int64_t step = m_isDepthwise ? m_s.fullK : 1;
        for (std::int64_t k = 0; k < m_s.kh * m_s.kw; ++k) {
            std::int32_t* to = m_patch.data() + (m_isDepthwise ? k : k * m_s.cin);
            const std::int64_t y = oy * m_window.strideH - m_window.padTop + k / m_s.kw;
            const std::int64_t x = ox * m_window.strideW - m_window.padLeft + k % m_s.kw;
            const bool isInside = inside(m_s, y, x);
            const std::int32_t* from = m_input.data() + (isInside ? (y * m_s.w + x) * m_s.cin : 0);
            for (std::int64_t c = 0; c < m_s.cin; ++c)
                to[c * step] = isInside ? from[c] : m_padding;
        }
    }

    bool position(std::int64_t y, std::int64_t x) {
        const bool saturate = m_v.shiftChange > 0;
        for (std::int64_t c = 0; c < m_s.cout; ++c) {
            const ChannelParameters& channel = m_channels[static_cast<std::size_t>(c)];
            const auto acc = m_reduction.sum(m_patch.data() + (m_isDepthwise ? c * m_s.fullK : 0),
                                             m_weights.data() + c * m_s.fullK, channel.bias);
            if (!acc)
                return false;
            const auto scaled =
                mistakenRequantize(*acc, channel.multiplier, m_v.rounding, saturate);
            if (!scaled)
                return false;
            m_output.putScaled(y, x, c, *scaled);
        }
        return true;
    }

    const RecordShape& m_s;
    const Variation& m_v;
    MistakenWindow m_window;
    std::vector<ChannelParameters> m_channels;
    std::int32_t m_zero;    ///< what is taken off an input
    std::int32_t m_padding; ///< what a position outside adds per unit of weight
    std::vector<std::int32_t> m_input;
    std::vector<std::int32_t> m_weights;
    MistakenReduction m_reduction;
    bool m_isDepthwise;
    std::vector<std::int32_t> m_patch;
    MistakenOutput m_output;
};

std::optional<Bytes> weighted(const MistakenRecord& made, const Variation& v) {
    auto channels = mistakenChannels(made.record.operands.channels, v);
    if (!channels)
        return std::nullopt;
    return Weighted(made, v, std::move(*channels)).run();
}

/// What ADD makes of two values without their zero points.
std::optional<std::int64_t> addValues(std::int32_t a, std::int32_t b, const AddMultipliers& m,
                                      Rounding rounding) {
    constexpr std::int32_t kScale = std::int32_t{1} << kAddLeftShift;
    const auto left = mistakenRequantize(a * kScale, m.input0, rounding, false);
    const auto right = mistakenRequantize(b * kScale, m.input1, rounding, false);
    if (!left || !right || !fitsInt32(*left + *right))
        return std::nullopt;
    return mistakenRequantize(static_cast<std::int32_t>(*left + *right), m.output, rounding, false);
}

std::optional<Bytes> add(const MistakenRecord& made, const Variation& v) {
    const RecordShape& s = made.record.shape;
    const bool isCentred = v.centring != Centring::Missing;
    std::int32_t zero0 = isCentred ? s.inputZero : 0, zero1 = isCentred ? s.input1Zero : 0;
    if (v.centring == Centring::AddSwapped)
        std::swap(zero0, zero1);
    const ByteView input0 = input0Of(made, v);
    const ByteView input1 =
        v.inputStale && made.inputsAreOne ? input0 : made.record.operands.input1;
    const auto a = mistakenInput(s, input0, s.inputRow, zero0, v);
    const auto b = mistakenInput(s, input1, s.input1Row, zero1, v);
    AddMultipliers multipliers = made.record.operands.add;
    if (v.addParametersSwapped)
        std::swap(multipliers.input0, multipliers.input1);
    MistakenOutput output(made, v);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto value = addValues(a[i], b[i], multipliers, v.rounding);
        if (!value)
            return std::nullopt;
        const auto at = static_cast<std::int64_t>(i);
        output.putScaled(at / s.cin / s.ow, at / s.cin % s.ow, at % s.cin, *value);
    }
    return output.take();
}

std::optional<Bytes> clamp(const MistakenRecord& made, const Variation& v) {
    const RecordShape& s = made.record.shape;
    const auto values = mistakenInput(s, input0Of(made, v), s.inputRow, 0, v);
    MistakenOutput output(made, v);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        output.put(at / s.cin / s.ow, at / s.cin % s.ow, at % s.cin, values[i]);
    }
    return output.take();
}

/// The three pools.
class Pool {
  public:
    Pool(const MistakenRecord& made, const Variation& v)
        : m_s(made.record.shape)
        , m_v(v)
        , m_window(mistakenWindow(m_s, v))
        , m_isMax(m_s.opcode == Opcode::MaxPool)
        , m_input(mistakenInput(m_s, input0Of(made, v), m_s.inputRow, 0, v))
        , m_values(static_cast<std::size_t>(m_s.cin))
        , m_output(made, v) {}

    std::optional<Bytes> run() {
        for (std::int64_t y = 0; y < m_s.oh; ++y) {
            for (std::int64_t x = 0; x < m_s.ow; ++x) {
                const std::int64_t count = gather(y, x);
                if (count == 0 && !m_isMax)
                    return std::nullopt;
                for (std::int64_t c = 0; c < m_s.cin; ++c)
                    m_output.put(y, x, c, result(m_values[static_cast<std::size_t>(c)], count));
            }
        }
        return m_output.take();
    }

  private:
    /// Fills the values of a position; the number of positions inside the input.
    std::int64_t gather(std::int64_t oy, std::int64_t ox) {
        std::fill(m_values.begin(), m_values.end(), m_isMax && !m_v.maximumFromZero ? -128 : 0);
        std::int64_t count = 0;
        for (std::int64_t k = 0; k < m_s.kh * m_s.kw; ++k) {
            const std::int64_t y = oy * m_window.strideH - m_window.padTop + k / m_s.kw;
            const std::int64_t x = ox * m_window.strideW - m_window.padLeft + k % m_s.kw;
            if (!inside(m_s, y, x))
                continue;
            ++count;
            const std::int32_t* from = m_input.data() + (y * m_s.w + x) * m_s.cin;
            for (std::size_t c = 0; c < m_values.size(); ++c)
                m_values[c] =
                    m_isMax ? std::max<std::int64_t>(m_values[c], from[c]) : m_values[c] + from[c];
        }
        return count;
    }

    std::int64_t result(std::int64_t value, std::int64_t count) const {
        if (m_isMax)
            return value;
        const std::int64_t divisor = m_v.divisorCountsPadding ? m_s.kh * m_s.kw : count;
        return m_v.averageTowardZero ? value / divisor : roundedAverage(value, divisor);
    }

    const RecordShape& m_s;
    const Variation& m_v;
    MistakenWindow m_window;
    bool m_isMax;
    std::vector<std::int32_t> m_input;
    std::vector<std::int64_t> m_values;
    MistakenOutput m_output;
};

} // namespace

std::optional<Bytes> computeVariation(const MistakenRecord& made, const Variation& variation) {
    if (variation.inputStale && !made.staleInput)
        return std::nullopt;
    switch (made.record.shape.opcode) {
    case Opcode::Conv2D:
    case Opcode::Depthwise3x3:
    case Opcode::FullyConnected:
        return weighted(made, variation);
    case Opcode::Add:
        return add(made, variation);
    case Opcode::MaxPool:
    case Opcode::AveragePool:
    case Opcode::GlobalAveragePool:
        return Pool(made, variation).run();
    case Opcode::Clamp:
        return clamp(made, variation);
    }
    return std::nullopt;
}

} // namespace plumbline::npu_p0
