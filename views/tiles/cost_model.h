// SPDX-License-Identifier: GPL-3.0-or-later
// The estimated costs of all records as a table, and the part of it that the bars show.
#pragma once

#include <functional>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "core/chart/cost_rows.h"

namespace plumbline {

/// Several lines for a tooltip: every part with its share, marked as estimates.
QString costText(const CostRow& row, CostMeasure measure);

class CostModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Columns {
        RecordColumn,
        OperatorColumn,
        NameColumn,
        ComputeColumn,
        PackColumn,
        LoadColumn,
        StoreColumn,
        CyclesColumn,
        GatherColumn,
        WeightsColumn,
        ParamsColumn,
        WriteColumn,
        BytesColumn,
        ColumnCount
    };
    enum Roles { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<CostRow> rows);
    const CostRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QVariant value(const CostRow& row, int column) const;

    std::vector<CostRow> m_rows;
};

/// The rows whose operators pass the session's filter, sorted.
class CostProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit CostProxy(QObject* parent = nullptr);
    void setPasses(std::function<bool(std::int64_t)> passes);
    const CostRow& costRow(int row) const;
    int rowOfOperator(std::int64_t operatorIndex) const; ///< -1 where it has none

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    const CostModel& model() const;
    std::function<bool(std::int64_t)> m_passes;
};

} // namespace plumbline
