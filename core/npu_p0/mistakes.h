// SPDX-License-Identifier: GPL-3.0-or-later
// The named mistakes and the arithmetic of a record with some of them made. Source:
// docs/hypotheses.md.
#pragma once

#include <optional>
#include <span>

#include "core/lowering/layer_runner.h"
#include "core/npu_p0/record_run.h"

namespace plumbline::npu_p0 {

/// The table of mistakes, sorted by nothing but reading order; names are unique.
std::span<const MistakeInfo> mistakes();

/// A record and what the mistakes may need besides its operands.
struct MistakenRecord {
    const LoadedRecord& record;
    const Bytes& outputBefore;       ///< dense, what the arena held at the output before the record
    std::optional<Bytes> staleInput; ///< input 0's span before its producer ran
    bool inputsAreOne = false;       ///< ADD of one tensor with itself
};

/// The dense output with `indices` of mistakes() made together; with none, the contract's own.
/// Nothing when one of them does not apply to the record, or the arithmetic faults.
std::optional<Bytes> runMistakes(const MistakenRecord& made, std::span<const std::size_t> indices);

} // namespace plumbline::npu_p0
