// SPDX-License-Identifier: GPL-3.0-or-later
// ADD, the pools and the clamp.
#include <algorithm>

#include "core/npu_p0/replay_parts.h"

namespace plumbline::npu_p0 {
namespace {

/// One operand of ADD.
struct AddOperand {
    std::string_view name;
    ByteView bytes;
    Field base;
    std::uint64_t rowBytes;
    std::int64_t zeroPoint;
    Multiplier multiplier;
    std::uint64_t parameters; ///< of its multiplier, bytes from the start of the block
};

SourcedMultiplier sourced(const RecordReplay& replay, const Multiplier& multiplier,
                          std::uint64_t at, std::string_view operand) {
    return {multiplier, replay.operandAt(Field::ParamBase, at),
            replay.operandAt(Field::ParamBase, at + 4), operand};
}

/// Centres and scales one operand.
bool scaleOperand(const RecordReplay& replay, const AddOperand& operand) {
    const ElementIndex& e = replay.element;
    const std::uint64_t offset = static_cast<std::uint64_t>(e.h) * operand.rowBytes +
                                 static_cast<std::uint64_t>(e.w * replay.shape().cin + e.c);
    ReplayStep step = stepOf(ReplayKind::Centre, operand.name);
    step.at = e;
    step.input = signedByte(operand.bytes, offset);
    step.inputFrom = replay.operandAt(operand.base, offset);
    step.parameter = kAddLeftShift;
    step.parameterFrom = replay.operandAt(Field::ParamBase, 0);
    step.parameter2 = operand.zeroPoint;
    const auto centred = static_cast<std::int32_t>(step.input - step.parameter2);
    replay.steps.begin(std::move(step), shiftedLeft(centred, kAddLeftShift));
    return replay.steps.requantize(
        sourced(replay, operand.multiplier, operand.parameters, operand.name));
}

/// The part of a pool's window that is inside the input, in the order of the executor.
template <class Visit> void walkWindow(const RecordReplay& replay, Visit&& visit) {
    const RecordShape& s = replay.shape();
    const std::int64_t top = replay.element.h * s.sh - s.padTop;
    const std::int64_t left = replay.element.w * s.sw - s.padLeft;
    for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(top + s.kh, s.h); ++y) {
        for (std::int64_t x = std::max<std::int64_t>(left, 0); x < std::min(left + s.kw, s.w); ++x)
            visit(ElementIndex{y, x, replay.element.c}, (y - top) * s.kw + (x - left));
    }
}

/// `step` with the element `at` of input 0 as its input.
ReplayStep reading(const RecordReplay& replay, ReplayStep step, const ElementIndex& at) {
    const RecordShape& s = replay.shape();
    const std::uint64_t offset = static_cast<std::uint64_t>(at.h) * s.inputRow +
                                 static_cast<std::uint64_t>(at.w * s.cin + at.c);
    step.at = at;
    step.input = signedByte(replay.record.operands.input0, offset);
    step.inputFrom = replay.operandAt(Field::Input0Base, offset);
    return step;
}

} // namespace

bool replayAdd(const RecordReplay& replay) {
    const RecordShape& s = replay.shape();
    const RecordOperands& o = replay.record.operands;
    if (!scaleOperand(replay, {"input 0", o.input0, Field::Input0Base, s.inputRow, s.inputZero,
                               o.add.input0, 4}))
        return false;
    const std::int64_t first = replay.steps.value();
    if (!scaleOperand(replay, {"input 1", o.input1, Field::Input1Base, s.input1Row, s.input1Zero,
                               o.add.input1, 12}))
        return false;
    ReplayStep sum = stepOf(ReplayKind::Sum, "sum");
    sum.input = first;
    if (!replay.steps.addChecked(std::move(sum), replay.steps.value() + first))
        return false;
    if (!replay.steps.requantize(sourced(replay, o.add.output, 20, "sum")))
        return false;
    replay.addZeroPoint();
    replay.addClamp();
    return true;
}

void replayPool(const RecordReplay& replay) {
    const RecordShape& s = replay.shape();
    const bool isMax = s.opcode == Opcode::MaxPool;
    replay.steps.begin(stepOf(ReplayKind::Start), isMax ? -128 : 0);
    std::int64_t count = 0;
    walkWindow(replay, [&](const ElementIndex& at, std::int64_t k) {
        ReplayStep step =
            reading(replay, stepOf(isMax ? ReplayKind::Maximum : ReplayKind::Sum), at);
        step.k = k;
        step.slice = k / s.kSlice;
        const std::int64_t value = replay.steps.value();
        const std::int64_t result = isMax ? std::max(value, step.input) : value + step.input;
        replay.steps.add(std::move(step), result);
        ++count;
    });
    if (!isMax) {
        ReplayStep divide = stepOf(ReplayKind::Divide);
        divide.parameter = count;
        replay.steps.add(std::move(divide), roundedAverage(replay.steps.value(), count));
    }
    replay.addClamp();
}

void replayClamp(const RecordReplay& replay) {
    ReplayStep start = reading(replay, stepOf(ReplayKind::Start), replay.element);
    const std::int64_t value = start.input;
    replay.steps.begin(std::move(start), value);
    replay.addClamp();
}

} // namespace plumbline::npu_p0
