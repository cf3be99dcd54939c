// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the graph, plans every operator, then places storage, packs and emits. External interface:
// lower.
#include "core/npu_p0/lower.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/npu_p0/cost.h"
#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/pack.h"
#include "core/npu_p0/relocate.h"
#include "core/npu_p0/storage.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::uint64_t kMaxRegionBytes = std::uint64_t{1} << 28; ///< the default bases' distance

/// (H,W,C) of a graph port; a rank that no descriptor sees counts as one row of elements.
Hwc portShape(const Tensor& tensor) {
    return tensor.batchOneShape().value_or(Hwc{1, 1, tensor.elements()});
}

class Lowerer {
  public:
    Lowerer(ModelPtr model, const JobContext& context)
        : m_context(context) {
        m_out.model = std::move(model);
        m_out.target = kTargetName;
        m_out.contract = kContract;
        m_out.fields = &fieldTable();
    }

    Result<LoweringPtr> run() {
        if (m_out.model->graphs.empty()) {
            refuse(Code::NoSubgraph, "the model holds no subgraph");
            return finish();
        }
        m_graph = &m_out.model->graphs[0];
        if (m_out.model->graphs.size() > 1)
            m_out.diagnostics.push_back(
                makeNote(Code::ExtraSubgraphs,
                         fmt::format("the model has {} subgraphs; only the main one is lowered",
                                     m_out.model->graphs.size())));
        checkGraph();
        if (!planOperators())
            return Diagnostics{makeError(Code::Cancelled, "the lowering was cancelled")};
        checkOutputSource();
        if (!hasErrors(m_out.diagnostics))
            emit();
        return finish();
    }

  private:
    void refuse(Code code, std::string message, Location where = {}) {
        m_out.diagnostics.push_back(makeError(code, std::move(message), std::move(where)));
    }

    Result<LoweringPtr> finish() {
        m_out.complete = !hasErrors(m_out.diagnostics);
        for (OperatorPlan& plan : m_plans)
            m_out.operators.push_back(std::move(plan.lowered));
        return LoweringPtr(std::make_shared<const Lowering>(std::move(m_out)));
    }

    const Tensor& tensor(std::int32_t index) const {
        return m_graph->tensors[static_cast<std::size_t>(index)];
    }

    void checkGraph() {
        if (m_graph->operators.empty())
            refuse(Code::NoOperators, "the main subgraph holds no operator");
        if (m_graph->inputs.size() != 1)
            refuse(Code::GraphInputs,
                   fmt::format("the graph has {} inputs", m_graph->inputs.size()));
        if (m_graph->outputs.size() != 1)
            refuse(Code::GraphOutputs,
                   fmt::format("the graph has {} outputs", m_graph->outputs.size()));
    }

    bool planOperators() {
        m_facts = factsOf(*m_graph);
        const std::size_t count = m_graph->operators.size();
        m_plans.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 256 == 0 &&
                !m_context.report(static_cast<double>(i) / static_cast<double>(count),
                                  "Checking operators"))
                return false;
            m_plans.push_back(
                planOperator(*m_graph, m_facts, static_cast<std::int32_t>(i), m_out.diagnostics));
        }
        return true;
    }

    /// The operator that made the bytes of `tensor`, through reshapes; nothing for the graph input.
    const OperatorPlan* makerOf(std::int32_t index) const {
        for (std::size_t hops = 0; hops <= m_plans.size(); ++hops) {
            const std::int32_t producer = m_facts.producer[static_cast<std::size_t>(index)];
            if (producer == kNoProducer)
                return nullptr;
            const OperatorPlan& plan = m_plans[static_cast<std::size_t>(producer)];
            if (m_graph->operators[static_cast<std::size_t>(producer)].kind !=
                    OperatorKind::Reshape ||
                !plan.input)
                return &plan;
            index = *plan.input;
        }
        return nullptr;
    }

    /// Whether a record made (or, refused, would make) the bytes of `index`.
    bool madeByRecord(std::int32_t index) const {
        const OperatorPlan* maker = makerOf(index);
        return maker && m_graph->operators[static_cast<std::size_t>(maker->lowered.index)].kind !=
                            OperatorKind::Softmax;
    }

    void checkOutputSource() {
        if (m_plans.empty())
            return;
        const OperatorPlan& last = m_plans.back();
        if (m_graph->operators.back().kind == OperatorKind::Softmax) {
            if (last.input && !madeByRecord(*last.input)) {
                Location where;
                where.operatorIndex = last.lowered.index;
                refuse(Code::SoftmaxSource, "SOFTMAX: its input is not produced by a record",
                       where);
            }
            return;
        }
        if (m_graph->outputs.size() == 1 && !madeByRecord(m_graph->outputs[0]))
            refuse(Code::GraphOutputSource, "the graph output is not produced by a record");
    }

    void emit() {
        const StorageMap storage(*m_graph, m_plans);
        m_out.arena = planArena(storage.requests(), static_cast<std::int64_t>(m_plans.size()));
        m_offsets.assign(m_graph->tensors.size(), 0);
        for (const Allocation& made : m_out.arena.allocations)
            m_offsets[static_cast<std::size_t>(made.tensor)] = made.offset;
        for (OperatorPlan& plan : m_plans) {
            if (plan.lowered.placement == Placement::Npu)
                emitRecord(plan, storage);
        }
        if (!checkAddressSpace())
            return;
        emitSteps(storage);
        describePorts(storage);
        selfCheck();
    }

    std::uint64_t offsetOf(std::int32_t index, const StorageMap& storage) const {
        return m_offsets[static_cast<std::size_t>(storage.rootOf(index))];
    }

    void emitRecord(OperatorPlan& plan, const StorageMap& storage) {
        LoweredOperator& op = plan.lowered;
        op.record = static_cast<std::int64_t>(m_out.records.size());
        if (isOneOf(*plan.opcode, kWeighted))
            op.weights = appendWeights(plan, m_out.weights);
        if (isOneOf(*plan.opcode, kWithParams))
            op.params = appendParameters(plan, m_out.params);
        op.arena.input = offsetOf(*plan.input, storage);
        if (plan.input1)
            op.arena.input1 = offsetOf(*plan.input1, storage);
        op.arena.output = offsetOf(*plan.output, storage);
        op.arena.outputBytes = static_cast<std::uint64_t>(op.cost.writeBytes);
        op.arena.outputLiveUntilOperator = storage.lastUseOf(*plan.output);
        m_out.records.push_back({op.index, encode(op)});
        addRelocations(op);
    }

    static Bytes encode(const LoweredOperator& op) {
        const OperatorGeometry& g = op.geometry;
        const OperatorQuantization& q = op.quantization;
        Descriptor d;
        d.set(Field::Version, kAbiVersion);
        d.set(Field::Opcode, op.opcode);
        encodeOperands(op, d);
        d.set(Field::InputH, g.h);
        d.set(Field::InputW, g.w);
        d.set(Field::InputC, g.cin);
        d.set(Field::OutputC, g.cout);
        d.set(Field::OutputH, g.oh);
        d.set(Field::OutputW, g.ow);
        d.set(Field::KernelH, g.kh);
        d.set(Field::KernelW, g.kw);
        d.set(Field::StrideH, g.strideH);
        d.set(Field::StrideW, g.strideW);
        d.set(Field::PadTop, g.pads[0]);
        d.set(Field::PadBottom, g.pads[1]);
        d.set(Field::PadLeft, g.pads[2]);
        d.set(Field::PadRight, g.pads[3]);
        d.set(Field::TileH, op.tiles.tileH);
        d.set(Field::TileW, op.tiles.tileW);
        d.set(Field::KSlice, op.tiles.kSlice);
        d.set(Field::Input0Zero, q.inputZeroPoint);
        d.set(Field::Input1Zero, q.input1ZeroPoint.value_or(0));
        d.set(Field::OutputZero, q.outputZeroPoint);
        d.set(Field::ActivationMin, q.lower);
        d.set(Field::ActivationMax, q.upper);
        return {d.bytes().begin(), d.bytes().end()};
    }

    static void encodeOperands(const LoweredOperator& op, Descriptor& d) {
        const OperatorGeometry& g = op.geometry;
        const auto stored = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
        d.set(Field::Input0Base, stored(op.arena.input));
        d.set(Field::Input0RowBytes, g.w * g.cin);
        d.set(Field::Input0Bytes, g.h * g.w * g.cin);
        if (op.arena.input1) {
            d.set(Field::Input1Base, stored(*op.arena.input1));
            d.set(Field::Input1RowBytes, g.w * g.cin);
            d.set(Field::Input1Bytes, g.h * g.w * g.cin);
        }
        d.set(Field::OutputBase, stored(op.arena.output));
        d.set(Field::OutputRowBytes, g.ow * g.cout);
        d.set(Field::OutputBytes, g.oh * g.ow * g.cout);
        if (op.params) {
            d.set(Field::ParamBase, stored(op.params->offset));
            d.set(Field::ParamBytes, stored(op.params->bytes));
        }
        if (op.weights) {
            d.set(Field::WeightBase, stored(op.weights->offset));
            d.set(Field::WeightBytes, stored(op.weights->bytes));
        }
    }

    void addRelocations(const LoweredOperator& op) {
        const auto add = [&](Field field, std::string_view region, std::uint64_t offset) {
            m_out.relocations.push_back({*op.record, wordOf(field), std::string(region),
                                         static_cast<std::int64_t>(offset)});
        };
        add(Field::Input0Base, kArenaRegion, op.arena.input);
        if (op.arena.input1)
            add(Field::Input1Base, kArenaRegion, *op.arena.input1);
        add(Field::OutputBase, kArenaRegion, op.arena.output);
        if (op.params)
            add(Field::ParamBase, kParamsRegion, op.params->offset);
        if (op.weights)
            add(Field::WeightBase, kWeightsRegion, op.weights->offset);
    }

    bool checkAddressSpace() {
        const std::uint64_t largest =
            std::max({m_out.arena.peakBytes, std::uint64_t{m_out.weights.size()},
                      std::uint64_t{m_out.params.size()},
                      std::uint64_t{m_out.records.size() * kDescriptorBytes}});
        if (largest <= kMaxRegionBytes)
            return true;
        refuse(Code::AddressSpace,
               fmt::format("a region needs {} bytes, at most {} fit", largest, kMaxRegionBytes));
        return false;
    }

    void emitSteps(const StorageMap& storage) {
        Step npu;
        npu.kind = "npu";
        npu.firstRecord = 0;
        npu.count = static_cast<std::int64_t>(m_out.records.size());
        m_out.steps.push_back(std::move(npu));
        const OperatorPlan& last = m_plans.back();
        if (last.lowered.placement != Placement::CpuSoftmax)
            return;
        Step cpu;
        cpu.kind = "cpu";
        cpu.op = "softmax";
        cpu.sourceRecord = recordOf(*last.input, storage);
        cpu.inputMultiplier = last.lowered.softmax->inputMultiplier;
        cpu.inputLeftShift = last.lowered.softmax->inputLeftShift;
        cpu.diffMin = last.lowered.softmax->diffMin;
        cpu.note = last.lowered.note;
        m_out.steps.push_back(std::move(cpu));
    }

    std::int64_t recordOf(std::int32_t index, const StorageMap& storage) const {
        return *m_plans[*storage.recordOperatorOf(index)].lowered.record;
    }

    PortSummary portOf(std::int32_t index) const {
        const Tensor& t = tensor(index);
        return {index,
                portShape(t),
                t.quantization.scales.empty() ? 0.0 : t.quantization.scales[0],
                t.quantization.zeroPoints.empty() ? 0 : t.quantization.zeroPoints[0],
                static_cast<std::uint64_t>(t.elements()),
                0,
                {},
                Placement::Npu};
    }

    void describePorts(const StorageMap& storage) {
        m_out.input = portOf(m_graph->inputs[0]);
        m_out.input.offset = m_offsets[static_cast<std::size_t>(m_graph->inputs[0])];
        const std::int32_t output = m_graph->outputs[0];
        m_out.output = portOf(output);
        const OperatorPlan& last = m_plans.back();
        const bool softmax = last.lowered.placement == Placement::CpuSoftmax;
        const std::int32_t source = softmax ? *last.input : output;
        m_out.output.placement = softmax ? Placement::CpuSoftmax : Placement::Npu;
        m_out.output.sourceRecord = recordOf(source, storage);
        m_out.output.offset = offsetOf(source, storage);
    }

    /// Every record, relocated against the default bases, must pass the ABI validator.
    void selfCheck() {
        const Relocated relocated = relocateAndValidate(jobOf(m_out));
        if (!relocated.fault)
            return;
        Location where;
        where.record = relocated.fault->record;
        where.word = relocated.fault->word;
        refuse(Code::SelfCheck, relocated.fault->reason, where);
    }

    const JobContext& m_context;
    Lowering m_out;
    const Graph* m_graph = nullptr;
    GraphFacts m_facts;
    std::vector<OperatorPlan> m_plans;
    std::vector<std::uint64_t> m_offsets; ///< per root tensor, bytes in the arena
};

} // namespace

Result<LoweringPtr> lower(ModelPtr model, const JobContext& context) {
    return Lowerer(std::move(model), context).run();
}

} // namespace plumbline::npu_p0
