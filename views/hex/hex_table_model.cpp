// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hex/hex_table_model.h"

#include <algorithm>
#include <limits>

#include "views/common/format.h"
#include "views/hex/byte_text.h"

namespace plumbline {
namespace {

constexpr std::size_t kPerRow = 16;

} // namespace

void HexTableModel::setBytes(ByteView bytes) {
    beginResetModel();
    m_bytes = bytes;
    endResetModel();
}

int HexTableModel::rowCount(const QModelIndex& parent) const {
    const std::size_t rows = m_bytes.size() / kPerRow + (m_bytes.size() % kPerRow != 0 ? 1 : 0);
    return parent.isValid()
               ? 0
               : static_cast<int>(std::min<std::size_t>(rows, std::numeric_limits<int>::max()));
}

int HexTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HexTableModel::data(const QModelIndex& index, int role) const {
    if (role != Qt::DisplayRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t begin = static_cast<std::size_t>(index.row()) * kPerRow;
    const std::size_t end = std::min(m_bytes.size(), begin + kPerRow);
    if (index.column() == Offset)
        return hexNumber(begin);
    if (index.column() == Text) {
        QString text;
        for (std::size_t at = begin; at < end; ++at)
            text += printableByte(m_bytes[at]);
        return text;
    }
    const std::size_t at = begin + static_cast<std::size_t>(index.column() - FirstByte);
    return at < end ? hexNumber(m_bytes[at], 2).mid(2) : QString();
}

QVariant HexTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= ColumnCount)
        return QAbstractTableModel::headerData(section, orientation, role);
    if (section == Offset)
        return tr("Offset");
    if (section == Text)
        return tr("Text");
    return hexNumber(static_cast<std::uint64_t>(section - FirstByte), 1).mid(2);
}

} // namespace plumbline
