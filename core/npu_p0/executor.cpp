// SPDX-License-Identifier: GPL-3.0-or-later
// Order: input, relocations, validator on every descriptor, then the steps. External interface:
// prepareJob.
#include "core/npu_p0/executor.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/npu_p0/job_checks.h"
#include "core/npu_p0/job_plan.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/record_run.h"
#include "core/npu_p0/sanitizer.h"
#include "core/npu_p0/softmax_step.h"

namespace plumbline::npu_p0 {
namespace {

using MaybeFault = std::optional<Fault>;

Fault makeFault(FaultCode code, std::string stage, std::string reason,
                std::optional<std::int64_t> record = {}) {
    return {code, std::move(stage), record, {}, {}, std::move(reason)};
}

class JobRun {
  public:
    JobRun(const Job& job, const JobPlan& plan, const ExecuteOptions& options,
           const JobContext& context)
        : m_job(job)
        , m_plan(plan)
        , m_options(options)
        , m_context(context)
        , m_workers(options.threads) {}

    Execution run(ByteView input) {
        m_out.trace.producer = "plumbline npu-p0 executor";
        if (m_options.digests)
            m_out.trace.inputSha256 = sha256Hex(input);
        m_out.fault = checkInput(m_job, input.size());
        if (!m_out.fault)
            start(input);
        if (m_options.sanitize)
            m_out.findings = sanitize(m_job);
        return std::move(m_out);
    }

  private:
    void start(ByteView input) {
        m_out.fault = m_plan.fault;
        if (!m_out.fault)
            m_out.fault = checkWork(m_job, m_plan.shapes, m_options.maxWork);
        if (m_out.fault)
            return;
        m_arena.resize(m_job.arenaBytes);
        std::copy(input.begin(), input.end(),
                  m_arena.begin() + static_cast<std::ptrdiff_t>(m_job.inputOffset));
        m_memory.emplace(m_job, m_plan.wire, std::span<std::uint8_t>(m_arena));
        m_out.fault = runSteps();
        if (!m_out.fault && !m_out.cancelled)
            m_out.fault = readOutput();
    }

    MaybeFault runSteps() {
        for (const Step& step : m_job.steps) {
            MaybeFault fault;
            if (step.kind == "npu")
                fault = runRecords(step);
            else if (step.kind == "cpu" && step.op == "softmax")
                fault = runSoftmax(step);
            else
                fault = makeFault(FaultCode::Unsupported, "execution",
                                  fmt::format("step kind '{}' {} is unknown", step.kind, step.op));
            if (fault || m_out.cancelled)
                return fault;
        }
        if (m_finished == 0)
            return makeFault(FaultCode::Descriptor, "execution", "the job produces no layer");
        return std::nullopt;
    }

    MaybeFault runRecords(const Step& step) {
        const auto total = static_cast<std::int64_t>(m_plan.descriptors.size());
        if (MaybeFault fault = checkRange(step, total))
            return fault;
        for (std::int64_t i = *step.firstRecord; i < *step.firstRecord + *step.count; ++i) {
            if (!m_context.report(static_cast<double>(i) / static_cast<double>(total),
                                  "Executing")) {
                m_out.cancelled = true;
                return std::nullopt;
            }
            RecordRun run = runOne(i);
            m_out.cancelled = run.stopped;
            if (run.fault || run.stopped)
                return std::move(run.fault);
            ++m_finished;
            if (m_options.captureLayers)
                captureRecord(i);
        }
        return std::nullopt;
    }

    RecordRun runOne(std::int64_t index) {
        if (m_options.checked)
            return runRecord(descriptorOf(index), index, *m_memory, m_context.stop);
        return runPlanned(m_plan, index, *m_memory, m_arena, m_workers, m_context.stop);
    }

    const Descriptor& descriptorOf(std::int64_t index) const {
        return m_plan.descriptors[static_cast<std::size_t>(index)];
    }

    void captureRecord(std::int64_t index) {
        const Descriptor& descriptor = descriptorOf(index);
        const RecordShape& s = m_plan.shapes[static_cast<std::size_t>(index)];
        m_out.trace.layers.push_back(
            traceLayer(jobLayerOf(m_job, index), index, {s.oh, s.ow, s.cout},
                       *denseOutput(descriptor, s, *m_memory), m_options.digests));
    }

    MaybeFault runSoftmax(const Step& step) {
        SoftmaxOperands operands;
        if (MaybeFault fault = loadSoftmax(step, m_job, m_plan.descriptors, *m_memory, operands))
            return fault;
        RecordRun run = computeSoftmax(operands, m_softmax, m_context.stop);
        m_out.cancelled = run.stopped;
        if (run.fault || run.stopped)
            return std::move(run.fault);
        ++m_finished;
        m_hasSoftmax = true;
        if (m_options.captureLayers)
            m_out.trace.layers.push_back(traceLayer(m_job.softmax, std::nullopt, operands.shape,
                                                    m_softmax, m_options.digests));
        return std::nullopt;
    }

    MaybeFault readOutput() {
        const auto fail = [](std::string reason) {
            return makeFault(FaultCode::Descriptor, "execution", std::move(reason));
        };
        if (!m_job.outputRecord) {
            if (!m_hasSoftmax)
                return fail("the output is a softmax that no step runs");
            m_out.output = std::move(m_softmax);
            return std::nullopt;
        }
        if (*m_job.outputRecord < 0 ||
            *m_job.outputRecord >= static_cast<std::int64_t>(m_plan.descriptors.size()))
            return fail(fmt::format("output descriptor {} does not exist", *m_job.outputRecord));
        auto bytes =
            denseOutput(descriptorOf(*m_job.outputRecord),
                        m_plan.shapes[static_cast<std::size_t>(*m_job.outputRecord)], *m_memory);
        if (!bytes)
            return fail("the output does not lie inside one region");
        m_out.output = std::move(*bytes);
        return std::nullopt;
    }

    const Job& m_job;
    const JobPlan& m_plan;
    const ExecuteOptions& m_options;
    const JobContext& m_context;
    Workers m_workers;
    Execution m_out;
    Bytes m_arena;
    std::optional<Memory> m_memory;
    Bytes m_softmax;
    bool m_hasSoftmax = false;
    std::int64_t m_finished = 0;
};

class P0Job final : public PreparedJob {
  public:
    explicit P0Job(std::shared_ptr<const Job> job)
        : m_job(std::move(job))
        , m_plan(planJob(*m_job)) {}

    Execution run(ByteView input, const ExecuteOptions& options,
                  const JobContext& context) const override {
        return JobRun(*m_job, m_plan, options, context).run(input);
    }

  private:
    std::shared_ptr<const Job> m_job;
    JobPlan m_plan;
};

} // namespace

PreparedJobPtr prepareJob(std::shared_ptr<const Job> job) {
    return std::make_shared<const P0Job>(std::move(job));
}

} // namespace plumbline::npu_p0
