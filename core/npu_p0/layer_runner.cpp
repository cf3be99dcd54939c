// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/layer_runner.h"

#include <fmt/format.h>

#include "core/npu_p0/access.h"
#include "core/npu_p0/job_checks.h"
#include "core/npu_p0/job_plan.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/record_run.h"
#include "core/npu_p0/replay.h"
#include "core/npu_p0/softmax_step.h"

namespace plumbline::npu_p0 {
namespace {

class Runner final : public LayerRunner {
  public:
    explicit Runner(const Job& job)
        : m_job(job) {}

    /// Relocates, validates and lists the layers.
    std::optional<Fault> prepare() {
        if (auto fault = checkInput(m_job, m_job.inputBytes))
            return fault;
        m_plan = planJob(m_job);
        if (m_plan.fault)
            return m_plan.fault;
        if (auto fault = checkWork(m_job, m_plan.shapes, ExecuteOptions{}.maxWork))
            return fault;
        for (const Step& step : m_job.steps) {
            if (auto fault = take(step))
                return fault;
        }
        if (m_steps.empty())
            return Fault{FaultCode::Descriptor,      "execution", {}, {}, {},
                         "the job produces no layer"};
        return std::nullopt;
    }

    const Job& job() const override { return m_job; }
    const std::vector<LayerStep>& steps() const override { return m_steps; }

    std::vector<OperandAccess> accesses() const override { return operandAccesses(m_job); }

    LayerRun run(std::size_t step, std::span<std::uint8_t> arena) const override {
        Memory memory(m_job, m_plan.wire, arena);
        return m_steps[step].record ? runOne(step, memory, arena) : runSoftmax(step, memory);
    }

    ArenaRange place(std::size_t step, ByteView bytes,
                     std::span<std::uint8_t> arena) const override {
        if (!m_steps[step].record)
            return {};
        const Descriptor& descriptor = descriptorOf(step);
        const RecordShape shape = shapeOf(descriptor);
        const ArenaRange range = writtenBy(descriptor, shape);
        if (range.begin == range.end ||
            bytes.size() != static_cast<std::size_t>(shape.outputElements()))
            return {};
        Memory memory(m_job, m_plan.wire, arena);
        const std::span output(reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size());
        const bool isWritten =
            !writeRecord(descriptor, *m_steps[step].record, shape, output, memory);
        return isWritten ? range : ArenaRange{};
    }

    Result<Explanation> explain(std::size_t step, ByteView arena,
                                const ElementIndex& element) const override {
        const Memory memory(m_job, m_plan.wire, arena);
        if (!m_steps[step].record) {
            SoftmaxOperands operands;
            if (auto fault =
                    loadSoftmax(*m_sources[step], m_job, m_plan.descriptors, memory, operands))
                return toDiagnostic(*fault);
            return replaySoftmax(operands, softmaxSource(step), m_job.bases, m_steps[step],
                                 element);
        }
        LoadedRecord record;
        if (auto fault = loadRecord(descriptorOf(step), *m_steps[step].record, memory, record))
            return toDiagnostic(*fault);
        return replayRecord(descriptorOf(step), record, m_job.bases, m_steps[step], element);
    }

    std::optional<Bytes> runWith(std::size_t step, const MistakeSite& site,
                                 std::span<const std::size_t> mistakes) const override {
        if (!m_steps[step].record)
            return std::nullopt;
        const Memory memory(m_job, m_plan.wire, site.arena);
        LoadedRecord record;
        if (loadRecord(descriptorOf(step), *m_steps[step].record, memory, record))
            return std::nullopt;
        const auto before = denseOutput(descriptorOf(step), shapeAt(step), memory);
        if (!before)
            return std::nullopt;
        return runMistakes({record, *before, staleInput0(step, site), readsOneTensorTwice(record)},
                           mistakes);
    }

  private:
    std::optional<Fault> take(const Step& step) {
        if (step.kind == "cpu" && step.op == "softmax") {
            m_steps.push_back({m_job.softmax.operatorIndex, std::nullopt, m_job.softmax.name});
            m_sources.push_back(&step);
            return std::nullopt;
        }
        if (step.kind != "npu")
            return Fault{FaultCode::Unsupported,
                         "execution",
                         {},
                         {},
                         {},
                         fmt::format("step kind '{}' {} is unknown", step.kind, step.op)};
        if (auto fault = checkRange(step, static_cast<std::int64_t>(m_plan.descriptors.size())))
            return fault;
        for (std::int64_t i = *step.firstRecord; i < *step.firstRecord + *step.count; ++i) {
            const JobLayer layer = jobLayerOf(m_job, i);
            const auto opcode = m_plan.descriptors[static_cast<std::size_t>(i)].opcode();
            m_steps.push_back(
                {layer.operatorIndex, i, layer.name, static_cast<std::uint32_t>(opcode)});
            m_sources.push_back(&step);
        }
        return std::nullopt;
    }

    const Descriptor& descriptorOf(std::size_t step) const {
        return m_plan.descriptors[static_cast<std::size_t>(*m_steps[step].record)];
    }

    const RecordShape& shapeAt(std::size_t step) const {
        return m_plan.shapes[static_cast<std::size_t>(*m_steps[step].record)];
    }

    LayerRun runOne(std::size_t step, Memory& memory, std::span<std::uint8_t> arena) const {
        const std::int64_t index = *m_steps[step].record;
        const Descriptor& descriptor = descriptorOf(step);
        LayerRun made;
        made.layer.operatorIndex = m_steps[step].operatorIndex;
        Workers alone(1);
        made.fault = runPlanned(m_plan, index, memory, arena, alone).fault;
        if (made.fault)
            return made;
        const RecordShape& shape = shapeAt(step);
        made.layer = traceLayer(jobLayerOf(m_job, index), index, {shape.oh, shape.ow, shape.cout},
                                *denseOutput(descriptor, shape, memory));
        const ArenaRange range = writtenBy(descriptor, shape);
        made.writtenBegin = range.begin;
        made.writtenEnd = range.end;
        return made;
    }

    /// Where a record that has run wrote into the arena; empty where it wrote elsewhere.
    ArenaRange writtenBy(const Descriptor& descriptor, const RecordShape& shape) const {
        const std::uint64_t begin = addressOf(descriptor, Field::OutputBase) - m_job.bases.arena;
        if (begin >= m_job.arenaBytes)
            return {};
        return {begin, begin + shape.outputSpan()};
    }

    LayerRun runSoftmax(std::size_t step, const Memory& memory) const {
        LayerRun made;
        made.layer.operatorIndex = m_steps[step].operatorIndex;
        SoftmaxOperands operands;
        made.fault = loadSoftmax(*m_sources[step], m_job, m_plan.descriptors, memory, operands);
        Bytes output;
        if (!made.fault)
            made.fault = computeSoftmax(operands, output).fault;
        if (!made.fault)
            made.layer = traceLayer(m_job.softmax, std::nullopt, operands.shape, std::move(output));
        return made;
    }

    /// The record whose output the softmax reads; loadSoftmax has checked that it exists.
    const Descriptor& softmaxSource(std::size_t step) const {
        return m_plan.descriptors[static_cast<std::size_t>(*m_sources[step]->sourceRecord)];
    }

    /// Input 0's bytes before its producer ran.
    std::optional<Bytes> staleInput0(std::size_t step, const MistakeSite& site) const {
        if (!site.arenaBeforeProducer)
            return std::nullopt;
        const Memory memory(m_job, m_plan.wire, *site.arenaBeforeProducer);
        const Descriptor& descriptor = descriptorOf(step);
        const auto bytes =
            memory.read(addressOf(descriptor, Field::Input0Base), shapeOf(descriptor).inputSpan());
        if (!bytes)
            return std::nullopt;
        return Bytes(bytes->begin(), bytes->end());
    }

    static bool readsOneTensorTwice(const LoadedRecord& record) {
        return record.shape.opcode == Opcode::Add &&
               record.operands.input0.data() == record.operands.input1.data();
    }

    Job m_job;
    JobPlan m_plan;
    std::vector<LayerStep> m_steps;
    std::vector<const Step*> m_sources; ///< per layer, in m_job.steps
};

} // namespace

LayerRunnerPtr makeLayerRunner(const Job& job, std::optional<Fault>& fault) {
    auto runner = std::make_shared<Runner>(job);
    fault = runner->prepare();
    return fault ? nullptr : runner;
}

} // namespace plumbline::npu_p0
