// SPDX-License-Identifier: GPL-3.0-or-later
// Conv, depthwise and fully connected: bias, products by K slice, requantization. Entry:
// replayWeighted.
#include "core/npu_p0/constants.h"
#include "core/npu_p0/pack.h"
#include "core/npu_p0/replay_parts.h"

namespace plumbline::npu_p0 {
namespace {

class WeightedReplay {
  public:
    explicit WeightedReplay(const RecordReplay& replay)
        : m_replay(replay)
        , m_s(replay.shape())
        , m_isDepthwise(m_s.opcode == Opcode::Depthwise3x3)
        , m_input(replay.operandAt(Field::Input0Base, 0))
        , m_firstWeight(static_cast<std::uint64_t>(replay.element.c / kLanes * m_s.fullK * kLanes +
                                                   replay.element.c % kLanes))
        , m_weights(replay.operandAt(Field::WeightBase, m_firstWeight))
        , m_zeroPoint(replay.fieldAt(Field::Input0Zero)) {}

    bool run() const {
        start();
        for (std::int64_t k = 0; k < m_s.fullK; ++k) {
            if (!product(k))
                return false;
            if ((k + 1) % m_s.kSlice == 0 || k + 1 == m_s.fullK)
                endSlice(k);
        }
        const SourcedMultiplier by{channel().multiplier, parameterAt(4), parameterAt(8), {}};
        if (!m_replay.steps.requantize(by))
            return false;
        m_replay.addZeroPoint();
        m_replay.addClamp();
        return true;
    }

  private:
    const ChannelParameters& channel() const {
        return m_replay.record.channels[static_cast<std::size_t>(m_replay.element.c)];
    }

    /// A word of the channel's parameters; `byte` counts from their start.
    ReplaySource parameterAt(std::uint64_t byte) const {
        return m_replay.operandAt(
            Field::ParamBase,
            static_cast<std::uint64_t>(m_replay.element.c) * kParamRecordBytes + byte);
    }

    void start() const {
        ReplayStep step = stepOf(ReplayKind::Start);
        step.parameterFrom = parameterAt(0);
        m_replay.steps.begin(std::move(step), channel().bias);
    }

    /// The input element of step k: kernel rows, kernel columns, then channels where they are
    /// reduced. May lie in the padding.
    ElementIndex inputOf(std::int64_t k) const {
        const std::int64_t depth = m_isDepthwise ? 1 : m_s.cin;
        const std::int64_t kernel = k / depth;
        return {m_replay.element.h * m_s.sh - m_s.padTop + kernel / m_s.kw,
                m_replay.element.w * m_s.sw - m_s.padLeft + kernel % m_s.kw,
                m_isDepthwise ? m_replay.element.c : k % depth};
    }

    bool product(std::int64_t k) const {
        ReplayStep step = stepOf(ReplayKind::Product);
        step.k = k;
        step.slice = k / m_s.kSlice;
        step.at = inputOf(k);
        step.parameter = m_s.inputZero;
        step.parameterFrom = m_zeroPoint;
        step.isPadding = !isInside(step.at, {m_s.h, m_s.w, m_s.cin});
        if (step.isPadding) {
            step.input = m_s.inputZero;
        } else {
            const std::uint64_t offset =
                static_cast<std::uint64_t>(step.at.h) * m_s.inputRow +
                static_cast<std::uint64_t>(step.at.w * m_s.cin + step.at.c);
            step.input = signedByte(m_replay.record.operands.input0, offset);
            step.inputFrom = movedBy(m_input, offset);
        }
        const auto weight = static_cast<std::uint64_t>(k * kLanes);
        step.weight = signedByte(m_replay.record.operands.weights, m_firstWeight + weight);
        step.weightFrom = movedBy(m_weights, weight);
        const std::int64_t result =
            m_replay.steps.value() + (step.input - step.parameter) * step.weight;
        return m_replay.steps.addChecked(std::move(step), result);
    }

    void endSlice(std::int64_t k) const {
        ReplayStep step = stepOf(ReplayKind::SliceEnd);
        step.k = k;
        step.slice = k / m_s.kSlice;
        m_replay.steps.add(std::move(step), m_replay.steps.value());
    }

    const RecordReplay& m_replay;
    const RecordShape& m_s;
    bool m_isDepthwise;
    ReplaySource m_input;        ///< of the input's first byte
    std::uint64_t m_firstWeight; ///< offset of the lane's weight of k 0 in the record's weights
    ReplaySource m_weights;      ///< of that weight
    ReplaySource m_zeroPoint;
};

} // namespace

bool replayWeighted(const RecordReplay& replay) { return WeightedReplay(replay).run(); }

} // namespace plumbline::npu_p0
