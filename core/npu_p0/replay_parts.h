// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a replay: the list of steps and the operators' own arithmetic.
#pragma once

#include <string_view>
#include <vector>

#include "core/npu_p0/replay.h"
#include "core/numeric/fixed_point.h"

namespace plumbline::npu_p0 {

/// A multiplier with the places it was read from.
struct SourcedMultiplier {
    Multiplier value;
    std::optional<ReplaySource> multiplierFrom;
    std::optional<ReplaySource> shiftFrom;
    std::string_view operand; ///< whose requantization it is
};

/// Appends the steps of one element and carries its value.
class ReplaySteps {
  public:
    explicit ReplaySteps(std::vector<ReplayStep>& steps)
        : m_steps(steps) {}

    std::int64_t value() const { return m_value; }
    /// The carried value, which fits int32.
    std::int32_t value32() const { return static_cast<std::int32_t>(m_value); }

    /// Appends `step`, which begins a chain of its own.
    void begin(ReplayStep step, std::int64_t result);
    /// Appends `step`, which makes `result` of the carried value.
    void add(ReplayStep step, std::int64_t result);
    /// As above; false when `result` leaves int32, which is an arithmetic fault.
    [[nodiscard]] bool addChecked(ReplayStep step, std::int64_t result);
    /// The next step carries `value` on, not the result of the step before it.
    void resume(std::int64_t value) { m_value = value; }

    /// Left shift where the shift is above 0, high multiply, rounding shift where it is below 0:
    /// the steps of requantize(). False on an arithmetic fault.
    [[nodiscard]] bool requantize(const SourcedMultiplier& by);

  private:
    std::vector<ReplayStep>& m_steps;
    std::int64_t m_value = 0;
};

/// What replaying one element of a record needs.
struct RecordReplay {
    const Descriptor& descriptor;
    const LoadedRecord& record;
    const RegionBases& bases;
    std::int64_t index; ///< of the record
    ElementIndex element;
    ReplaySteps& steps;

    const RecordShape& shape() const { return record.shape; }
    ReplaySource operandAt(Field base, std::uint64_t delta) const;
    /// The byte of the record that holds a field.
    ReplaySource fieldAt(Field field) const;
    /// Output zero point and clamp bounds.
    void addZeroPoint() const;
    void addClamp() const;
};

/// The place of an address; it lies in the region with the nearest base at or below it.
ReplaySource sourceAt(const RegionBases& bases, std::uint64_t address);
ReplaySource movedBy(ReplaySource source, std::uint64_t delta);

inline std::int64_t signedByte(ByteView bytes, std::uint64_t at) {
    return static_cast<std::int8_t>(bytes[at]);
}

/// A step of `kind`, everything else as it is by default.
ReplayStep stepOf(ReplayKind kind, std::string_view operand = {});

/// The steps of one element of one record. False on an arithmetic fault: the last step is then the
/// one whose result leaves int32.
[[nodiscard]] bool replayWeighted(const RecordReplay& replay);
[[nodiscard]] bool replayAdd(const RecordReplay& replay);
void replayPool(const RecordReplay& replay);
void replayClamp(const RecordReplay& replay);

/// Why `made` ends early, from its last step.
Diagnostic notExplained(const Explanation& made);
/// The element takes more than kMaxReplaySteps.
Diagnostic tooLong(std::uint64_t count, const LayerStep& step);
/// `element` is outside an output of `shape`.
Diagnostic outsideOutput(const ElementIndex& element, const Hwc& shape, const LayerStep& step);
bool isInside(const ElementIndex& element, const Hwc& shape);

} // namespace plumbline::npu_p0
