// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/records_view.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/quiet_focus.h"
#include "views/records/record_facts.h"

namespace plumbline {
namespace {

constexpr int kMeasuredRows = 64; ///< that a column's width fits

} // namespace

RecordsView::RecordsView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("records"), tr("Records"), parent)
    , m_model(new RecordsModel(this))
    , m_proxy(new RecordsProxy(session, *m_model, this)) {
    m_note = makeEmptyNote(this);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makeTable());
    setFocusProxy(m_table);
    makeActions();
}

QWidget* RecordsView::makeTable() {
    auto* const page = new QWidget(this);
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("recordsTable"));
    m_table->setAccessibleName(tr("Records of the lowering"));
    m_table->setModel(m_proxy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RecordsModel::Index, Qt::AscendingOrder);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QuietFocus::install(m_table);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    header->moveSection(RecordsModel::Status, RecordsModel::Ifm); // in sight in a narrow window
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &RecordsView::showHeaderMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &RecordsView::showRowMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RecordsView::takeCurrent);
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

QAction* RecordsView::addCommand(const QString& name, const QString& text,
                                 const QKeySequence& shortcut, void (RecordsView::*run)()) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
}

void RecordsView::makeActions() {
    addCommand(QStringLiteral("recordsCopyCsv"), tr("Copy Rows as CSV"), QKeySequence::Copy,
               &RecordsView::copyRows);
    addCommand(QStringLiteral("recordsCopyAddress"), tr("Copy Record Address"), {},
               &RecordsView::copyAddress);
    m_filterBy = addCommand(QStringLiteral("recordsFilterBy"), tr("Filter by This"),
                            QKeySequence(Qt::CTRL | Qt::Key_B), &RecordsView::filterByCell);
    m_narrowBy =
        addCommand(QStringLiteral("recordsNarrowBy"), tr("Also Filter by This"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), &RecordsView::narrowByCell);
}

void RecordsView::showDocument() {
    m_following = true;
    m_model->setDocument(session().document());
    m_following = false;
    const bool empty = m_model->rowCount() == 0;
    m_note->setText(emptyReason(document(), tr("Open a model or a package to see its records.")));
    m_stack->setCurrentIndex(empty ? 0 : 1);
    sizeColumns();
    updateSummary();
}

void RecordsView::sizeColumns() {
    constexpr int kAir = 14; // on both sides together
    const int most = fontMetrics().averageCharWidth() * 32;
    for (int column = 0; column < RecordsModel::ColumnCount; ++column) {
        int widest = m_table->horizontalHeader()->sectionSizeHint(column) - kAir;
        for (int row = 0; row < std::min(m_proxy->rowCount(), kMeasuredRows); ++row)
            widest =
                std::max(widest, m_table->sizeHintForIndex(m_proxy->index(row, column)).width());
        m_table->setColumnWidth(column, std::min(widest + kAir, most));
    }
}

void RecordsView::showFilter() {
    m_following = true;
    m_proxy->refilter();
    m_following = false;
    showSelection();
}

void RecordsView::updateSummary() {
    const int shown = m_proxy->rowCount();
    const int all = m_model->rowCount();
    const QString total = all == 1 ? tr("1 record") : tr("%1 records").arg(groupedNumber(all));
    QString text =
        shown == all ? total : tr("%1 of %2 pass the filter").arg(groupedNumber(shown), total);
    if (session().place().record && shown != all && !rowOfPlace().isValid())
        text += tr(" · the selected record %1 does not").arg(*session().place().record);
    m_summary->setText(text);
}

QModelIndex RecordsView::rowOfPlace() const {
    const auto& record = session().place().record;
    if (!record || *record < 0 || *record >= m_model->rowCount())
        return {};
    return m_proxy->mapFromSource(
        m_model->index(static_cast<int>(*record), std::max(0, m_table->currentIndex().column())));
}

void RecordsView::showSelection() {
    m_following = true;
    const QModelIndex row = rowOfPlace();
    if (!row.isValid()) {
        m_table->selectionModel()->clear();
    } else if (row.row() != m_table->currentIndex().row() ||
               !m_table->selectionModel()->isRowSelected(row.row())) {
        m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                            QItemSelectionModel::Rows);
    }
    if (row.isValid())
        m_table->scrollTo(row);
    m_following = false;
    updateSummary();
}

void RecordsView::takeCurrent(const QModelIndex& current) {
    if (m_following || !current.isValid())
        return;
    const int row = m_proxy->mapToSource(current).row();
    if (session().place().record == row)
        return;
    const auto operatorIndex = m_model->operatorOf(row);
    session().select(operatorIndex ? selectOperator(*operatorIndex) : selectRecord(row));
}

std::optional<int> RecordsView::currentRow() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? std::optional(m_proxy->mapToSource(current).row()) : std::nullopt;
}

std::optional<std::int64_t> RecordsView::shownOperator() const {
    const auto row = currentRow();
    return row ? m_model->operatorOf(*row) : std::nullopt;
}

bool RecordsView::pickOperator(std::int64_t index) {
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex at = m_proxy->index(row, 0);
        if (m_model->operatorOf(m_proxy->mapToSource(at).row()) != index)
            continue;
        m_table->setCurrentIndex(at);
        return true;
    }
    return false;
}

QString RecordsView::selectedCsv() const {
    std::vector<int> columns;
    QStringList cells;
    for (int column = 0; column < RecordsModel::ColumnCount; ++column) {
        if (m_table->isColumnHidden(column))
            continue;
        columns.push_back(column);
        cells.append(csvCell(m_proxy->headerData(column, Qt::Horizontal).toString()));
    }
    QString text = cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (const int column : columns)
            cells.append(
                csvCell(row.siblingAtColumn(column).data(RecordsModel::PlainRole).toString()));
        text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text;
}

QString RecordsView::currentCondition() const {
    return m_table->currentIndex().data(RecordsModel::ConditionRole).toString();
}

void RecordsView::copyRows() { QGuiApplication::clipboard()->setText(selectedCsv()); }

void RecordsView::copyAddress() {
    if (const auto row = currentRow())
        QGuiApplication::clipboard()->setText(QString::fromStdString(toText(selectRecord(*row))));
}

void RecordsView::filterByCell() {
    if (const QString condition = currentCondition(); !condition.isEmpty())
        session().setFilter(condition);
}

void RecordsView::narrowByCell() {
    const QString condition = currentCondition();
    const QString before = session().filterText();
    if (!condition.isEmpty())
        session().setFilter(
            before.isEmpty() ? condition : QStringLiteral("(%1) and %2").arg(before, condition));
}

void RecordsView::showRowMenu(const QPoint& at) {
    if (const QModelIndex index = m_table->indexAt(at); index.isValid())
        m_table->setCurrentIndex(index);
    const QString condition = currentCondition();
    QMenu menu(this);
    m_filterBy->setText(condition.isEmpty() ? tr("Filter by This")
                                            : tr("Filter by %1").arg(condition));
    m_filterBy->setEnabled(!condition.isEmpty());
    m_narrowBy->setEnabled(!condition.isEmpty() && !session().filterText().isEmpty());
    menu.addActions(actions());
    menu.exec(m_table->viewport()->mapToGlobal(at));
    m_filterBy->setText(tr("Filter by This"));
    m_filterBy->setEnabled(true);
    m_narrowBy->setEnabled(true);
}

void RecordsView::showHeaderMenu(const QPoint& at) {
    QMenu menu(this);
    for (int column = 0; column < RecordsModel::ColumnCount; ++column) {
        QAction* const action =
            menu.addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        action->setEnabled(column != RecordsModel::Index);
        connect(action, &QAction::toggled, this,
                [this, column](bool shown) { m_table->setColumnHidden(column, !shown); });
    }
    menu.exec(m_table->horizontalHeader()->mapToGlobal(at));
}

} // namespace plumbline
