// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the tile walker stand: pure geometry in the units of the area that it is
// given, pixels in the view.
#pragma once

#include <array>
#include <optional>

#include "core/graph/layout.h"
#include "core/lowering/tile_walk.h"

namespace plumbline {

/// A grid of elements in an area: all of it where it fits, else a part around a focus.
class GridView {
  public:
    static constexpr double kLeastCell = 2; ///< units; smaller, only a part is shown
    static constexpr double kPartCell = 9;  ///< units of a cell in a part
    static constexpr double kLargestCell = 26;

    GridView() = default;
    /// `whole` may begin below zero (padding); `focus` is seen whatever is cut off.
    GridView(const GraphRect& area, const GridRect& whole, const GridPoint& focus);

    const GridRect& shown() const { return m_shown; }
    bool isWhole() const { return m_shown == m_whole; }
    double cell() const { return m_cell; }
    GraphRect frame() const { return rectOf(m_shown); }
    /// Where `rect` is, cut to what is shown; of no size where nothing of it is.
    GraphRect rectOf(const GridRect& rect) const;
    std::optional<GridPoint> cellAt(const GraphPoint& at) const;

  private:
    GridRect m_whole, m_shown;
    GraphPoint m_origin;
    double m_cell = 0;
};

/// A bar of `count` equal parts, which may be more than it is wide.
struct PartBar {
    GraphRect rect;
    std::int64_t count = 0;
    GraphRect part(std::int64_t begin, std::int64_t end) const; ///< parts begin .. end - 1
    std::optional<std::int64_t> partAt(const GraphPoint& at) const;
};

/// The whole canvas: two grids, the reduction axis, channel groups and lanes, three gauges. Each
/// title stands in the line above its part.
struct TileLayout {
    GraphRect outputTitle, inputTitle, reductionTitle, groupTitle, gaugeTitle;
    GridView output, input;
    GraphRect windowTitle; ///< empty where the input is large enough to be read itself
    GridView window;       ///< the position's window with a border, magnified
    PartBar reduction;     ///< parts are steps k
    GraphRect reductionTicks;
    PartBar groups;
    PartBar lanes;
    std::array<GraphRect, 3> gauges; ///< rows; raw gather, packed A, packed W

    /// `line` is the height of a text line.
    static TileLayout make(const GraphRect& canvas, double line, const TileWalk& walk,
                           const TileCursor& cursor);
    /// Smallest height of a canvas in which nothing overlaps.
    static double leastHeight(double line);

  private:
    /// The K axis, channel groups, lanes and gauges, from `at` downwards.
    void placeBars(const GraphPoint& at, double width, double line, const TileWalk& walk);
};

} // namespace plumbline
