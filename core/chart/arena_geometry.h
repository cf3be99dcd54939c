// SPDX-License-Identifier: GPL-3.0-or-later
// Where the buffers of a plan stand in the chart: steps across, addresses upward.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/lowering/arena_plan.h"

namespace plumbline {

/// One buffer as a rectangle. Step i covers i - 0.5 .. i + 0.5; bytes are arena offsets.
struct ArenaBlock {
    std::size_t buffer = 0; ///< index in ArenaPlan::allocations
    double left = 0, right = 0;
    double bottom = 0, top = 0;
};

class ArenaGeometry {
  public:
    ArenaGeometry() = default;
    /// Lifetimes are cut at the graph input's column (step -1) and at the last step; a buffer of no
    /// bytes or outside the steps has no block.
    explicit ArenaGeometry(const ArenaPlan& plan);

    const std::vector<ArenaBlock>& blocks() const { return m_blocks; } ///< by left edge
    std::int64_t stepCount() const { return m_stepCount; }
    double left() const { return m_left; }   ///< where the first column begins
    double right() const { return m_right; } ///< where the last column ends
    double top() const { return m_top; }     ///< highest byte of a block, at least 1

    /// Calls `visit(block)` for each block that meets the rectangle, in order of their left edges.
    template <class Visit>
    void forEachVisible(double left, double right, double bottom, double top, Visit&& visit) const {
        for (const ArenaBlock& block : m_blocks) {
            if (block.left > right)
                break;
            if (block.right >= left && block.bottom <= top && block.top >= bottom)
                visit(block);
        }
    }

    /// The block under a point, the one drawn last of several.
    std::optional<std::size_t> bufferAt(double x, double y) const;
    /// The step whose column holds `x`; the nearest where none does; nothing without steps.
    std::optional<std::int64_t> stepAt(double x) const;
    /// Buffers that have a block over the column of `step`, lowest address first.
    std::vector<std::size_t> buffersAt(std::int64_t step) const;
    /// The next buffer in address order above (`direction` 1) or below (-1) `buffer` at `step`.
    /// With no buffer the lowest or the highest one; nothing at the ends.
    std::optional<std::size_t> neighbour(std::int64_t step, std::optional<std::size_t> buffer,
                                         int direction) const;
    /// The block of a buffer; null where it has none.
    const ArenaBlock* blockOf(std::size_t buffer) const;

  private:
    std::vector<ArenaBlock> m_blocks;
    std::int64_t m_stepCount = 0;
    double m_left = -0.5, m_right = 0.5, m_top = 1;
};

/// What the address axis reaches to: a little above all buffers and the high-water mark.
double arenaHighestByte(const ArenaPlan& plan, const ArenaGeometry& geometry);

/// Live bytes and the high-water mark over steps, as levels that begin at `at`; where there are
/// more steps than points, neighbours share a point: their largest. The last point is where it
/// ends.
struct ArenaCurve {
    std::vector<double> at, live, highWater;
};
/// Of the steps that meet `left` .. `right`; `mostPoints` is positive.
ArenaCurve arenaCurve(const ArenaPlan& plan, double left, double right, std::size_t mostPoints);

/// What the axis of that curve reaches to: overlapping buffers of a damaged plan may add up to more
/// than their addresses.
double arenaHighestLevel(const ArenaPlan& plan, const ArenaGeometry& geometry);

} // namespace plumbline
