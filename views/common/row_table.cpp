// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/row_table.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScopedValueRollback>

#include "views/common/format.h"
#include "views/common/quiet_focus.h"
#include "views/common/view.h"

namespace plumbline {
namespace {

constexpr int kMeasuredRows = 64;    ///< that a column's width fits
constexpr int kMostCharacters = 36;  ///< of a column at first
constexpr int kAir = 14;             ///< on both sides of a cell together, in pixels
constexpr int kAirAboveAndBelow = 6; ///< in pixels

} // namespace

RowTable::RowTable(Session& session, RowModel& model, View& view)
    : QTableView(&view)
    , m_session(session)
    , m_model(model)
    , m_view(view)
    , m_filter(new RowFilter(session, model, this)) {
    setModel(m_filter);
    setUp();
    setUpHeaders();
    connect(this, &QWidget::customContextMenuRequested, this, &RowTable::showRowMenu);
    connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit rowActivated(m_filter->mapToSource(index).row());
    });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RowTable::takeCurrent);
}

void RowTable::setUp() {
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setContextMenuPolicy(Qt::CustomContextMenu);
    QuietFocus::install(this);
}

void RowTable::setUpHeaders() {
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kAirAboveAndBelow);
    QHeaderView* const header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &RowTable::showHeaderMenu);
}

void RowTable::addCommands(const QString& prefix, const QString& copyAddressText) {
    const auto add = [&](const char* name, const QString& text, const QKeySequence& shortcut,
                         auto run) {
        QAction* const action =
            addCommand(m_view, prefix + QLatin1StringView(name), text, shortcut);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    add("CopyCsv", tr("Copy Rows as CSV"), QKeySequence::Copy,
        [this] { QGuiApplication::clipboard()->setText(selectedCsv()); });
    add("CopyAddress", copyAddressText, {}, [this] { copyAddress(); });
    m_filterBy = add("FilterBy", tr("Filter by This"), QKeySequence(Qt::CTRL | Qt::Key_B),
                     [this] { filterByCell(); });
    m_narrowBy = add("NarrowBy", tr("Also Filter by This"),
                     QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { narrowByCell(); });
}

void RowTable::showDocument() {
    {
        const QScopedValueRollback guard(m_following, true);
        m_model.setDocument(m_session.document());
    }
    sizeColumns();
}

void RowTable::sizeColumns() {
    const int most = fontMetrics().averageCharWidth() * kMostCharacters;
    for (int column = 0; column < m_filter->columnCount(); ++column) {
        int widest = horizontalHeader()->sectionSizeHint(column) - kAir;
        for (int row = 0; row < std::min(shownRows(), kMeasuredRows); ++row)
            widest = std::max(widest, sizeHintForIndex(m_filter->index(row, column)).width());
        setColumnWidth(column, std::min(widest + kAir, most));
    }
}

QModelIndex RowTable::indexOfRow(std::optional<int> row) const {
    if (!row)
        return {};
    return m_filter->mapFromSource(m_model.index(*row, std::max(0, currentIndex().column())));
}

void RowTable::showSelection() {
    const QScopedValueRollback guard(m_following, true);
    const QModelIndex row = indexOfRow(m_model.rowOf(m_session.place()));
    if (!row.isValid())
        return selectionModel()->clear();
    if (row.row() != currentIndex().row() || !selectionModel()->isRowSelected(row.row()))
        selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                   QItemSelectionModel::Rows);
    scrollTo(row);
}

void RowTable::showFilter() {
    {
        const QScopedValueRollback guard(m_following, true);
        m_filter->refilter();
    }
    showSelection();
}

void RowTable::takeCurrent(const QModelIndex& current) {
    if (m_following || !current.isValid())
        return;
    const int row = m_filter->mapToSource(current).row();
    if (m_model.rowOf(m_session.place()) != row)
        m_session.select(m_model.selectionOf(row));
}

std::optional<int> RowTable::currentRow() const {
    const QModelIndex current = currentIndex();
    return current.isValid() ? std::optional(m_filter->mapToSource(current).row()) : std::nullopt;
}

bool RowTable::showsRow(int row) const { return indexOfRow(row).isValid(); }

bool RowTable::goToRow(int row) {
    const QModelIndex index = indexOfRow(row);
    if (index.isValid())
        setCurrentIndex(index);
    return index.isValid();
}

QString RowTable::selectedCsv() const {
    std::vector<int> columns;
    QStringList cells;
    for (int column = 0; column < m_filter->columnCount(); ++column) {
        if (isColumnHidden(column))
            continue;
        columns.push_back(column);
        cells.append(m_filter->headerData(column, Qt::Horizontal).toString());
    }
    QString text = csvLine(cells);
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows) {
        cells.clear();
        for (const int column : columns)
            cells.append(row.siblingAtColumn(column).data(RowModel::PlainRole).toString());
        text += csvLine(cells);
    }
    return text;
}

QString RowTable::currentCondition() const {
    return currentIndex().data(RowModel::ConditionRole).toString();
}

void RowTable::copyAddress() {
    if (const auto row = currentRow())
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(toText(m_model.addressOf(*row))));
}

void RowTable::filterByCell() {
    if (const QString condition = currentCondition(); !condition.isEmpty())
        m_session.setFilter(condition);
}

void RowTable::narrowByCell() {
    const QString condition = currentCondition();
    const QString before = m_session.filterText();
    if (!condition.isEmpty())
        m_session.setFilter(
            before.isEmpty() ? condition : QStringLiteral("(%1) and %2").arg(before, condition));
}

void RowTable::showRowMenu(const QPoint& at) {
    if (const QModelIndex index = indexAt(at); index.isValid())
        setCurrentIndex(index);
    const QString condition = currentCondition();
    QMenu menu(this);
    m_filterBy->setText(condition.isEmpty() ? tr("Filter by This")
                                            : tr("Filter by %1").arg(condition));
    m_filterBy->setEnabled(!condition.isEmpty());
    m_narrowBy->setEnabled(!condition.isEmpty() && !m_session.filterText().isEmpty());
    menu.addActions(m_view.actions());
    menu.exec(viewport()->mapToGlobal(at));
    m_filterBy->setText(tr("Filter by This"));
    m_filterBy->setEnabled(true);
    m_narrowBy->setEnabled(true);
}

void RowTable::showHeaderMenu(const QPoint& at) {
    QMenu menu(this);
    for (int column = 0; column < m_filter->columnCount(); ++column) {
        QAction* const action =
            menu.addAction(m_filter->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(column != 0);
        connect(action, &QAction::toggled, this,
                [this, column](bool shown) { setColumnHidden(column, !shown); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(at));
}

} // namespace plumbline
