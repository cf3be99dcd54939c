// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tiles_view.h"

#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"

namespace plumbline {

void TileFactModel::setFacts(std::vector<TileFact> facts) {
    if (facts.size() != m_facts.size()) {
        beginResetModel();
        m_facts = std::move(facts);
        endResetModel();
        return;
    }
    m_facts = std::move(facts);
    if (!m_facts.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int TileFactModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_facts.size());
}

int TileFactModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TileFactModel::data(const QModelIndex& index, int role) const {
    if (role != Qt::DisplayRole ||
        !checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TileFact& fact = m_facts[static_cast<std::size_t>(index.row())];
    return index.column() == NameColumn ? fact.name : fact.value;
}

QVariant TileFactModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= ColumnCount)
        return {};
    return section == NameColumn ? tr("What") : tr("Value");
}

TilesView::TilesView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("tiles"), tr("Tiles and slices"), parent) {
    m_canvas = new TileCanvas(this);
    auto* const scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_canvas);
    m_words = new QLabel(this);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setMargin(8);
    m_words->setAccessibleName(tr("The cursor in words"));
    auto* const page = new QWidget(this);
    auto* const pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addWidget(scroll, 1);
    pageLayout->addWidget(m_words);
    m_empty = makeEmptyNote(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(page);
    m_stack->addWidget(m_empty);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_facts = new TileFactModel(this);
    setFocusProxy(m_canvas);
    connect(m_canvas, &TileCanvas::cursorMoved, this, [this] {
        showCursor();
        selectTile();
    });
    connect(m_canvas, &TileCanvas::activated, this, &TilesView::selectElement);
}

const LoweredOperator* TilesView::shownOp() const {
    const auto& operators = lowering().operators;
    const bool isThere =
        m_operator && *m_operator >= 0 && static_cast<std::size_t>(*m_operator) < operators.size();
    return isThere ? &operators[static_cast<std::size_t>(*m_operator)] : nullptr;
}

void TilesView::showDocument() {
    m_operator.reset();
    m_canvas->setCursor({});
    showOperator();
}

void TilesView::showOperator() {
    const LoweredOperator* const op = shownOp();
    std::string problem;
    std::optional<TileWalk> walk;
    if (op != nullptr && op->placement == Placement::Npu)
        walk = TileWalk::of(*op, &problem);
    m_stack->setCurrentIndex(walk ? 0 : 1);
    if (op == nullptr)
        m_empty->setText(
            lowering().operators.empty()
                ? emptyReason(
                      document(),
                      tr("Open a model or a package to see how records are cut into tiles."))
                : tr("Select an operator or a record to see its tiles."));
    else if (!walk)
        m_empty->setText(whyNoTiles(*op, safeText(problem)));
    m_canvas->setWalk(std::move(walk), op != nullptr ? op->buffers : BufferBounds{},
                      op != nullptr && op->arena.input1.has_value());
    showCursor();
}

void TilesView::showCursor() {
    const LoweredOperator* const op = shownOp();
    if (op == nullptr || !m_canvas->walk()) {
        m_words->clear();
        m_facts->setFacts({});
        return;
    }
    const TileWalk& walk = *m_canvas->walk();
    const TileCursor& cursor = m_canvas->cursor();
    m_words->setText(
        QStringLiteral("%1 %2. %3\n%4")
            .arg(op->index)
            .arg(safeText(op->opcodeName), cursorText(walk, cursor), useText(walk, cursor)));
    m_facts->setFacts(tileFacts(*op, walk, cursor));
}

void TilesView::showSelection() {
    const Place& place = session().place();
    if (m_isSelecting)
        return;
    const bool isAnother = place.operatorIndex != m_operator;
    m_operator = place.operatorIndex;
    if (isAnother)
        m_canvas->setCursor({});
    showOperator();
    if (!m_canvas->walk())
        return;
    const TileWalk& walk = *m_canvas->walk();
    TileCursor cursor = m_canvas->cursor();
    if (place.tile && *place.tile != cursor.tile) {
        cursor.tile = *place.tile;
        cursor.position = 0;
    }
    if (place.element) {
        const GridPoint at{place.element->h, place.element->w};
        cursor.tile = walk.tileAt(at);
        cursor.position = walk.positionAt(cursor.tile, at);
        cursor.group = place.element->c / walk.plan().facts.lanes;
    }
    m_canvas->setCursor(cursor);
    showCursor();
}

void TilesView::selectTile() {
    if (!m_operator || session().place().tile == m_canvas->cursor().tile)
        return;
    const QScopedValueRollback guard(m_isSelecting, true);
    Selection selection = selectOperator(*m_operator);
    selection.tile = m_canvas->cursor().tile;
    session().select(selection);
}

void TilesView::selectElement() {
    if (!m_operator || !m_canvas->walk())
        return;
    const TileWalk& walk = *m_canvas->walk();
    const TileCursor& cursor = m_canvas->cursor();
    const GridPoint at = walk.position(cursor.tile, cursor.position);
    const QScopedValueRollback guard(m_isSelecting, true);
    Selection selection = selectOperator(*m_operator);
    selection.tile = cursor.tile;
    selection.element = ElementIndex{at.y, at.x, cursor.group * walk.plan().facts.lanes};
    session().select(selection);
}

std::vector<ViewPicture> TilesView::pictures() {
    if (!m_canvas->walk() || !m_operator)
        return {};
    const auto paint = [this](QPaintDevice& device, QSize size) {
        QPainter painter(&device);
        painter.setFont(m_canvas->font());
        m_canvas->paintWalk(painter, QRect(QPoint(), size));
    };
    return {{id(), tr("Tiles and slices of operator %1").arg(*m_operator), m_canvas->size(), paint,
             m_canvas->minimumSizeHint()}};
}

bool TilesView::pickOperator(std::int64_t index) {
    const auto& operators = lowering().operators;
    if (index < 0 || static_cast<std::size_t>(index) >= operators.size())
        return false;
    const LoweredOperator& op = operators[static_cast<std::size_t>(index)];
    if (op.placement != Placement::Npu || !TileWalk::of(op))
        return false;
    Selection selection = selectOperator(index);
    selection.tile = 0;
    return session().select(selection);
}

} // namespace plumbline
