// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment changed and what came of it, in words. No widgets.
#pragma once

#include <QStringList>

#include "core/document/document.h"

namespace plumbline {

/// "record 3 OUTPUT_ZERO 5 → 9", "relocation 4 region arena → weights", "weights 0x00000020 0x1D →
/// 0x1E": an edit against what `original` holds.
QString editText(const Edit& edit, const Document& original);

/// All edits of an experiment, in order.
QStringList editTexts(const Document& experiment);

/// What the validator and the run say of an experiment: the relocation that fails, the first
/// violation and how many more, the fault, or that all records are valid; begins with a mark.
QString experimentVerdict(const Document& experiment);

/// How many of the layers that ran have other bytes than the original's; nothing where one of the
/// two was not run.
std::optional<std::int64_t> changedLayers(const Document& experiment);

/// All of it in one line, of several edits the newest one; empty for a document that is no
/// experiment.
QString experimentText(const Document& document);

} // namespace plumbline
