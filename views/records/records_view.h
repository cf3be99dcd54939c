// SPDX-License-Identifier: GPL-3.0-or-later
// The table of records.
#pragma once

#include "views/common/view.h"
#include "views/records/records_model.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace plumbline {

class RecordsView : public View {
    Q_OBJECT

  public:
    explicit RecordsView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;

    QTableView* table() const { return m_table; }
    /// The selected rows, or the current one, with a header line; hidden columns are left out.
    QString selectedCsv() const;
    /// The filter that the current cell's value meets; empty when there is none.
    QString currentCondition() const;

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;

  private:
    QWidget* makeTable();
    void makeActions();
    QAction* addCommand(const QString& name, const QString& text, const QKeySequence& shortcut,
                        void (RecordsView::*run)());
    void sizeColumns();
    void takeCurrent(const QModelIndex& current);
    void showRowMenu(const QPoint& at);
    void showHeaderMenu(const QPoint& at);
    void updateSummary();
    void copyRows();
    void copyAddress();
    void filterByCell();
    void narrowByCell();
    std::optional<int> currentRow() const; ///< in the model
    QModelIndex rowOfPlace() const;        ///< in the proxy

    RecordsModel* m_model;
    RecordsProxy* m_proxy;
    QTableView* m_table = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_filterBy = nullptr;
    QAction* m_narrowBy = nullptr;
    bool m_following = false; ///< the current row is being set from the session
};

} // namespace plumbline
