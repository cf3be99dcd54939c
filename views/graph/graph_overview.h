// SPDX-License-Identifier: GPL-3.0-or-later
// The whole graph, small, with a frame around what the window shows; the frame can be dragged.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace plumbline {

class GraphPainter;

class GraphOverview : public QWidget {
    Q_OBJECT

  public:
    explicit GraphOverview(QWidget* parent);

    /// `painter` may be null and has to live until the next call; `content` is the layout's size.
    void setSource(GraphPainter* painter, const QSizeF& content);
    void setShown(const QRectF& scene); ///< what the window shows
    void invalidate();                  ///< the graph looks different now
    void place(const QRect& window);    ///< chooses its own size and corner

  signals:
    void moved(const QPointF& scene); ///< the window is to show this in its middle

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    double scale() const;
    QPointF corner() const; ///< where the graph's top left corner is
    void ask(const QPointF& at);

    GraphPainter* m_painter = nullptr;
    QSizeF m_content{1, 1};
    QRectF m_shown;
    QRect m_window;
    QPixmap m_picture;
};

} // namespace plumbline
