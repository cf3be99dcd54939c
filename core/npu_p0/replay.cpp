// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/replay.h"

#include <algorithm>

#include "core/npu_p0/constants.h"
#include "core/npu_p0/replay_parts.h"

namespace plumbline::npu_p0 {
namespace {

bool replaySteps(const RecordReplay& replay) {
    switch (replay.shape().opcode) {
    case Opcode::Conv2D:
    case Opcode::Depthwise3x3:
    case Opcode::FullyConnected:
        return replayWeighted(replay);
    case Opcode::Add:
        return replayAdd(replay);
    case Opcode::MaxPool:
    case Opcode::AveragePool:
    case Opcode::GlobalAveragePool:
        replayPool(replay);
        return true;
    case Opcode::Clamp:
        replayClamp(replay);
        return true;
    }
    return true;
}

/// Where the executor makes the element; edge tiles are shortened.
void locate(const RecordShape& s, Explanation& made) {
    const ElementIndex& e = made.element;
    const std::int64_t row = e.h / s.tileH, column = e.w / s.tileW;
    const std::int64_t width = std::min(s.tileW, s.ow - column * s.tileW);
    made.tile = row * ((s.ow + s.tileW - 1) / s.tileW) + column;
    made.position = e.h % s.tileH * width + e.w % s.tileW;
    made.group = e.c / kLanes;
    made.lane = e.c % kLanes;
    made.slices = (s.fullK + s.kSlice - 1) / s.kSlice;
}

} // namespace

Result<Explanation> replayRecord(const Descriptor& descriptor, const LoadedRecord& record,
                                 const RegionBases& bases, const LayerStep& step,
                                 const ElementIndex& element) {
    const RecordShape& s = record.shape;
    const Hwc output{s.oh, s.ow, s.cout};
    if (!isInside(element, output))
        return outsideOutput(element, output, step);
    if (static_cast<std::uint64_t>(s.fullK) > kMaxReplaySteps)
        return tooLong(static_cast<std::uint64_t>(s.fullK), step);
    Explanation made;
    made.operatorIndex = step.operatorIndex;
    made.record = step.record;
    made.operatorName = step.name.empty()
                            ? std::string(opcodeName(static_cast<std::uint32_t>(s.opcode)))
                            : step.name;
    made.element = element;
    locate(s, made);
    constexpr std::int64_t kOthers = 16; // start, requantization, zero point, clamp
    made.steps.reserve(static_cast<std::size_t>(s.fullK + made.slices + kOthers));
    ReplaySteps steps(made.steps);
    const RecordReplay replay{descriptor, record, bases, step.record.value_or(0), element, steps};
    if (!replaySteps(replay))
        return notExplained(made);
    made.value = made.steps.back().result;
    made.output = replay.operandAt(Field::OutputBase,
                                   static_cast<std::uint64_t>(element.h) * s.outputRow +
                                       static_cast<std::uint64_t>(element.w * s.cout + element.c));
    return made;
}

} // namespace plumbline::npu_p0
