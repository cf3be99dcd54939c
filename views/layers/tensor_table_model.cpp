// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_table_model.h"

#include <algorithm>
#include <limits>

#include <QFont>
#include <QGuiApplication>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/row_model.h"

namespace plumbline {

void TensorTableModel::setTensor(std::shared_ptr<const TensorValues> values) {
    beginResetModel();
    m_values = std::move(values);
    m_page = 0;
    endResetModel();
}

void TensorTableModel::setSide(TensorSide side) {
    beginResetModel();
    m_side = side;
    endResetModel();
}

void TensorTableModel::setPage(std::int64_t page) {
    const std::int64_t wanted = std::clamp<std::int64_t>(page, 0, pages() - 1);
    if (wanted == m_page)
        return;
    beginResetModel();
    m_page = wanted;
    endResetModel();
}

void TensorTableModel::setPaged(bool paged) {
    beginResetModel();
    m_isPaged = paged;
    m_page = 0;
    endResetModel();
}

std::int64_t TensorTableModel::pageRows() const {
    return m_isPaged ? kPageRows : std::numeric_limits<int>::max();
}

bool TensorTableModel::isVector() const {
    return m_values->shape().h == 1 && m_values->shape().w == 1;
}

std::int64_t TensorTableModel::allRows() const {
    if (!m_values || !m_values->has(m_side))
        return 0;
    const Hwc shape = m_values->shape();
    return isVector() ? shape.c : shape.h * shape.w;
}

std::int64_t TensorTableModel::pages() const {
    return std::max<std::int64_t>(1, (allRows() + pageRows() - 1) / pageRows());
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid())
        return 0;
    return static_cast<int>(
        std::clamp<std::int64_t>(allRows() - m_page * pageRows(), 0, pageRows()));
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid() || allRows() == 0)
        return 0;
    return isVector() ? 1 : static_cast<int>(std::min(m_values->shape().c, kMostColumns));
}

std::optional<ElementIndex> TensorTableModel::elementAt(const QModelIndex& index) const {
    if (!index.isValid() || !checkIndex(index, CheckIndexOption::ParentIsInvalid))
        return std::nullopt;
    const std::int64_t row = m_page * pageRows() + index.row();
    if (isVector())
        return ElementIndex{0, 0, row};
    const std::int64_t width = m_values->shape().w;
    return ElementIndex{row / width, row % width, index.column()};
}

std::int64_t TensorTableModel::rowOf(const ElementIndex& element) const {
    return isVector() ? element.c : element.h * m_values->shape().w + element.w;
}

std::int64_t TensorTableModel::pageOf(const ElementIndex& element) const {
    return rowOf(element) / pageRows();
}

QModelIndex TensorTableModel::indexOf(const ElementIndex& element) const {
    if (allRows() == 0 || !m_values->contains(element) || pageOf(element) != m_page)
        return {};
    const std::int64_t column = isVector() ? 0 : element.c;
    if (column >= kMostColumns)
        return {};
    return index(static_cast<int>(rowOf(element) % pageRows()), static_cast<int>(column));
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    const auto element = elementAt(index);
    if (!element)
        return {};
    const std::int64_t at = m_values->indexOf(*element);
    switch (role) {
    case Qt::DisplayRole: {
        const int value = m_values->at(m_side, at);
        const QString text =
            m_side == TensorSide::Difference ? signedNumber(value) : QString::number(value);
        return m_values->differs(m_side, at) ? QStringLiteral("≠ ") + text : text;
    }
    case RowModel::PlainRole:
        return m_values->at(m_side, at);
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return m_values->differs(m_side, at)
                   ? QVariant(toneColor(Tone::Error, QGuiApplication::palette()))
                   : QVariant();
    case Qt::FontRole:
        return monoFont();
    default:
        return {};
    }
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || section < 0 || !m_values)
        return {};
    if (orientation == Qt::Horizontal)
        return isVector() ? m_values->name(m_side) : QStringLiteral("c %1").arg(section);
    const std::int64_t row = m_page * pageRows() + section;
    const std::int64_t width = m_values->shape().w;
    return isVector() ? QStringLiteral("c %1").arg(row)
                      : QStringLiteral("h %1, w %2").arg(row / width).arg(row % width);
}

} // namespace plumbline
