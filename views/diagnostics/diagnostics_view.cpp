// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/diagnostics/diagnostics_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "views/common/format.h"
#include "views/common/quiet_focus.h"

namespace plumbline {
namespace {

/// Narrows by severity and by a text in any column.
class NarrowingProxy : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void narrow(int leastSeverity, const QString& text) {
        m_leastSeverity = leastSeverity;
        m_text = text;
        invalidateFilter();
    }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QModelIndex severity =
            sourceModel()->index(row, DiagnosticsModel::SeverityColumn, parent);
        if (-severity.data(DiagnosticsModel::SortRole).toInt() < m_leastSeverity)
            return false;
        for (int column = DiagnosticsModel::CodeColumn; column < DiagnosticsModel::ColumnCount;
             ++column)
            if (sourceModel()
                    ->index(row, column, parent)
                    .data()
                    .toString()
                    .contains(m_text, Qt::CaseInsensitive))
                return true;
        return false;
    }

  private:
    int m_leastSeverity = 0;
    QString m_text;
};

} // namespace

DiagnosticsView::DiagnosticsView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("diagnostics"), tr("Diagnostics"), parent)
    , m_model(new DiagnosticsModel(this))
    , m_proxy(new NarrowingProxy(this))
    , m_table(new QTableView(this))
    , m_severity(new QComboBox(this))
    , m_search(new QLineEdit(this))
    , m_summary(new QLabel(this)) {
    m_proxy->setSourceModel(m_model);
    m_proxy->setSortRole(DiagnosticsModel::SortRole);
    m_table->setModel(m_proxy);
    m_table->setAccessibleName(tr("Diagnostics"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSortingEnabled(true);
    QuietFocus::install(m_table);
    m_table->sortByColumn(DiagnosticsModel::Number, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setAlternatingRowColors(true);
    m_severity->setAccessibleName(tr("Least severity shown"));
    m_severity->addItems({tr("All"), tr("Warnings and errors"), tr("Errors")});
    m_search->setPlaceholderText(tr("Search code, place, message"));
    m_search->setAccessibleName(tr("Search in diagnostics"));
    m_search->setClearButtonEnabled(true);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_severity);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_summary);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_table);
    connect(m_severity, &QComboBox::currentIndexChanged, this, &DiagnosticsView::applyNarrowing);
    connect(m_search, &QLineEdit::textChanged, this, &DiagnosticsView::applyNarrowing);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_following)
                    activate(current);
            });
    auto* const copy = new QAction(tr("&Copy Diagnostic"), this);
    copy->setObjectName(QStringLiteral("diagnostics.copy"));
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, [this] {
        if (const auto index = currentDiagnostic())
            QApplication::clipboard()->setText(
                safeText(toText(document().diagnostics.at(static_cast<std::size_t>(*index)))));
    });
    addAction(copy);
}

void DiagnosticsView::applyNarrowing() {
    static_cast<NarrowingProxy*>(m_proxy)->narrow(m_severity->currentIndex(), m_search->text());
    updateSummary();
}

void DiagnosticsView::updateSummary() {
    const Diagnostics& all = document().diagnostics;
    const auto count = [&all](Severity severity) {
        return std::count_if(all.begin(), all.end(),
                             [severity](const Diagnostic& d) { return d.severity == severity; });
    };
    m_summary->setText(all.empty() ? tr("Nothing to report")
                                   : tr("Errors: %1 · Warnings: %2 · Notes: %3")
                                         .arg(count(Severity::Error))
                                         .arg(count(Severity::Warning))
                                         .arg(count(Severity::Note)));
}

void DiagnosticsView::showDocument() {
    m_following = true;
    m_model->setDocument(session().document());
    m_table->resizeColumnsToContents();
    for (int column = 0; column < DiagnosticsModel::Hint; ++column)
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), 560));
    m_following = false;
    updateSummary();
}

std::optional<std::int64_t> DiagnosticsView::firstAbout(const Place& place) const {
    const Diagnostics& all = document().diagnostics;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) {
        return (place.operatorIndex && d.where.operatorIndex == place.operatorIndex) ||
               (place.record && d.where.record == place.record);
    });
    if (found == all.end())
        return std::nullopt;
    return found - all.begin();
}

void DiagnosticsView::showSelection() {
    const Place& place = session().place();
    const auto wanted = place.diagnostic ? place.diagnostic : firstAbout(place);
    m_following = true;
    if (wanted) {
        const QModelIndex row =
            m_proxy->mapFromSource(m_model->index(static_cast<int>(*wanted), 0));
        m_table->setCurrentIndex(row);
        m_table->scrollTo(row);
    } else {
        m_table->setCurrentIndex({});
        m_table->clearSelection();
    }
    m_following = false;
}

void DiagnosticsView::activate(const QModelIndex& proxyIndex) {
    if (!proxyIndex.isValid())
        return;
    Selection selection;
    selection.diagnostic = m_proxy->mapToSource(proxyIndex).row();
    session().select(selection);
}

std::optional<std::int64_t> DiagnosticsView::currentDiagnostic() const {
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return std::nullopt;
    return m_proxy->mapToSource(current).row();
}

std::optional<std::int64_t> DiagnosticsView::shownOperator() const {
    const auto index = currentDiagnostic();
    if (!index)
        return std::nullopt;
    Selection selection;
    selection.diagnostic = index;
    const auto place = resolveSelection(selection, lowering(), document().diagnostics);
    return place ? place->operatorIndex : std::nullopt;
}

bool DiagnosticsView::pickOperator(std::int64_t index) {
    Place place;
    place.operatorIndex = index;
    const auto row = firstAbout(place);
    if (!row)
        return false;
    const QModelIndex proxyIndex =
        m_proxy->mapFromSource(m_model->index(static_cast<int>(*row), 0));
    if (!proxyIndex.isValid())
        return false;
    m_table->setCurrentIndex(proxyIndex);
    return true;
}

} // namespace plumbline
