// SPDX-License-Identifier: GPL-3.0-or-later
// The painted tensor: one channel's slice that can be zoomed and walked, or all channels.
#pragma once

#include <memory>

#include <QAbstractScrollArea>

#include "views/common/view.h"
#include "views/layers/tensor_painter.h"

namespace plumbline {

/// Arrow keys walk the elements, Page Up and Page Down the channels, Home and End go to the first
/// and last element of the slice; + and - zoom, 0 fits. The wheel zooms a slice and scrolls the
/// sheet; dragging pans.
class TensorCanvas : public QAbstractScrollArea {
    Q_OBJECT

  public:
    enum class Mode : std::uint8_t { Slice, Sheet };

    explicit TensorCanvas(QWidget* parent = nullptr);

    /// Shows another tensor, fitted, or nothing. `comparison` is of `side` and lives as long as
    /// `values`.
    void setTensor(std::shared_ptr<const TensorValues> values);
    void setSide(TensorSide side, const TensorColors& colors, const TensorComparison* comparison);
    void setMode(Mode mode);
    void setChannel(std::int64_t channel);
    /// Marks the element, goes to its channel and scrolls to it; nothing marks none.
    void setCurrent(const std::optional<ElementIndex>& element);

    Mode mode() const { return m_mode; }
    std::int64_t channel() const { return m_picture.content.channel; }
    const std::optional<ElementIndex>& current() const { return m_picture.current; }
    /// Of the slice in the viewport; only with a tensor.
    SliceGeometry sliceGeometry() const;
    SheetGeometry sheetGeometry() const; ///< in the sheet's own coordinates

    void zoomBy(double factor); ///< about the middle of the viewport
    void fit();

    /// The slice, fitted where it is now, or the sheet from where it is scrolled to.
    ViewPicture picture();

  signals:
    void elementPicked(const plumbline::ElementIndex& element);
    void channelPicked(qint64 channel);
    void elementHovered(qint64 index); ///< in [h,w,c] order; -1: none

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    bool hasTensor() const { return m_values != nullptr; }
    void paint(QPainter& painter, const QSize& size);
    QRectF sliceArea(const QSize& size) const; ///< of a viewport of this size, without the rulers
    QRectF sliceArea() const { return sliceArea(viewport()->size()); }
    SliceGeometry sliceGeometry(const QSize& size, double zoom) const;
    void updateScrollBars();
    void zoomTo(double zoom, const QPointF& about);
    void reveal(const ElementIndex& element);
    void revealChannel();
    bool handleKey(int key);
    bool handleZoomKey(int key);
    /// By elements of the slice, or by channels of the sheet.
    void step(std::int64_t down, std::int64_t across);
    void goToChannel(std::int64_t channel);
    void pickAt(const QPointF& pixel);
    std::optional<ElementIndex> elementAt(const QPointF& pixel) const;

    std::shared_ptr<const TensorValues> m_values;
    SliceGrid m_grid;
    TensorPicture m_picture;
    Mode m_mode = Mode::Slice;
    double m_zoom = 1;
    bool m_isFitted = true; ///< the zoom follows the size of the viewport
    std::optional<QPointF> m_pressed;
    QPoint m_scrollAtPress;
    bool m_isPanning = false;
};

} // namespace plumbline
