// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/rule_checker.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {
namespace {

std::int64_t floorDivide(std::int64_t value, std::int64_t divisor) {
    return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

std::string quoted(const Tensor& tensor) {
    return tensor.name.empty() ? std::string("tensor without a name") : "'" + tensor.name + "'";
}

bool isPositiveFinite(double value) { return std::isfinite(value) && value > 0; }

} // namespace

std::optional<AxisPads> axisPads(std::int64_t extent, std::int64_t output, std::int64_t kernel,
                                 std::int64_t stride, Padding padding) {
    AxisPads pads;
    if (padding == Padding::Same) {
        if (output != (extent + stride - 1) / stride)
            return std::nullopt;
        const std::int64_t total =
            std::max<std::int64_t>((output - 1) * stride + kernel - extent, 0);
        pads = {total / 2, total - total / 2};
    }
    const std::int64_t padded = extent + pads.before + pads.after;
    if (floorDivide(padded - kernel, stride) + 1 != output)
        return std::nullopt;
    return pads;
}

bool RuleChecker::refuse(Code code, std::string message, std::optional<std::int32_t> tensor) {
    Location where;
    where.operatorIndex = m_index;
    if (tensor)
        where.tensor = *tensor;
    m_diagnostics.push_back(
        makeError(code, fmt::format("{}: {}", op().name, std::move(message)), std::move(where)));
    m_refused = true;
    return false;
}

bool RuleChecker::require(bool holds, Code code, std::string message,
                          std::optional<std::int32_t> tensor) {
    return holds || refuse(code, std::move(message), tensor);
}

bool RuleChecker::counts(std::size_t minimumInputs, std::size_t maximumInputs) {
    const std::size_t inputs = op().inputs.size();
    const std::string expected = minimumInputs == maximumInputs
                                     ? fmt::format("{}", minimumInputs)
                                     : fmt::format("{} or {}", minimumInputs, maximumInputs);
    const bool inputsFit =
        require(inputs >= minimumInputs && inputs <= maximumInputs, Code::InputCount,
                fmt::format("it has {} inputs, {} expected", inputs, expected));
    const bool outputsFit = require(op().outputs.size() == 1, Code::OutputCount,
                                    fmt::format("it has {} outputs", op().outputs.size()));
    return inputsFit && outputsFit;
}

bool RuleChecker::activation(std::int32_t index) {
    const Tensor& t = tensor(index);
    bool ok = require(t.type == ElementType::Int8, Code::ActivationType,
                      fmt::format("{} is {}, not INT8", quoted(t), elementTypeName(t.type)), index);
    const Quantization& q = t.quantization;
    // Without INT8 there is nothing to say about how the integers are scaled.
    if (!ok)
        return false;
    if (!require(q.scales.size() == 1 && q.zeroPoints.size() == 1, Code::ActivationQuantization,
                 fmt::format("{} has {} scales and {} zero points", quoted(t), q.scales.size(),
                             q.zeroPoints.size()),
                 index))
        return false;
    ok = require(q.zeroPoints[0] >= -128 && q.zeroPoints[0] <= 127, Code::ZeroPointRange,
                 fmt::format("{} has zero point {}", quoted(t), q.zeroPoints[0]), index);
    return require(isPositiveFinite(q.scales[0]), Code::ActivationScale,
                   fmt::format("{} has scale {}", quoted(t), q.scales[0]), index) &&
           ok;
}

bool RuleChecker::produced(std::int32_t index) {
    if (m_facts.isGraphInput[static_cast<std::size_t>(index)])
        return true;
    const std::int32_t producer = m_facts.producer[static_cast<std::size_t>(index)];
    if (producer != kNoProducer && producer < m_index)
        return true;
    const Tensor& t = tensor(index);
    return refuse(Code::NotProduced,
                  fmt::format("it reads {}, which {}", quoted(t),
                              t.isConstant()            ? "is constant data"
                              : producer == kNoProducer ? "nothing produces"
                                                        : "is produced only later"),
                  index);
}

bool RuleChecker::writable(std::int32_t index) {
    const bool fresh =
        require(!m_facts.isGraphInput[static_cast<std::size_t>(index)], Code::WritesGraphInput,
                fmt::format("it writes {}, the graph input", quoted(tensor(index))), index);
    const std::int32_t producer = m_facts.producer[static_cast<std::size_t>(index)];
    return require(producer == m_index, Code::WrittenTwice,
                   fmt::format("it writes {}, which operator {} writes too", quoted(tensor(index)),
                               producer),
                   index) &&
           fresh;
}

std::optional<Hwc> RuleChecker::batchOne(std::int32_t index) {
    const std::optional<Hwc> shape = tensor(index).batchOneShape();
    if (!shape)
        refuse(
            Code::NotBatchOne,
            fmt::format("{} has shape {}", quoted(tensor(index)), shapeText(tensor(index).shape)),
            index);
    return shape;
}

bool RuleChecker::withinLimits(const Hwc& shape, std::int32_t index) {
    const auto legal = [](std::int64_t extent) { return extent >= 1 && extent <= kMaxDimension; };
    return require(legal(shape.h) && legal(shape.w) && legal(shape.c), Code::DimensionLimit,
                   fmt::format("{} has (H,W,C) = {}, each must be within 1..{}",
                               quoted(tensor(index)), toText(shape), kMaxDimension),
                   index);
}

bool RuleChecker::sameQuantization(std::int32_t a, std::int32_t b) {
    const Quantization& qa = tensor(a).quantization;
    const Quantization& qb = tensor(b).quantization;
    return require(
        qa.scales == qb.scales && qa.zeroPoints == qb.zeroPoints, Code::UnequalQuantization,
        fmt::format("input scale {} and zero point {}, output scale {} and zero point {}",
                    qa.scales[0], qa.zeroPoints[0], qb.scales[0], qb.zeroPoints[0]));
}

std::optional<ActivationBounds> RuleChecker::bounds(FusedActivation activation,
                                                    std::int32_t index) {
    const Quantization& q = tensor(index).quantization;
    switch (activation) {
    case FusedActivation::None:
        return ActivationBounds{};
    case FusedActivation::Relu:
        return reluBounds(q.zeroPoints[0]);
    case FusedActivation::Relu6:
        return relu6Bounds(q.scales[0], q.zeroPoints[0]);
    case FusedActivation::ReluN1To1:
    case FusedActivation::Tanh:
    case FusedActivation::SignBit:
        break;
    }
    refuse(Code::FusedActivation,
           fmt::format("the fused activation is {} ({})", fusedActivationName(activation),
                       static_cast<int>(activation)));
    return std::nullopt;
}

bool RuleChecker::dilation(std::int64_t h, std::int64_t w) {
    return require(h == 1 && w == 1, Code::Dilation, fmt::format("the dilation is {}x{}", h, w));
}

bool RuleChecker::strides(const WindowOptions& window) {
    const auto legal = [](std::int64_t stride) { return stride == 1 || stride == 2; };
    return require(legal(window.strideH) && legal(window.strideW), Code::Stride,
                   fmt::format("the stride is {}x{}", window.strideH, window.strideW));
}

bool RuleChecker::kernelLimit(const WindowOptions& window) {
    const auto legal = [](std::int64_t extent) { return extent >= 1 && extent <= kMaxKernel; };
    return require(legal(window.kernelH) && legal(window.kernelW), Code::KernelLimit,
                   fmt::format("the kernel is {}x{}", window.kernelH, window.kernelW));
}

std::optional<std::array<std::int64_t, 4>> RuleChecker::pads(const WindowOptions& window,
                                                             const Hwc& input, const Hwc& output) {
    if (window.padding != Padding::Same && window.padding != Padding::Valid) {
        refuse(Code::PaddingMode,
               fmt::format("the padding mode is {}", static_cast<int>(window.padding)));
        return std::nullopt;
    }
    const auto vertical =
        axisPads(input.h, output.h, window.kernelH, window.strideH, window.padding);
    const auto horizontal =
        axisPads(input.w, output.w, window.kernelW, window.strideW, window.padding);
    if (!vertical || !horizontal) {
        refuse(Code::OutputExtent,
               fmt::format("input {}x{}, kernel {}x{}, stride {}x{} and padding {} do not give the "
                           "output {}x{}",
                           input.h, input.w, window.kernelH, window.kernelW, window.strideH,
                           window.strideW, paddingName(window.padding), output.h, output.w));
        return std::nullopt;
    }
    const std::array<std::int64_t, 4> all{vertical->before, vertical->after, horizontal->before,
                                          horizontal->after};
    if (!require(std::max(all[0], all[1]) < window.kernelH &&
                     std::max(all[2], all[3]) < window.kernelW,
                 Code::PadLimit,
                 fmt::format("pads {},{},{},{} with a kernel {}x{}", all[0], all[1], all[2], all[3],
                             window.kernelH, window.kernelW)))
        return std::nullopt;
    return all;
}

bool RuleChecker::weightData(std::int32_t index, std::int64_t bytes) {
    const Tensor& w = tensor(index);
    bool ok = require(w.type == ElementType::Int8, Code::WeightType,
                      fmt::format("the weights are {}", elementTypeName(w.type)), index);
    if (!require(w.isConstant(), Code::WeightConstant, "the weights have no constant data", index))
        return false;
    if (ok)
        ok = require(static_cast<std::int64_t>(w.data.size()) == bytes, Code::WeightSize,
                     fmt::format("the weights have {} bytes, shape {} needs {}", w.data.size(),
                                 shapeText(w.shape), bytes),
                     index);
    const auto& zeroPoints = w.quantization.zeroPoints;
    const bool centred = std::all_of(zeroPoints.begin(), zeroPoints.end(),
                                     [](std::int64_t zeroPoint) { return zeroPoint == 0; });
    ok = require(centred, Code::WeightZeroPoint, "a weight zero point is not 0", index) && ok;
    if (w.type != ElementType::Int8)
        return false;
    const auto lowest = std::find(w.data.begin(), w.data.end(), std::uint8_t{0x80});
    return require(lowest == w.data.end(), Code::WeightMinus128,
                   fmt::format("weight {} is -128", lowest - w.data.begin()), index) &&
           ok;
}

bool RuleChecker::weightScales(std::int32_t index) {
    const std::vector<float>& scales = tensor(index).quantization.scales;
    const auto bad = std::find_if(scales.begin(), scales.end(),
                                  [](float scale) { return !std::isfinite(scale) || scale < 0; });
    return bad == scales.end() ||
           refuse(Code::WeightScale,
                  fmt::format("the weight scale of channel {} is {}", bad - scales.begin(), *bad),
                  index);
}

bool RuleChecker::bias(std::int32_t index, std::int64_t channels) {
    if (index == kAbsentTensor)
        return refuse(Code::BiasMissing, "the bias input is absent");
    const Tensor& b = tensor(index);
    const bool typed = require(b.type == ElementType::Int32, Code::BiasType,
                               fmt::format("the bias is {}", elementTypeName(b.type)), index);
    if (!require(b.isConstant(), Code::BiasConstant, "the bias has no constant data", index))
        return false;
    return require(static_cast<std::int64_t>(b.data.size()) == 4 * channels, Code::BiasSize,
                   fmt::format("the bias has {} bytes, {} channels need {}", b.data.size(),
                               channels, 4 * channels),
                   index) &&
           typed;
}

bool RuleChecker::shiftWithinLimit(const Multiplier& multiplier, const std::string& what) {
    return require(multiplier.shift <= kMaxShift, Code::RequantizationShift,
                   fmt::format("the requantization shift of {} is {}, at most {} is possible", what,
                               multiplier.shift, kMaxShift));
}

} // namespace plumbline::npu_p0
