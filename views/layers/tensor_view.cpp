// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_view.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/quiet_focus.h"
#include "views/layers/tensor_panel.h"

namespace plumbline {
namespace {

constexpr int kPanelWidth = 280;  ///< pixels, beside the picture
constexpr int kPanelHeight = 236; ///< pixels, below it
constexpr int kMostPanel = 45;    ///< percent of the view that it takes at most
constexpr double kZoomStep = 1.25;

} // namespace

TensorView::TensorView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("tensor"), tr("Tensor"), parent)
    , m_model(new TensorTableModel(this)) {
    m_note = makeEmptyNote(this);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makeContent());
    setFocusProxy(m_canvas);
    connectParts();
    makeActions();
}

QWidget* TensorView::makeContent() {
    auto* const page = new QWidget(this);
    m_bar = new TensorBar(page);
    m_canvas = new TensorCanvas(page);
    m_modes = new QStackedWidget(page);
    m_modes->addWidget(m_canvas);
    m_modes->addWidget(makeTablePage());
    m_panel = new TensorPanel(page);
    m_split = new QSplitter(Qt::Vertical, page);
    m_split->addWidget(m_modes);
    m_split->addWidget(m_panel);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    m_split->setChildrenCollapsible(false);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_split, 1);
    return page;
}

QWidget* TensorView::makeTablePage() {
    auto* const page = new QWidget(this);
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Values of the tensor"));
    m_table->setModel(m_model);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setDefaultSectionSize(
        QFontMetrics(monoFont()).horizontalAdvance(QStringLiteral("≠ -128")) + 16);
    QuietFocus::install(m_table);
    m_pager = new QWidget(page);
    auto* const pager = new QHBoxLayout(m_pager);
    pager->setContentsMargins(6, 2, 6, 2);
    m_pageText = new QLabel(m_pager);
    for (const int step : {-1, 1}) {
        auto* const button = new QToolButton(m_pager);
        button->setText(step < 0 ? QStringLiteral("◀") : QStringLiteral("▶"));
        button->setAccessibleName(step < 0 ? tr("Previous page") : tr("Next page"));
        button->setToolTip(button->accessibleName());
        connect(button, &QToolButton::clicked, this, [this, step] {
            m_model->setPage(m_model->page() + step);
            showPage();
        });
        pager->addWidget(button);
    }
    pager->addWidget(m_pageText, 1);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pager);
    layout->addWidget(m_table, 1);
    return page;
}

void TensorView::connectParts() {
    connect(m_bar, &TensorBar::sideChosen, this, &TensorView::showSide);
    connect(m_bar, &TensorBar::modeChosen, this, &TensorView::showMode);
    connect(m_bar, &TensorBar::channelChosen, m_canvas,
            [this](qint64 channel) { emit m_canvas->channelPicked(channel); });
    connect(m_bar, &TensorBar::zoomInAsked, this, &TensorView::zoomIn);
    connect(m_bar, &TensorBar::zoomOutAsked, this, &TensorView::zoomOut);
    connect(m_bar, &TensorBar::fitAsked, this, &TensorView::fit);
    connect(m_canvas, &TensorCanvas::elementPicked, this, &TensorView::pick);
    connect(m_canvas, &TensorCanvas::channelPicked, this, [this](qint64 channel) {
        m_canvas->setChannel(channel);
        m_bar->setChannel(channel);
    });
    connect(m_canvas, &TensorCanvas::elementHovered, this, [this](qint64 index) {
        showElementText(index < 0 ? std::nullopt : std::optional<std::int64_t>(index));
    });
    connect(m_panel, &TensorPanel::firstMismatchAsked, this, &TensorView::pickFirstMismatch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (const auto element = m_model->elementAt(current); element && !m_following)
                    pick(*element);
            });
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isSplitChosen = true; });
}

void TensorView::addCommand(const QString& name, const QString& text, void (TensorView::*run)()) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, run);
    addAction(action);
}

void TensorView::makeActions() {
    addCommand(QStringLiteral("tensorFirstMismatch"), tr("Go to First Mismatch of the Tensor"),
               &TensorView::pickFirstMismatch);
    addCommand(QStringLiteral("tensorCopyElement"), tr("Copy Element with Its Values"),
               &TensorView::copyElement);
    addCommand(QStringLiteral("tensorZoomIn"), tr("Zoom In on the Tensor"), &TensorView::zoomIn);
    addCommand(QStringLiteral("tensorZoomOut"), tr("Zoom Out of the Tensor"), &TensorView::zoomOut);
    addCommand(QStringLiteral("tensorFit"), tr("Fit the Tensor"), &TensorView::fit);
}

std::optional<std::int64_t> TensorView::shownOperator() const {
    return m_tensor ? m_operator : std::nullopt;
}

TensorSide TensorView::side() const {
    if (!m_tensor || m_tensor->has(m_bar->side()))
        return m_bar->side();
    for (const TensorSide other : {TensorSide::Ours, TensorSide::Theirs})
        if (m_tensor->has(other))
            return other;
    return TensorSide::Alone;
}

void TensorView::showDocument() { showOperator(); }

void TensorView::showOperator() {
    const bool isSame = m_operator == session().place().operatorIndex;
    const std::int64_t channel = isSame ? m_canvas->channel() : 0;
    m_operator = session().place().operatorIndex;
    m_tensor = m_operator ? LayerTensor::of(session().document(), *m_operator) : nullptr;
    m_canvas->setTensor(m_tensor);
    {
        const QScopedValueRollback guard(m_following, true);
        m_model->setTensor(m_tensor);
    }
    m_stack->setCurrentIndex(m_tensor ? 1 : 0);
    if (!m_tensor) {
        m_note->setText(whyNoTensor(document(), m_operator));
        return;
    }
    m_bar->setTensor(*m_tensor);
    const TensorComparison* const compared = m_tensor->comparison(TensorSide::Ours);
    const bool isVector = SliceGrid(m_tensor->shape()).isVector();
    if (isVector)
        m_canvas->setChannel(0);
    else if (!isSame && compared && compared->first)
        m_canvas->setChannel(compared->first->c);
    else
        m_canvas->setChannel(channel < m_tensor->shape().c ? channel : 0);
    showSide();
    showMode();
}

TensorColors TensorView::colors() const {
    if (side() != TensorSide::Difference)
        return TensorColors::ofValues(m_tensor->range().first, m_tensor->range().second, palette());
    const TensorComparison* const compared = m_tensor->comparison(TensorSide::Ours);
    return TensorColors::ofDifferences(compared ? static_cast<int>(compared->maxAbs) : 1,
                                       palette());
}

QString TensorView::tensorTitle() const {
    const auto& operators = lowering().operators;
    const auto at = static_cast<std::size_t>(m_tensor->operatorIndex());
    const QString name = at < operators.size() ? safeText(operators[at].name) : QString();
    return tr("Operator %1 %2 · %3")
        .arg(m_tensor->operatorIndex())
        .arg(name, shapeText(m_tensor->shape()));
}

QString TensorView::missingText() const {
    // A lone trace was not meant to have another side.
    const bool isLone = document().kind == DocumentKind::Trace;
    return isLone || m_tensor->has(m_bar->side()) ? QString() : m_tensor->whyMissing(m_bar->side());
}

void TensorView::showSide() {
    if (!m_tensor)
        return;
    const TensorSide shown = side();
    m_bar->showSide(shown);
    m_canvas->setSide(shown, colors(), m_tensor->comparison(shown));
    {
        const QScopedValueRollback guard(m_following, true);
        m_model->setSide(shown);
    }
    m_panel->setTensor(tensorTitle(), *m_tensor, shown, colors(), missingText());
    showTableCell();
    showElementText(std::nullopt);
}

void TensorView::showMode() {
    const TensorMode mode = m_bar->mode();
    m_modes->setCurrentIndex(mode == TensorMode::Values ? 1 : 0);
    m_canvas->setMode(mode == TensorMode::AllChannels ? TensorCanvas::Mode::Sheet
                                                      : TensorCanvas::Mode::Slice);
    setFocusProxy(mode == TensorMode::Values ? static_cast<QWidget*>(m_table) : m_canvas);
}

void TensorView::showSelection() {
    if (session().place().operatorIndex != m_operator)
        showOperator();
    showElement();
}

void TensorView::showElement() {
    if (!m_tensor)
        return;
    const auto& place = session().place().element;
    const auto element =
        place && m_tensor->contains(*place) ? place : std::optional<ElementIndex>();
    m_canvas->setCurrent(element);
    m_canvas->setAccessibleDescription(element ? m_tensor->describe(*element) : QString());
    m_bar->setChannel(m_canvas->channel());
    showTableCell();
    showElementText(std::nullopt);
}

void TensorView::showTableCell() {
    const QScopedValueRollback guard(m_following, true);
    if (const auto& element = m_canvas->current()) {
        m_model->setPage(m_model->pageOf(*element));
        const QModelIndex at = m_model->indexOf(*element);
        m_table->setCurrentIndex(at);
        m_table->scrollTo(at);
    } else {
        m_table->selectionModel()->clear();
    }
    showPage();
}

void TensorView::showElementText(std::optional<std::int64_t> hovered) {
    const auto element = hovered ? m_tensor->elementOf(*hovered) : m_canvas->current();
    m_panel->setElementText(element ? m_tensor->describe(*element)
                                    : tr("Point at an element to see its values."));
}

void TensorView::showPage() {
    m_pager->setVisible(m_model->pages() > 1);
    const std::int64_t first = m_model->page() * TensorTableModel::kPageRows;
    m_pageText->setText(tr("Rows %1 to %2 of %3")
                            .arg(groupedNumber(first + 1),
                                 groupedNumber(first + m_model->rowCount()),
                                 groupedNumber(m_model->allRows())));
}

void TensorView::pick(const ElementIndex& element) {
    if (!m_tensor)
        return;
    Selection selection = selectOperator(m_tensor->operatorIndex());
    selection.element = element;
    session().select(selection);
}

void TensorView::pickFirstMismatch() {
    const TensorComparison* const compared = m_tensor ? m_tensor->comparison(side()) : nullptr;
    if (compared && compared->first)
        pick({compared->first->h, compared->first->w, compared->first->c});
}

void TensorView::copyElement() {
    if (m_tensor && m_canvas->current())
        QGuiApplication::clipboard()->setText(m_tensor->describe(*m_canvas->current()));
}

void TensorView::zoomIn() { m_canvas->zoomBy(kZoomStep); }
void TensorView::zoomOut() { m_canvas->zoomBy(1 / kZoomStep); }
void TensorView::fit() { m_canvas->fit(); }

std::unique_ptr<QAbstractItemModel> TensorView::wholeTable(const QAbstractItemView& table) const {
    if (&table != m_table)
        return nullptr;
    auto whole = std::make_unique<TensorTableModel>();
    whole->setTensor(m_tensor);
    whole->setSide(m_model->side());
    whole->setPaged(false);
    return whole;
}

std::vector<ViewPicture> TensorView::pictures() {
    if (!m_tensor)
        return {};
    std::vector<ViewPicture> made{m_canvas->picture()};
    if (auto differences = m_panel->picture())
        made.push_back(*std::move(differences));
    return made;
}

bool TensorView::pickOperator(std::int64_t index) {
    if (!LayerTensor::of(session().document(), index))
        return false;
    Selection selection = selectOperator(index);
    const LayerVerdict* const verdict = document().verdictOf(index);
    if (verdict && verdict->accumulated && verdict->accumulated->first) {
        const ElementDifference& first = *verdict->accumulated->first;
        selection.element = ElementIndex{first.h, first.w, first.c};
    }
    return session().select(selection);
}

void TensorView::arrange() {
    const Qt::Orientation wanted = width() > height() ? Qt::Horizontal : Qt::Vertical;
    if (m_isSplitChosen && wanted == m_split->orientation())
        return;
    m_isSplitChosen = false;
    m_split->setOrientation(wanted);
    const bool isBeside = wanted == Qt::Horizontal;
    const int room = isBeside ? width() : height() - m_bar->sizeHint().height();
    const int panel = std::min(isBeside ? kPanelWidth : kPanelHeight, room * kMostPanel / 100);
    m_split->setSizes({room - panel, panel});
}

void TensorView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    arrange();
}

/// The colours of values are those of a theme.
void TensorView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showSide();
}

} // namespace plumbline
