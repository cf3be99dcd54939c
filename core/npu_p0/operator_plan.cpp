// SPDX-License-Identifier: GPL-3.0-or-later
// The operators without weights, and what all have in common. The external interface is
// planOperator.
#include "core/npu_p0/operator_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/npu_p0/cost.h"
#include "core/npu_p0/operator_planner.h"

namespace plumbline::npu_p0 {
namespace {

double scaleOf(const Tensor& tensor) { return tensor.quantization.scales[0]; }
std::int64_t zeroPointOf(const Tensor& tensor) { return tensor.quantization.zeroPoints[0]; }

} // namespace

OperatorPlan OperatorPlanner::run() {
    dispatch();
    if (m_rules.refused() || !m_placement)
        return std::move(m_plan);
    m_plan.lowered.placement = *m_placement;
    if (m_plan.opcode)
        finishRecord();
    return std::move(m_plan);
}

void OperatorPlanner::dispatch() {
    switch (m_rules.op().kind) {
    case OperatorKind::Conv2D:
        return conv();
    case OperatorKind::DepthwiseConv2D:
        return depthwise();
    case OperatorKind::FullyConnected:
        return dense();
    case OperatorKind::Add:
        return add();
    case OperatorKind::MaxPool2D:
    case OperatorKind::AveragePool2D:
        return pool();
    case OperatorKind::Relu:
    case OperatorKind::Relu6:
        return clamp();
    case OperatorKind::Reshape:
        return reshape();
    case OperatorKind::Softmax:
        return softmax();
    case OperatorKind::ReluN1To1:
    case OperatorKind::Custom:
        break;
    }
    const Operator& op = m_rules.op();
    m_rules.refuse(
        Code::NoPlacement,
        op.customCode.empty()
            ? "this operator has no placement on NPU-P0"
            : fmt::format("custom operator '{}' has no placement on NPU-P0", op.customCode));
}

void OperatorPlanner::place(Opcode opcode) {
    m_placement = Placement::Npu;
    m_plan.opcode = opcode;
    m_plan.lowered.opcode = static_cast<std::uint32_t>(opcode);
    m_plan.lowered.opcodeName = opcodeName(m_plan.lowered.opcode);
}

std::optional<Activations> OperatorPlanner::activations() {
    const std::int32_t in = m_rules.op().inputs[0];
    const std::int32_t out = m_rules.op().outputs[0];
    if (in == kAbsentTensor) {
        m_rules.refuse(Code::AbsentInput, "the activation input is absent");
        return std::nullopt;
    }
    m_plan.input = in;
    m_plan.output = out;
    bool ok = m_rules.produced(in);
    ok = m_rules.writable(out) && ok;
    ok = m_rules.activation(in) && ok;
    ok = m_rules.activation(out) && ok;
    const auto input = m_rules.batchOne(in);
    const auto output = m_rules.batchOne(out);
    if (!input || !output)
        return std::nullopt;
    setExtents(*input, *output);
    ok = m_rules.withinLimits(*input, in) && ok;
    ok = m_rules.withinLimits(*output, out) && ok;
    if (!ok)
        return std::nullopt;
    setQuantization(in, out);
    return Activations{*input, *output};
}

void OperatorPlanner::setExtents(const Hwc& input, const Hwc& output) {
    OperatorGeometry& g = m_plan.lowered.geometry;
    g.h = input.h, g.w = input.w, g.cin = input.c;
    g.oh = output.h, g.ow = output.w, g.cout = output.c;
}

void OperatorPlanner::setQuantization(std::int32_t in, std::int32_t out) {
    OperatorQuantization& q = m_plan.lowered.quantization;
    q.inputScale = scaleOf(m_rules.tensor(in));
    q.inputZeroPoint = zeroPointOf(m_rules.tensor(in));
    q.outputScale = scaleOf(m_rules.tensor(out));
    q.outputZeroPoint = zeroPointOf(m_rules.tensor(out));
}

void OperatorPlanner::setBounds(const std::optional<ActivationBounds>& bounds) {
    if (!bounds)
        return;
    m_plan.lowered.quantization.lower = bounds->lower;
    m_plan.lowered.quantization.upper = bounds->upper;
}

void OperatorPlanner::setWindow(const WindowOptions& window) {
    OperatorGeometry& g = m_plan.lowered.geometry;
    g.kh = window.kernelH, g.kw = window.kernelW;
    g.strideH = window.strideH, g.strideW = window.strideW;
}

void OperatorPlanner::checkWindow(const WindowOptions& window, const Activations& shapes) {
    setWindow(window);
    bool ok = m_rules.strides(window);
    ok = m_rules.kernelLimit(window) && ok;
    if (!ok)
        return;
    if (const auto pads = m_rules.pads(window, shapes.input, shapes.output))
        m_plan.lowered.geometry.pads = *pads;
}

void OperatorPlanner::add() {
    place(Opcode::Add);
    if (!m_rules.counts(2, 2))
        return;
    const std::int32_t in1 = m_rules.op().inputs[1];
    const auto shapes = activations();
    if (in1 == kAbsentTensor) {
        m_rules.refuse(Code::AbsentInput, "the second input is absent");
        return;
    }
    m_plan.input1 = in1;
    bool ok = m_rules.produced(in1);
    ok = m_rules.activation(in1) && ok;
    const auto second = m_rules.batchOne(in1);
    if (!shapes || !second)
        return;
    setBounds(m_rules.bounds(options<AddOptions>().activation, *m_plan.output));
    setWindow({});
    ok = m_rules.require(shapes->input == *second && *second == shapes->output, Code::Broadcast,
                         fmt::format("operands {} and {}, output {}", toText(shapes->input),
                                     toText(*second), toText(shapes->output))) &&
         ok;
    if (ok)
        addParameters(in1);
}

void OperatorPlanner::addParameters(std::int32_t in1) {
    OperatorQuantization& q = m_plan.lowered.quantization;
    q.input1Scale = scaleOf(m_rules.tensor(in1));
    q.input1ZeroPoint = zeroPointOf(m_rules.tensor(in1));
    m_plan.add = addMultipliers(q.inputScale, *q.input1Scale, q.outputScale);
    m_rules.shiftWithinLimit(m_plan.add.output, "the sum");
}

void OperatorPlanner::pool() {
    const bool average = m_rules.op().kind == OperatorKind::AveragePool2D;
    place(average ? Opcode::AveragePool : Opcode::MaxPool);
    if (!m_rules.counts(1, 1))
        return;
    const auto o = options<Pool2DOptions>();
    const auto shapes = activations();
    if (!shapes)
        return;
    setBounds(m_rules.bounds(o.activation, *m_plan.output));
    m_rules.require(
        shapes->input.c == shapes->output.c, Code::UnequalChannels,
        fmt::format("{} input and {} output channels", shapes->input.c, shapes->output.c));
    m_rules.sameQuantization(*m_plan.input, *m_plan.output);
    const Hwc& in = shapes->input;
    const bool isGlobal = average && o.padding == Padding::Valid && shapes->output.h == 1 &&
                          shapes->output.w == 1 && o.filterH == in.h && o.filterW == in.w &&
                          o.strideH == in.h && o.strideW == in.w;
    if (isGlobal)
        place(Opcode::GlobalAveragePool);
    else
        checkWindow({o.filterH, o.filterW, o.strideH, o.strideW, o.padding}, *shapes);
}

void OperatorPlanner::clamp() {
    place(Opcode::Clamp);
    if (!m_rules.counts(1, 1))
        return;
    const auto shapes = activations();
    if (!shapes)
        return;
    setWindow({});
    const bool six = m_rules.op().kind == OperatorKind::Relu6;
    setBounds(m_rules.bounds(six ? FusedActivation::Relu6 : FusedActivation::Relu, *m_plan.output));
    m_rules.require(
        shapes->input == shapes->output, Code::UnequalGeometry,
        fmt::format("input {}, output {}", toText(shapes->input), toText(shapes->output)));
    m_rules.sameQuantization(*m_plan.input, *m_plan.output);
}

void OperatorPlanner::reshape() {
    m_placement = Placement::Alias;
    if (!m_rules.counts(1, 2))
        return;
    const std::int32_t in = m_rules.op().inputs[0];
    const std::int32_t out = m_rules.op().outputs[0];
    if (in == kAbsentTensor) {
        m_rules.refuse(Code::AbsentInput, "the activation input is absent");
        return;
    }
    m_plan.input = in;
    m_plan.output = out;
    m_rules.produced(in);
    m_rules.writable(out);
    bool ok = m_rules.activation(in);
    ok = m_rules.activation(out) && ok;
    const Tensor& from = m_rules.tensor(in);
    const Tensor& to = m_rules.tensor(out);
    for (const std::int32_t index : {in, out}) {
        const auto& shape = m_rules.tensor(index).shape;
        m_rules.require(shape.size() >= 2 && shape[0] == 1, Code::ReshapeRank,
                        fmt::format("a tensor has shape {}", shapeText(shape)), index);
    }
    m_rules.require(from.elements() == to.elements(), Code::ReshapeCount,
                    fmt::format("{} has {} elements, {} has {}", shapeText(from.shape),
                                from.elements(), shapeText(to.shape), to.elements()));
    if (!ok)
        return;
    m_rules.sameQuantization(in, out);
    setQuantization(in, out);
    m_plan.lowered.note = "The output shares the storage of the input; nothing runs.";
}

void OperatorPlanner::softmax() {
    m_placement = Placement::CpuSoftmax;
    if (!m_rules.counts(1, 1))
        return;
    const bool last =
        static_cast<std::size_t>(m_rules.index()) + 1 == m_rules.graph().operators.size();
    m_rules.require(
        last, Code::SoftmaxNotTerminal,
        fmt::format("it is operator {} of {}", m_rules.index(), m_rules.graph().operators.size()));
    const auto shapes = activations();
    if (!shapes)
        return;
    const auto& outputs = m_rules.graph().outputs;
    if (last && outputs.size() == 1)
        m_rules.require(outputs[0] == *m_plan.output, Code::SoftmaxOutput,
                        fmt::format("it writes tensor {}, the graph output is tensor {}",
                                    *m_plan.output, outputs[0]));
    // The dimensions as they stand: [1,C] and [1,1,1,C] are different shapes here.
    const auto& from = m_rules.tensor(*m_plan.input).shape;
    const auto& to = m_rules.tensor(*m_plan.output).shape;
    m_rules.require(from == to, Code::SoftmaxShape,
                    fmt::format("input {}, output {}", shapeText(from), shapeText(to)));
    const OperatorQuantization& q = m_plan.lowered.quantization;
    m_rules.require(
        q.outputScale == 1.0 / 256 && q.outputZeroPoint == -128, Code::SoftmaxOutputQuantization,
        fmt::format("the output has scale {} and zero point {}", q.outputScale, q.outputZeroPoint));
    softmaxStep(options<SoftmaxOptions>().beta, shapes->output);
}

void OperatorPlanner::softmaxStep(double beta, const Hwc& shape) {
    const double scale = m_plan.lowered.quantization.inputScale;
    const auto parameters = softmaxParameters(scale, beta);
    if (!m_rules.require(parameters.has_value(), Code::SoftmaxScaling,
                         fmt::format("beta {} with input scale {}", beta, scale)))
        return;
    m_plan.lowered.softmax =
        SoftmaxStep{parameters->multiplier, parameters->leftShift, parameters->diffMin, shape};
    m_plan.lowered.note = "Runs on the CPU after the last record, in integers.";
}

void OperatorPlanner::finishRecord() {
    LoweredOperator& lowered = m_plan.lowered;
    lowered.tiles = tilePlan(*m_plan.opcode, lowered.geometry);
    lowered.buffers = bufferBounds(*m_plan.opcode, lowered.geometry, lowered.tiles);
    lowered.cost = estimateCost(*m_plan.opcode, lowered.geometry, lowered.tiles);
    const BufferBounds& b = lowered.buffers;
    if (!m_rules.require(std::max({b.rawGatherHalf, b.packedA, b.packedW}) <= b.limit,
                         Code::BufferBound,
                         fmt::format("raw gather {}, packed A {}, packed W {} bytes",
                                     b.rawGatherHalf, b.packedA, b.packedW)))
        lowered.placement = Placement::Refused;
}
GraphFacts factsOf(const Graph& graph) {
    GraphFacts facts;
    facts.producer.assign(graph.tensors.size(), kNoProducer);
    facts.isGraphInput.assign(graph.tensors.size(), false);
    for (const std::int32_t input : graph.inputs)
        facts.isGraphInput[static_cast<std::size_t>(input)] = true;
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        for (const std::int32_t output : graph.operators[i].outputs) {
            std::int32_t& producer = facts.producer[static_cast<std::size_t>(output)];
            if (producer == kNoProducer)
                producer = static_cast<std::int32_t>(i);
        }
    }
    return facts;
}

OperatorPlan planOperator(const Graph& graph, const GraphFacts& facts, std::int32_t index,
                          Diagnostics& diagnostics) {
    return OperatorPlanner(graph, facts, index, diagnostics).run();
}

} // namespace plumbline::npu_p0
