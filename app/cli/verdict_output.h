// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts as JSON and as a table.
#pragma once

#include <string>

#include "app/cli/console.h"
#include "core/compare/verdict.h"

namespace plumbline::cli {

/// One entry per layer: operator, record, name, shape, digests, reference, both verdicts.
Json verdictLayersJson(const Verdicts& verdicts);

/// The table of verdicts and what follows from it.
std::string verdictText(const Verdicts& verdicts);

} // namespace plumbline::cli
