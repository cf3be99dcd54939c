// SPDX-License-Identifier: GPL-3.0-or-later
// From one mismatch to the next: layers in execution order, elements in [h,w,c] order.
#pragma once

#include <cstdint>
#include <optional>

#include "core/compare/verdict.h"
#include "core/lowering/selection.h"

namespace plumbline {

struct MismatchPlace {
    std::int64_t operatorIndex = 0;
    /// Nothing for a layer that is not equal but has no mismatching element to point at: only its
    /// digests differ, it is wrong only by itself, or it faulted.
    std::optional<ElementIndex> element;
    bool wrapped = false; ///< the walk went past the last mismatch, or before the first
};

/// The next mismatch after `operatorIndex` and `element` (`direction` > 0) or the one before. An
/// operator without an element stands before its first mismatch; no operator stands before all
/// layers going forward and behind them going back. `reference` has the bytes that `verdicts`
/// compare with. Nothing where all layers are equal.
std::optional<MismatchPlace> stepMismatch(const Verdicts& verdicts, const Reference& reference,
                                          std::optional<std::int64_t> operatorIndex,
                                          const std::optional<ElementIndex>& element,
                                          int direction);

} // namespace plumbline
