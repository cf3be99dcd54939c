// SPDX-License-Identifier: GPL-3.0-or-later
// The painted tile walker.
#pragma once

#include <optional>

#include <QWidget>

class QPainter;

#include "core/chart/tile_layout.h"

namespace plumbline {

/// Arrow keys walk the output, Ctrl with Left and Right in the order of the hardware; Page Up and
/// Page Down the tiles, G the channel groups and K the slices (Shift: backwards), Home and End to
/// the first and last position; Enter activates the position.
class TileCanvas : public QWidget {
    Q_OBJECT

  public:
    explicit TileCanvas(QWidget* parent = nullptr);

    /// Shows another record, or nothing.
    void setWalk(std::optional<TileWalk> walk, const BufferBounds& buffers, bool hasTwoInputs);
    const std::optional<TileWalk>& walk() const { return m_walk; }
    const TileCursor& cursor() const { return m_cursor; }
    void setCursor(const TileCursor& cursor); ///< without a signal
    TileLayout tileLayout() const;            ///< only with a walk
    /// Paints the walk (there is one) in the application's colours, laid out for `area`.
    void paintWalk(QPainter& painter, const QRect& area) const;

    QSize minimumSizeHint() const override;

  signals:
    void cursorMoved();
    void activated(); ///< the position under the cursor

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    void move(TileCursor cursor);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    /// Where a key leads; nothing for one that does not move.
    std::optional<TileCursor> cursorAfter(int key, Qt::KeyboardModifiers modifiers) const;
    TileCursor shiftedBy(std::int64_t down, std::int64_t across) const;
    QString textAt(const GraphPoint& pixel) const;
    TileLayout layoutFor(const QRect& area) const;

    std::optional<TileWalk> m_walk;
    BufferBounds m_buffers;
    bool m_hasTwoInputs = false;
    TileCursor m_cursor;
};

} // namespace plumbline
