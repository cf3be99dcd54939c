// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/operator_plan.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/kernels/tensor_checks.h"

namespace plumbline {
namespace {

Refusal checkActivationPair(const OperatorSite& site) {
    if (Refusal refusal = checkActivation(site.input(0), "input 0"))
        return refusal;
    return checkActivation(site.output(), "the output");
}

Refusal planAdd(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkActivationPair(site))
        return refusal;
    if (Refusal refusal = checkActivation(site.input(1), "input 1"))
        return refusal;
    const Tensor& a = *site.input(0);
    const Tensor& b = *site.input(1);
    const Tensor& output = *site.output();
    if (!haveSameShape(a, b) || !haveSameShape(a, output))
        return fmt::format(
            "inputs {} and {} and output {} differ in shape; there is no broadcasting",
            shapeText(a.shape), shapeText(b.shape), shapeText(output.shape));
    AddPlan add;
    add.elements = output.elements();
    add.zeroPoint0 = zeroPointOf(a);
    add.zeroPoint1 = zeroPointOf(b);
    add.outputZeroPoint = zeroPointOf(output);
    add.multipliers = addMultipliers(scaleOf(a), scaleOf(b), scaleOf(output));
    if (add.multipliers.output.shift > kMaxShift)
        return fmt::format("the output's requantization shift is {}, above {}",
                           add.multipliers.output.shift, kMaxShift);
    if (Refusal refusal = boundsOf(optionsOf<AddOptions>(site.op).activation, output, add.bounds))
        return refusal;
    plan.input1 = site.op.inputs[1];
    plan.work = boundedWork({add.elements});
    plan.kernel = add;
    return std::nullopt;
}

Refusal planPool(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkActivationPair(site))
        return refusal;
    const auto options = optionsOf<Pool2DOptions>(site.op);
    const Tensor& output = *site.output();
    PoolPlan pool;
    pool.isAverage = site.op.kind == OperatorKind::AveragePool2D;
    if (Refusal refusal = placeImages(site, pool.batch, pool.input, pool.output))
        return refusal;
    if (pool.input.c != pool.output.c)
        return fmt::format("a pool keeps the channels, not {} to {}", pool.input.c, pool.output.c);
    if (!haveSameQuantization(*site.input(0), output))
        return "input and output differ in scale or zero point";
    pool.window.kernelH = options.filterH;
    pool.window.kernelW = options.filterW;
    pool.window.strideH = options.strideH;
    pool.window.strideW = options.strideW;
    if (Refusal refusal = placeWindow(pool.window, options.padding, pool.input, pool.output))
        return refusal;
    if (Refusal refusal = boundsOf(options.activation, output, pool.bounds))
        return refusal;
    plan.work = boundedWork({output.elements(), std::min(pool.window.kernelH, pool.input.h),
                             std::min(pool.window.kernelW, pool.input.w)});
    plan.kernel = pool;
    return std::nullopt;
}

Refusal planClamp(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkActivationPair(site))
        return refusal;
    const Tensor& input = *site.input(0);
    const Tensor& output = *site.output();
    if (!haveSameShape(input, output))
        return fmt::format("input {} and output {} differ in shape", shapeText(input.shape),
                           shapeText(output.shape));
    if (!haveSameQuantization(input, output))
        return "input and output differ in scale or zero point";
    FusedActivation activation = FusedActivation::Relu;
    if (site.op.kind == OperatorKind::Relu6)
        activation = FusedActivation::Relu6;
    else if (site.op.kind == OperatorKind::ReluN1To1)
        activation = FusedActivation::ReluN1To1;
    ClampPlan clamp;
    clamp.elements = output.elements();
    if (Refusal refusal = boundsOf(activation, output, clamp.bounds))
        return refusal;
    plan.work = boundedWork({clamp.elements});
    plan.kernel = clamp;
    return std::nullopt;
}

Refusal planReshape(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkInt8(site.input(0), "input 0"))
        return refusal;
    if (Refusal refusal = checkInt8(site.output(), "the output"))
        return refusal;
    if (site.input(0)->elements() != site.output()->elements())
        return fmt::format("input {} and output {} differ in their number of elements",
                           shapeText(site.input(0)->shape), shapeText(site.output()->shape));
    plan.kernel = AliasPlan{};
    return std::nullopt;
}

Refusal planSoftmax(const OperatorSite& site, PlannedOperator& plan) {
    if (Refusal refusal = checkActivationPair(site))
        return refusal;
    const Tensor& input = *site.input(0);
    const Tensor& output = *site.output();
    if (!haveSameShape(input, output) || input.shape.empty() || output.shape.empty())
        return fmt::format("input {} and output {} differ in shape or have no dimension",
                           shapeText(input.shape), shapeText(output.shape));
    if (scaleOf(output) != 1.0 / 256 || zeroPointOf(output) != -128)
        return fmt::format("the output has scale {} and zero point {}, not 1/256 and -128",
                           scaleOf(output), zeroPointOf(output));
    const double beta = optionsOf<SoftmaxOptions>(site.op).beta;
    const auto parameters = softmaxParameters(scaleOf(input), beta);
    if (!parameters)
        return fmt::format("beta {} with input scale {} has no fixed-point form", beta,
                           scaleOf(input));
    SoftmaxPlan softmax;
    softmax.depth = input.shape.back();
    softmax.rows = input.elements() / softmax.depth;
    softmax.parameters = *parameters;
    plan.work = boundedWork({input.elements()});
    plan.kernel = softmax;
    return std::nullopt;
}

struct KernelRow {
    OperatorKind kind;
    std::size_t fewestInputs;
    std::size_t mostInputs;
    Refusal (*plan)(const OperatorSite&, PlannedOperator&);
};

// Bias and RESHAPE's new shape are optional inputs.
constexpr std::array<KernelRow, 11> kKernels{{
    {OperatorKind::Conv2D, 2, 3, planConv},
    {OperatorKind::DepthwiseConv2D, 2, 3, planDepthwise},
    {OperatorKind::FullyConnected, 2, 3, planFullyConnected},
    {OperatorKind::Add, 2, 2, planAdd},
    {OperatorKind::MaxPool2D, 1, 1, planPool},
    {OperatorKind::AveragePool2D, 1, 1, planPool},
    {OperatorKind::Relu, 1, 1, planClamp},
    {OperatorKind::Relu6, 1, 1, planClamp},
    {OperatorKind::ReluN1To1, 1, 1, planClamp},
    {OperatorKind::Reshape, 1, 2, planReshape},
    {OperatorKind::Softmax, 1, 1, planSoftmax},
}};

const Tensor* tensorAt(const Graph& graph, const std::vector<std::int32_t>& indices,
                       std::size_t position) {
    if (position >= indices.size() || indices[position] == kAbsentTensor)
        return nullptr;
    return &graph.tensors.at(static_cast<std::size_t>(indices[position]));
}

} // namespace

const Tensor* OperatorSite::input(std::size_t position) const {
    return tensorAt(graph, op.inputs, position);
}

const Tensor* OperatorSite::output() const { return tensorAt(graph, op.outputs, 0); }

Refusal planOperator(const OperatorSite& site, PlannedOperator& plan) {
    const auto row =
        std::find_if(kKernels.begin(), kKernels.end(),
                     [&](const KernelRow& candidate) { return candidate.kind == site.op.kind; });
    if (row == kKernels.end())
        return "no kernel for this operator";
    const std::size_t inputs = site.op.inputs.size();
    if (inputs < row->fewestInputs || inputs > row->mostInputs)
        return fmt::format("{} inputs, not {}..{}", inputs, row->fewestInputs, row->mostInputs);
    if (site.op.outputs.size() != 1 || !site.output())
        return fmt::format("{} outputs, not one", site.op.outputs.size());
    if (site.output()->isConstant())
        return "the output is a constant tensor";
    if (Refusal refusal = row->plan(site, plan))
        return refusal;
    plan.input0 = site.op.inputs[0];
    plan.output = site.op.outputs[0];
    return std::nullopt;
}

} // namespace plumbline
