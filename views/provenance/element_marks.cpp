// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/provenance/element_marks.h"

#include <algorithm>

namespace plumbline {

ElementMarks::ElementMarks(ByteView healthy, ByteView observed, ByteView hypothesis,
                           const Hwc& shape)
    : m_shape(shape) {
    const auto elements = static_cast<std::int64_t>(observed.size());
    if (shape.h <= 0 || shape.w <= 0 || shape.c <= 0 || elements / shape.h / shape.w != shape.c ||
        elements != shape.h * shape.w * shape.c)
        m_shape = {1, 1, elements};
    m_marks.reserve(observed.size());
    for (std::size_t i = 0; i < observed.size(); ++i) {
        const bool isRight = observed[i] == healthy[i];
        const bool isMet = observed[i] == hypothesis[i];
        const ElementMark mark = isRight
                                     ? (isMet ? ElementMark::Right : ElementMark::Spoiled)
                                     : (isMet ? ElementMark::Explained : ElementMark::Unexplained);
        m_marks.push_back(mark);
        ++m_counts[static_cast<std::size_t>(mark)];
    }
}

std::size_t ElementMarks::indexOf(const ElementIndex& e) const {
    return static_cast<std::size_t>((e.h * m_shape.w + e.w) * m_shape.c + e.c);
}

ElementMark ElementMarks::at(const ElementIndex& element) const {
    return m_marks[indexOf(element)];
}

ElementMarks::Counts ElementMarks::countsAt(std::int64_t h, std::int64_t w,
                                            std::optional<std::int64_t> channel) const {
    Counts counts{};
    const std::int64_t first = channel.value_or(0);
    const std::int64_t end = channel ? *channel + 1 : m_shape.c;
    for (std::int64_t c = first; c < end; ++c)
        ++counts[static_cast<std::size_t>(at({h, w, c}))];
    return counts;
}

ElementIndex ElementMarks::worstAt(std::int64_t h, std::int64_t w,
                                   std::optional<std::int64_t> channel) const {
    ElementIndex worst{h, w, channel.value_or(0)};
    if (channel)
        return worst;
    for (std::int64_t c = 1; c < m_shape.c; ++c)
        if (at({h, w, c}) > at(worst))
            worst.c = c;
    return worst;
}

ElementMark worstOf(const ElementMarks::Counts& counts) {
    for (std::size_t mark = kElementMarks; mark-- > 1;)
        if (counts[mark] > 0)
            return static_cast<ElementMark>(mark);
    return ElementMark::Right;
}

MapGeometry::MapGeometry(const Hwc& shape, const QRectF& room)
    : m_shape(shape) {
    if (shape.h <= 0 || shape.w <= 0 || shape.c <= 0)
        return;
    m_columns = showsChannels() ? std::min(shape.c, kChannelsInRow) : shape.w;
    m_rows = showsChannels() ? (shape.c + kChannelsInRow - 1) / kChannelsInRow : shape.h;
    m_cell = std::clamp(std::min(room.width() / static_cast<double>(m_columns),
                                 room.height() / static_cast<double>(m_rows)),
                        0.0, kLargestCell);
    m_frame = QRectF(room.topLeft(), QSizeF(m_cell * static_cast<double>(m_columns),
                                            m_cell * static_cast<double>(m_rows)));
}

QRectF MapGeometry::rectOf(const MapCell& cell) const {
    return {m_frame.left() + static_cast<double>(cell.column) * m_cell,
            m_frame.top() + static_cast<double>(cell.row) * m_cell, m_cell, m_cell};
}

bool MapGeometry::exists(const MapCell& cell) const {
    if (cell.row < 0 || cell.row >= m_rows || cell.column < 0 || cell.column >= m_columns)
        return false;
    return !showsChannels() || cell.row * kChannelsInRow + cell.column < m_shape.c;
}

std::optional<MapCell> MapGeometry::cellAt(const QPointF& pixel) const {
    if (m_cell <= 0 || !m_frame.contains(pixel))
        return std::nullopt;
    const MapCell cell{static_cast<std::int64_t>((pixel.y() - m_frame.top()) / m_cell),
                       static_cast<std::int64_t>((pixel.x() - m_frame.left()) / m_cell)};
    return exists(cell) ? std::optional(cell) : std::nullopt;
}

MapCell MapGeometry::cellOf(const ElementIndex& element) const {
    return showsChannels() ? MapCell{element.c / kChannelsInRow, element.c % kChannelsInRow}
                           : MapCell{element.h, element.w};
}

ElementIndex MapGeometry::elementAt(const MapCell& cell, const ElementMarks& marks,
                                    std::optional<std::int64_t> channel) const {
    return showsChannels() ? ElementIndex{0, 0, cell.row * kChannelsInRow + cell.column}
                           : marks.worstAt(cell.row, cell.column, channel);
}

ElementMarks::Counts MapGeometry::countsAt(const MapCell& cell, const ElementMarks& marks,
                                           std::optional<std::int64_t> channel) const {
    return showsChannels() ? marks.countsAt(0, 0, elementAt(cell, marks, {}).c)
                           : marks.countsAt(cell.row, cell.column, channel);
}

} // namespace plumbline
