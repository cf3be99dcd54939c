// SPDX-License-Identifier: GPL-3.0-or-later
// The softmax: the row's maximum, the sum of its exponentials, and the element's share of it.
// Entry: replaySoftmax.
#include <algorithm>

#include "core/npu_p0/replay_parts.h"
#include "core/numeric/softmax.h"

namespace plumbline::npu_p0 {
namespace {

class SoftmaxReplay {
  public:
    SoftmaxReplay(const SoftmaxOperands& operands, const Descriptor& source,
                  const RegionBases& bases, const ElementIndex& element, ReplaySteps& steps)
        : m_operands(operands)
        , m_source(shapeOf(source))
        , m_input(sourceAt(bases, addressOf(source, Field::OutputBase)))
        , m_element(element)
        , m_steps(steps) {}

    bool run() {
        findMaximum();
        for (std::int64_t c = 0; c < m_operands.shape.c; ++c) {
            if (!addTerm(c))
                return false;
        }
        finish();
        return true;
    }

  private:
    /// `step` with value c of the row as its input.
    ReplayStep reading(ReplayStep step, std::int64_t c) const {
        step.at = {m_element.h, m_element.w, c};
        step.k = c;
        const Hwc& shape = m_operands.shape;
        const auto index =
            static_cast<std::uint64_t>((step.at.h * shape.w + step.at.w) * shape.c + c);
        step.input = signedByte(m_operands.input, index);
        const auto row = static_cast<std::uint64_t>(m_source.ow * m_source.cout);
        step.inputFrom = movedBy(m_input, index / row * m_source.outputRow + index % row);
        return step;
    }

    void findMaximum() {
        ReplayStep first = reading(stepOf(ReplayKind::Start, "maximum"), 0);
        const std::int64_t value = first.input;
        m_steps.begin(std::move(first), value);
        for (std::int64_t c = 1; c < m_operands.shape.c; ++c) {
            ReplayStep step = reading(stepOf(ReplayKind::Maximum, "maximum"), c);
            const std::int64_t larger = std::max(m_steps.value(), step.input);
            m_steps.add(std::move(step), larger);
        }
        m_largest = m_steps.value();
    }

    /// A step of the exponential of value c.
    static ReplayStep ofTerm(ReplayKind kind, std::int64_t c) {
        ReplayStep step = stepOf(kind, "term");
        step.k = c;
        return step;
    }

    /// The exponential of value c, Q31; nothing where the value is left out.
    std::optional<std::int32_t> exponential(std::int64_t c) {
        const SoftmaxParameters& parameters = m_operands.parameters;
        ReplayStep step = reading(ofTerm(ReplayKind::Difference, c), c);
        step.parameter = m_largest;
        step.parameter2 = parameters.diffMin;
        const std::int64_t difference = step.input - m_largest;
        m_steps.begin(std::move(step), difference);
        if (difference < parameters.diffMin)
            return std::nullopt;
        if (parameters.leftShift > 0) {
            ReplayStep shift = ofTerm(ReplayKind::LeftShift, c);
            shift.parameter = parameters.leftShift;
            m_steps.add(std::move(shift),
                        shiftedLeft(m_steps.value32(), static_cast<int>(parameters.leftShift)));
        }
        ReplayStep multiply = ofTerm(ReplayKind::HighMultiply, c);
        multiply.parameter = parameters.multiplier;
        m_steps.add(std::move(multiply),
                    srdhm(m_steps.value32(), static_cast<std::int32_t>(parameters.multiplier)));
        m_steps.add(ofTerm(ReplayKind::Exponential, c), expNegative(m_steps.value32()));
        return m_steps.value32();
    }

    bool addTerm(std::int64_t c) {
        const std::optional<std::int32_t> e = exponential(c);
        if (c == m_element.c)
            m_own = e;
        if (!e)
            return true;
        ReplayStep step = ofTerm(ReplayKind::Accumulate, c);
        step.input = *e;
        m_steps.resume(m_sum);
        const bool fits = m_steps.addChecked(std::move(step), m_sum + rdbp(*e, kTermShift));
        m_sum = m_steps.value();
        return fits;
    }

    /// The element's exponential over the sum, in 1/256 from -128 on.
    void finish() {
        const RowReciprocal scale = reciprocalOfSum(static_cast<std::int32_t>(m_sum));
        m_steps.resume(m_sum);
        ReplayStep reciprocal = stepOf(ReplayKind::Reciprocal);
        reciprocal.parameter = scale.headroom;
        m_steps.add(std::move(reciprocal), scale.reciprocal);
        if (!m_own) {
            m_steps.begin(stepOf(ReplayKind::Start, "left out"), 0);
        } else if (scale.shift > kLargestQuotientShift) {
            m_steps.begin(stepOf(ReplayKind::Start, "quotient below one half"), 0);
        } else {
            ReplayStep multiply = stepOf(ReplayKind::HighMultiply);
            multiply.parameter = *m_own;
            m_steps.add(std::move(multiply), srdhm(scale.reciprocal, *m_own));
            ReplayStep shift = stepOf(ReplayKind::RoundingShift);
            shift.parameter = scale.shift;
            m_steps.add(std::move(shift), rdbp(m_steps.value32(), scale.shift));
        }
        ReplayStep zero = stepOf(ReplayKind::ZeroPoint);
        zero.parameter = -128;
        m_steps.add(std::move(zero), m_steps.value() - 128);
        ReplayStep clamp = stepOf(ReplayKind::Clamp);
        clamp.parameter = -128;
        clamp.parameter2 = 127;
        m_steps.add(std::move(clamp), std::clamp<std::int64_t>(m_steps.value(), -128, 127));
    }

    const SoftmaxOperands& m_operands;
    RecordShape m_source; ///< of the record whose output is the input
    ReplaySource m_input; ///< of its first byte
    ElementIndex m_element;
    ReplaySteps& m_steps;
    std::int64_t m_largest = 0;
    std::int64_t m_sum = 0;
    std::optional<std::int32_t> m_own; ///< the element's exponential; nothing: left out
};

} // namespace

Result<Explanation> replaySoftmax(const SoftmaxOperands& operands, const Descriptor& source,
                                  const RegionBases& bases, const LayerStep& step,
                                  const ElementIndex& element) {
    if (!isInside(element, operands.shape))
        return outsideOutput(element, operands.shape, step);
    const std::uint64_t terms = 3 * static_cast<std::uint64_t>(operands.shape.c);
    if (terms > kMaxReplaySteps)
        return tooLong(terms, step);
    Explanation made;
    made.operatorIndex = step.operatorIndex;
    made.operatorName = step.name.empty() ? "SOFTMAX" : step.name;
    made.element = element;
    made.position = element.h * operands.shape.w + element.w;
    ReplaySteps steps(made.steps);
    if (!SoftmaxReplay(operands, source, bases, element, steps).run())
        return notExplained(made);
    made.value = made.steps.back().result;
    return made;
}

} // namespace plumbline::npu_p0
