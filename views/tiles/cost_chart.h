// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked bars over a window of the records.
#pragma once

#include <optional>

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChartView>
#include <QGraphicsRectItem>
#include <QStackedBarSeries>
#include <QValueAxis>

#include "views/tiles/cost_model.h"

namespace plumbline {

/// How many bars fit, so that each stays legible; at least 1.
int barsThatFit(double plotWidth);

/// Shows the rows first .. first + windowSize() - 1 of a proxy. A click or a key picks a bar.
class CostChart : public QChartView {
    Q_OBJECT

  public:
    explicit CostChart(const CostProxy& rows, QWidget* parent = nullptr);

    void setMeasure(CostMeasure measure);
    CostMeasure measure() const { return m_measure; }
    /// The highest bar of the window, not of all records, ends the axis.
    void setScalesToWindow(bool on);
    /// Shows the rows that `other` shows, as it does.
    void takeLook(const CostChart& other);
    void setFirst(int first);
    int first() const { return m_first; }
    int windowSize() const;
    void mark(int row); ///< of the proxy; -1 for none
    int markedRow() const { return m_marked; }
    void refresh(); ///< the rows, their order or the size changed
    /// Middle of the bar of a row, pixels of the viewport; nothing outside the window.
    std::optional<QPoint> pixelOf(int row) const;

  signals:
    void picked(int row);
    void windowChanged();
    void scrolled(int steps); ///< the wheel asks for bars further on

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void applyPalette();
    void placeMark();
    std::optional<int> rowAt(const QPointF& viewportPixel) const;
    double largest(int begin, int end) const;

    const CostProxy& m_rows;
    CostMeasure m_measure = CostMeasure::Cycles;
    bool m_scalesToWindow = false;
    int m_first = 0;
    int m_marked = -1;
    int m_shown = 0; ///< bars in the chart
    std::array<QBarSet*, kCostParts> m_sets{};
    QStackedBarSeries* m_series = nullptr;
    QBarCategoryAxis* m_categories = nullptr;
    QValueAxis* m_values = nullptr;
    QGraphicsRectItem* m_mark = nullptr;
};

} // namespace plumbline
