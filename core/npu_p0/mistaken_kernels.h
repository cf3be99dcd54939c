// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of a record with a variation. It shares no code with the executor's kernels: tests
// hold the two against each other. Internal to this room.
#pragma once

#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/variation.h"

namespace plumbline::npu_p0 {

/// The dense output. Nothing when the arithmetic faults or the variation does not apply.
std::optional<Bytes> computeVariation(const MistakenRecord& made, const Variation& variation);

} // namespace plumbline::npu_p0
