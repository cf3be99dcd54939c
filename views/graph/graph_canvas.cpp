// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas shows and where; its input is in graph_canvas_input.cpp.
#include "views/graph/graph_canvas.h"

#include <algorithm>
#include <cmath>

#include <QPaintEvent>
#include <QScrollBar>

#include "views/common/format.h"
#include "views/graph/graph_overview.h"

namespace plumbline {
namespace {

constexpr double kRevealMargin = 48; ///< pixels
constexpr int kScrollStep = 40;      ///< pixels

QString heatTitle(Heat heat) {
    switch (heat) {
    case Heat::None:
        return {};
    case Heat::Cycles:
        return GraphCanvas::tr("Cycles (estimate)");
    case Heat::Macs:
        return GraphCanvas::tr("MACs");
    case Heat::DmaBytes:
        return GraphCanvas::tr("DMA bytes (estimate)");
    case Heat::ArenaBytes:
        return GraphCanvas::tr("Arena bytes of the output");
    case Heat::Mismatches:
        return GraphCanvas::tr("Mismatches");
    }
    return {};
}

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_overview(new GraphOverview(viewport())) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Operator graph"));
    setAccessibleDescription(tr(
        "Up and Down walk along edges, Left and Right within a layer, Home and End to the ends"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_overview->hide();
    connect(m_overview, &GraphOverview::moved, this, &GraphCanvas::centreOn);
    takeAppearance();
}

GraphCanvas::~GraphCanvas() = default;

void GraphCanvas::takeAppearance() {
    m_look.palette = palette();
    m_look.font = font();
    if (m_scene) {
        m_painter = std::make_unique<GraphPainter>(m_scene->index, m_scene->facts, m_look);
        m_overview->setSource(m_painter.get(), m_view.content());
    }
    viewport()->update();
}

void GraphCanvas::setScene(std::shared_ptr<const GraphScene> scene, const QString& emptyText,
                           bool keepPlace) {
    m_painter.reset();
    m_scene = std::move(scene);
    m_emptyText = emptyText;
    m_look.current.reset();
    m_look.hovered.reset();
    m_look.tensor.reset();
    m_look.found.clear();
    m_look.faded.clear();
    m_placed = keepPlace && m_placed;
    measureHeat();
    if (m_scene) {
        m_painter = std::make_unique<GraphPainter>(m_scene->index, m_scene->facts, m_look);
        const GraphLayout& layout = m_scene->facts.layout();
        m_view.setContent(QSizeF(layout.width, layout.height));
        if (!m_placed)
            m_view.fitReadably();
    }
    m_overview->setSource(m_scene ? m_painter.get() : nullptr, m_view.content());
    showPlace();
}

void GraphCanvas::setCurrent(std::optional<std::int32_t> node, std::optional<std::int32_t> tensor) {
    m_look.current = node;
    m_look.tensor = tensor;
    m_overview->invalidate();
    viewport()->update();
}

void GraphCanvas::setFound(std::vector<bool> found) {
    m_look.found = std::move(found);
    m_overview->invalidate();
    viewport()->update();
}

void GraphCanvas::setFaded(std::vector<bool> faded) {
    m_look.faded = std::move(faded);
    m_overview->invalidate();
    viewport()->update();
}

void GraphCanvas::setHeat(Heat heat) {
    m_look.heat = heat;
    measureHeat();
    m_overview->invalidate();
    viewport()->update();
}

void GraphCanvas::measureHeat() {
    m_look.heatMaximum = 0;
    if (m_scene && m_look.heat != Heat::None)
        for (const LoweredOperator& op : m_scene->facts.document().lowering->operators)
            m_look.heatMaximum =
                std::max(m_look.heatMaximum, heatValue(m_scene->facts.document(), op, m_look.heat));
}

void GraphCanvas::zoomBy(double factor) {
    m_placed = true;
    m_view.zoomTo(m_view.zoom() * factor, QPointF(viewport()->rect().center()));
    showPlace();
}

void GraphCanvas::zoomToActualSize() { zoomBy(1 / m_view.zoom()); }

void GraphCanvas::fit() {
    m_placed = true;
    m_view.fit();
    showPlace();
}

void GraphCanvas::reveal(std::int32_t node) {
    if (!m_scene || node < 0 ||
        static_cast<std::size_t>(node) >= m_scene->facts.layout().nodes.size())
        return;
    m_placed = true;
    const GraphRect& box = m_scene->facts.layout().nodes[static_cast<std::size_t>(node)].box;
    m_view.reveal(toRect(box), kRevealMargin);
    showPlace();
}

void GraphCanvas::centreOn(const QPointF& scene) {
    m_placed = true;
    m_view.centreOn(scene);
    showPlace();
}

void GraphCanvas::showPlace() {
    m_syncing = true;
    const QSizeF content = m_view.content() * m_view.zoom();
    const auto set = [](QScrollBar* bar, double size, int page, double value) {
        // Scroll bars count in int; a graph of 100,000 layers still fits.
        const double limit = 1e9;
        bar->setRange(0, static_cast<int>(std::clamp(std::floor(size - page + 1e-3), 0.0, limit)));
        bar->setPageStep(page);
        bar->setSingleStep(kScrollStep);
        bar->setValue(static_cast<int>(std::clamp(std::round(value), 0.0, limit)));
    };
    const QPointF at = m_view.origin() * m_view.zoom();
    set(horizontalScrollBar(), m_scene ? content.width() : 0, viewport()->width(), at.x());
    set(verticalScrollBar(), m_scene ? content.height() : 0, viewport()->height(), at.y());
    m_syncing = false;
    m_overview->setShown(m_view.visible());
    m_overview->setVisible(m_scene && !m_view.showsAll());
    viewport()->update();
}

void GraphCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_look.palette.color(QPalette::Base));
    if (!m_scene) {
        painter.setPen(toneColor(Tone::Muted, m_look.palette));
        painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const QRectF window(event->rect());
    const QRectF area(m_view.toScene(window.topLeft()), m_view.toScene(window.bottomRight()));
    // Labels stand below their node and outlines around it.
    const double around = 40;
    m_painter->paint(painter, area.adjusted(-around, -around, around, around), m_view.origin(),
                     m_view.zoom());
    paintLegend(painter);
}

void GraphCanvas::paintLegend(QPainter& painter) const {
    if (m_look.heat == Heat::None)
        return;
    const bool bytes = m_look.heat == Heat::DmaBytes || m_look.heat == Heat::ArenaBytes;
    const QString most =
        bytes
            ? exactBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(m_look.heatMaximum, 0)))
            : groupedNumber(m_look.heatMaximum);
    const QFontMetrics metrics(font());
    const QString title = heatTitle(m_look.heat);
    const int width = std::max(
        {150, metrics.horizontalAdvance(title) + 20, metrics.horizontalAdvance(most) + 40});
    const int line = metrics.height();
    const QRect box(10, viewport()->height() - 2 * line - 38, width, 2 * line + 28);
    painter.setPen(toneColor(Tone::SurfaceEdge, m_look.palette));
    painter.setBrush(toneColor(Tone::Surface, m_look.palette));
    painter.drawRect(box);
    painter.setPen(m_look.palette.color(QPalette::Text));
    const QRect inner = box.adjusted(10, 6, -10, -6);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, title);
    const QRect scale(inner.left(), inner.top() + line + 3, inner.width(), 9);
    for (int x = 0; x < scale.width(); ++x)
        painter.fillRect(scale.left() + x, scale.top(), 1, scale.height(),
                         heatColor(static_cast<double>(x) / scale.width(), m_look.palette));
    painter.setPen(toneColor(Tone::Muted, m_look.palette));
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, QStringLiteral("0"));
    painter.drawText(inner, Qt::AlignRight | Qt::AlignBottom, most);
}

} // namespace plumbline
