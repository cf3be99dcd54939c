// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a job over byte regions, bit-exactly. Source: spec section 9.
#pragma once

#include "core/base/job_context.h"
#include "core/lowering/job.h"

namespace plumbline::npu_p0 {

/// See Target::execute.
Execution execute(const Job& job, ByteView input, const ExecuteOptions& options,
                  const JobContext& context);

} // namespace plumbline::npu_p0
