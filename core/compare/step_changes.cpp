// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of steps. A step that only counts other records because operators come or go is the
// same.
#include <algorithm>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"

namespace plumbline {
namespace {

/// A number of a step that is compared as it is.
struct StepNumber {
    std::string_view key;
    std::optional<std::int64_t> Step::*value;
};
constexpr StepNumber kParameters[] = {{"input multiplier", &Step::inputMultiplier},
                                      {"input left shift", &Step::inputLeftShift},
                                      {"diff min", &Step::diffMin}};
constexpr StepNumber kRecords[] = {{"first record", &Step::firstRecord},
                                   {"count", &Step::count},
                                   {"source record", &Step::sourceRecord}};

std::string textOf(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "";
}

/// The records that a step runs.
struct Range {
    std::int64_t begin = 0, end = 0;
    bool contains(std::int64_t record) const { return record >= begin && record < end; }
};

/// The range of `step`; nothing when it leaves the records.
std::optional<Range> rangeOf(const Step& step, std::size_t records) {
    const auto count = static_cast<std::int64_t>(records);
    const std::int64_t begin = step.firstRecord.value_or(-1), size = step.count.value_or(-1);
    if (begin < 0 || begin > count || size < 0 || size > count - begin)
        return std::nullopt;
    return Range{begin, begin + size};
}

class StepDiffer {
  public:
    explicit StepDiffer(LoweringComparison& comparison)
        : m_c(comparison) {}

    void run() {
        const auto &a = m_c.first.steps, &b = m_c.second.steps;
        if (a.size() != b.size())
            m_c.add(ChangeKind::Step, nullptr, nullptr, "steps", std::to_string(a.size()),
                    std::to_string(b.size()));
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            diff(i, a[i], b[i]);
    }

  private:
    void add(std::size_t step, std::string_view key, std::string first, std::string second,
             std::string consequence) {
        m_c.add(ChangeKind::Step, nullptr, nullptr, fmt::format("step {} {}", step, key),
                std::move(first), std::move(second))
            .consequence = std::move(consequence);
    }

    void diff(std::size_t index, const Step& a, const Step& b) {
        if (a.kind != b.kind || a.op != b.op)
            return add(index, "kind", a.kind + " " + a.op, b.kind + " " + b.op, "");
        for (const StepNumber& row : kParameters) {
            if (a.*row.value != b.*row.value)
                add(index, row.key, textOf(a.*row.value), textOf(b.*row.value),
                    "every output of the step may change");
        }
        if (runsSame(a, b))
            return;
        for (const StepNumber& row : kRecords) {
            if (a.*row.value != b.*row.value)
                add(index, row.key, textOf(a.*row.value), textOf(b.*row.value),
                    "the step runs other records");
        }
    }

    bool runsSame(const Step& a, const Step& b) const {
        if (a.kind != "npu")
            return a.sourceRecord == b.sourceRecord ||
                   (a.sourceRecord && b.sourceRecord && *a.sourceRecord >= 0 &&
                    static_cast<std::size_t>(*a.sourceRecord) < m_c.records.size() &&
                    m_c.records[static_cast<std::size_t>(*a.sourceRecord)] == b.sourceRecord);
        if (a.firstRecord == b.firstRecord && a.count == b.count)
            return true;
        const auto x = rangeOf(a, m_c.first.records.size());
        const auto y = rangeOf(b, m_c.second.records.size());
        return x && y &&
               std::all_of(m_c.recordPairs.begin(), m_c.recordPairs.end(),
                           [&](const RecordPair& pair) {
                               return x->contains(static_cast<std::int64_t>(pair.first)) ==
                                      y->contains(static_cast<std::int64_t>(pair.second));
                           });
    }

    LoweringComparison& m_c;
};

} // namespace

void addStepChanges(LoweringComparison& comparison) { StepDiffer(comparison).run(); }

} // namespace plumbline
