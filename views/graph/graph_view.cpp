// SPDX-License-Identifier: GPL-3.0-or-later
// The view between session and canvas; its commands are in graph_commands.cpp.
#include "views/graph/graph_view.h"

#include <algorithm>

#include <QLabel>
#include <QToolBar>
#include <QVBoxLayout>

#include "views/common/format.h"
#include "views/graph/graph_find_bar.h"
#include "views/graph/graph_table.h"

namespace plumbline {
namespace {

std::size_t asSize(std::int64_t index) { return static_cast<std::size_t>(index); }

/// A layout can be shown when it belongs to the document's graph.
bool isShowable(const Document& document) {
    const Graph* const graph = document.graph();
    return graph != nullptr && document.layout != nullptr && !document.layout->nodes.empty() &&
           document.layout->nodes.size() >= graph->operators.size();
}

std::optional<std::int32_t> portOf(const GraphLayout& layout, std::int64_t tensor) {
    for (auto node = layout.nodes.rbegin(); node != layout.nodes.rend(); ++node) {
        if (node->kind == GraphNodeKind::Operator)
            break;
        if (node->kind == GraphNodeKind::Input && node->index == tensor)
            return static_cast<std::int32_t>(layout.nodes.rend() - node) - 1;
    }
    return std::nullopt;
}

Selection selectTensor(std::int64_t tensor) {
    Selection selection;
    selection.tensor = tensor;
    return selection;
}

} // namespace

GraphView::GraphView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("graph"), tr("Operator Graph"), parent)
    , m_canvas(new GraphCanvas(this))
    , m_findBar(new GraphFindBar(this))
    , m_table(new GraphTable(this))
    , m_status(new QLabel(this)) {
    setFocusProxy(m_canvas);
    addCommands();
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_findBar);
    layout->addWidget(m_canvas, 1);
    m_findBar->hide();
    connectCanvas();
}

GraphView::~GraphView() = default;

void GraphView::connectCanvas() {
    connect(m_canvas, &GraphCanvas::nodePicked, this, &GraphView::pickNode);
    connect(m_canvas, &GraphCanvas::edgePicked, this, [this](std::int32_t edge) {
        m_port.reset();
        this->session().select(selectTensor(m_scene->facts.layout().edges[asSize(edge)].tensor));
    });
    connect(m_canvas, &GraphCanvas::stepped, this, &GraphView::walk);
    connect(m_canvas, &GraphCanvas::endsAsked, this, &GraphView::goToEnd);
    connect(m_canvas, &GraphCanvas::menuAsked, this, &GraphView::showMenu);
    connect(m_findBar, &GraphFindBar::textChanged, this, &GraphView::find);
    connect(m_findBar, &GraphFindBar::nextAsked, this, [this] { findNext(1); });
    connect(m_findBar, &GraphFindBar::previousAsked, this, [this] { findNext(-1); });
    connect(m_findBar, &GraphFindBar::closed, this, &GraphView::closeFind);
}

QString GraphView::emptyText() const {
    if (!document().diagnostics.empty())
        return tr("No graph could be read from %1. The diagnostics say why.")
            .arg(safeText(document().title));
    if (document().title.empty())
        return tr("Open a model, a package or a trace to see its graph.");
    return tr("%1 has no operators.").arg(safeText(document().title));
}

void GraphView::showDocument() {
    const bool same = m_scene && m_scene->facts.document().layout == document().layout;
    m_port.reset();
    m_found.clear();
    m_scene =
        isShowable(document()) ? std::make_shared<const GraphScene>(session().document()) : nullptr;
    m_canvas->setScene(m_scene, emptyText(), same);
    m_table->setFacts(m_scene ? std::shared_ptr<const GraphFacts>(m_scene, &m_scene->facts)
                              : nullptr);
    if (m_findBar->isVisible())
        find(m_findBar->text());
    updateStatus();
}

void GraphView::showSelection() {
    if (!m_scene)
        return;
    const GraphLayout& layout = m_scene->facts.layout();
    const std::optional<std::int64_t>& tensor = session().selection().tensor;
    std::optional<std::int32_t> node;
    if (tensor && m_port && layout.nodes[asSize(*m_port)].index == *tensor)
        node = m_port;
    else if (const auto index = session().place().operatorIndex;
             index && *index >= 0 && asSize(*index) < layout.nodes.size() &&
             layout.nodes[asSize(*index)].kind == GraphNodeKind::Operator)
        node = static_cast<std::int32_t>(*index);
    else if (tensor)
        node = portOf(layout, *tensor);
    m_canvas->setCurrent(node,
                         tensor ? std::optional(static_cast<std::int32_t>(*tensor)) : std::nullopt);
    if (node)
        m_canvas->reveal(*node);
}

void GraphView::showFilter() {
    std::vector<bool> faded;
    if (m_scene && !session().filterText().isEmpty()) {
        const GraphLayout& layout = m_scene->facts.layout();
        faded.resize(layout.nodes.size());
        for (std::size_t i = 0; i < faded.size(); ++i)
            faded[i] = layout.nodes[i].kind != GraphNodeKind::Operator ||
                       !session().passesFilter(layout.nodes[i].index);
    }
    m_canvas->setFaded(std::move(faded));
    updateStatus();
}

void GraphView::showHeat() { m_canvas->setHeat(session().heat()); }

void GraphView::updateStatus() {
    if (!m_scene) {
        m_status->clear();
        return;
    }
    const auto count = static_cast<std::int64_t>(document().graph()->operators.size());
    if (session().filterText().isEmpty())
        m_status->setText(count == 1 ? tr("1 operator")
                                     : tr("%1 operators").arg(groupedNumber(count)));
    else
        m_status->setText(
            tr("%1 of %2 operators pass the filter")
                .arg(groupedNumber(static_cast<std::int64_t>(session().passingCount())),
                     groupedNumber(count)));
}

std::optional<std::int64_t> GraphView::shownOperator() const {
    if (!m_scene || !m_canvas->current())
        return std::nullopt;
    const GraphNode& node = m_scene->facts.layout().nodes[asSize(*m_canvas->current())];
    return node.kind == GraphNodeKind::Operator ? std::optional(node.index) : std::nullopt;
}

bool GraphView::pickOperator(std::int64_t index) {
    if (!m_scene || m_scene->facts.document().layout != document().layout || index < 0 ||
        asSize(index) >= document().graph()->operators.size())
        return false; // a hidden view may still have the document before
    pickNode(static_cast<std::int32_t>(index));
    return true;
}

QAbstractItemModel* GraphView::accessibleTable() { return m_table; }

void GraphView::pickNode(std::int32_t node) {
    const GraphNode& at = m_scene->facts.layout().nodes[asSize(node)];
    if (at.kind == GraphNodeKind::Operator) {
        m_port.reset();
        session().select(selectOperator(at.index));
        return;
    }
    m_port = node;
    // The same tensor may be selected already, at its other end: then nothing changes but the mark.
    if (!session().select(selectTensor(at.index)))
        m_canvas->setCurrent(node, std::nullopt);
    else
        showSelection();
}

void GraphView::walk(GraphStep step) {
    if (!m_scene)
        return;
    if (!m_canvas->current()) {
        goToEnd(step == GraphStep::Up);
        return;
    }
    if (const auto next = m_scene->index.step(*m_canvas->current(), step))
        pickNode(*next);
}

void GraphView::goToEnd(bool last) {
    if (!m_scene)
        return;
    const std::size_t count = m_scene->facts.document().graph()->operators.size();
    if (count > 0)
        pickNode(last ? static_cast<std::int32_t>(count) - 1 : 0);
}

void GraphView::find(const QString& text) {
    m_found = m_scene ? m_scene->facts.find(text) : std::vector<std::int32_t>{};
    std::vector<bool> marks;
    if (!m_found.empty()) {
        marks.resize(m_scene->facts.layout().nodes.size());
        for (const std::int32_t node : m_found)
            marks[asSize(node)] = true;
    }
    m_canvas->setFound(std::move(marks));
    if (m_found.empty()) {
        m_findBar->setCount(0, 0);
        return;
    }
    const auto from =
        std::lower_bound(m_found.begin(), m_found.end(), m_canvas->current().value_or(0));
    showFound(from == m_found.end() ? 0 : static_cast<std::size_t>(from - m_found.begin()));
}

void GraphView::findNext(int direction) {
    if (m_found.empty())
        return;
    const std::size_t count = m_found.size();
    showFound((m_foundAt + (direction > 0 ? 1 : count - 1)) % count);
}

void GraphView::showFound(std::size_t place) {
    m_foundAt = place;
    m_findBar->setCount(place + 1, m_found.size());
    pickNode(m_found[place]);
}

void GraphView::closeFind() {
    m_findBar->hide();
    m_found.clear();
    m_canvas->setFound({});
    m_canvas->setFocus(Qt::OtherFocusReason);
}

} // namespace plumbline
