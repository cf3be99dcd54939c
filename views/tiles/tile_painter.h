// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the parts of a tile layout.
#pragma once

#include <QPainter>
#include <QPalette>

#include "core/chart/tile_layout.h"

namespace plumbline {

class TilePainter {
  public:
    TilePainter(QPainter& painter, const QPalette& palette, const TileLayout& layout,
                const TileWalk& walk, const TileCursor& cursor);

    void drawOutput() const;
    void drawInput(bool hasTwoInputs) const;
    void drawReduction() const;
    void drawGroups() const;
    void drawGauges(const BufferBounds& buffers) const;

  private:
    void drawTitle(const GraphRect& box, const QString& text) const;
    void drawCells(const GridView& grid) const;
    void drawInputGrid(const GridView& grid) const;
    void drawWindowNumbers(const GridRect& window) const;
    void drawTiles() const;
    void drawSliceCells(const GridView& grid, const GridRect& window) const;
    void drawReductionTicks() const;
    void drawLanes() const;
    void drawGauge(const GraphRect& box, const QString& name, std::int64_t bytes,
                   std::int64_t limit) const;
    QString partText(const GridView& grid) const;

    QPainter& m_painter;
    const QPalette& m_palette;
    const TileLayout& m_layout;
    const TileWalk& m_walk;
    const TileCursor& m_cursor;
};

} // namespace plumbline
