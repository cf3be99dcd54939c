// SPDX-License-Identifier: GPL-3.0-or-later
// Where the bytes of a hex view stand, without a window: an address gutter, sixteen bytes in two
// groups of eight, and the same bytes as text.
#pragma once

#include <cstdint>
#include <optional>

#include <QPoint>
#include <QRect>

namespace plumbline {

/// Bytes by offset.
struct HexRun {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t end() const { return begin + bytes; }
    bool contains(std::uint64_t offset) const { return offset >= begin && offset - begin < bytes; }
    bool operator==(const HexRun&) const = default;
};

/// What a point is on.
struct HexHit {
    std::uint64_t offset = 0;
    bool inText = false; ///< on the text column
};

class HexGeometry {
  public:
    static constexpr int kPerRow = 16;

    HexGeometry() = default;
    /// Cells are `charWidth` by `lineHeight` pixels per character, both at least 1.
    HexGeometry(std::uint64_t size, int charWidth, int lineHeight);

    std::uint64_t size() const { return m_size; }
    std::uint64_t rowCount() const; ///< no rows for no bytes
    int lineHeight() const { return m_lineHeight; }
    int gutterDigits() const { return m_gutterDigits; }
    int width() const;            ///< of a row, pixels
    int rowsIn(int height) const; ///< whole rows, at least 1

    static std::uint64_t rowOf(std::uint64_t offset) { return offset / kPerRow; }
    QRect gutter(std::uint64_t row, std::uint64_t firstRow) const;
    /// The two digits of a byte, with half a character on each side so that neighbours touch.
    QRect hexCell(std::uint64_t offset, std::uint64_t firstRow) const;
    QRect textCell(std::uint64_t offset, std::uint64_t firstRow) const;
    /// The byte at `point`, or the nearest one of its row; nothing below the last row and in the
    /// gutter.
    std::optional<HexHit> hit(const QPoint& point, std::uint64_t firstRow) const;
    /// The first row to show so that `offset` is among `rows` rows, moving as little as possible
    /// from `firstRow`.
    std::uint64_t firstRowFor(std::uint64_t offset, std::uint64_t firstRow, int rows) const;

  private:
    int hexLeft(int column) const;
    int textLeft() const;
    int top(std::uint64_t row, std::uint64_t firstRow) const;

    std::uint64_t m_size = 0;
    int m_charWidth = 8;
    int m_lineHeight = 16;
    int m_gutterDigits = 8;
};

} // namespace plumbline
