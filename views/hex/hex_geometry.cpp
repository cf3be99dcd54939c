// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/hex_geometry.h"

#include <algorithm>

namespace plumbline {
namespace {

constexpr int kMargin = 1;         ///< characters before the gutter and after the text
constexpr int kGap = 2;            ///< characters between gutter, bytes and text
constexpr int kCell = 3;           ///< characters per byte
constexpr int kMiddle = 8;         ///< bytes before the extra space
constexpr int kFarRow = 1'000'000; ///< rows beyond are not on any screen

} // namespace

HexGeometry::HexGeometry(std::uint64_t size, int charWidth, int lineHeight)
    : m_size(size)
    , m_charWidth(std::max(1, charWidth))
    , m_lineHeight(std::max(1, lineHeight)) {
    while (m_gutterDigits < 16 && size > std::uint64_t{1} << (4 * m_gutterDigits))
        ++m_gutterDigits;
}

std::uint64_t HexGeometry::rowCount() const {
    return m_size / kPerRow + (m_size % kPerRow != 0 ? 1 : 0);
}

int HexGeometry::hexLeft(int column) const {
    return (kMargin + m_gutterDigits + kGap + column * kCell + (column >= kMiddle ? 1 : 0)) *
           m_charWidth;
}

int HexGeometry::textLeft() const { return hexLeft(kPerRow) + (kGap - 1) * m_charWidth; }

int HexGeometry::width() const { return textLeft() + (kPerRow + kMargin) * m_charWidth; }

int HexGeometry::rowsIn(int height) const { return std::max(1, height / m_lineHeight); }

int HexGeometry::top(std::uint64_t row, std::uint64_t firstRow) const {
    const bool above = row < firstRow;
    const std::uint64_t distance = above ? firstRow - row : row - firstRow;
    const int rows = static_cast<int>(std::min<std::uint64_t>(distance, kFarRow));
    return (above ? -rows : rows) * m_lineHeight;
}

QRect HexGeometry::gutter(std::uint64_t row, std::uint64_t firstRow) const {
    return {kMargin * m_charWidth, top(row, firstRow), m_gutterDigits * m_charWidth, m_lineHeight};
}

QRect HexGeometry::hexCell(std::uint64_t offset, std::uint64_t firstRow) const {
    const auto column = static_cast<int>(offset % kPerRow);
    const int half = m_charWidth / 2;
    return {hexLeft(column) - half, top(rowOf(offset), firstRow), kCell * m_charWidth,
            m_lineHeight};
}

QRect HexGeometry::textCell(std::uint64_t offset, std::uint64_t firstRow) const {
    const auto column = static_cast<int>(offset % kPerRow);
    return {textLeft() + column * m_charWidth, top(rowOf(offset), firstRow), m_charWidth,
            m_lineHeight};
}

std::optional<HexHit> HexGeometry::hit(const QPoint& point, std::uint64_t firstRow) const {
    if (point.y() < 0 || point.x() < hexLeft(0) - m_charWidth)
        return std::nullopt;
    const std::uint64_t row = firstRow + static_cast<std::uint64_t>(point.y() / m_lineHeight);
    if (row >= rowCount())
        return std::nullopt;
    const bool inText = point.x() >= textLeft() - m_charWidth / 2;
    int column = 0;
    if (inText)
        column = (point.x() - textLeft()) / m_charWidth;
    else
        while (column + 1 < kPerRow && point.x() >= hexLeft(column + 1) - m_charWidth / 2)
            ++column;
    const std::uint64_t offset =
        row * kPerRow + static_cast<std::uint64_t>(std::clamp(column, 0, kPerRow - 1));
    return HexHit{std::min(offset, m_size - 1), inText};
}

std::uint64_t HexGeometry::firstRowFor(std::uint64_t offset, std::uint64_t firstRow,
                                       int rows) const {
    const std::uint64_t row = rowOf(offset);
    const auto shown = static_cast<std::uint64_t>(std::max(1, rows));
    if (row < firstRow)
        return row;
    return row - firstRow < shown ? firstRow : row - shown + 1;
}

} // namespace plumbline
