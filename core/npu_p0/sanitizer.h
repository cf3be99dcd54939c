// SPDX-License-Identifier: GPL-3.0-or-later
// The arena sanitizer: replays the accesses of a job, without its arithmetic, over a shadow of the
// arena.
#pragma once

#include "core/lowering/job.h"

namespace plumbline::npu_p0 {

/// Findings in order of the accesses, at most kMaxFindings: bytes read before written, read after
/// their buffer's last use or after another record overwrote them, and writes outside the declared
/// span, outside the record's own buffer or over a buffer that is still needed. Each names record,
/// operand, address range and owner. A job that does not relocate and validate gives none: that
/// fault is reported elsewhere.
Diagnostics sanitize(const Job& job);

inline constexpr std::size_t kMaxFindings = 1000;

} // namespace plumbline::npu_p0
