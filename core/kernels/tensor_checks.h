// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels demand of tensors, checked on the model's own numbers. Used by the operator plans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/options.h"
#include "core/graph/tensor.h"
#include "core/kernels/operator_plan.h"

namespace plumbline {

/// Product of the dimensions, each at least 1 and the product at most 2^40; nothing otherwise.
std::optional<std::int64_t> countElements(const std::vector<std::int32_t>& shape);

/// INT8, non-empty, and constant data (where there is any) as long as the shape says. `role` names the
/// tensor in the refusal, "input 0".
Refusal checkInt8(const Tensor* tensor, const std::string& role);

/// checkInt8, and exactly one scale (finite, above 0) and one zero point (fits INT8).
Refusal checkActivation(const Tensor* tensor, const std::string& role);

/// A batch of images: shape [N,H,W,C], or [N,C] read as [N,1,1,C].
struct Images {
    std::int64_t batch = 1;
    Hwc shape;
};
/// Nothing for any other rank. The tensor passed checkInt8.
std::optional<Images> imagesOf(const Tensor& tensor);

/// Equal shapes, leading dimensions of 1 aside.
bool haveSameShape(const Tensor& a, const Tensor& b);

/// Equal scale and zero point. Both passed checkActivation.
bool haveSameQuantization(const Tensor& a, const Tensor& b);

double scaleOf(const Tensor& activation);
std::int32_t zeroPointOf(const Tensor& activation);

/// One axis of a window. `pad` is the near padding that SAME asks for.
struct Axis {
    std::int64_t extent = 0;
    std::int64_t output = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t dilation = 1;
    std::int64_t pad = 0;
};
/// Checks the axis' positivity and its output extent against the padding rule, and fills `pad`.
Refusal placeAxis(Axis& axis, Padding padding, const char* name);

/// Clamp bounds of a fused activation for the output's quantization.
Refusal boundsOf(FusedActivation activation, const Tensor& output, ActivationBounds& bounds);

} // namespace plumbline
