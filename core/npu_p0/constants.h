// SPDX-License-Identifier: GPL-3.0-or-later
// How NPU-P0 packs weights and parameters, as facts. Source: spec section 3.
#pragma once

#include "core/lowering/constants_layout.h"

namespace plumbline::npu_p0 {

inline constexpr std::int64_t kLanes = 8; ///< channels per group

/// The layout that the field table carries.
extern const ConstantsLayout kConstantsLayout;

} // namespace plumbline::npu_p0
