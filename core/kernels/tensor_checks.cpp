// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/tensor_checks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

struct Images {
    std::int64_t batch = 1;
    Hwc shape;
};

std::optional<Images> imagesOf(const Tensor& tensor) {
    const std::vector<std::int32_t>& shape = tensor.shape;
    if (shape.size() == 4)
        return Images{shape[0], {shape[1], shape[2], shape[3]}};
    if (shape.size() == 2)
        return Images{shape[0], {1, 1, shape[1]}};
    return std::nullopt;
}

/// One axis of a window; `pad` is the near padding.
struct Axis {
    std::int64_t extent = 0;
    std::int64_t output = 0;
    std::int64_t kernel = 0;
    std::int64_t stride = 0;
    std::int64_t dilation = 1;
    std::int64_t pad = 0;
};

Refusal placeAxis(Axis& axis, Padding padding, const char* name) {
    if (axis.kernel < 1 || axis.stride < 1 || axis.dilation < 1)
        return fmt::format("{}: kernel {}, stride {} and dilation {} are not all positive", name,
                           axis.kernel, axis.stride, axis.dilation);
    // Extents, strides and dilations come from 32-bit numbers, so the products fit 64 bits.
    const std::int64_t reach = (axis.kernel - 1) * axis.dilation + 1;
    std::int64_t expected = 0;
    switch (padding) {
    case Padding::Same:
        expected = (axis.extent - 1) / axis.stride + 1;
        axis.pad =
            std::max<std::int64_t>((expected - 1) * axis.stride + reach - axis.extent, 0) / 2;
        break;
    case Padding::Valid:
        expected = axis.extent < reach ? 0 : (axis.extent - reach) / axis.stride + 1;
        axis.pad = 0;
        break;
    default:
        return fmt::format("padding mode {} is neither SAME nor VALID", static_cast<int>(padding));
    }
    if (axis.output != expected)
        return fmt::format("output {} is {}, but {} follows from input {}, kernel {}, stride {}, "
                           "dilation {} and padding {}",
                           name, axis.output, expected, axis.extent, axis.kernel, axis.stride,
                           axis.dilation, paddingName(padding));
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> countElements(const std::vector<std::int32_t>& shape) {
    std::int64_t count = 1;
    for (const std::int32_t extent : shape) {
        if (extent < 1 || count > kMaxElements / extent)
            return std::nullopt;
        count *= extent;
    }
    return count;
}

Refusal checkInt8(const Tensor* tensor, const std::string& role) {
    if (!tensor)
        return fmt::format("{} is absent", role);
    if (tensor->type != ElementType::Int8)
        return fmt::format("{} is {}, not INT8", role, elementTypeName(tensor->type));
    const std::optional<std::int64_t> count = countElements(tensor->shape);
    if (!count)
        return fmt::format("{} has shape {}, which is empty, not fixed or too large", role,
                           shapeText(tensor->shape));
    if (tensor->isConstant() && tensor->data.size() != static_cast<std::uint64_t>(*count))
        return fmt::format("{} of shape {} has {} bytes of data", role, shapeText(tensor->shape),
                           tensor->data.size());
    return std::nullopt;
}

Refusal checkActivation(const Tensor* tensor, const std::string& role) {
    if (Refusal refusal = checkInt8(tensor, role))
        return refusal;
    const Quantization& quantization = tensor->quantization;
    if (quantization.scales.size() != 1 || quantization.zeroPoints.size() != 1)
        return fmt::format("{} has {} scales and {} zero points, not one of each", role,
                           quantization.scales.size(), quantization.zeroPoints.size());
    const float scale = quantization.scales[0];
    if (!std::isfinite(scale) || scale <= 0.0F)
        return fmt::format("{} has scale {}, not a finite number above 0", role, scale);
    const std::int64_t zeroPoint = quantization.zeroPoints[0];
    if (zeroPoint < -128 || zeroPoint > 127)
        return fmt::format("{} has zero point {}, outside -128..127", role, zeroPoint);
    return std::nullopt;
}

Refusal placeImages(const OperatorSite& site, std::int64_t& batch, Hwc& input, Hwc& output) {
    const std::optional<Images> in = imagesOf(*site.input(0));
    const std::optional<Images> out = imagesOf(*site.output());
    if (!in || !out || in->batch != out->batch)
        return fmt::format("input {} and output {} are not [N,H,W,C] or [N,C] of one batch size",
                           shapeText(site.input(0)->shape), shapeText(site.output()->shape));
    batch = in->batch;
    input = in->shape;
    output = out->shape;
    return std::nullopt;
}

bool haveSameShape(const Tensor& a, const Tensor& b) {
    const auto isNotOne = [](std::int32_t extent) { return extent != 1; };
    const auto firstA = std::find_if(a.shape.begin(), a.shape.end(), isNotOne);
    const auto firstB = std::find_if(b.shape.begin(), b.shape.end(), isNotOne);
    return std::equal(firstA, a.shape.end(), firstB, b.shape.end());
}

bool haveSameQuantization(const Tensor& a, const Tensor& b) {
    return scaleOf(a) == scaleOf(b) && zeroPointOf(a) == zeroPointOf(b);
}

double scaleOf(const Tensor& activation) { return activation.quantization.scales.at(0); }

std::int32_t zeroPointOf(const Tensor& activation) {
    return static_cast<std::int32_t>(activation.quantization.zeroPoints.at(0));
}

Refusal placeWindow(Window& window, Padding padding, const Hwc& input, const Hwc& output) {
    Axis height{input.h, output.h, window.kernelH, window.strideH, window.dilationH};
    if (Refusal refusal = placeAxis(height, padding, "height"))
        return refusal;
    Axis width{input.w, output.w, window.kernelW, window.strideW, window.dilationW};
    if (Refusal refusal = placeAxis(width, padding, "width"))
        return refusal;
    window.padTop = height.pad;
    window.padLeft = width.pad;
    return std::nullopt;
}

Refusal boundsOf(FusedActivation activation, const Tensor& output, ActivationBounds& bounds) {
    const double scale = scaleOf(output);
    const std::int32_t zeroPoint = zeroPointOf(output);
    switch (activation) {
    case FusedActivation::None:
        bounds = {};
        return std::nullopt;
    case FusedActivation::Relu:
        bounds = reluBounds(zeroPoint);
        return std::nullopt;
    case FusedActivation::Relu6:
        bounds = relu6Bounds(scale, zeroPoint);
        return std::nullopt;
    case FusedActivation::ReluN1To1:
        bounds = {quantizeToInt8(-1.0, scale, zeroPoint), quantizeToInt8(1.0, scale, zeroPoint)};
        return std::nullopt;
    case FusedActivation::Tanh:
    case FusedActivation::SignBit:
        break;
    }
    return fmt::format("fused activation {} ({}) has no kernel", fusedActivationName(activation),
                       static_cast<int>(activation));
}

std::uint64_t boundedWork(std::initializer_list<std::int64_t> factors) {
    constexpr std::uint64_t kBound = kMaxRunWork + 1;
    std::uint64_t product = 1;
    for (const std::int64_t factor : factors) {
        const auto times = static_cast<std::uint64_t>(factor);
        product = times != 0 && product > kBound / times ? kBound : product * times;
    }
    return product;
}

} // namespace plumbline
