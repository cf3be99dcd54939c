// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED: weights, bias, requantization, window.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/kernels/operator_plan.h"
#include "core/kernels/tensor_checks.h"

namespace plumbline {
namespace {

/// Input, weights and output are what every weighted kernel needs.
Refusal checkOperands(const OperatorSite& site, std::size_t weightRank) {
    if (Refusal refusal = checkActivation(site.input(0), "input 0"))
        return refusal;
    if (Refusal refusal = checkActivation(site.output(), "the output"))
        return refusal;
    if (Refusal refusal = checkInt8(site.input(1), "the weight tensor"))
        return refusal;
    const Tensor& weights = *site.input(1);
    if (!weights.isConstant())
        return "the weights are not constant";
    if (weights.shape.size() != weightRank)
        return fmt::format("the weights have shape {}, not {} dimensions", shapeText(weights.shape),
                           weightRank);
    return std::nullopt;
}

/// Scales must be one, or one per channel along `dimension`; zero points must be 0.
Refusal checkWeightQuantization(const Tensor& weights, int dimension, std::int64_t channels) {
    const Quantization& quantization = weights.quantization;
    const std::size_t count = quantization.scales.size();
    if (count != 1 && count != static_cast<std::uint64_t>(channels))
        return fmt::format("the weights have {} scales for {} output channels", count, channels);
    if (count != 1 && quantization.dimension != dimension)
        return fmt::format("the weights are quantized along dimension {}, not {}",
                           quantization.dimension, dimension);
    for (const float scale : quantization.scales) {
        if (!std::isfinite(scale) || scale < 0.0F)
            return fmt::format("a weight scale is {}, not a finite number of at least 0", scale);
    }
    for (const std::int64_t zeroPoint : quantization.zeroPoints) {
        if (zeroPoint != 0)
            return fmt::format("a weight zero point is {}, not 0", zeroPoint);
    }
    return std::nullopt;
}

/// The multiplier of one weight scale.
Multiplier multiplierOf(const OperatorSite& site, double weightScale) {
    return requantizationMultiplier(scaleOf(*site.input(0)), weightScale, scaleOf(*site.output()));
}

/// The largest scale has the largest shift.
Refusal checkShift(const OperatorSite& site) {
    const std::vector<float>& scales = site.input(1)->quantization.scales;
    const auto largest = std::max_element(scales.begin(), scales.end());
    const Multiplier m = multiplierOf(site, *largest);
    if (m.shift > kMaxShift)
        return fmt::format("the requantization shift of channel {} is {}, above {}",
                           largest - scales.begin(), m.shift, kMaxShift);
    return std::nullopt;
}

Refusal checkBias(const Tensor* bias, std::int64_t channels) {
    if (!bias)
        return std::nullopt;
    if (bias->type != ElementType::Int32)
        return fmt::format("the bias is {}, not INT32", elementTypeName(bias->type));
    if (bias->data.size() != 4 * static_cast<std::uint64_t>(channels))
        return fmt::format("the bias has {} bytes of constant data for {} channels",
                           bias->data.size(), channels);
    return std::nullopt;
}

/// Fills multipliers and bias, one per output channel. Everything about them was checked.
void fillChannels(const OperatorSite& site, WeightedPlan& plan) {
    const std::vector<float>& scales = site.input(1)->quantization.scales;
    const Tensor* bias = site.input(2);
    const auto channels = static_cast<std::size_t>(plan.output.c);
    if (scales.size() == 1)
        plan.multipliers.assign(channels, multiplierOf(site, scales[0]));
    for (std::size_t c = 0; scales.size() != 1 && c < channels; ++c)
        plan.multipliers.push_back(multiplierOf(site, scales[c]));
    for (std::size_t c = 0; bias && c < channels; ++c)
        plan.bias.push_back(loadI32(bias->data, 4 * c));
}

/// What is left when `weighted` has its geometry: numbers per channel, bounds, weights. `fullK` is
/// the number of products per output.
Refusal finishPlan(const OperatorSite& site, int dimension, FusedActivation activation,
                   std::int64_t fullK, WeightedPlan weighted, PlannedOperator& plan) {
    if (Refusal refusal = checkWeightQuantization(*site.input(1), dimension, weighted.output.c))
        return refusal;
    if (Refusal refusal = checkShift(site))
        return refusal;
    if (Refusal refusal = checkBias(site.input(2), weighted.output.c))
        return refusal;
    if (Refusal refusal = boundsOf(activation, *site.output(), weighted.bounds))
        return refusal;
    fillChannels(site, weighted);
    weighted.inputZeroPoint = zeroPointOf(*site.input(0));
    weighted.outputZeroPoint = zeroPointOf(*site.output());
    weighted.weights = reinterpret_cast<const std::int8_t*>(site.input(1)->data.data());
    plan.work = boundedWork({site.output()->elements(), fullK});
    plan.kernel = std::move(weighted);
    return std::nullopt;
}

/// The window of a convolution whose weights have kernel extents in dimensions 1 and 2.
template <class Options> Window windowOf(const Options& options, const Tensor& weights) {
    Window window;
    window.kernelH = weights.shape[1];
    window.kernelW = weights.shape[2];
    window.strideH = options.strideH;
    window.strideW = options.strideW;
    window.dilationH = options.dilationH;
    window.dilationW = options.dilationW;
    return window;
}

} // namespace

Refusal planConv(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkOperands(site, 4))
        return refusal;
    const auto options = optionsOf<Conv2DOptions>(site.op);
    const Tensor& weights = *site.input(1);
    WeightedPlan conv;
    if (Refusal refusal = placeImages(site, conv.batch, conv.input, conv.output))
        return refusal;
    if (weights.shape[0] != conv.output.c || weights.shape[3] != conv.input.c)
        return fmt::format("weights {} do not match {} input and {} output channels",
                           shapeText(weights.shape), conv.input.c, conv.output.c);
    conv.window = windowOf(options, weights);
    if (Refusal refusal = placeWindow(conv.window, options.padding, conv.input, conv.output))
        return refusal;
    const std::int64_t fullK = weights.elements() / conv.output.c;
    return finishPlan(site, 0, options.activation, fullK, std::move(conv), plan);
}

Refusal planDepthwise(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkOperands(site, 4))
        return refusal;
    const auto options = optionsOf<DepthwiseConv2DOptions>(site.op);
    const Tensor& weights = *site.input(1);
    WeightedPlan depthwise;
    depthwise.isDepthwise = true;
    if (Refusal refusal = placeImages(site, depthwise.batch, depthwise.input, depthwise.output))
        return refusal;
    const std::int64_t channels = depthwise.output.c;
    if (weights.shape[3] != channels ||
        channels != depthwise.input.c * std::int64_t{options.depthMultiplier})
        return fmt::format("{} input channels, depth multiplier {}, weights {} and {} output "
                           "channels do not match",
                           depthwise.input.c, options.depthMultiplier, shapeText(weights.shape),
                           channels);
    depthwise.window = windowOf(options, weights);
    if (Refusal refusal =
            placeWindow(depthwise.window, options.padding, depthwise.input, depthwise.output))
        return refusal;
    const std::int64_t fullK = depthwise.window.kernelH * depthwise.window.kernelW;
    return finishPlan(site, 3, options.activation, fullK, std::move(depthwise), plan);
}

Refusal planFullyConnected(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkOperands(site, 2))
        return refusal;
    const auto options = optionsOf<FullyConnectedOptions>(site.op);
    if (options.weightsFormat != 0)
        return fmt::format("weights format {} has no kernel",
                           static_cast<int>(options.weightsFormat));
    const Tensor& weights = *site.input(1);
    const std::int64_t units = weights.shape[0];
    const std::int64_t depth = weights.shape[1];
    const std::int64_t inputs = site.input(0)->elements();
    const Tensor& output = *site.output();
    if (inputs % depth != 0 || output.shape.empty() || output.shape.back() != units ||
        output.elements() / units != inputs / depth)
        return fmt::format("input {}, weights {} and output {} do not match",
                           shapeText(site.input(0)->shape), shapeText(weights.shape),
                           shapeText(output.shape));
    WeightedPlan dense;
    dense.input = {inputs / depth, 1, depth};
    dense.output = {inputs / depth, 1, units};
    return finishPlan(site, 0, options.activation, depth, std::move(dense), plan);
}

} // namespace plumbline
