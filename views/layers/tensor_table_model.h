// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor's values as a table: a row per position, a column per channel.
#pragma once

#include <memory>

#include <QAbstractTableModel>

#include "views/layers/tensor_values.h"

namespace plumbline {

/// Shows one page of rows at a time, since a header of millions of rows is slow, or all of them. A
/// [1,1,C] tensor has a row per channel and one column. Nothing is kept per cell.
class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    static constexpr std::int64_t kPageRows = 4096;
    static constexpr std::int64_t kMostColumns = 65536; ///< further channels are left out

    using QAbstractTableModel::QAbstractTableModel;

    /// Null for none. Goes to the first page.
    void setTensor(std::shared_ptr<const TensorValues> values);
    void setSide(TensorSide side);
    void setPage(std::int64_t page); ///< clamped
    /// All rows as one page, for a file.
    void setPaged(bool paged);
    TensorSide side() const { return m_side; }
    std::int64_t page() const { return m_page; }
    std::int64_t pages() const; ///< at least 1
    std::int64_t allRows() const;

    std::optional<ElementIndex> elementAt(const QModelIndex& index) const;
    std::int64_t pageOf(const ElementIndex& element) const;
    /// On the present page; invalid when the element is on another one.
    QModelIndex indexOf(const ElementIndex& element) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    bool isVector() const;
    std::int64_t rowOf(const ElementIndex& element) const; ///< over all pages

    std::shared_ptr<const TensorValues> m_values;
    TensorSide m_side = TensorSide::Ours;
    std::int64_t pageRows() const;

    std::int64_t m_page = 0;
    bool m_isPaged = true;
};

} // namespace plumbline
