// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/records_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"

namespace plumbline {

RecordsView::RecordsView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("records"), tr("Records"), parent)
    , m_model(new RecordsModel(this))
    , m_table(new RowTable(session, *m_model, *this)) {
    m_table->addCommands(QStringLiteral("records"), tr("Copy Record Address"));
    m_note = makeEmptyNote(this);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makePage());
    setFocusProxy(m_table);
}

QWidget* RecordsView::makePage() {
    auto* const page = new QWidget(this);
    m_table->setObjectName(QStringLiteral("recordsTable"));
    m_table->setAccessibleName(tr("Records of the lowering"));
    m_table->horizontalHeader()->moveSection(RecordsModel::Status,
                                             RecordsModel::Ifm); // in sight in a narrow window
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("recordsSummary"));
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_summary->setMargin(3);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table);
    layout->addWidget(m_summary);
    return page;
}

void RecordsView::showDocument() {
    m_table->showDocument();
    m_note->setText(emptyReason(document(), tr("Open a model or a package to see its records.")));
    m_stack->setCurrentIndex(m_table->allRows() == 0 ? 0 : 1);
    updateSummary();
}

void RecordsView::showFilter() {
    m_table->showFilter();
    updateSummary();
}

void RecordsView::showSelection() {
    m_table->showSelection();
    updateSummary();
}

void RecordsView::updateSummary() {
    const int shown = m_table->shownRows();
    const int all = m_table->allRows();
    const QString total = all == 1 ? tr("1 record") : tr("%1 records").arg(groupedNumber(all));
    QString text =
        shown == all ? total : tr("%1 of %2 pass the filter").arg(groupedNumber(shown), total);
    const auto row = m_model->rowOf(session().place());
    if (row && !m_table->showsRow(*row))
        text += tr(" · the selected record %1 does not").arg(*row);
    m_summary->setText(text);
}

std::optional<std::int64_t> RecordsView::shownOperator() const {
    const auto row = m_table->currentRow();
    return row ? m_model->operatorOf(*row) : std::nullopt;
}

bool RecordsView::pickOperator(std::int64_t index) {
    for (int row = 0; row < m_table->allRows(); ++row)
        if (m_model->operatorOf(row) == index && m_table->goToRow(row))
            return true;
    return false;
}

} // namespace plumbline
