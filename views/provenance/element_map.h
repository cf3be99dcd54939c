// SPDX-License-Identifier: GPL-3.0-or-later
// A painted map of a layer: what a hypothesis explains of it, by shape and colour.
#pragma once

#include <QWidget>

#include "views/provenance/element_marks.h"

namespace plumbline {

/// "explained", "not explained", …
QString markText(ElementMark mark);

/// A click selects the element that a cell shows; the arrow keys move a cursor and Enter selects.
class ElementMap : public QWidget {
    Q_OBJECT

  public:
    static constexpr double kShapeCell = 7; ///< smaller cells show their mark by size and colour

    explicit ElementMap(QWidget* parent = nullptr);

    void setMarks(ElementMarks marks);
    const ElementMarks& marks() const { return m_marks; }
    /// Nothing shows all channels, each cell the greatest mark of them.
    void setChannel(std::optional<std::int64_t> channel);
    std::optional<std::int64_t> channel() const { return m_channel; }
    /// Frames the cell of the selected element.
    void setElement(std::optional<ElementIndex> element);
    MapGeometry geometryNow() const;
    /// The mark that the cell shows.
    ElementMark shownMark(const MapCell& cell) const;

    QSize sizeHint() const override { return {260, 180}; }
    QSize minimumSizeHint() const override { return {150, 80}; }

  signals:
    void elementPicked(const ElementIndex& element);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    struct LegendEntry {
        ElementMark mark;
        QRectF swatch;
        QRectF text;
        QString words;
    };
    std::vector<LegendEntry> legend() const;
    void paintMark(QPainter& painter, const QRectF& cell, ElementMark mark) const;
    void paintCells(QPainter& painter, const MapGeometry& geometry) const;
    void paintSmallCells(QPainter& painter, const MapGeometry& geometry) const;
    void paintFrames(QPainter& painter, const MapGeometry& geometry) const;
    void describe();
    QString cellText(const MapGeometry& geometry, const MapCell& cell) const;

    ElementMarks m_marks;
    std::optional<std::int64_t> m_channel;
    std::optional<ElementIndex> m_element;
    MapCell m_cursor;
};

} // namespace plumbline
