// SPDX-License-Identifier: GPL-3.0-or-later
// Matches the operators, lets each part add its changes, and puts those in the order of operators.
#include "core/compare/lowering_diff.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"
#include "core/compare/operator_match.h"
#include "core/lowering/selection.h"

namespace plumbline {
namespace {

std::string addressOf(const LoweredOperator* op) {
    return op ? toText(selectOperator(op->index)) : "";
}

std::string called(const LoweredOperator& op) { return fmt::format("{} {}", op.name, op.index); }

std::string sizeText(const LoweredOperator& op) {
    std::string text = op.record ? "one record" : "no record";
    if (op.weights)
        text += fmt::format(", {} B of weights",
                            groupedDigits(static_cast<std::int64_t>(op.weights->bytes)));
    if (op.params)
        text += fmt::format(", {} B of parameters",
                            groupedDigits(static_cast<std::int64_t>(op.params->bytes)));
    if (op.cost.estimatedCycles > 0)
        text += fmt::format(", {} estimated cycles", groupedDigits(op.cost.estimatedCycles));
    return text;
}

void addLonely(LoweringComparison& c) {
    for (const LoweredOperator& op : c.first.operators) {
        if (!c.operators[static_cast<std::size_t>(op.index)])
            c.add(ChangeKind::OnlyInFirst, &op, nullptr, "operator", called(op), "").consequence =
                sizeText(op) + " less";
    }
    std::vector<bool> matched(c.second.operators.size());
    for (const auto& counterpart : c.operators) {
        if (counterpart)
            matched[static_cast<std::size_t>(*counterpart)] = true;
    }
    for (const LoweredOperator& op : c.second.operators) {
        if (!matched[static_cast<std::size_t>(op.index)])
            c.add(ChangeKind::OnlyInSecond, nullptr, &op, "operator", "", called(op)).consequence =
                sizeText(op) + " more";
    }
}

void addPlacement(LoweringComparison& c, const MatchedOperators& match) {
    const LoweredOperator& a = c.firstAt(match.pair.first);
    const LoweredOperator& b = c.secondAt(match.pair.second);
    if (match.hasMoved)
        c.add(ChangeKind::Moved, &a, &b, "place", std::to_string(a.index), std::to_string(b.index))
            .consequence = "the operator runs at another place in the order";
    if (a.placement != b.placement)
        c.add(ChangeKind::Placement, &a, &b, "placement", std::string(placementName(a.placement)),
              std::string(placementName(b.placement)));
    else if (a.opcode != b.opcode || a.opcodeName != b.opcodeName)
        c.add(ChangeKind::Placement, &a, &b, "opcode", fmt::format("{} {}", a.opcode, a.opcodeName),
              fmt::format("{} {}", b.opcode, b.opcodeName));
    if (a.placement == b.placement && a.record.has_value() != b.record.has_value())
        c.add(ChangeKind::Placement, &a, &b, "record", a.record ? std::to_string(*a.record) : "",
              b.record ? std::to_string(*b.record) : "")
            .consequence = "the operator has a record on one side only";
}

/// The record of `op` in `lowering`, if it is there.
std::optional<std::size_t> recordOf(const Lowering& lowering, const LoweredOperator& op) {
    if (!op.record || *op.record < 0 ||
        static_cast<std::size_t>(*op.record) >= lowering.records.size())
        return std::nullopt;
    return static_cast<std::size_t>(*op.record);
}

/// Records that no operator claims: a damaged package has such.
std::vector<std::size_t> unclaimedRecords(const Lowering& lowering) {
    std::vector<bool> claimed(lowering.records.size());
    for (const LoweredOperator& op : lowering.operators) {
        if (const auto record = recordOf(lowering, op))
            claimed[*record] = true;
    }
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < claimed.size(); ++i) {
        if (!claimed[i])
            left.push_back(i);
    }
    return left;
}

void pairRecords(LoweringComparison& c) {
    for (const LoweredOperator& a : c.first.operators) {
        const auto& counterpart = c.operators[static_cast<std::size_t>(a.index)];
        if (!counterpart)
            continue;
        const LoweredOperator& b = c.secondAt(*counterpart);
        const auto x = recordOf(c.first, a), y = recordOf(c.second, b);
        if (x && y)
            c.recordPairs.push_back({*x, *y, &a, &b});
    }
    const std::vector<std::size_t> x = unclaimedRecords(c.first), y = unclaimedRecords(c.second);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        c.recordPairs.push_back({x[i], y[i], nullptr, nullptr});
    if (x.size() != y.size())
        c.add(ChangeKind::Field, nullptr, nullptr, "records without operator",
              std::to_string(x.size()), std::to_string(y.size()));
    for (const RecordPair& pair : c.recordPairs)
        c.records[pair.first] = static_cast<std::int64_t>(pair.second);
}

/// Sorts the changes by operator: those of the first lowering in its order, an operator of the
/// second alone behind its predecessor's counterpart, what belongs to no operator at the end.
void sortChanges(LoweringComparison& c) {
    std::vector<std::int64_t> before(c.second.operators.size(), -1); // first index, by second
    for (std::size_t i = 0; i < c.operators.size(); ++i) {
        if (c.operators[i])
            before[static_cast<std::size_t>(*c.operators[i])] = static_cast<std::int64_t>(i);
    }
    for (std::size_t j = 1; j < before.size(); ++j)
        before[j] = before[j] < 0 ? before[j - 1] : before[j];
    const auto place = [&](const LoweringChange& change) {
        if (change.firstOperator)
            return std::tuple(*change.firstOperator, 0, std::int64_t{0});
        if (change.secondOperator)
            return std::tuple(before[static_cast<std::size_t>(*change.secondOperator)], 1,
                              *change.secondOperator);
        return std::tuple(std::numeric_limits<std::int64_t>::max(), 0, std::int64_t{0});
    };
    std::stable_sort(
        c.changes.begin(), c.changes.end(),
        [&](const LoweringChange& x, const LoweringChange& y) { return place(x) < place(y); });
}

} // namespace

std::string_view changeKindName(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::OnlyInFirst:
        return "only in first";
    case ChangeKind::OnlyInSecond:
        return "only in second";
    case ChangeKind::Moved:
        return "moved";
    case ChangeKind::Placement:
        return "placement";
    case ChangeKind::Field:
        return "field";
    case ChangeKind::Address:
        return "address";
    case ChangeKind::Weights:
        return "weights";
    case ChangeKind::Params:
        return "params";
    case ChangeKind::Step:
        return "step";
    case ChangeKind::Allocation:
        return "allocation";
    case ChangeKind::Tiles:
        return "tiles";
    case ChangeKind::Buffers:
        return "buffers";
    case ChangeKind::Cost:
        return "cost";
    case ChangeKind::Quantization:
        return "quantization";
    }
    return "";
}

bool LoweringComparison::areMatched(std::int64_t a, std::int64_t b) const {
    if (a < 0 || b < 0)
        return a == b;
    return static_cast<std::size_t>(a) < operators.size() &&
           operators[static_cast<std::size_t>(a)] == b;
}

LoweringChange& LoweringComparison::add(ChangeKind kind, const LoweredOperator* a,
                                        const LoweredOperator* b, std::string key,
                                        std::string valueOfFirst, std::string valueOfSecond) {
    LoweringChange& made = changes.emplace_back();
    made.kind = kind;
    if (a) {
        made.firstOperator = a->index;
        made.firstRecord = a->record;
    }
    if (b) {
        made.secondOperator = b->index;
        made.secondRecord = b->record;
    }
    made.key = std::move(key);
    made.first = std::move(valueOfFirst);
    made.second = std::move(valueOfSecond);
    made.firstAddress = addressOf(a);
    made.secondAddress = addressOf(b);
    return made;
}

LoweringChange& LoweringComparison::add(ChangeKind kind, const RecordPair& pair, std::string key,
                                        std::string valueOfFirst, std::string valueOfSecond) {
    LoweringChange& made = add(kind, pair.firstOperator, pair.secondOperator, std::move(key),
                               std::move(valueOfFirst), std::move(valueOfSecond));
    made.firstRecord = static_cast<std::int64_t>(pair.first);
    made.secondRecord = static_cast<std::int64_t>(pair.second);
    return made;
}

std::size_t LoweringDiff::addressShifts() const {
    return static_cast<std::size_t>(
        std::count_if(changes.begin(), changes.end(),
                      [](const LoweringChange& change) { return change.isAddressShift; }));
}

LoweringDiff diffLowerings(const Lowering& first, const Lowering& second) {
    LoweringComparison comparison{first, second};
    comparison.operators.resize(first.operators.size());
    comparison.records.resize(first.records.size());
    LoweringDiff diff;
    const std::vector<MatchedOperators> matches = matchOperators(first, second);
    for (const MatchedOperators& match : matches) {
        comparison.operators[static_cast<std::size_t>(match.pair.first)] = match.pair.second;
        diff.matches.push_back(match.pair);
    }
    addLonely(comparison);
    for (const MatchedOperators& match : matches)
        addPlacement(comparison, match);
    pairRecords(comparison);
    addRecordChanges(comparison);
    addRelocationChanges(comparison);
    addConstantChanges(comparison);
    addPlanChanges(comparison);
    addStepChanges(comparison);
    sortChanges(comparison);
    diff.changes = std::move(comparison.changes);
    return diff;
}

} // namespace plumbline
