// SPDX-License-Identifier: GPL-3.0-or-later
// Where the elements of a tensor lie in its picture: one channel as a grid of cells, or all
// channels as a sheet of small grids. No painting.
#pragma once

#include <optional>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include "core/graph/tensor.h"
#include "core/lowering/selection.h"

namespace plumbline {

struct GridCell {
    std::int64_t row = 0, column = 0;
    bool operator==(const GridCell&) const = default;
};

/// Rows and columns of cells; empty with 0 of either.
struct CellRange {
    std::int64_t row = 0, column = 0, rows = 0, columns = 0;
    bool operator==(const CellRange&) const = default;
};

/// Which element a cell shows. A slice has H rows and W columns of one channel; a [1,1,C] tensor
/// has its channels in rows, one after the other.
class SliceGrid {
  public:
    SliceGrid() = default;
    explicit SliceGrid(const Hwc& shape);

    bool isVector() const { return m_isVector; }
    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    CellRange all() const { return {0, 0, m_rows, m_columns}; }
    /// Nothing for a cell outside, or behind the last channel of a vector.
    std::optional<ElementIndex> elementAt(const GridCell& cell, std::int64_t channel) const;
    GridCell cellOf(const ElementIndex& element) const;
    /// The element in the direction of an arrow key; stays at the edge.
    ElementIndex moved(const ElementIndex& from, std::int64_t down, std::int64_t across) const;

  private:
    Hwc m_shape;
    bool m_isVector = true;
    std::int64_t m_rows = 1, m_columns = 1;
};

/// A grid in pixels: cells are squares of `zoom`, the first one begins at `origin`.
struct SliceGeometry {
    SliceGrid grid;
    double zoom = 1; ///< pixels per cell; below 1 several cells share a pixel
    QPointF origin;

    static constexpr double kLeastZoom = 1.0 / 64;
    static constexpr double kMostZoom = 64;

    QSizeF size() const; ///< of the whole grid
    QRectF rectOf(const GridCell& cell) const;
    QRectF rectOf(const CellRange& range) const;
    std::optional<GridCell> cellAt(const QPointF& pixel) const;
    /// Cells that `area` shows any part of.
    CellRange visible(const QRectF& area) const;
    /// The largest zoom at which the whole grid fits into `area`.
    static double fitZoom(const SliceGrid& grid, const QSizeF& area);
};

/// All channels as small slices with a caption below each, row by row.
class SheetGeometry {
  public:
    SheetGeometry() = default;
    /// `width` of the sheet and `caption` height in pixels.
    SheetGeometry(const Hwc& shape, double width, double caption);

    double height() const; ///< of the whole sheet
    std::int64_t perRow() const { return m_perRow; }
    double rowHeight() const { return m_step.height(); }
    QRectF pictureOf(std::int64_t channel) const;
    QRectF captionOf(std::int64_t channel) const;
    std::optional<std::int64_t> channelAt(const QPointF& point) const;
    /// First channel and number of channels that heights from `top` on show.
    std::pair<std::int64_t, std::int64_t> visible(double top, double height) const;

  private:
    std::int64_t m_channels = 0;
    std::int64_t m_perRow = 1;
    QSizeF m_picture;
    QSizeF m_step;
    double m_caption = 0;
};

} // namespace plumbline
