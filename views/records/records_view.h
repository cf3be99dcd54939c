// SPDX-License-Identifier: GPL-3.0-or-later
// The table of records.
#pragma once

#include "views/common/row_table.h"
#include "views/common/view.h"
#include "views/records/records_model.h"

class QLabel;
class QStackedLayout;

namespace plumbline {

class RecordsView : public View {
    Q_OBJECT

  public:
    explicit RecordsView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;

    RowTable* table() const { return m_table; }

  protected:
    void showDocument() override;
    void showSelection() override;
    void showFilter() override;

  private:
    QWidget* makePage();
    void updateSummary();

    RecordsModel* m_model;
    RowTable* m_table;
    QLabel* m_summary = nullptr;
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr;
};

} // namespace plumbline
