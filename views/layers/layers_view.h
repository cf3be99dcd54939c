// SPDX-License-Identifier: GPL-3.0-or-later
// The table of layers: verdict by verdict, the culprit marked.
#pragma once

#include "views/common/row_table.h"
#include "views/common/view.h"
#include "views/layers/layers_model.h"

class QLabel;
class QStackedLayout;

namespace plumbline {

class LayersView : public View {
    Q_OBJECT

  public:
    explicit LayersView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    /// Selects the layer's first mismatch, or the operator where there is none.
    bool pickOperator(std::int64_t index) override;

    RowTable* table() const { return m_table; }

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;

  private:
    QWidget* makePage();
    QString emptyText() const;
    void updateSummary();
    void activate(int row);
    void goToCulprit();

    LayersModel* m_model;
    RowTable* m_table;
    QLabel* m_summary = nullptr;
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace plumbline
