// SPDX-License-Identifier: GPL-3.0-or-later
// NPU-P0 jobs layer by layer. See core/lowering/layer_runner.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/lowering/layer_runner.h"
#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {

/// See Target::layerRunner.
LayerRunnerPtr makeLayerRunner(const Job& job, std::optional<Fault>& fault);

} // namespace plumbline::npu_p0
