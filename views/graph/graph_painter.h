// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a part of the graph: for the window, the overview, pictures and SVG alike.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QPalette>

#include "views/common/palette.h"
#include "views/common/session.h"
#include "views/graph/graph_facts.h"
#include "views/graph/graph_index.h"
#include "views/graph/graph_viewport.h"

namespace plumbline {

/// How the graph is to look; nothing of it changes where things are.
struct GraphLook {
    QPalette palette;
    QFont font;
    Heat heat = Heat::None;
    std::int64_t heatMaximum = 0;
    std::optional<std::int32_t> current; ///< node that is selected
    std::optional<std::int32_t> hovered; ///< node under the mouse
    std::optional<std::int32_t> tensor;  ///< whose edges are selected
    std::vector<bool> found;             ///< per node; empty: no search
    std::vector<bool> faded;             ///< per node; empty: no filter
};

class GraphPainter {
    Q_DECLARE_TR_FUNCTIONS(plumbline::GraphPainter)

  public:
    GraphPainter(const GraphIndex& index, const GraphFacts& facts, const GraphLook& look);

    /// Paints what lies in `area` (scene). `painter` is set up in pixels of its device with the
    /// scene point `origin` at (0,0); `zoom` is pixels per unit and decides the detail.
    void paint(QPainter& painter, const QRectF& area, const QPointF& origin, double zoom);

  private:
    void paintEdges(QPainter& painter, const QRectF& area, GraphDetail detail);
    void paintEdge(QPainter& painter, std::int32_t edge, bool curved) const;
    void paintArrow(QPainter& painter, const GraphEdge& edge, const QColor& color) const;
    void paintShapes(QPainter& painter, const std::vector<Shape>& shapes, bool faded) const;
    void paintShape(QPainter& painter, const DrawnBox& box, bool faded) const;
    void paintShape(QPainter& painter, const DrawnLine& line, bool faded) const;
    void paintShape(QPainter& painter, const DrawnLabel& label, bool faded) const;
    void paintNamed(QPainter& painter, std::int32_t node) const;
    void paintBox(QPainter& painter, std::int32_t node, double least) const;
    void paintOutline(QPainter& painter, std::int32_t node) const;

    QColor tone(Tone tone) const { return toneColor(tone, m_look.palette); }
    QColor inkOf(const Ink& ink, bool faded) const;
    /// Of the largest value; nothing where the heat is off or the node is no operator.
    std::optional<double> heatShareOf(std::int32_t node) const;
    std::optional<GraphHeat> heatOf(std::int32_t node) const;
    bool isFaded(std::int32_t node) const;
    bool isFound(std::int32_t node) const;
    bool isSelected(std::int32_t edge) const;
    QColor fillOf(std::int32_t node) const;
    QColor stripeOf(std::int32_t node) const;
    QColor towardsWindow(const QColor& color, bool faded) const;
    QRectF windowRect(std::int32_t node) const;
    QPointF windowPoint(const GraphPoint& point) const;

    const GraphIndex& m_index;
    const GraphFacts& m_facts;
    const GraphLook& m_look;
    QFont m_nameFont;
    QFont m_textFont;
    QPointF m_origin;
    double m_zoom = 1;
};

} // namespace plumbline
