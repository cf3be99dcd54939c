// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the tile walker stand: pure geometry, testable without a window.
#pragma once

#include <array>
#include <optional>

#include <QPointF>
#include <QRectF>

#include "core/lowering/tile_walk.h"

namespace plumbline {

/// A grid of elements in an area: all of it where it fits, else a part around a focus.
class GridView {
  public:
    static constexpr double kLeastCell = 2; ///< pixels; smaller, only a part is shown
    static constexpr double kPartCell = 9;  ///< pixels of a cell in a part
    static constexpr double kLargestCell = 26;

    GridView() = default;
    /// `whole` may begin below zero (padding); `focus` is seen whatever is cut off.
    GridView(const QRectF& area, const GridRect& whole, const GridPoint& focus);

    const GridRect& shown() const { return m_shown; }
    bool isWhole() const { return m_shown == m_whole; }
    double cell() const { return m_cell; }
    QRectF frame() const { return rectOf(m_shown); }
    /// Pixels of `rect`, cut to what is shown; empty where nothing of it is.
    QRectF rectOf(const GridRect& rect) const;
    std::optional<GridPoint> cellAt(const QPointF& pixel) const;

  private:
    GridRect m_whole, m_shown;
    QPointF m_origin;
    double m_cell = 0;
};

/// A bar of `count` equal parts, which may be more than it has pixels.
struct PartBar {
    QRectF rect;
    std::int64_t count = 0;
    QRectF part(std::int64_t begin, std::int64_t end) const; ///< parts begin .. end - 1
    std::optional<std::int64_t> partAt(const QPointF& pixel) const;
};

/// The whole canvas: two grids, the reduction axis, channel groups and lanes, three gauges. Each
/// title stands in the line above its part.
struct TileLayout {
    QRectF outputTitle, inputTitle, reductionTitle, groupTitle, gaugeTitle;
    GridView output, input;
    QRectF windowTitle; ///< empty where the input is large enough to be read itself
    GridView window;    ///< the position's window with a border, magnified
    PartBar reduction;  ///< parts are steps k
    QRectF reductionTicks;
    PartBar groups;
    PartBar lanes;
    std::array<QRectF, 3> gauges; ///< rows; raw gather, packed A, packed W

    /// `line` is the height of a text line.
    static TileLayout make(const QRectF& canvas, double line, const TileWalk& walk,
                           const TileCursor& cursor);
    /// Smallest height of a canvas in which nothing overlaps.
    static double leastHeight(double line);

  private:
    /// The K axis, channel groups, lanes and gauges, from `at` downwards.
    void placeBars(const QPointF& at, double width, double line, const TileWalk& walk);
};

} // namespace plumbline
