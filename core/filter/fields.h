// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of operators. Private to the room.
#pragma once

#include <vector>

#include "core/filter/schema.h"

namespace plumbline {

/// The field whose names are a target's operations.
inline constexpr std::string_view kOpcodeField = "opcode";

/// Every field that does not come from a target's record.
std::vector<FilterField> operatorFields();

} // namespace plumbline
