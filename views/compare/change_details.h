// SPDX-License-Identifier: GPL-3.0-or-later
// One change with both its sides, as text with marks. No widgets.
#pragma once

#include <QPalette>
#include <QString>

#include "views/compare/compare_model.h"

namespace plumbline {

/// HTML: what changed, both words bit by bit, both rows of bytes or both allocations, what follows,
/// and the place in the first document. Differing digits are bold and underlined.
QString changeDetails(const Comparison& comparison, const LoweringChange& change,
                      const QPalette& palette);

/// The 32 bits of `word` in groups of four, those that `other` has differently in <b><u>.
QString markedBits(std::uint32_t word, std::uint32_t other);

} // namespace plumbline
