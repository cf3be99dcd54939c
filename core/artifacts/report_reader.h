// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of a package's report, read.
#pragma once

#include "core/artifacts/json_reader.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// The operator `entry` as number `index` of the report. Every key that its placement has in
/// npu.json must be there; each one that is missing, of another type or out of range is reported
/// with its place and value, and is default.
LoweredOperator readReportedOperator(const JsonValue& entry, std::int64_t index);

} // namespace plumbline
