// SPDX-License-Identifier: GPL-3.0-or-later
// What the engines are measured against: plain loops without overflow checks.
#pragma once

#include <vector>

#include "core/kernels/graph_plan.h"

namespace plumbline::bench {

/// Every operator's output, in order, of a run on `input`. The loops know nothing of vectors; the
/// compiler may (they are built -O3 -march=native). RESHAPEs give nothing.
std::vector<Bytes> runBaseline(const PreparedGraph& graph, ByteView input);

} // namespace plumbline::bench
