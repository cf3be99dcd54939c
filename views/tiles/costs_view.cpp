// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/costs_view.h"

#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"

namespace plumbline {

CostsView::CostsView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("costs"), tr("Costs"), parent) {
    m_model = new CostModel(this);
    m_rows = new CostProxy(this);
    m_rows->setSourceModel(m_model);
    m_rows->sort(CostModel::RecordColumn);
    m_chart = new CostChart(*m_rows, this);
    m_chart->installEventFilter(this);
    m_scroll = new QScrollBar(Qt::Horizontal, this);
    m_scroll->setAccessibleName(tr("First record shown"));
    auto* const page = new QWidget(this);
    auto* const pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(m_chart, 1);
    pageLayout->addWidget(m_scroll);
    m_empty = makeEmptyNote(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(page);
    m_stack->addWidget(m_empty);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildToolBar());
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_chart);
    buildActions();
    connect(m_scroll, &QScrollBar::valueChanged, m_chart, &CostChart::setFirst);
    connect(m_chart, &CostChart::windowChanged, this, &CostsView::fitScrollBar);
    connect(m_chart, &CostChart::scrolled, this,
            [this](int steps) { m_scroll->setValue(m_scroll->value() + steps); });
    connect(m_chart, &CostChart::picked, this, &CostsView::pickRow);
}

QWidget* CostsView::buildToolBar() {
    auto* const bar = new QWidget(this);
    auto* const row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 3, 4, 3);
    m_measureBox = new QComboBox(bar);
    m_measureBox->addItems({tr("Cycles"), tr("DMA bytes")});
    m_measureBox->setAccessibleName(tr("What the bars show"));
    m_orderBox = new QComboBox(bar);
    m_orderBox->addItems({tr("By record"), tr("Largest first"), tr("By opcode")});
    m_orderBox->setAccessibleName(tr("Order of the bars"));
    m_caption = new QLabel(bar);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setContentsMargins(8, 0, 8, 0);
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setToolTip(
        tr("Estimates by the target's cost model, not measurements: compute from the useful MACs, "
           "pack from the gathered input bytes, load from the weight and parameter bytes that are "
           "read, store from the written bytes, added up without overlap. Reading the records "
           "themselves is in the totals of the report only."));
    m_caption->setMinimumWidth(40);
    row->addWidget(m_measureBox);
    row->addWidget(m_orderBox);
    row->addWidget(m_caption, 1);
    connect(m_measureBox, &QComboBox::currentIndexChanged, this,
            [this](int index) { setMeasure(static_cast<CostMeasure>(index)); });
    connect(m_orderBox, &QComboBox::currentIndexChanged, this,
            [this](int index) { setOrder(static_cast<Order>(index)); });
    return bar;
}

void CostsView::buildActions() {
    const auto add = [this](const char* name, const QString& text, const QKeySequence& shortcut) {
        auto* const action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(shortcut);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        return action;
    };
    connect(add("costsMeasure", tr("Switch Between Cycles and DMA Bytes"), Qt::Key_D),
            &QAction::triggered, this,
            [this] { m_measureBox->setCurrentIndex(1 - m_measureBox->currentIndex()); });
    connect(add("costsOrder", tr("Next Order of the Cost Bars"), Qt::Key_S), &QAction::triggered,
            this, [this] {
                m_orderBox->setCurrentIndex((m_orderBox->currentIndex() + 1) % m_orderBox->count());
            });
    QAction* const scale = add("costsScale", tr("Scale Bars to What Is Shown"), Qt::Key_W);
    scale->setCheckable(true);
    connect(scale, &QAction::toggled, m_chart, &CostChart::setScalesToWindow);
}

void CostsView::setMeasure(CostMeasure measure) {
    const QSignalBlocker quiet(m_measureBox);
    m_measureBox->setCurrentIndex(static_cast<int>(measure));
    m_chart->setMeasure(measure);
    sortRows();
}

void CostsView::setOrder(Order order) {
    const QSignalBlocker quiet(m_orderBox);
    m_orderBox->setCurrentIndex(static_cast<int>(order));
    m_order = order;
    sortRows();
}

void CostsView::sortRows() {
    m_rows->sort(CostModel::RecordColumn); // equal totals and names stay in this order
    if (m_order == Order::Total)
        m_rows->sort(m_chart->measure() == CostMeasure::Cycles ? CostModel::CyclesColumn
                                                               : CostModel::BytesColumn,
                     Qt::DescendingOrder);
    else if (m_order == Order::Name)
        m_rows->sort(CostModel::NameColumn);
    showRows();
}

void CostsView::showRows() {
    m_chart->refresh();
    const int rows = m_rows->rowCount();
    std::int64_t total = 0;
    for (int row = 0; row < rows; ++row)
        total = cappedSum(total, m_rows->costRow(row).total(m_chart->measure()));
    const QString amount = groupedNumber(total);
    const QString sum = m_chart->measure() == CostMeasure::Cycles ? tr("%1 cycles").arg(amount)
                                                                  : tr("%1 bytes").arg(amount);
    m_caption->setText(
        rows == m_model->rowCount()
            ? tr("Estimates: %1 records, %2").arg(groupedNumber(rows), sum)
            : tr("Estimates: %1 of %2 records pass the filter, %3")
                  .arg(groupedNumber(rows), groupedNumber(m_model->rowCount()), sum));
    showEmptyNote();
    showSelection();
}

void CostsView::showEmptyNote() {
    m_stack->setCurrentIndex(m_rows->rowCount() > 0 ? 0 : 1);
    if (m_rows->rowCount() > 0)
        return;
    if (m_model->rowCount() > 0)
        m_empty->setText(tr("No record passes the filter."));
    else
        m_empty->setText(
            emptyReason(document(), tr("Open a model or a package to see what its records cost.")));
}

void CostsView::fitScrollBar() {
    const QSignalBlocker quiet(m_scroll);
    const int hidden = std::max(0, m_rows->rowCount() - m_chart->windowSize());
    m_scroll->setPageStep(m_chart->windowSize());
    m_scroll->setRange(0, hidden);
    m_scroll->setValue(m_chart->first());
    m_scroll->setVisible(hidden > 0);
}

void CostsView::showDocument() {
    m_model->setRows(costRows(lowering()));
    sortRows();
}

void CostsView::showFilter() {
    m_rows->setPasses([this](std::int64_t index) { return session().passesFilter(index); });
    showRows();
}

void CostsView::reveal(int row) {
    if (row < 0)
        return;
    const int size = m_chart->windowSize();
    if (row < m_chart->first())
        m_chart->setFirst(row);
    else if (row >= m_chart->first() + size)
        m_chart->setFirst(row - size + 1);
}

void CostsView::showSelection() {
    const auto& index = session().place().operatorIndex;
    const int row = index ? m_rows->rowOfOperator(*index) : -1;
    reveal(row);
    m_chart->mark(row);
}

std::optional<std::int64_t> CostsView::shownOperator() const {
    const int row = m_chart->markedRow();
    if (row < 0 || row >= m_rows->rowCount())
        return std::nullopt;
    return m_rows->costRow(row).operatorIndex;
}

bool CostsView::pickRow(int row) {
    if (row < 0 || row >= m_rows->rowCount())
        return false;
    return session().select(selectRecord(m_rows->costRow(row).record));
}

bool CostsView::pickOperator(std::int64_t index) { return pickRow(m_rows->rowOfOperator(index)); }

std::vector<ViewPicture> CostsView::pictures() {
    if (m_rows->rowCount() == 0)
        return {};
    const auto paint = [this](QPaintDevice& device, QSize size) {
        CostChart chart(*m_rows);
        chart.resize(size);
        chart.takeLook(*m_chart);
        chart.QWidget::render(&device);
    };
    return {{id(), tr("Estimated costs, the records shown"), m_chart->size(), paint,
             m_chart->minimumSize()}};
}

bool CostsView::handleKey(int key) {
    const int last = m_rows->rowCount() - 1;
    const int row = m_chart->markedRow();
    switch (key) {
    case Qt::Key_Left:
        pickRow(row < 0 ? 0 : std::max(row - 1, 0));
        return true;
    case Qt::Key_Right:
        pickRow(row < 0 ? 0 : std::min(row + 1, last));
        return true;
    case Qt::Key_Home:
        pickRow(0);
        return true;
    case Qt::Key_End:
        pickRow(last);
        return true;
    case Qt::Key_PageUp:
        m_scroll->setValue(m_scroll->value() - m_scroll->pageStep());
        return true;
    case Qt::Key_PageDown:
        m_scroll->setValue(m_scroll->value() + m_scroll->pageStep());
        return true;
    default:
        return false;
    }
}

void CostsView::keyPressEvent(QKeyEvent* event) {
    if (!handleKey(event->key()))
        View::keyPressEvent(event);
}

bool CostsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_chart && event->type() == QEvent::KeyPress &&
        handleKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return View::eventFilter(watched, event);
}

} // namespace plumbline
