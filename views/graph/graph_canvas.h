// SPDX-License-Identifier: GPL-3.0-or-later
// The painted area of the graph view: scrolls, zooms, shows tips and says what was clicked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QAbstractScrollArea>

#include "views/graph/graph_painter.h"

namespace plumbline {

class GraphOverview;

/// What is shown of a document; made anew for every document.
struct GraphScene {
    explicit GraphScene(DocumentPtr document)
        : facts(std::move(document))
        , index(facts.layout()) {}
    GraphFacts facts;
    GraphIndex index;
};

class GraphCanvas : public QAbstractScrollArea {
    Q_OBJECT

  public:
    explicit GraphCanvas(QWidget* parent = nullptr);
    ~GraphCanvas() override;

    /// Null shows `emptyText` instead. `keepPlace` leaves zoom and origin as they are.
    void setScene(std::shared_ptr<const GraphScene> scene, const QString& emptyText,
                  bool keepPlace);
    const GraphScene* scene() const { return m_scene.get(); }

    void setCurrent(std::optional<std::int32_t> node, std::optional<std::int32_t> tensor);
    std::optional<std::int32_t> current() const { return m_look.current; }
    void setFound(std::vector<bool> found);
    void setFaded(std::vector<bool> faded);
    void setHeat(Heat heat);
    const GraphLook& look() const { return m_look; }

    const GraphViewport& view() const { return m_view; }
    void zoomBy(double factor); ///< around the middle
    void zoomToActualSize();
    void fit();
    void reveal(std::int32_t node);
    void centreOn(const QPointF& scene);

  signals:
    void nodePicked(std::int32_t node);
    void edgePicked(std::int32_t edge);
    void stepped(plumbline::GraphStep step);
    void endsAsked(bool last); ///< Home or End
    void menuAsked(std::int32_t node, const QPoint& globalPosition);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    void takeAppearance();
    void measureHeat();
    void showPlace(); ///< scroll bars, overview, repaint
    void paintLegend(QPainter& painter) const;
    void showTip(const QPoint& window, const QPoint& global) const;
    void hover(const QPoint& window);

    std::shared_ptr<const GraphScene> m_scene;
    std::unique_ptr<GraphPainter> m_painter;
    GraphLook m_look;
    GraphViewport m_view;
    GraphOverview* m_overview;
    QString m_emptyText;
    QPoint m_pressed;
    QPoint m_dragged;
    bool m_dragging = false;
    bool m_placed = false; ///< a place was chosen since the scene came
    bool m_syncing = false;
};

} // namespace plumbline
