// SPDX-License-Identifier: GPL-3.0-or-later
// Core's drawings on any paint device, as their SVG looks.
#pragma once

#include <QPainter>
#include <QPalette>

#include "core/chart/drawing.h"

namespace plumbline {

/// Paints all shapes in vectors, one unit as one unit of `painter`, whose transformation places and
/// scales them. Colours are the light or dark ones, as `palette` is; the background is left as it
/// is. The state of `painter` is kept.
void paintDrawing(QPainter& painter, const Drawing& drawing, const QPalette& palette);

} // namespace plumbline
