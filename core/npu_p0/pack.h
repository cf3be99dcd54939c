// SPDX-License-Identifier: GPL-3.0-or-later
// Weights and parameters in the form the hardware reads. Source: spec section 3.
#pragma once

#include "core/npu_p0/constants.h"
#include "core/npu_p0/operator_plan.h"

namespace plumbline::npu_p0 {

inline constexpr std::size_t kParamRecordBytes = 16; ///< per output channel
inline constexpr std::size_t kAddParamBytes = 32;
inline constexpr std::size_t kRegionAlignment = 64;

/// Appends the packed weights of `plan` to `region` at the next multiple of 64: [groups][K][8] with
/// k in kh, kw, cin order; missing lanes 0.
RegionSlice appendWeights(const OperatorPlan& plan, Bytes& region);

/// Appends the parameters of `plan`: {bias, multiplier, shift, 0} per channel, or ADD's 32 bytes.
RegionSlice appendParameters(const OperatorPlan& plan, Bytes& region);

} // namespace plumbline::npu_p0
