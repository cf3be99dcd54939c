// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts as JSON and as a table.
#pragma once

#include <string>

#include "app/cli/console.h"
#include "core/compare/verdict.h"

namespace plumbline::cli {

/// One entry per layer: operator, record, name, shape, digests, reference, both verdicts.
Json verdictLayersJson(const Verdicts& verdicts);

/// What became of each layer of a reference.
Json matchesJson(const std::vector<LayerMatch>& matches);

/// How layers were matched, the table of verdicts and what follows from it.
std::string verdictText(const Verdicts& verdicts, const std::vector<LayerMatch>& matches);

} // namespace plumbline::cli
