// SPDX-License-Identifier: GPL-3.0-or-later
// Tables whose rows are about operators: what their models have in common.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "views/common/session.h"

namespace plumbline {

/// What a RowTable needs to know of its model.
class RowModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Role {
        SortRole = Qt::UserRole, ///< the raw number, or text where there is none
        PlainRole,               ///< text without grouping, shortening and marks, for CSV
        ConditionRole            ///< a filter that the cell's value meets; empty when there is none
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null shows no rows.
    virtual void setDocument(DocumentPtr document) = 0;
    /// Nothing for a row that no operator claims, as in a damaged package.
    virtual std::optional<std::int64_t> operatorOf(int row) const = 0;
    /// The row that `place` is about; nothing when there is none.
    virtual std::optional<int> rowOf(const Place& place) const = 0;
    /// What going to the row selects.
    virtual Selection selectionOf(int row) const = 0;
    /// What the row is called in addresses.
    virtual Selection addressOf(int row) const = 0;
};

/// The rows that pass the session's filter, sorted by SortRole.
class RowFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    /// Both live longer than this.
    RowFilter(const Session& session, RowModel& model, QObject* parent = nullptr);
    /// The session's filter is another one.
    void refilter() { invalidateFilter(); }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    const Session& m_session;
    const RowModel& m_model;
};

} // namespace plumbline
