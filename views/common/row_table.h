// SPDX-License-Identifier: GPL-3.0-or-later
// A table of rows that follows the session, with the commands that all such tables have.
#pragma once

#include <QTableView>

#include "views/common/row_model.h"

class QAction;

namespace plumbline {

class View;

/// Shows the rows that pass the session's filter. The current row is the session's; moving to
/// another row selects it. The model's first column names the row and cannot be hidden.
class RowTable : public QTableView {
    Q_OBJECT

  public:
    /// The table's menu holds the commands of `view`, which it is a part of.
    RowTable(Session& session, RowModel& model, View& view);

    /// Adds to the view: copy rows and address, filter by the current cell. Their names begin with
    /// `prefix` ("recordsCopyCsv"); `copyAddress` is the text of the second.
    void addCommands(const QString& prefix, const QString& copyAddress);

    void showDocument(); ///< the session's
    void showSelection();
    void showFilter();

    int allRows() const { return m_model.rowCount(); }     ///< with those that do not pass
    int shownRows() const { return m_filter->rowCount(); } ///< those that pass
    std::optional<int> currentRow() const;                 ///< in the model
    /// Makes the row of the model the current one; false when it does not pass the filter.
    bool goToRow(int row);
    /// Whether the row of the model passes the filter.
    bool showsRow(int row) const;

    /// The selected rows with a header line; hidden columns are left out.
    QString selectedCsv() const;
    /// The filter that the current cell's value meets; empty when there is none.
    QString currentCondition() const;

  signals:
    void rowActivated(int row); ///< in the model; by Enter or a double click

  private:
    void setUp();
    void setUpHeaders();
    void sizeColumns();
    QModelIndex indexOfRow(std::optional<int> row) const; ///< in the filter, in the current column
    void takeCurrent(const QModelIndex& current);
    void showRowMenu(const QPoint& at);
    void showHeaderMenu(const QPoint& at);
    void copyAddress();
    void filterByCell();
    void narrowByCell();

    Session& m_session;
    RowModel& m_model;
    View& m_view;
    RowFilter* m_filter;
    QAction* m_filterBy = nullptr;
    QAction* m_narrowBy = nullptr;
    bool m_following = false; ///< the current row is being set from the session
};

} // namespace plumbline
