// SPDX-License-Identifier: GPL-3.0-or-later
// Checks and plans a whole graph. The entry point is prepareGraph().
#include <algorithm>

#include <fmt/format.h>

#include "core/kernels/graph_runner.h"
#include "core/kernels/operator_plan.h"
#include "core/kernels/preparation.h"
#include "core/kernels/tensor_checks.h"

namespace plumbline {
namespace {

// Sums of input sizes stop here, long before 64 bits are full. No run takes as much.
constexpr std::uint64_t kMaxInputBytes = std::uint64_t{1} << 60;

/// Bytes of a dense tensor; nothing when its size is not fixed.
std::optional<std::uint64_t> tensorBytes(const Tensor& tensor) {
    const std::optional<std::int64_t> elements = countElements(tensor.shape);
    const int bits = elementBits(tensor.type);
    if (!elements || bits == 0)
        return std::nullopt;
    return (static_cast<std::uint64_t>(*elements) * static_cast<std::uint64_t>(bits) + 7) / 8;
}

bool isTensor(const Graph& graph, std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < graph.tensors.size();
}

const Tensor& tensorOf(const Graph& graph, std::int32_t index) {
    return graph.tensors[static_cast<std::size_t>(index)];
}

std::string tensorText(const Graph& graph, std::int32_t index) {
    const std::string& name = tensorOf(graph, index).name;
    return name.empty() ? fmt::format("tensor {}", index)
                        : fmt::format("tensor {} \"{}\"", index, name);
}

PlannedTensor describe(const Tensor& tensor, std::int32_t index) {
    PlannedTensor planned;
    planned.storage = index;
    if (tensor.isConstant()) {
        planned.constant = tensor.data.data();
        planned.bytes = tensor.data.size();
    }
    if (const std::optional<Hwc> image = tensor.batchOneShape())
        planned.traceShape = {image->h, image->w, image->c};
    else
        planned.traceShape.assign(tensor.shape.begin(), tensor.shape.end());
    if (!tensor.quantization.scales.empty())
        planned.scale = tensor.quantization.scales[0];
    if (!tensor.quantization.zeroPoints.empty())
        planned.zeroPoint = tensor.quantization.zeroPoints[0];
    return planned;
}

/// Bytes that a plan itself holds per output channel.
std::uint64_t planBytes(const KernelPlan& kernel) {
    const auto* weighted = std::get_if<WeightedPlan>(&kernel);
    return weighted ? weighted->multipliers.size() * sizeof(Multiplier) +
                          weighted->bias.size() * sizeof(std::int32_t)
                    : 0;
}

/// Walks the graph once, in execution order.
class Planner {
  public:
    Planner(const Model& model, const Graph& graph, const KernelSet& kernels)
        : m_graph(graph)
        , m_kernels(kernels)
        , m_plan(std::make_shared<PreparedGraph>())
        , m_state(graph.tensors.size(), State::Unwritten) {
        m_plan->kernels = &kernels;
        m_plan->file = model.file;
        if (!model.sha256.empty())
            m_plan->modelSha256 = model.sha256;
    }

    Result<PreparedGraphPtr> run() {
        describeTensors();
        planInputs();
        for (std::size_t i = 0; i < m_graph.operators.size() && !m_isTooLarge; ++i)
            planOne(static_cast<std::int64_t>(i), m_graph.operators[i]);
        if (!m_isTooLarge)
            planOutputs();
        if (!m_diagnostics.empty())
            return std::move(m_diagnostics);
        PreparationBudget budget;
        for (PlannedOperator& op : m_plan->operators) {
            if (const auto* plan = std::get_if<WeightedPlan>(&op.kernel))
                op.prepared = budget.prepare(m_kernels, argumentsOf(*plan), plan->isDepthwise);
        }
        return PreparedGraphPtr(m_plan);
    }

  private:
    enum class State : std::uint8_t { Unwritten, Constant, GraphInput, Written };

    State& stateOf(std::int32_t tensor) { return m_state[static_cast<std::size_t>(tensor)]; }
    PlannedTensor& planned(std::int32_t tensor) {
        return m_plan->tensors[static_cast<std::size_t>(tensor)];
    }

    void fail(Code code, std::string message, Location where) {
        m_diagnostics.push_back(makeError(code, std::move(message), std::move(where)));
    }
    void failAt(std::int64_t index, const Operator& op, Code code, const std::string& reason) {
        Location where;
        where.operatorIndex = index;
        const std::string custom =
            op.customCode.empty() ? "" : fmt::format(" \"{}\"", op.customCode);
        fail(code, fmt::format("{}{}: {}", op.name, custom, reason), std::move(where));
    }
    void failAtTensor(Code code, std::int32_t tensor, std::string message) {
        Location where;
        where.tensor = tensor;
        fail(code, std::move(message), std::move(where));
    }

    void describeTensors() {
        m_plan->tensors.reserve(m_graph.tensors.size());
        for (std::size_t i = 0; i < m_graph.tensors.size(); ++i) {
            const Tensor& tensor = m_graph.tensors[i];
            m_plan->tensors.push_back(describe(tensor, static_cast<std::int32_t>(i)));
            if (tensor.isConstant())
                m_state[i] = State::Constant;
        }
    }

    void planInputs() {
        m_plan->inputs = m_graph.inputs;
        for (const std::int32_t index : m_graph.inputs) {
            const std::optional<std::uint64_t> bytes =
                isTensor(m_graph, index) ? tensorBytes(tensorOf(m_graph, index)) : std::nullopt;
            if (!bytes) {
                failAtTensor(Code::InputSize, index,
                             fmt::format("graph input tensor {} has no fixed size", index));
                continue;
            }
            stateOf(index) = State::GraphInput;
            planned(index).constant = nullptr;
            planned(index).bytes = *bytes;
            m_plan->inputBytes += *bytes;
            addStorage(*bytes);
        }
    }

    void planOne(std::int64_t index, const Operator& op) {
        const auto isKnown = [this](std::int32_t tensor) {
            return tensor == kAbsentTensor || isTensor(m_graph, tensor);
        };
        if (!std::all_of(op.inputs.begin(), op.inputs.end(), isKnown) ||
            !std::all_of(op.outputs.begin(), op.outputs.end(), isKnown)) {
            failAt(index, op, Code::NoKernel, "it names a tensor that does not exist");
            return;
        }
        PlannedOperator plan;
        plan.index = index;
        plan.name = op.name;
        const Refusal refusal = planOperator({m_graph, op}, plan);
        if (refusal)
            failAt(index, op, Code::NoKernel, *refusal);
        else
            checkInputs(index, op);
        takeOutputs(index, op);
        if (refusal)
            return;
        placeOutput(plan);
        m_plan->operators.push_back(std::move(plan));
    }

    void checkInputs(std::int64_t index, const Operator& op) {
        for (const std::int32_t tensor : op.inputs) {
            if (tensor != kAbsentTensor && stateOf(tensor) == State::Unwritten)
                failAt(index, op, Code::NotProduced,
                       fmt::format("{} is read before anything has written it",
                                   tensorText(m_graph, tensor)));
        }
    }

    void takeOutputs(std::int64_t index, const Operator& op) {
        for (const std::int32_t tensor : op.outputs) {
            if (tensor == kAbsentTensor)
                continue;
            State& state = stateOf(tensor);
            if (state == State::GraphInput)
                failAt(index, op, Code::WritesGraphInput,
                       fmt::format("{} is a graph input", tensorText(m_graph, tensor)));
            else if (state == State::Written)
                failAt(index, op, Code::WrittenTwice,
                       fmt::format("{} has been written before", tensorText(m_graph, tensor)));
            else
                state = State::Written;
        }
    }

    void placeOutput(const PlannedOperator& plan) {
        PlannedTensor& output = planned(plan.output);
        output.bytes = static_cast<std::uint64_t>(tensorOf(m_graph, plan.output).elements());
        m_work = std::min(m_work + plan.work, kMaxRunWork + 1);
        if (std::holds_alternative<AliasPlan>(plan.kernel))
            output.storage = planned(plan.input0).storage;
        else
            addStorage(output.bytes + planBytes(plan.kernel));
        if (m_work > kMaxRunWork)
            tooLarge(fmt::format("the run needs more than {} multiplications", kMaxRunWork));
    }

    void addStorage(std::uint64_t bytes) {
        m_storageBytes += std::min(bytes, kMaxActivationBytes + 1);
        if (m_storageBytes > kMaxActivationBytes)
            tooLarge(fmt::format("the activations need more than {} bytes", kMaxActivationBytes));
    }

    void tooLarge(std::string message) {
        if (!m_isTooLarge)
            fail(Code::RunTooLarge, std::move(message), {});
        m_isTooLarge = true;
    }

    void planOutputs() {
        m_plan->outputs = m_graph.outputs;
        for (const std::int32_t index : m_graph.outputs) {
            if (!isTensor(m_graph, index) || stateOf(index) == State::Unwritten)
                failAtTensor(Code::NotProduced, index,
                             fmt::format("nothing produces graph output tensor {}", index));
            else
                addStorage(planned(index).bytes);
        }
    }

    const Graph& m_graph;
    const KernelSet& m_kernels;
    std::shared_ptr<PreparedGraph> m_plan;
    std::vector<State> m_state; ///< per tensor
    Diagnostics m_diagnostics;
    std::uint64_t m_storageBytes = 0;
    std::uint64_t m_work = 0;
    bool m_isTooLarge = false;
};

} // namespace

WeightedArguments argumentsOf(const WeightedPlan& plan) {
    WeightedArguments args;
    args.input.shape = plan.input;
    args.inputZeroPoint = plan.inputZeroPoint;
    args.window = plan.window;
    args.weights = plan.weights;
    args.bias = plan.bias;
    args.multipliers = plan.multipliers;
    args.outputZeroPoint = plan.outputZeroPoint;
    args.bounds = plan.bounds;
    args.outputShape = plan.output;
    return args;
}

std::optional<std::uint64_t> graphInputBytes(const Graph& graph) {
    std::uint64_t total = 0;
    for (const std::int32_t index : graph.inputs) {
        const std::optional<std::uint64_t> bytes =
            isTensor(graph, index) ? tensorBytes(tensorOf(graph, index)) : std::nullopt;
        if (!bytes || total > kMaxInputBytes)
            return std::nullopt;
        total += *bytes;
    }
    return total;
}

Result<PreparedGraphPtr> prepareGraph(const Model& model, const KernelSet& kernels) {
    if (model.graphs.empty())
        return makeError(Code::NoSubgraph, "the model holds no subgraph");
    return Planner(model, model.graphs.front(), kernels).run();
}

} // namespace plumbline
