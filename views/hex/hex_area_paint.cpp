// SPDX-License-Identifier: GPL-3.0-or-later
// How the rows of the hex view are painted.
#include <algorithm>

#include <QPainter>
#include <QScrollBar>

#include "views/common/palette.h"
#include "views/hex/hex_area.h"

namespace plumbline {
namespace {

/// The run of `runs` (in order, disjoint) that holds `offset`; null for none.
template <class Runs, class RunOf>
auto runAt(const Runs& runs, std::uint64_t offset, const RunOf& runOf) -> decltype(runs.data()) {
    auto after =
        std::upper_bound(runs.begin(), runs.end(), offset, [&](std::uint64_t at, const auto& item) {
            return at < runOf(item).begin;
        });
    if (after == runs.begin())
        return nullptr;
    --after;
    return runOf(*after).contains(offset) ? &*after : nullptr;
}

constexpr char16_t kDigits[] = u"0123456789ABCDEF";

} // namespace

QColor HexArea::fillAt(std::uint64_t offset) const {
    const HexFill* const fill =
        runAt(m_fills, offset, [](const HexFill& f) -> const HexRun& { return f.run; });
    return fill == nullptr ? QColor() : fill->color;
}

bool HexArea::isChanged(std::uint64_t offset) const {
    return runAt(m_changed, offset, [](const HexRun& run) -> const HexRun& { return run; }) !=
           nullptr;
}

void HexArea::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    paint(painter, viewport()->size());
}

ViewPicture HexArea::picture() {
    return {QStringLiteral("bytes"), tr("Bytes"), viewport()->size(),
            [this](QPaintDevice& device, QSize size) {
                QPainter painter(&device);
                paint(painter, size);
            }};
}

void HexArea::paint(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(), size), palette().base());
    const int beyond = std::max(0, m_geometry.width() - size.width());
    painter.translate(-std::min(horizontalScrollBar()->value(), beyond), 0);
    painter.setFont(font());
    const std::uint64_t first = firstRow();
    const auto rows = static_cast<std::uint64_t>(m_geometry.rowsIn(size.height())) + 1;
    for (std::uint64_t row = first; row < std::min(m_geometry.rowCount(), first + rows); ++row)
        paintRow(painter, row);
    paintContext(painter, rows);
}

void HexArea::paintRow(QPainter& painter, std::uint64_t row) {
    const std::uint64_t begin = row * HexGeometry::kPerRow;
    const std::uint64_t end = std::min<std::uint64_t>(m_bytes.size(), begin + HexGeometry::kPerRow);
    painter.setPen(toneColor(Tone::Muted, palette()));
    painter.drawText(m_geometry.gutter(row, firstRow()), Qt::AlignVCenter | Qt::AlignLeft,
                     QStringLiteral("%1")
                         .arg(qulonglong{begin}, m_geometry.gutterDigits(), 16, QLatin1Char('0'))
                         .toUpper());
    const HexRun selected = selection();
    for (std::uint64_t offset = begin; offset < end; ++offset)
        paintByte(painter, offset, selected);
}

void HexArea::paintByte(QPainter& painter, std::uint64_t offset, const HexRun& selected) {
    const std::uint8_t byte = m_bytes[static_cast<std::size_t>(offset)];
    const QRect digits = m_geometry.hexCell(offset, firstRow());
    const QRect text = m_geometry.textCell(offset, firstRow());
    const bool isSelected = selected.contains(offset);
    const QColor fill = isSelected ? palette().color(QPalette::Highlight) : fillAt(offset);
    QColor ink = palette().color(byte == 0 ? QPalette::PlaceholderText : QPalette::Text);
    if (fill.isValid()) {
        painter.fillRect(digits, fill);
        painter.fillRect(text, fill);
        ink = isSelected ? palette().color(QPalette::HighlightedText) : textOn(fill);
    }
    const bool changed = isChanged(offset);
    if (changed)
        painter.setFont(m_changedFont);
    painter.setPen(ink);
    QChar both[] = {kDigits[byte >> 4], kDigits[byte & 15]};
    if (m_firstDigit && m_hasSelection && offset == m_cursor) {
        both[0] = kDigits[*m_firstDigit];
        both[1] = QChar(u'_');
    }
    painter.drawText(digits, Qt::AlignCenter, QString(both, 2));
    painter.drawText(text, Qt::AlignCenter, QString(printableByte(byte)));
    if (changed)
        painter.setFont(font());
    if (offset == m_cursor && hasFocus()) {
        painter.setPen(QPen(toneColor(Tone::Accent, palette()), 1));
        painter.drawRect(digits.adjusted(0, 0, -1, -1));
    }
}

/// The outline goes around the context's cells, open where it leaves the window.
void HexArea::paintContext(QPainter& painter, std::uint64_t rows) {
    if (m_context.bytes == 0)
        return;
    const std::uint64_t from = std::max(m_context.begin, firstRow() * HexGeometry::kPerRow);
    const std::uint64_t to = std::min({m_context.end(), std::uint64_t{m_bytes.size()},
                                       (firstRow() + rows) * HexGeometry::kPerRow});
    if (from >= to)
        return;
    painter.setPen(QPen(toneColor(Tone::Accent, palette()), 1));
    const auto inside = [this](std::uint64_t offset) { return m_context.contains(offset); };
    for (std::uint64_t at = from; at < to; ++at) {
        const QRect cell = m_geometry.hexCell(at, firstRow());
        if (at < HexGeometry::kPerRow || !inside(at - HexGeometry::kPerRow))
            painter.drawLine(cell.topLeft(), cell.topRight());
        if (!inside(at + HexGeometry::kPerRow))
            painter.drawLine(cell.bottomLeft(), cell.bottomRight());
        if (at % HexGeometry::kPerRow == 0 || !inside(at - 1))
            painter.drawLine(cell.topLeft(), cell.bottomLeft());
        if (at % HexGeometry::kPerRow == HexGeometry::kPerRow - 1 || !inside(at + 1))
            painter.drawLine(cell.topRight(), cell.bottomRight());
    }
}

} // namespace plumbline
