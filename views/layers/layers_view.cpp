// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/layers_view.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/quiet_focus.h"

namespace plumbline {
namespace {

constexpr int kMeasuredRows = 64; ///< that a column's width fits

} // namespace

LayersView::LayersView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("layers"), tr("Layers"), parent)
    , m_model(new LayersModel(this))
    , m_proxy(new LayersProxy(session, *m_model, this)) {
    m_note = makeEmptyNote(this);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makePage());
    setFocusProxy(m_table);
    makeActions();
}

QWidget* LayersView::makePage() {
    auto* const page = new QWidget(this);
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("layersSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(8, 5, 8, 5);
    m_table = new QTableView(page);
    setUpTable();
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    return page;
}

void LayersView::setUpTable() {
    m_table->setObjectName(QStringLiteral("layersTable"));
    m_table->setAccessibleName(tr("Layers and their verdicts"));
    m_table->setModel(m_proxy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LayersModel::Operator, Qt::AscendingOrder);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QuietFocus::install(m_table);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &LayersView::showHeaderMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &LayersView::showRowMenu);
    connect(m_table, &QTableView::activated, this, &LayersView::activate);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LayersView::takeCurrent);
}

QAction* LayersView::addCommand(const QString& name, const QString& text,
                                const QKeySequence& shortcut, void (LayersView::*run)()) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
}

void LayersView::makeActions() {
    addCommand(QStringLiteral("layersCulprit"), tr("Go to Culprit"),
               QKeySequence(Qt::CTRL | Qt::Key_G), &LayersView::goToCulprit);
    addCommand(QStringLiteral("layersCopyCsv"), tr("Copy Rows as CSV"), QKeySequence::Copy,
               &LayersView::copyRows);
    addCommand(QStringLiteral("layersCopyAddress"), tr("Copy Operator Address"), {},
               &LayersView::copyAddress);
    m_filterBy = addCommand(QStringLiteral("layersFilterBy"), tr("Filter by This"),
                            QKeySequence(Qt::CTRL | Qt::Key_B), &LayersView::filterByCell);
    m_narrowBy =
        addCommand(QStringLiteral("layersNarrowBy"), tr("Also Filter by This"),
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), &LayersView::narrowByCell);
}

void LayersView::showDocument() {
    {
        const QScopedValueRollback guard(m_following, true);
        m_model->setDocument(session().document());
    }
    const bool isEmpty = m_model->rowCount() == 0;
    if (isEmpty && document().execution)
        m_note->setText(layersSummary(document()));
    else if (isEmpty && lowering().complete)
        m_note->setText(tr("The layers have not been run. Choose an input in the Run menu."));
    else if (isEmpty)
        m_note->setText(emptyReason(
            document(), tr("Open a model or a package to see what each of its layers makes.")));
    m_stack->setCurrentIndex(isEmpty ? 0 : 1);
    sizeColumns();
    updateSummary();
}

void LayersView::sizeColumns() {
    constexpr int kAir = 14; // on both sides together
    const int most = fontMetrics().averageCharWidth() * 36;
    for (int column = 0; column < LayersModel::ColumnCount; ++column) {
        int widest = m_table->horizontalHeader()->sectionSizeHint(column) - kAir;
        for (int row = 0; row < std::min(m_proxy->rowCount(), kMeasuredRows); ++row)
            widest =
                std::max(widest, m_table->sizeHintForIndex(m_proxy->index(row, column)).width());
        m_table->setColumnWidth(column, std::min(widest + kAir, most));
    }
}

void LayersView::updateSummary() {
    QString text = layersSummary(document());
    if (m_proxy->rowCount() != m_model->rowCount())
        text += tr(" %1 of %2 layers pass the filter.")
                    .arg(m_proxy->rowCount())
                    .arg(m_model->rowCount());
    m_summary->setText(text);
}

void LayersView::showFilter() {
    {
        const QScopedValueRollback guard(m_following, true);
        m_proxy->refilter();
    }
    updateSummary();
    showSelection();
}

QModelIndex LayersView::rowOfPlace() const {
    const auto& operatorIndex = session().place().operatorIndex;
    const auto row = operatorIndex ? m_model->rowOf(*operatorIndex) : std::nullopt;
    if (!row)
        return {};
    return m_proxy->mapFromSource(
        m_model->index(*row, std::max(0, m_table->currentIndex().column())));
}

void LayersView::showSelection() {
    const QScopedValueRollback guard(m_following, true);
    const QModelIndex row = rowOfPlace();
    if (!row.isValid())
        m_table->selectionModel()->clear();
    else if (row.row() != m_table->currentIndex().row() ||
             !m_table->selectionModel()->isRowSelected(row.row()))
        m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                            QItemSelectionModel::Rows);
    if (row.isValid())
        m_table->scrollTo(row);
}

void LayersView::takeCurrent(const QModelIndex& current) {
    if (m_following || !current.isValid())
        return;
    const std::int64_t index = m_model->rowAt(m_proxy->mapToSource(current).row()).operatorIndex;
    if (session().place().operatorIndex != index)
        session().select(selectOperator(index));
}

void LayersView::activate(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const LayerRow& row = m_model->rowAt(m_proxy->mapToSource(index).row());
    Selection selection = selectOperator(row.operatorIndex);
    const TensorComparison* const compared = row.comparison();
    if (compared && compared->first)
        selection.element =
            ElementIndex{compared->first->h, compared->first->w, compared->first->c};
    session().select(selection);
}

const LayerRow* LayersView::currentRow() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model->rowAt(m_proxy->mapToSource(current).row()) : nullptr;
}

std::optional<std::int64_t> LayersView::shownOperator() const {
    const LayerRow* const row = currentRow();
    return row ? std::optional(row->operatorIndex) : std::nullopt;
}

bool LayersView::pickOperator(std::int64_t index) {
    const auto row = m_model->rowOf(index);
    const QModelIndex at = row ? m_proxy->mapFromSource(m_model->index(*row, 0)) : QModelIndex();
    if (at.isValid())
        activate(at);
    return at.isValid();
}

QString LayersView::selectedCsv() const {
    std::vector<int> columns;
    QStringList cells;
    for (int column = 0; column < LayersModel::ColumnCount; ++column) {
        if (m_table->isColumnHidden(column))
            continue;
        columns.push_back(column);
        cells.append(m_proxy->headerData(column, Qt::Horizontal).toString());
    }
    QString text = csvLine(cells);
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (const int column : columns)
            cells.append(row.siblingAtColumn(column).data(LayersModel::PlainRole).toString());
        text += csvLine(cells);
    }
    return text;
}

QString LayersView::currentCondition() const {
    return m_table->currentIndex().data(LayersModel::ConditionRole).toString();
}

void LayersView::copyRows() { QGuiApplication::clipboard()->setText(selectedCsv()); }

void LayersView::copyAddress() {
    if (const auto index = shownOperator())
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(toText(selectOperator(*index))));
}

void LayersView::goToCulprit() {
    if (document().verdicts && document().verdicts->culprit)
        pickOperator(*document().verdicts->culprit);
}

void LayersView::filterByCell() {
    if (const QString condition = currentCondition(); !condition.isEmpty())
        session().setFilter(condition);
}

void LayersView::narrowByCell() {
    const QString condition = currentCondition();
    const QString before = session().filterText();
    if (!condition.isEmpty())
        session().setFilter(
            before.isEmpty() ? condition : QStringLiteral("(%1) and %2").arg(before, condition));
}

void LayersView::showRowMenu(const QPoint& at) {
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

void LayersView::showHeaderMenu(const QPoint& at) {
    QMenu menu(this);
    for (int column = 0; column < LayersModel::ColumnCount; ++column) {
        QAction* const action =
            menu.addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        action->setEnabled(column != LayersModel::Operator);
        connect(action, &QAction::toggled, this,
                [this, column](bool shown) { m_table->setColumnHidden(column, !shown); });
    }
    menu.exec(m_table->horizontalHeader()->mapToGlobal(at));
}

} // namespace plumbline
