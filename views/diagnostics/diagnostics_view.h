// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that importer, lowering, validator, executor, sanitizer and loaders had to say.
#pragma once

#include "views/common/view.h"
#include "views/diagnostics/diagnostics_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace plumbline {

class DiagnosticsView : public View {
    Q_OBJECT

  public:
    explicit DiagnosticsView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;
    const QTableView& table() const { return *m_table; }

  protected:
    void showDocument() override;
    void showSelection() override;

  private:
    void activate(const QModelIndex& proxyIndex);
    void applyNarrowing();
    std::optional<std::int64_t> currentDiagnostic() const;
    std::optional<std::int64_t> firstAbout(const Place& place) const;
    void updateSummary();

    DiagnosticsModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QTableView* m_table;
    QComboBox* m_severity;
    QLineEdit* m_search;
    QLabel* m_summary;
    bool m_following = false; ///< the current row is being set from the session
};

} // namespace plumbline
