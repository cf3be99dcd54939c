// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a prepared graph. The entry points are runPrepared() and runGraph().
#include "core/kernels/graph_runner.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/kernels/workers.h"

namespace plumbline {
namespace {

/// The storage of one run and the kernels over it.
class Run {
  public:
    Run(const PreparedGraph& graph, const GraphRunOptions& options, const JobContext& context,
        Workers& workers)
        : m_graph(graph)
        , m_kernels(*graph.kernels)
        , m_hasDigests(options.digests)
        , m_workers(workers)
        , m_context(context)
        , m_storage(graph.tensors.size()) {}

    /// `input` has exactly the graph's input bytes.
    void takeInput(ByteView input) {
        for (const std::int32_t index : m_graph.inputs) {
            const auto bytes = static_cast<std::size_t>(tensor(index).bytes);
            const ByteView part = input.first(bytes);
            storageOf(index).assign(part.begin(), part.end());
            input = input.subspan(bytes);
        }
    }

    KernelStatus execute(const PlannedOperator& op) {
        if (!std::holds_alternative<AliasPlan>(op.kernel))
            storageOf(op.output).resize(static_cast<std::size_t>(tensor(op.output).bytes));
        return std::visit([&](const auto& plan) { return apply(plan, op); }, op.kernel);
    }

    ByteView bytesOf(std::int32_t index) const {
        const PlannedTensor& owner = tensor(tensor(index).storage);
        const std::uint8_t* data =
            owner.constant ? owner.constant
                           : m_storage[static_cast<std::size_t>(tensor(index).storage)].data();
        return {data, static_cast<std::size_t>(tensor(index).bytes)};
    }

    TraceLayer layerOf(const PlannedOperator& op) const {
        const PlannedTensor& output = tensor(op.output);
        TraceLayer layer;
        layer.operatorIndex = op.index;
        layer.name = op.name;
        layer.shape = output.traceShape;
        layer.scale = output.scale;
        layer.zeroPoint = output.zeroPoint;
        const ByteView bytes = bytesOf(op.output);
        layer.bytes.assign(bytes.begin(), bytes.end());
        sealLayer(layer, m_hasDigests);
        return layer;
    }

  private:
    const PlannedTensor& tensor(std::int32_t index) const {
        return m_graph.tensors[static_cast<std::size_t>(index)];
    }
    Bytes& storageOf(std::int32_t index) { return m_storage[static_cast<std::size_t>(index)]; }
    const std::int8_t* read(std::int32_t index) const {
        return reinterpret_cast<const std::int8_t*>(bytesOf(index).data());
    }
    std::int8_t* write(std::int32_t index) {
        return reinterpret_cast<std::int8_t*>(storageOf(index).data());
    }

    KernelStatus apply(const AliasPlan&, const PlannedOperator&) { return KernelStatus::Done; }

    KernelStatus apply(const WeightedPlan& plan, const PlannedOperator& op) {
        WeightedArguments args = argumentsOf(plan);
        args.input.data = read(op.input0);
        args.output = write(op.output);
        args.prepared = op.prepared.get();
        return forEachImage(std::move(args), plan.batch, op.work,
                            plan.isDepthwise ? m_kernels.depthwise : m_kernels.conv);
    }

    KernelStatus apply(const AddPlan& plan, const PlannedOperator& op) {
        AddArguments args;
        args.elements = plan.elements;
        args.input0 = read(op.input0);
        args.input1 = read(op.input1);
        args.zeroPoint0 = plan.zeroPoint0;
        args.zeroPoint1 = plan.zeroPoint1;
        args.multipliers = plan.multipliers;
        args.outputZeroPoint = plan.outputZeroPoint;
        args.bounds = plan.bounds;
        args.output = write(op.output);
        return overElements(args, m_kernels.add);
    }

    KernelStatus apply(const PoolPlan& plan, const PlannedOperator& op) {
        PoolArguments args;
        args.input = {read(op.input0), plan.input};
        args.window = plan.window;
        args.bounds = plan.bounds;
        args.outputShape = plan.output;
        args.output = write(op.output);
        return forEachImage(std::move(args), plan.batch, op.work,
                            plan.isAverage ? m_kernels.averagePool : m_kernels.maxPool);
    }

    KernelStatus apply(const ClampPlan& plan, const PlannedOperator& op) {
        const ClampArguments args{plan.elements, read(op.input0), plan.bounds, write(op.output)};
        return overElements(args, m_kernels.clamp);
    }

    KernelStatus apply(const SoftmaxPlan& plan, const PlannedOperator& op) {
        const SoftmaxArguments args{plan.rows, plan.depth, read(op.input0), plan.parameters,
                                    write(op.output)};
        return m_workers.overRows(plan.rows, op.work, [&](RowRange rows) {
            for (std::int64_t row = rows.first; row < rows.end;) {
                if (m_context.cancelled())
                    return KernelStatus::Stopped;
                const std::int64_t end = std::min(rows.end, row + args.rowsPerLook());
                const KernelStatus made = m_kernels.softmax(args.part(row, end));
                if (made != KernelStatus::Done)
                    return made;
                row = end;
            }
            return KernelStatus::Done;
        });
    }

    template <class Arguments>
    KernelStatus overElements(const Arguments& args, KernelStatus (*kernel)(const Arguments&)) {
        return m_workers.overElements(
            args.elements, m_context.stop,
            [&](std::int64_t first, std::int64_t end) { return kernel(args.part(first, end)); });
    }

    /// `work` is that of all images.
    template <class Arguments>
    KernelStatus forEachImage(Arguments args, std::int64_t batch, std::uint64_t work,
                              KernelStatus (*kernel)(const Arguments&)) {
        args.stop = m_context.stop;
        for (std::int64_t image = 0; image < batch; ++image) {
            if (m_context.cancelled())
                return KernelStatus::Stopped;
            const auto onRows = [&args, kernel](RowRange rows) {
                Arguments part = args;
                part.rows = rows;
                return kernel(part);
            };
            const KernelStatus status = m_workers.overRows(
                args.outputShape.h, work / static_cast<std::uint64_t>(batch), onRows);
            if (status != KernelStatus::Done)
                return status;
            args.input.data += args.input.shape.elements();
            args.output += args.outputShape.elements();
        }
        return KernelStatus::Done;
    }

    const PreparedGraph& m_graph;
    const KernelSet& m_kernels;
    bool m_hasDigests;
    Workers& m_workers;
    const JobContext& m_context;
    std::vector<Bytes> m_storage; ///< per tensor; empty for constants, aliases and unused ones
};

void takeOutput(const PreparedGraph& graph, const Run& run, GraphRun& result) {
    for (const std::int32_t index : graph.outputs) {
        const ByteView bytes = run.bytesOf(index);
        result.output.insert(result.output.end(), bytes.begin(), bytes.end());
    }
}

Diagnostic cancelledAt(const PlannedOperator& op) {
    return makeError(Code::Cancelled,
                     fmt::format("cancelled at operator {} {}", op.index, op.name));
}

/// Up to the end or a fault, which `result` tells; the diagnostic of a cancelled run.
std::optional<Diagnostic> runOperators(const PreparedGraph& prepared, Run& run,
                                       const GraphRunOptions& options, const JobContext& context,
                                       GraphRun& result) {
    const auto count = static_cast<double>(prepared.operators.size());
    for (std::size_t i = 0; i < prepared.operators.size(); ++i) {
        const PlannedOperator& op = prepared.operators[i];
        if (!context.report(static_cast<double>(i) / count, op.name))
            return cancelledAt(op);
        const KernelStatus status = run.execute(op);
        if (status == KernelStatus::Stopped)
            return cancelledAt(op);
        if (status == KernelStatus::Fault) {
            result.faultedOperator = op.index;
            result.faultReason =
                fmt::format("operator {} {}: a value leaves the 32-bit range of its accumulator",
                            op.index, op.name);
            return std::nullopt;
        }
        if (options.captureLayers && !std::holds_alternative<AliasPlan>(op.kernel))
            result.trace.layers.push_back(run.layerOf(op));
    }
    return std::nullopt;
}

} // namespace

Result<GraphRun> runPrepared(const PreparedGraph& prepared, ByteView input,
                             const JobContext& context, const GraphRunOptions& options) {
    if (input.size() != prepared.inputBytes)
        return makeError(Code::InputSize, fmt::format("the input has {} bytes, the model takes {}",
                                                      input.size(), prepared.inputBytes));
    GraphRun result;
    result.trace.producer = fmt::format("plumbline {} kernels", prepared.kernels->name);
    result.trace.modelSha256 = prepared.modelSha256;
    if (options.digests)
        result.trace.inputSha256 = sha256Hex(input);
    Workers workers(options.threads);
    Run run(prepared, options, context, workers);
    run.takeInput(input);
    if (auto cancelled = runOperators(prepared, run, options, context, result))
        return *std::move(cancelled);
    if (result.faultedOperator)
        return result;
    takeOutput(prepared, run, result);
    if (options.digests)
        result.outputSha256 = sha256Hex(result.output);
    return result;
}

Result<GraphRun> runGraph(const Model& model, ByteView input, const KernelSet& kernels,
                          const JobContext& context, const GraphRunOptions& options) {
    const Result<PreparedGraphPtr> prepared = prepareGraph(model, kernels);
    if (!prepared)
        return prepared.diagnostics();
    return runPrepared(**prepared, input, context, options);
}

} // namespace plumbline
