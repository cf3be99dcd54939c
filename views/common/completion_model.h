// SPDX-License-Identifier: GPL-3.0-or-later
// The candidates of a filter's completion as a table.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/filter/completion.h"

namespace plumbline {

class CompletionModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { TextColumn, DetailColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCompletions(std::vector<Completion> completions);
    const Completion& completion(int row) const {
        return m_completions[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    std::vector<Completion> m_completions;
};

} // namespace plumbline
