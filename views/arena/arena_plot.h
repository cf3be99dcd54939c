// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of the arena: buffers over steps and addresses, with the curve of live bytes above.
#pragma once

#include <optional>

#include "views/arena/plot_library.h"

#include "views/arena/address_ticker.h"
#include "views/arena/arena_layers.h"
#include "views/arena/arena_scene.h"

namespace plumbline {

/// Wheel zooms (Ctrl: steps only, Shift: addresses only, over an axis: that axis), dragging zooms
/// into a rectangle, Shift and dragging moves, a double click shows everything.
class ArenaPlot : public QCustomPlot {
    Q_OBJECT

  public:
    explicit ArenaPlot(QWidget* parent = nullptr);

    const ArenaScene& scene() const { return m_scene; }
    /// Takes another plan: axes and curve follow; the zoom is reset when the extent is another.
    void setScene(ArenaScene scene);
    /// Changes marks and overlays only; `change` gets the scene.
    template <class Change> void update(Change change) {
        change(m_scene);
        redraw();
    }

    void setBase(AddressBase base);
    AddressBase base() const { return m_base; }
    void resetZoom();
    void zoomBy(double factor); ///< below 1 zooms in, about the middle
    bool isZoomed() const;
    /// Scrolls, without zooming, until the column and the buffer are seen.
    void reveal(std::optional<std::int64_t> step, std::optional<std::size_t> buffer);
    /// Paints the chart, laid out for `size`, on a device of that size: in vectors where it takes
    /// them.
    void paintOn(QPaintDevice& device, const QSize& size);
    /// Pixel of a place in the chart.
    QPoint pixelOf(double step, double address) const;

  signals:
    /// A click on a column; `buffer` is -1 where it is free.
    void picked(qlonglong step, qlonglong buffer);
    void pickedFinding(qlonglong diagnostic);

  protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void buildAxes();
    void applyPalette();
    void applyAxisPalette(QCPAxis* axis);
    void showCurve();
    void keepInside(QCPAxis* axis, double lower, double upper, double least);
    void redraw() { replot(QCustomPlot::rpQueuedReplot); }
    double highestByte() const;
    /// A finding's mark within reach of `pixel`.
    const ArenaFinding* findingAt(const QPointF& pixel) const;

    ArenaScene m_scene;
    AddressBase m_base = AddressBase::Hexadecimal;
    QCPAxisRect* m_map = nullptr;
    QCPAxisRect* m_curveRect = nullptr;
    QCPAxis* m_steps = nullptr;
    QCPAxis* m_addresses = nullptr;
    QCPGraph* m_live = nullptr;
    QCPGraph* m_highWater = nullptr;
    ArenaMarksLayer* m_marks = nullptr;
    QPoint m_pressed;
    bool m_isInside = false; ///< a range is being corrected
};

} // namespace plumbline
