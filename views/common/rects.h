// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles and points of the core as Qt's.
#pragma once

#include <QPointF>
#include <QRectF>

#include "core/graph/layout.h"

namespace plumbline {

inline QRectF toRect(const GraphRect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }
inline QPointF toPoint(const GraphPoint& point) { return {point.x, point.y}; }
inline GraphPoint toGraphPoint(const QPointF& point) { return {point.x(), point.y()}; }

} // namespace plumbline
