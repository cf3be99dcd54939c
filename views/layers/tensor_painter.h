// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a slice of a tensor with its rulers and marks, and the sheet of all channels.
#pragma once

#include <optional>

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QPalette>

#include "core/compare/tensor_comparison.h"
#include "views/common/palette.h"
#include "views/layers/slice_raster.h"

namespace plumbline {

/// What is painted, and how.
struct TensorPicture {
    SliceContent content;
    TensorColors colors;
    const TensorComparison* comparison = nullptr; ///< of content.side; null: nothing was compared
    std::optional<ElementIndex> current;          ///< the selected element
    QPalette palette;
    QFont font;
};

/// Space for the rulers at the left and at the top of a slice, in pixels.
QSize rulerSize(const SliceGrid& grid, const QFont& font);
/// Cells at least this wide and high have their values printed.
QSizeF valueCellSize(const QFont& font);
/// Height of a slice's caption on the sheet.
double captionHeight(const QFont& font);

class TensorPainter {
    Q_DECLARE_TR_FUNCTIONS(plumbline::TensorPainter)

  public:
    TensorPainter(QPainter& painter, const TensorPicture& picture);

    /// The cells that show in `area`.
    void paintSlice(const SliceGeometry& geometry, const QRectF& area);
    /// Indices left of and above the slice, with a tick at each row and column that
    /// holds a mismatch in any channel.
    void paintRulers(const SliceGeometry& geometry, const QRectF& area);
    /// The channels that show at heights from `top` on.
    void paintSheet(const SheetGeometry& sheet, double top, double height);

  private:
    void paintCells(const SliceGeometry& geometry, const CellRange& range);
    void paintGrid(const SliceGeometry& geometry, const CellRange& range);
    void paintMarks(const SliceGeometry& geometry, const CellRange& range);
    void paintValues(const SliceGeometry& geometry, const CellRange& range);
    void paintCurrent(const SliceGeometry& geometry);
    void paintTicks(const SliceGeometry& geometry, const QRectF& area, bool isVertical);
    void paintChannel(const SheetGeometry& sheet, std::int64_t channel);
    QColor tone(Tone tone) const;

    QPainter& m_painter;
    const TensorPicture& m_picture;
};

} // namespace plumbline
