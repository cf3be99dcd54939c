// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a layout a window shows, and how large. Pure arithmetic.
#pragma once

#include <cstdint>

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace plumbline {

/// How much a node shows at a zoom.
enum class GraphDetail : std::uint8_t {
    Dots,  ///< a coloured spot, also for nodes below a pixel
    Boxes, ///< filled boxes and lines
    Names, ///< boxes with the operator's name
    Full,  ///< everything
};
GraphDetail detailAt(double zoom, double nodeHeight);

/// Scene coordinates are layout units; window coordinates are pixels of the window.
class GraphViewport {
  public:
    void setContent(const QSizeF& size); ///< of the layout
    void setWindow(const QSizeF& size);

    double zoom() const { return m_zoom; }      ///< pixels per unit; 1 is 100 %
    QPointF origin() const { return m_origin; } ///< scene point at the window's top left corner
    QRectF visible() const;                     ///< scene
    QSizeF content() const { return m_content; }
    double fitZoom() const;
    bool showsAll() const; ///< the whole content is in the window

    QPointF toScene(const QPointF& window) const { return m_origin + window / m_zoom; }
    QPointF toWindow(const QPointF& scene) const { return (scene - m_origin) * m_zoom; }

    void setOrigin(const QPointF& scene);
    void panBy(const QPointF& pixels); ///< what is shown moves by `pixels`
    /// The scene point under `window` stays there. The zoom is limited to what is of use.
    void zoomTo(double zoom, const QPointF& window);
    void fit();
    /// At most 100 %, at least wide enough to read, beginning at the top.
    void fitReadably();
    void centreOn(const QPointF& scene);
    /// Moves as little as shows all of `area` with `margin` pixels around it; its centre when it
    /// was far away.
    void reveal(const QRectF& area, double margin);

  private:
    void clamp();

    QSizeF m_content{1, 1};
    QSizeF m_window{1, 1};
    QPointF m_origin;
    double m_zoom = 1;
};

} // namespace plumbline
