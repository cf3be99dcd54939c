// SPDX-License-Identifier: GPL-3.0-or-later
// The tile walker in words, and as rows of facts.
#pragma once

#include <vector>

#include <QString>

#include "core/lowering/tile_walk.h"

namespace plumbline {

struct TileFact {
    QString name;
    QString value;
};

/// Why an operator has no tiles: it is an alias, runs on the CPU, was refused, or its numbers do
/// not fit together (`problem`). Empty where it has.
QString whyNoTiles(const LoweredOperator& op, const QString& problem);

/// Two or three sentences about the cursor: tile, position, window, group, slice.
QString cursorText(const TileWalk& walk, const TileCursor& cursor);
/// One line: lanes, positions and reloads of the record.
QString useText(const TileWalk& walk, const TileCursor& cursor);
/// "kh 0, kw 1, cin 12"; "none" parts are left out.
QString reductionText(const TileWalk& walk, std::int64_t k);
/// "rows 0..1, columns 4..7"
QString rangeText(const GridRect& rect);
/// "62.5 %"
QString percentText(double fraction);
/// Everything as rows, for a table.
std::vector<TileFact> tileFacts(const LoweredOperator& op, const TileWalk& walk,
                                const TileCursor& cursor);

} // namespace plumbline
