// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/slice_geometry.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

constexpr double kGap = 8;           ///< pixels between the slices of a sheet
constexpr double kSheetPicture = 72; ///< pixels of a slice's longer side
constexpr double kMostSheetCell = 12;
constexpr double kLeastSheetStep = 56; ///< pixels that a caption takes

std::int64_t floorOf(double value) { return static_cast<std::int64_t>(std::floor(value)); }
std::int64_t ceilOf(double value) { return static_cast<std::int64_t>(std::ceil(value)); }

/// Columns of a vector: about twice as many as rows, a multiple of eight where it does not fit one
/// row.
std::int64_t vectorColumns(std::int64_t channels) {
    constexpr std::int64_t kStep = 8;
    const auto wanted = ceilOf(std::sqrt(2 * static_cast<double>(channels)));
    return std::min(channels, (wanted + kStep - 1) / kStep * kStep);
}

} // namespace

SliceGrid::SliceGrid(const Hwc& shape)
    : m_shape(shape)
    , m_isVector(shape.h == 1 && shape.w == 1) {
    m_columns = m_isVector ? vectorColumns(shape.c) : shape.w;
    m_rows = m_isVector ? (shape.c + m_columns - 1) / m_columns : shape.h;
}

std::optional<ElementIndex> SliceGrid::elementAt(const GridCell& cell, std::int64_t channel) const {
    if (cell.row < 0 || cell.row >= m_rows || cell.column < 0 || cell.column >= m_columns)
        return std::nullopt;
    if (!m_isVector)
        return ElementIndex{cell.row, cell.column, channel};
    const std::int64_t c = cell.row * m_columns + cell.column;
    return c < m_shape.c ? std::optional(ElementIndex{0, 0, c}) : std::nullopt;
}

GridCell SliceGrid::cellOf(const ElementIndex& element) const {
    return m_isVector ? GridCell{element.c / m_columns, element.c % m_columns}
                      : GridCell{element.h, element.w};
}

ElementIndex SliceGrid::moved(const ElementIndex& from, std::int64_t down,
                              std::int64_t across) const {
    const GridCell at = cellOf(from);
    const GridCell wanted{std::clamp<std::int64_t>(at.row + down, 0, m_rows - 1),
                          std::clamp<std::int64_t>(at.column + across, 0, m_columns - 1)};
    return elementAt(wanted, from.c).value_or(from);
}

QSizeF SliceGeometry::size() const {
    return {static_cast<double>(grid.columns()) * zoom, static_cast<double>(grid.rows()) * zoom};
}

QRectF SliceGeometry::rectOf(const GridCell& cell) const {
    return rectOf(CellRange{cell.row, cell.column, 1, 1});
}

QRectF SliceGeometry::rectOf(const CellRange& range) const {
    return {origin.x() + static_cast<double>(range.column) * zoom,
            origin.y() + static_cast<double>(range.row) * zoom,
            static_cast<double>(range.columns) * zoom, static_cast<double>(range.rows) * zoom};
}

std::optional<GridCell> SliceGeometry::cellAt(const QPointF& pixel) const {
    const GridCell cell{floorOf((pixel.y() - origin.y()) / zoom),
                        floorOf((pixel.x() - origin.x()) / zoom)};
    const bool isInside =
        cell.row >= 0 && cell.row < grid.rows() && cell.column >= 0 && cell.column < grid.columns();
    return isInside ? std::optional(cell) : std::nullopt;
}

CellRange SliceGeometry::visible(const QRectF& area) const {
    const auto clampTo = [](std::int64_t value, std::int64_t most) {
        return std::clamp<std::int64_t>(value, 0, most);
    };
    CellRange range;
    range.row = clampTo(floorOf((area.top() - origin.y()) / zoom), grid.rows());
    range.column = clampTo(floorOf((area.left() - origin.x()) / zoom), grid.columns());
    range.rows = clampTo(ceilOf((area.bottom() - origin.y()) / zoom), grid.rows()) - range.row;
    range.columns =
        clampTo(ceilOf((area.right() - origin.x()) / zoom), grid.columns()) - range.column;
    return range;
}

double SliceGeometry::fitZoom(const SliceGrid& grid, const QSizeF& area) {
    const double zoom = std::min(area.width() / static_cast<double>(grid.columns()),
                                 area.height() / static_cast<double>(grid.rows()));
    return std::clamp(zoom, kLeastZoom, kMostZoom);
}

SheetGeometry::SheetGeometry(const Hwc& shape, double width, double caption)
    : m_channels(shape.c)
    , m_caption(caption) {
    const double scale =
        std::min(kMostSheetCell, kSheetPicture / static_cast<double>(std::max(shape.h, shape.w)));
    m_picture = {std::max(1.0, scale * static_cast<double>(shape.w)),
                 std::max(1.0, scale * static_cast<double>(shape.h))};
    m_step = {std::max(m_picture.width(), kLeastSheetStep) + kGap,
              m_picture.height() + m_caption + kGap};
    m_perRow = std::max<std::int64_t>(1, floorOf((width - kGap) / m_step.width()));
}

double SheetGeometry::height() const {
    return kGap + static_cast<double>((m_channels + m_perRow - 1) / m_perRow) * m_step.height();
}

QRectF SheetGeometry::pictureOf(std::int64_t channel) const {
    const QPointF corner(kGap + static_cast<double>(channel % m_perRow) * m_step.width(),
                         kGap + static_cast<double>(channel / m_perRow) * m_step.height());
    return {corner, m_picture};
}

QRectF SheetGeometry::captionOf(std::int64_t channel) const {
    const QRectF picture = pictureOf(channel);
    return {picture.left(), picture.bottom(), m_step.width() - kGap, m_caption};
}

std::optional<std::int64_t> SheetGeometry::channelAt(const QPointF& point) const {
    const std::int64_t column = floorOf((point.x() - kGap) / m_step.width());
    const std::int64_t row = floorOf((point.y() - kGap) / m_step.height());
    if (column < 0 || column >= m_perRow || row < 0)
        return std::nullopt;
    const std::int64_t channel = row * m_perRow + column;
    return channel < m_channels ? std::optional(channel) : std::nullopt;
}

std::pair<std::int64_t, std::int64_t> SheetGeometry::visible(double top, double height) const {
    const std::int64_t first =
        std::max<std::int64_t>(0, floorOf((top - kGap) / m_step.height())) * m_perRow;
    const std::int64_t end =
        std::max<std::int64_t>(0, ceilOf((top + height - kGap) / m_step.height())) * m_perRow;
    return {std::min(first, m_channels),
            std::max<std::int64_t>(0, std::min(end, m_channels) - first)};
}

} // namespace plumbline
