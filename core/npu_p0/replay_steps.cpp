// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "core/npu_p0/replay_parts.h"

namespace plumbline::npu_p0 {

ReplayStep stepOf(ReplayKind kind, std::string_view operand) {
    ReplayStep step;
    step.kind = kind;
    step.operand = operand;
    return step;
}

void ReplaySteps::begin(ReplayStep step, std::int64_t result) {
    m_value = 0;
    add(std::move(step), result);
}

void ReplaySteps::add(ReplayStep step, std::int64_t result) {
    step.before = m_value;
    step.result = result;
    m_value = result;
    m_steps.push_back(std::move(step));
}

bool ReplaySteps::addChecked(ReplayStep step, std::int64_t result) {
    add(std::move(step), result);
    return fitsInt32(result);
}

bool ReplaySteps::requantize(const SourcedMultiplier& by) {
    const Multiplier& m = by.value;
    if (m.shift > 0) {
        ReplayStep left = stepOf(ReplayKind::LeftShift, by.operand);
        left.parameter = m.shift;
        left.parameterFrom = by.shiftFrom;
        if (!addChecked(std::move(left), shiftedLeft(value32(), m.shift)))
            return false;
    }
    ReplayStep multiply = stepOf(ReplayKind::HighMultiply, by.operand);
    multiply.parameter = m.multiplier;
    multiply.parameterFrom = by.multiplierFrom;
    add(std::move(multiply), srdhm(value32(), m.multiplier));
    if (m.shift < 0) {
        ReplayStep right = stepOf(ReplayKind::RoundingShift, by.operand);
        right.parameter = -m.shift;
        right.parameterFrom = by.shiftFrom;
        add(std::move(right), rdbp(value32(), -m.shift));
    }
    return true;
}

ReplaySource sourceAt(const RegionBases& bases, std::uint64_t address) {
    ReplaySource nearest;
    nearest.offset = address;
    for (const std::string_view region :
         {kArenaRegion, kWeightsRegion, kParamsRegion, kDescriptorsRegion}) {
        const std::uint64_t base = *regionBase(bases, region);
        if (base <= address && address - base <= nearest.offset)
            nearest = {std::string(region), address - base};
    }
    return nearest;
}

ReplaySource movedBy(ReplaySource source, std::uint64_t delta) {
    source.offset += delta;
    return source;
}

ReplaySource RecordReplay::operandAt(Field base, std::uint64_t delta) const {
    return sourceAt(bases, addressOf(descriptor, base) + delta);
}

ReplaySource RecordReplay::fieldAt(Field field) const {
    const FieldSpec& spec = specOf(field);
    return {std::string(kDescriptorsRegion), static_cast<std::uint64_t>(index) * kDescriptorBytes +
                                                 spec.word * std::uint64_t{4} + spec.lsb / 8U};
}

void RecordReplay::addZeroPoint() const {
    ReplayStep step = stepOf(ReplayKind::ZeroPoint);
    step.parameter = shape().outputZero;
    step.parameterFrom = fieldAt(Field::OutputZero);
    steps.add(std::move(step), steps.value() + shape().outputZero);
}

void RecordReplay::addClamp() const {
    const ActivationBounds& bounds = shape().bounds;
    ReplayStep step = stepOf(ReplayKind::Clamp);
    step.parameter = bounds.lower;
    step.parameter2 = bounds.upper;
    step.parameterFrom = fieldAt(Field::ActivationMin);
    steps.add(std::move(step), std::clamp<std::int64_t>(steps.value(), bounds.lower, bounds.upper));
}

bool isInside(const ElementIndex& e, const Hwc& shape) {
    return e.h >= 0 && e.h < shape.h && e.w >= 0 && e.w < shape.w && e.c >= 0 && e.c < shape.c;
}

Diagnostic tooLong(std::uint64_t count, const LayerStep& step) {
    Location where;
    where.operatorIndex = step.operatorIndex;
    where.record = step.record;
    return makeError(Code::NotExplained,
                     fmt::format("An element of operator {} takes {} steps; at most {} are shown.",
                                 step.operatorIndex, count, kMaxReplaySteps),
                     where);
}

Diagnostic outsideOutput(const ElementIndex& e, const Hwc& shape, const LayerStep& step) {
    Location where;
    where.operatorIndex = step.operatorIndex;
    return makeError(Code::NoSuchPlace,
                     fmt::format("There is no element ({},{},{}): the output has shape {}.", e.h,
                                 e.w, e.c, toText(shape)),
                     std::move(where));
}

Diagnostic notExplained(const Explanation& made) {
    Location where;
    where.operatorIndex = made.operatorIndex;
    where.record = made.record;
    return makeError(Code::NotExplained,
                     fmt::format("Element ({},{},{}) has no value: the result of step {} leaves "
                                 "int32. It is {}.",
                                 made.element.h, made.element.w, made.element.c,
                                 made.steps.size() - 1, replayText(made.steps.back())),
                     std::move(where));
}

} // namespace plumbline::npu_p0
