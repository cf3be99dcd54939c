// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of diffLowerings: each adds its kinds of changes, in any order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/compare/lowering_diff.h"

namespace plumbline {

/// An index of one lowering as that of the other; nothing for one without counterpart.
using Counterparts = std::vector<std::optional<std::int64_t>>;

/// Two records that belong together, with their operators where those are known.
struct RecordPair {
    std::size_t first = 0;
    std::size_t second = 0;
    const LoweredOperator* firstOperator = nullptr;
    const LoweredOperator* secondOperator = nullptr;
};

/// What all parts work on.
struct LoweringComparison {
    const Lowering& first;
    const Lowering& second;
    Counterparts operators = {}; ///< of the first lowering's operators
    Counterparts records = {};   ///< of the first lowering's records
    std::vector<RecordPair> recordPairs = {};
    std::vector<LoweringChange> changes = {};

    const LoweredOperator& firstAt(std::int64_t index) const {
        return first.operators[static_cast<std::size_t>(index)];
    }
    const LoweredOperator& secondAt(std::int64_t index) const {
        return second.operators[static_cast<std::size_t>(index)];
    }
    /// Whether operator `a` of the first and `b` of the second belong together; -1 is the input.
    bool areMatched(std::int64_t a, std::int64_t b) const;

    /// Adds a change of two matched operators (null: of the whole), with their records.
    LoweringChange& add(ChangeKind kind, const LoweredOperator* a, const LoweredOperator* b,
                        std::string key, std::string valueOfFirst, std::string valueOfSecond);
    LoweringChange& add(ChangeKind kind, const RecordPair& pair, std::string key,
                        std::string valueOfFirst, std::string valueOfSecond);
};

void addRecordChanges(LoweringComparison& comparison);
void addRelocationChanges(LoweringComparison& comparison);
void addConstantChanges(LoweringComparison& comparison);
void addPlanChanges(LoweringComparison& comparison);
void addStepChanges(LoweringComparison& comparison);

/// Whether an arena address of one record and its counterpart is that of the same place in matched
/// buffers: of the operator's own output, else of what an earlier operator made.
bool isSameArenaPlace(const LoweringComparison& comparison, const RecordPair& pair,
                      std::uint64_t first, std::uint64_t second, bool isOutput);

/// What follows from another value of `field`, a phrase; empty where there is nothing to say.
std::string fieldConsequence(const FieldTable& table, const FieldSpec& field, ByteView first,
                             ByteView second, const LoweredOperator* op);

/// "101,376 -> 98,304 B (-3.0 %)"; `unit` may be empty.
std::string changeText(std::int64_t first, std::int64_t second, std::string_view unit);
/// "64 bytes further on" or "64 bytes further back".
std::string distanceText(std::uint64_t first, std::uint64_t second);

} // namespace plumbline
