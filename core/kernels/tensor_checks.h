// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels demand of tensors, checked on the model's own numbers. Used by the operator plans.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/options.h"
#include "core/graph/tensor.h"
#include "core/kernels/operator_plan.h"

namespace plumbline {

/// Product of the dimensions, each at least 1 and the product at most 2^40; nothing otherwise.
std::optional<std::int64_t> countElements(const std::vector<std::int32_t>& shape);

/// INT8, non-empty, and constant data (where there is any) as long as the shape says. `role` names
/// the tensor in the refusal, "input 0".
Refusal checkInt8(const Tensor* tensor, const std::string& role);

/// checkInt8, and exactly one scale (finite, above 0) and one zero point (fits INT8).
Refusal checkActivation(const Tensor* tensor, const std::string& role);

/// Batch and image extents of the operator's input 0 and output, both [N,H,W,C], or [N,C] read as
/// [N,1,1,C], with equal batch. Both passed checkActivation.
Refusal placeImages(const OperatorSite& site, std::int64_t& batch, Hwc& input, Hwc& output);

/// Equal shapes, leading dimensions of 1 aside.
bool haveSameShape(const Tensor& a, const Tensor& b);

/// Equal scale and zero point. Both passed checkActivation.
bool haveSameQuantization(const Tensor& a, const Tensor& b);

double scaleOf(const Tensor& activation);
std::int32_t zeroPointOf(const Tensor& activation);

/// Checks kernel, stride and dilation of `window` and the output's extents against the padding
/// rule, and fills the pads.
Refusal placeWindow(Window& window, Padding padding, const Hwc& input, const Hwc& output);

/// Clamp bounds of a fused activation for the output's quantization.
Refusal boundsOf(FusedActivation activation, const Tensor& output, ActivationBounds& bounds);

/// Product of `factors` (each at least 0), at most kMaxRunWork + 1.
std::uint64_t boundedWork(std::initializer_list<std::int64_t> factors);

} // namespace plumbline
