// SPDX-License-Identifier: GPL-3.0-or-later
// The graph as a table: for screen readers and for copying.
#pragma once

#include <memory>

#include <QAbstractTableModel>

#include "views/graph/graph_facts.h"

namespace plumbline {

class GraphTable : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Name, Address, Shape, Placed, Record, Inputs, Outputs, State, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// `facts` may be null: an empty table.
    void setFacts(std::shared_ptr<const GraphFacts> facts);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString text(std::int32_t node, int column) const;
    QString state(std::int32_t node) const;

    std::shared_ptr<const GraphFacts> m_facts;
};

} // namespace plumbline
