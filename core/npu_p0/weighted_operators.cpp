// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the operators with weights: convolution, depthwise convolution and fully connected.
#include <fmt/format.h>

#include "core/npu_p0/operator_planner.h"

namespace plumbline::npu_p0 {

const Tensor* OperatorPlanner::weightsOfRank(std::size_t rank) {
    const std::int32_t index = m_rules.op().inputs[1];
    if (index == kAbsentTensor) {
        m_rules.refuse(Code::AbsentInput, "the weights input is absent");
        return nullptr;
    }
    const Tensor& weights = m_rules.tensor(index);
    if (!m_rules.require(weights.shape.size() == rank, Code::WeightRank,
                         fmt::format("the weights have shape {}, {} dimensions expected",
                                     shapeText(weights.shape), rank),
                         index))
        return nullptr;
    return &weights;
}

bool OperatorPlanner::perChannel(const Tensor& weights, std::int64_t channels, int dimension) {
    const Quantization& q = weights.quantization;
    const std::int32_t index = m_rules.op().inputs[1];
    const auto count = static_cast<std::size_t>(channels);
    bool ok = m_rules.require(
        q.scales.size() == count && q.zeroPoints.size() == count, Code::PerChannelScales,
        fmt::format("the weights have {} scales and {} zero points for {} channels",
                    q.scales.size(), q.zeroPoints.size(), channels),
        index);
    ok = m_rules.require(q.dimension == dimension, Code::QuantizedDimension,
                         fmt::format("the weights are quantized along dimension {}, not {}",
                                     q.dimension, dimension),
                         index) &&
         ok;
    return m_rules.weightScales(index) && ok;
}

void OperatorPlanner::weighted(const Tensor& weights, std::int64_t channels,
                               std::int64_t weightBytes, bool scalesHold) {
    bool ok = m_rules.weightData(m_rules.op().inputs[1], weightBytes);
    ok = m_rules.bias(m_rules.op().inputs[2], channels) && ok && scalesHold;
    if (!ok)
        return;
    m_plan.weights = weights.data;
    m_plan.bias = m_rules.tensor(m_rules.op().inputs[2]).data;
    const OperatorQuantization& q = m_plan.lowered.quantization;
    const std::vector<float>& scales = weights.quantization.scales;
    for (std::int64_t c = 0; c < channels; ++c) {
        const float scale = scales[scales.size() == 1 ? 0 : static_cast<std::size_t>(c)];
        m_plan.multipliers.push_back(requantizationMultiplier(q.inputScale, scale, q.outputScale));
        if (!m_rules.shiftWithinLimit(m_plan.multipliers.back(), fmt::format("channel {}", c)))
            return;
    }
}

void OperatorPlanner::conv() {
    place(Opcode::Conv2D);
    if (!m_rules.counts(3, 3))
        return;
    const auto o = options<Conv2DOptions>();
    const auto shapes = activations();
    m_rules.dilation(o.dilationH, o.dilationW);
    const Tensor* w = weightsOfRank(4);
    if (!shapes || !w)
        return;
    setBounds(m_rules.bounds(o.activation, *m_plan.output));
    const std::int64_t channels = shapes->output.c;
    checkWindow({w->shape[1], w->shape[2], o.strideH, o.strideW, o.padding}, *shapes);
    if (!m_rules.require(w->shape[0] == channels && w->shape[3] == shapes->input.c,
                         Code::WeightShape,
                         fmt::format("weights {} with {} input and {} output channels",
                                     shapeText(w->shape), shapes->input.c, channels),
                         m_rules.op().inputs[1]))
        return;
    weighted(*w, channels, w->elements(), perChannel(*w, channels, 0));
}

void OperatorPlanner::depthwise() {
    place(Opcode::Depthwise3x3);
    if (!m_rules.counts(3, 3))
        return;
    const auto o = options<DepthwiseConv2DOptions>();
    const auto shapes = activations();
    m_rules.dilation(o.dilationH, o.dilationW);
    m_rules.require(o.depthMultiplier == 1, Code::DepthMultiplier,
                    fmt::format("the depth multiplier is {}", o.depthMultiplier));
    const Tensor* w = weightsOfRank(4);
    if (!shapes || !w)
        return;
    setBounds(m_rules.bounds(o.activation, *m_plan.output));
    m_rules.require(w->shape[1] == 3 && w->shape[2] == 3, Code::KernelNot3x3,
                    fmt::format("the kernel is {}x{}", w->shape[1], w->shape[2]));
    checkWindow({w->shape[1], w->shape[2], o.strideH, o.strideW, o.padding}, *shapes);
    const std::int64_t channels = shapes->output.c;
    if (!m_rules.require(w->shape[3] == channels && shapes->input.c == channels,
                         Code::ChannelMultiplier,
                         fmt::format("{} weight, {} input and {} output channels", w->shape[3],
                                     shapes->input.c, channels)))
        return;
    const std::int64_t bytes = std::int64_t{w->shape[1]} * w->shape[2] * channels;
    weighted(*w, channels, bytes, perChannel(*w, channels, 3));
}

void OperatorPlanner::dense() {
    place(Opcode::FullyConnected);
    if (!m_rules.counts(3, 3))
        return;
    const auto o = options<FullyConnectedOptions>();
    const auto shapes = activations();
    m_rules.require(o.weightsFormat == 0, Code::WeightsFormat,
                    fmt::format("the weights format is {}", o.weightsFormat));
    const Tensor* w = weightsOfRank(2);
    if (!shapes || !w)
        return;
    setBounds(m_rules.bounds(o.activation, *m_plan.output));
    setWindow({});
    const Hwc& in = shapes->input;
    const Hwc& out = shapes->output;
    bool ok =
        m_rules.require(in.h == 1 && in.w == 1 && out.h == 1 && out.w == 1, Code::DenseGeometry,
                        fmt::format("input (H,W,C) = {}, output {}", toText(in), toText(out)));
    ok = ok && m_rules.require(w->shape[0] == out.c && w->shape[1] == in.c, Code::WeightShape,
                               fmt::format("weights {} with {} inputs and {} outputs",
                                           shapeText(w->shape), in.c, out.c),
                               m_rules.op().inputs[1]);
    if (ok)
        weighted(*w, out.c, w->elements(), denseScales(*w, out.c));
}

bool OperatorPlanner::denseScales(const Tensor& weights, std::int64_t channels) {
    const std::size_t count = weights.quantization.scales.size();
    const std::int32_t index = m_rules.op().inputs[1];
    const bool ok = m_rules.require(
        count == 1 || count == static_cast<std::size_t>(channels), Code::DenseScales,
        fmt::format("the weights have {} scales for {} channels", count, channels), index);
    return m_rules.weightScales(index) && ok;
}

} // namespace plumbline::npu_p0
