// SPDX-License-Identifier: GPL-3.0-or-later
// How often each difference occurs, as bars on a logarithmic scale.
#pragma once

#include <utility>
#include <vector>

#include <QWidget>

namespace plumbline {

/// Where the bars lie. No painting.
class HistogramGeometry {
  public:
    using Bars = std::vector<std::pair<int, std::int64_t>>; ///< (difference, count), ascending

    HistogramGeometry(const Bars& bars, const QRectF& area);

    int first() const { return m_first; } ///< the axis runs from here, 0 is always on it
    int last() const { return m_last; }
    double barWidth() const { return m_step; }
    double xOf(int difference) const; ///< left edge
    /// As high as the area for the largest count; never invisible for a count above 0.
    double heightOf(std::int64_t count) const;
    QRectF rectOf(int difference, std::int64_t count) const;
    /// The index of the bar above or below `pixel`, -1 for none.
    int barAt(const Bars& bars, const QPointF& pixel) const;

  private:
    QRectF m_area;
    int m_first = 0, m_last = 0;
    double m_step = 0;
    double m_logMost = 1;
};

class DifferenceHistogram : public QWidget {
    Q_OBJECT

  public:
    explicit DifferenceHistogram(QWidget* parent = nullptr);

    /// (ours - theirs, count), ascending.
    void setBars(HistogramGeometry::Bars bars);
    HistogramGeometry histogramGeometry() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    QRectF plotArea() const;
    void paintBars(QPainter& painter, const HistogramGeometry& geometry) const;
    /// Above the bars, where there is room; the largest ones first.
    void paintCounts(QPainter& painter, const HistogramGeometry& geometry) const;
    void paintAxis(QPainter& painter, const HistogramGeometry& geometry) const;

    HistogramGeometry::Bars m_bars;
};

} // namespace plumbline
