// SPDX-License-Identifier: GPL-3.0-or-later
// Two lowerings against each other: by operator, field, address, constant, allocation, tile and
// cost, each change with its consequence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lowering/lowering.h"

namespace plumbline {

enum class ChangeKind : std::uint8_t {
    OnlyInFirst,  ///< an operator without a counterpart
    OnlyInSecond, ///< likewise
    Moved,        ///< matched, but at another place in the order
    Placement,    ///< another placement or opcode
    Field,        ///< a field of a record that is no address
    Address,      ///< an address word or its relocation
    Weights,      ///< bytes of packed weights
    Params,       ///< bytes of parameters
    Step,         ///< the list of steps, or the CPU softmax's parameters
    Allocation,   ///< offset, size or lifetime of a buffer, the peak
    Tiles,        ///< tile extents, tiles, slices
    Buffers,      ///< half-buffer bounds
    Cost,         ///< an estimate: cycles, DMA bytes
    Quantization, ///< scales and zero points of the report
};

/// "field"
std::string_view changeKindName(ChangeKind kind);

struct LoweringChange {
    ChangeKind kind{};
    std::optional<std::int64_t> firstOperator; ///< index in the first lowering
    std::optional<std::int64_t> secondOperator;
    std::optional<std::int64_t> firstRecord;
    std::optional<std::int64_t> secondRecord;
    std::optional<std::int64_t> word;
    std::string key;   ///< field name, "[group 0][k 3][lane 2]", "peak", …
    std::string first; ///< value as text; empty where it is missing
    std::string second;
    std::optional<std::uint64_t> firstOffset; ///< Weights, Params: region offset of the first byte
    std::optional<std::uint64_t> secondOffset;
    std::string consequence;     ///< what follows, in numbers; may be empty
    bool isAddressShift = false; ///< nothing but another place of the same bytes
    std::string firstAddress; ///< selection text of the place in the first lowering; may be empty
    std::string secondAddress;
};

/// Which operators belong together; in the order of the first lowering.
struct OperatorMatch {
    std::int64_t first = 0;
    std::int64_t second = 0;
    bool operator==(const OperatorMatch&) const = default;
};

struct LoweringDiff {
    std::vector<OperatorMatch> matches;
    std::vector<LoweringChange> changes;
    bool equal() const { return changes.empty(); }
    std::size_t addressShifts() const;
};

/// Operators are matched by name, structure (geometry, constants' sizes, neighbours) and then by
/// order, so that an operator put in or left out moves the others without making them changes.
LoweringDiff diffLowerings(const Lowering& first, const Lowering& second);

} // namespace plumbline
