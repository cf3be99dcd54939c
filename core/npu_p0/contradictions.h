// SPDX-License-Identifier: GPL-3.0-or-later
// A stated operator against the fields of its record.
#pragma once

#include "core/lowering/lowering.h"

namespace plumbline::npu_p0 {

/// As Target::contradictions. A number that the operator's stated opcode does not use is not
/// compared; of another opcode only the opcode is said.
Diagnostics contradictions(const LoweredOperator& op, ByteView record);

} // namespace plumbline::npu_p0
