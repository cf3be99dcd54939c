// SPDX-License-Identifier: GPL-3.0-or-later
// The table of layers: verdict by verdict, the culprit marked.
#pragma once

#include "views/common/view.h"
#include "views/layers/layers_model.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace plumbline {

class LayersView : public View {
    Q_OBJECT

  public:
    explicit LayersView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    /// Selects the layer's first mismatch, or the operator where there is none.
    bool pickOperator(std::int64_t index) override;

    QTableView* table() const { return m_table; }
    /// The selected rows with a header line; hidden columns are left out.
    QString selectedCsv() const;
    /// The filter that the current cell's value meets; empty when there is none.
    QString currentCondition() const;

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;

  private:
    QWidget* makePage();
    void setUpTable();
    void makeActions();
    QAction* addCommand(const QString& name, const QString& text, const QKeySequence& shortcut,
                        void (LayersView::*run)());
    void sizeColumns();
    void updateSummary();
    void takeCurrent(const QModelIndex& current);
    void activate(const QModelIndex& index);
    void showRowMenu(const QPoint& at);
    void showHeaderMenu(const QPoint& at);
    void copyRows();
    void copyAddress();
    void goToCulprit();
    void filterByCell();
    void narrowByCell();
    const LayerRow* currentRow() const;
    QModelIndex rowOfPlace() const; ///< in the proxy

    LayersModel* m_model;
    LayersProxy* m_proxy;
    QTableView* m_table = nullptr;
    QLabel* m_summary = nullptr;
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_filterBy = nullptr;
    QAction* m_narrowBy = nullptr;
    bool m_following = false; ///< the current row is being set from the session
};

} // namespace plumbline
