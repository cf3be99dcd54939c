// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/layers_view.h"

#include <QAction>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "views/common/empty_note.h"

namespace plumbline {

LayersView::LayersView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("layers"), tr("Layers"), parent)
    , m_model(new LayersModel(this))
    , m_table(new RowTable(session, *m_model, *this)) {
    connect(addCommand(*this, QStringLiteral("layersCulprit"), tr("Go to Culprit"),
                       QKeySequence(Qt::CTRL | Qt::Key_G)),
            &QAction::triggered, this, &LayersView::goToCulprit);
    m_table->addCommands(QStringLiteral("layers"), tr("Copy Operator Address"));
    connect(m_table, &RowTable::rowActivated, this, &LayersView::activate);
    m_note = makeEmptyNote(this);
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makePage());
    setFocusProxy(m_table);
}

QWidget* LayersView::makePage() {
    auto* const page = new QWidget(this);
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("layersSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(8, 5, 8, 5);
    m_table->setObjectName(QStringLiteral("layersTable"));
    m_table->setAccessibleName(tr("Layers and their verdicts"));
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    return page;
}

QString LayersView::emptyText() const {
    if (document().execution)
        return layersSummary(document());
    if (lowering().complete)
        return tr("The layers have not been run. Choose an input in the Run menu.");
    return emptyReason(document(),
                       tr("Open a model or a package to see what each of its layers makes."));
}

void LayersView::showDocument() {
    m_table->showDocument();
    const bool isEmpty = m_table->allRows() == 0;
    if (isEmpty)
        m_note->setText(emptyText());
    m_stack->setCurrentIndex(isEmpty ? 0 : 1);
    updateSummary();
}

void LayersView::updateSummary() {
    QString text = layersSummary(document());
    if (m_table->shownRows() != m_table->allRows())
        text += tr(" %1 of %2 layers pass the filter.")
                    .arg(m_table->shownRows())
                    .arg(m_table->allRows());
    m_summary->setText(text);
}

void LayersView::showFilter() {
    m_table->showFilter();
    updateSummary();
}

void LayersView::showSelection() { m_table->showSelection(); }

void LayersView::activate(int row) {
    const LayerRow& layer = m_model->rowAt(row);
    Selection selection = selectOperator(layer.operatorIndex);
    const TensorComparison* const compared = layer.comparison();
    if (compared && compared->first)
        selection.element =
            ElementIndex{compared->first->h, compared->first->w, compared->first->c};
    session().select(selection);
}

std::optional<std::int64_t> LayersView::shownOperator() const {
    const auto row = m_table->currentRow();
    return row ? m_model->operatorOf(*row) : std::nullopt;
}

bool LayersView::pickOperator(std::int64_t index) {
    Place place;
    place.operatorIndex = index;
    const auto row = m_model->rowOf(place);
    if (!row || !m_table->showsRow(*row))
        return false;
    activate(*row);
    return true;
}

void LayersView::goToCulprit() {
    if (document().verdicts && document().verdicts->culprit)
        pickOperator(*document().verdicts->culprit);
}

} // namespace plumbline
