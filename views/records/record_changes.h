// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment changed of each record. No widgets.
#pragma once

#include <vector>

#include <QStringList>

#include "core/document/document.h"

namespace plumbline {

/// One entry per record of `document`: a line per changed field and relocation, and how many bytes
/// of its weights and parameters are others: "OUTPUT_ZERO 5 → 9". Empty where the document is no
/// experiment.
std::vector<QStringList> recordChanges(const Document& document);

} // namespace plumbline
