// SPDX-License-Identifier: GPL-3.0-or-later
// From a model to the records, regions, arena and steps of NPU-P0. Source: spec sections 2 to 5.
#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/lowering/lowering.h"

namespace plumbline::npu_p0 {

inline constexpr std::string_view kTargetName = "npu-p0";
inline constexpr std::string_view kContract = "npu-p0/1.0.2";

/// See Target::lower.
Result<LoweringPtr> lower(ModelPtr model, const JobContext& context);

} // namespace plumbline::npu_p0
