// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements of a layer a hypothesis explains, and where a map shows them. No widgets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <QRectF>

#include "core/base/bytes.h"
#include "core/graph/tensor.h"
#include "core/lowering/selection.h"

namespace plumbline {

/// What a hypothesis says of one element; a cell of a map shows the greatest of its elements.
enum class ElementMark : std::uint8_t {
    Right,       ///< observed is what the arithmetic gives, with the mistake too
    Explained,   ///< observed is wrong, and the mistake gives just that
    Spoiled,     ///< observed is right, and the mistake would give something else
    Unexplained, ///< observed is wrong, and the mistake gives something else
};
inline constexpr std::size_t kElementMarks = 4;

class ElementMarks {
  public:
    using Counts = std::array<std::int64_t, kElementMarks>; ///< per mark

    ElementMarks() = default;
    /// All three have as many bytes as `shape` has elements; a shape of another size is replaced by
    /// one row of channels.
    ElementMarks(ByteView healthy, ByteView observed, ByteView hypothesis, const Hwc& shape);

    bool empty() const { return m_marks.empty(); }
    const Hwc& shape() const { return m_shape; }
    ElementMark at(const ElementIndex& element) const;
    const Counts& counts() const { return m_counts; }
    /// Of the elements (h, w) of `channel`, or of all channels.
    Counts countsAt(std::int64_t h, std::int64_t w, std::optional<std::int64_t> channel) const;
    /// The first element of (h, w) with the mark that a cell of these channels shows.
    ElementIndex worstAt(std::int64_t h, std::int64_t w, std::optional<std::int64_t> channel) const;

  private:
    std::size_t indexOf(const ElementIndex& element) const;

    Hwc m_shape;
    std::vector<ElementMark> m_marks;
    Counts m_counts{};
};

/// A cell of a map, zero-based.
struct MapCell {
    std::int64_t row = 0, column = 0;
    bool operator==(const MapCell&) const = default;
};

/// Where the cells of a layer's map lie. A layer of one position shows its channels, 16 in a row;
/// any other its rows and columns.
class MapGeometry {
  public:
    static constexpr std::int64_t kChannelsInRow = 16;
    static constexpr double kLargestCell = 26; ///< pixels

    MapGeometry() = default;
    MapGeometry(const Hwc& shape, const QRectF& room);

    bool showsChannels() const { return m_shape.h == 1 && m_shape.w == 1; }
    std::int64_t rows() const { return m_rows; }
    std::int64_t columns() const { return m_columns; }
    double cell() const { return m_cell; } ///< pixels, may be less than one
    const QRectF& frame() const { return m_frame; }
    QRectF rectOf(const MapCell& cell) const;
    std::optional<MapCell> cellAt(const QPointF& pixel) const;
    bool exists(const MapCell& cell) const;
    MapCell cellOf(const ElementIndex& element) const;
    /// The element that a click on the cell means.
    ElementIndex elementAt(const MapCell& cell, const ElementMarks& marks,
                           std::optional<std::int64_t> channel) const;
    ElementMarks::Counts countsAt(const MapCell& cell, const ElementMarks& marks,
                                  std::optional<std::int64_t> channel) const;

  private:
    Hwc m_shape;
    std::int64_t m_rows = 0, m_columns = 0;
    double m_cell = 0;
    QRectF m_frame;
};

/// The greatest mark that occurs; Right for none.
ElementMark worstOf(const ElementMarks::Counts& counts);

} // namespace plumbline
