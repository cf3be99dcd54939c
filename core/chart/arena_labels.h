// SPDX-License-Identifier: GPL-3.0-or-later
// What the arena chart says: the text in a block, names of buffers and steps, findings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/graph/layout.h"
#include "core/lowering/arena_plan.h"

namespace plumbline {

/// The tensor's name, "tensor 7" where it has none.
std::string allocationName(const Allocation& allocation);

/// "7 CONV_2D"; "7" where the lowering has no such operator.
std::string arenaStepName(const Lowering& lowering, std::int64_t step);

/// "high water 0x18C00 = 101,376 bytes", with the address as the axis has it.
std::string highWaterText(const ArenaPlan& plan, const std::string& address);
/// "peak at 7 CONV_2D"
std::string peakText(const Lowering& lowering, const ArenaPlan& plan);
/// "minimum 99,328 bytes", or that no plan needs less.
std::string minimumText(const ArenaPlan& plan);

/// The lines in a block, centred: its name and, where there is room, its bytes; only the bytes
/// where the name would be cut to a few characters; none in a small one. Each fits by textWidth().
/// `width` and `height` of the block (its visible part) and the text's `size` in pixels.
std::vector<std::string> arenaLabel(const Allocation& allocation, double width, double height,
                                    double size);

/// The box of a mark's text, 3 units wider on either side, with its upper left corner at `at`,
/// moved into `clip`.
GraphRect arenaMarkBox(const GraphPoint& at, std::string_view text, double size,
                       const GraphRect& clip);

/// The height of a line of text of that size.
double arenaLineHeight(double size);

/// A finding of the sanitizer at its place in the chart.
struct ArenaFinding {
    std::int64_t step = 0;
    std::uint64_t offset = 0;     ///< byte of the arena
    std::int64_t diagnostic = -1; ///< index in Document::diagnostics; -1 where it is not listed
    std::string text;             ///< "ReadUnwritten: ..."
};

/// The findings of a run that name an operator and a byte of the arena.
std::vector<ArenaFinding> findingsOf(const Document& document);

} // namespace plumbline
