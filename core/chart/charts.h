// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a document as drawings, as the report shows them. Each is empty where there is
// nothing to draw.
#pragma once

#include <cstdint>

#include "core/chart/drawing.h"
#include "core/document/document.h"

namespace plumbline {

/// The operator graph: GraphLayout's boxes and routes, cards with their lines and marks. A long,
/// narrow graph is folded into columns as wide as a page.
Drawing graphDrawing(const Document& document);

/// Buffers over steps and addresses, peak and minimum, findings of the sanitizer, the curve of live
/// bytes above.
Drawing arenaDrawing(const Document& document);

enum class CostMeasure : std::uint8_t { Cycles, DmaBytes };

/// Stacked bars of every record, in execution order; labelled as an estimate.
Drawing costDrawing(const Document& document, CostMeasure measure);

/// Output grid with its tiles, the reduction axis cut in slices, channel groups, and the half
/// buffers as gauges, of one operator that has a record.
Drawing tileDrawing(const LoweredOperator& op);

} // namespace plumbline
