// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the document and the one that it is compared with.
#pragma once

#include <array>

#include "views/common/newest_job.h"
#include "views/common/view.h"
#include "views/compare/compare_model.h"

class QLabel;
class QLineEdit;
class QSplitter;
class QStackedLayout;
class QTableView;
class QTextBrowser;

namespace plumbline {

/// The comparison is made in the background; what was shown before stays until it is there.
class CompareView : public View {
    Q_OBJECT

  public:
    explicit CompareView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    bool isBusy() const override { return m_job.isBusy(); }

    QTableView* table() const { return m_table; }
    /// What the view says in place of changes; empty when it shows some.
    QString emptyReason() const;
    QString summary() const;
    /// Plain text of the pane beside the table.
    QString detailsText() const;
    /// A header line and the selected rows, or all that are shown.
    QString csv(bool selectedOnly) const;
    void setShiftsHidden(bool hidden);

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;
    void showCompared() override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* makePage();
    QLayout* makeBar(QWidget* page);
    void makeTable(QWidget* page);
    void makeActions();
    QAction* addCommand(const QString& name, const QString& text);
    void compare();
    void take(ComparisonPtr comparison);
    void takeCurrent(const QModelIndex& current);
    void narrow(); ///< shows the rows that pass now
    void measureColumns();
    /// Narrows the columns that say what differs until all of them can be seen.
    void fitColumns();
    void showPage();
    void showDetails();
    void showMenu(const QPoint& at);
    const LoweringChange* currentChange() const;
    QModelIndex rowOfSelection() const; ///< in the proxy

    CompareModel* m_model;
    CompareProxy* m_proxy;
    NewestJob m_job;
    QTableView* m_table = nullptr;
    std::array<int, CompareModel::ColumnCount> m_columnWidths{}; ///< wanted, in pixels
    QSplitter* m_splitter = nullptr;                             ///< table and details
    QTextBrowser* m_details = nullptr;
    QLabel* m_titles = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_note = nullptr;
    QLineEdit* m_search = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_hideShifts = nullptr;
    QAction* m_copyFirst = nullptr;
    QString m_addressBeside;  ///< the selection when a row without a place of its own was chosen
    bool m_following = false; ///< the current row is being set from the session
};

} // namespace plumbline
