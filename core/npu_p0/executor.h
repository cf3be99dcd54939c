// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a job over byte regions, bit-exactly. Source: spec section 9.
#pragma once

#include <memory>

#include "core/lowering/target.h"

namespace plumbline::npu_p0 {

/// See Target::prepare.
PreparedJobPtr prepareJob(std::shared_ptr<const Job> job);

} // namespace plumbline::npu_p0
