// SPDX-License-Identifier: GPL-3.0-or-later
// plumb explain: the named mistakes, and which of them explain a layer's observed bytes.
#pragma once

#include "app/cli/explain.h"

namespace plumbline::cli {

/// Prints every mistake: its name, spaces, a sentence.
ExitCode listHypotheses(Console& console);

/// Ranks the mistakes against the bytes in `options.observed`; `options.layer` is given. Ok when
/// the layer is healthy, Mismatch when its bytes differ. Throws Failure.
ExitCode explainLayer(const ExplainOptions& options, Console& console);

} // namespace plumbline::cli
