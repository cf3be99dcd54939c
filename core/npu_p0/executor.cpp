// SPDX-License-Identifier: GPL-3.0-or-later
// Order: input, relocations, validator on every descriptor, then the steps. External interface:
// execute.
#include "core/npu_p0/executor.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/record_kernels.h"
#include "core/npu_p0/relocate.h"
#include "core/npu_p0/sanitizer.h"
#include "core/numeric/softmax.h"

namespace plumbline::npu_p0 {
namespace {

using MaybeFault = std::optional<Fault>;

Fault makeFault(FaultCode code, std::string stage, std::string reason,
                std::optional<std::int64_t> record = {}) {
    return {code, std::move(stage), record, {}, {}, std::move(reason)};
}

std::string unmapped(std::string_view what, std::uint64_t address, std::uint64_t bytes) {
    return fmt::format("{}: {} bytes at 0x{:x} do not lie inside one region", what, bytes, address);
}

std::uint64_t addressOf(const Descriptor& d, Field field) {
    return static_cast<std::uint64_t>(d.get(field));
}

std::string multiplierProblem(const Multiplier& m) {
    if (m.multiplier < 0)
        return fmt::format("multiplier {} is negative", m.multiplier);
    if (m.shift < kMinShift || m.shift > kMaxShift)
        return fmt::format("shift {} is outside {}..{}", m.shift, kMinShift, kMaxShift);
    return "";
}

Multiplier loadMultiplier(ByteView bytes, std::size_t offset) {
    return {loadI32(bytes, offset), loadI32(bytes, offset + 4)};
}

/// One record: reads its operands in the contract's order, computes, writes once.
class RecordRun {
  public:
    RecordRun(const Descriptor& d, std::int64_t index, Memory& memory)
        : m_d(d)
        , m_index(index)
        , m_memory(memory)
        , m_shape(shapeOf(d))
        , m_output(static_cast<std::size_t>(m_shape.outputElements())) {}

    MaybeFault run() {
        MaybeFault fault = m_shape.opcode == Opcode::Add ? readAdd() : readOthers();
        if (fault)
            return fault;
        m_operands.output = m_output;
        if (std::string reason = computeRecord(m_shape, m_operands); !reason.empty())
            return fail(FaultCode::Arithmetic, std::move(reason));
        return write();
    }

    const RecordShape& shape() const { return m_shape; }

  private:
    MaybeFault fail(FaultCode code, std::string reason) const {
        return makeFault(code, "execution", std::move(reason), m_index);
    }

    MaybeFault read(Field base, std::uint64_t bytes, ByteView& view) {
        const std::uint64_t address = addressOf(m_d, base);
        const auto found = m_memory.read(address, bytes);
        if (!found)
            return fail(FaultCode::Range, unmapped(specOf(base).name, address, bytes));
        view = *found;
        return std::nullopt;
    }

    MaybeFault readOthers() {
        if (MaybeFault f = read(Field::Input0Base, m_shape.inputSpan(), m_operands.input0))
            return f;
        if (!isOneOf(m_shape.opcode, kWeighted))
            return std::nullopt;
        if (MaybeFault f =
                read(Field::WeightBase, addressOf(m_d, Field::WeightBytes), m_operands.weights))
            return f;
        return readChannels();
    }

    MaybeFault readChannels() {
        ByteView records;
        if (MaybeFault f = read(Field::ParamBase, addressOf(m_d, Field::ParamBytes), records))
            return f;
        m_channels.resize(static_cast<std::size_t>(m_shape.cout));
        for (std::size_t c = 0; c < m_channels.size(); ++c) {
            m_channels[c] = {loadI32(records, c * 16), loadMultiplier(records, c * 16 + 4)};
            std::string problem = multiplierProblem(m_channels[c].multiplier);
            if (loadU32(records, c * 16 + 12) != 0)
                problem = "the reserved word is not 0";
            if (!problem.empty())
                return fail(FaultCode::Descriptor,
                            fmt::format("parameters of channel {}: {}", c, problem));
        }
        m_operands.channels = m_channels;
        return std::nullopt;
    }

    MaybeFault readAdd() {
        ByteView params;
        if (MaybeFault f = read(Field::ParamBase, addressOf(m_d, Field::ParamBytes), params))
            return f;
        m_operands.add = {loadMultiplier(params, 4), loadMultiplier(params, 12),
                          loadMultiplier(params, 20)};
        std::string problem;
        if (loadU32(params, 28) != 0)
            problem = "the reserved word is not 0";
        for (const Multiplier& m :
             {m_operands.add.output, m_operands.add.input1, m_operands.add.input0}) {
            if (std::string bad = multiplierProblem(m); !bad.empty())
                problem = std::move(bad);
        }
        if (loadU32(params, 0) != kAddLeftShift)
            problem =
                fmt::format("the left shift is {}, not {}", loadU32(params, 0), kAddLeftShift);
        if (!problem.empty())
            return fail(FaultCode::Descriptor, "parameters of ADD: " + problem);
        if (MaybeFault f = read(Field::Input0Base, m_shape.inputSpan(), m_operands.input0))
            return f;
        return read(Field::Input1Base, m_shape.input1Span(), m_operands.input1);
    }

    MaybeFault write() {
        const std::uint64_t address = addressOf(m_d, Field::OutputBase);
        const auto span = m_memory.write(address, m_shape.outputSpan());
        if (!span)
            return fail(FaultCode::Range, unmapped("OUTPUT_BASE", address, m_shape.outputSpan()));
        const auto row = static_cast<std::size_t>(m_shape.ow * m_shape.cout);
        for (std::size_t y = 0; y < static_cast<std::size_t>(m_shape.oh); ++y)
            std::memcpy(span->data() + y * m_shape.outputRow, m_output.data() + y * row, row);
        return std::nullopt;
    }

    const Descriptor& m_d;
    std::int64_t m_index;
    Memory& m_memory;
    RecordShape m_shape;
    RecordOperands m_operands;
    std::vector<ChannelParameters> m_channels;
    std::vector<std::int8_t> m_output;
};

class JobRun {
  public:
    JobRun(const Job& job, const ExecuteOptions& options, const JobContext& context)
        : m_job(job)
        , m_options(options)
        , m_context(context) {}

    Execution run(ByteView input) {
        m_out.trace.producer = "plumbline npu-p0 executor";
        m_out.trace.inputSha256 = sha256Hex(input);
        m_out.fault = checkInput(input);
        if (!m_out.fault)
            start(input);
        if (m_options.sanitize)
            m_out.findings = sanitize(m_job);
        return std::move(m_out);
    }

  private:
    MaybeFault checkInput(ByteView input) const {
        const auto fail = [](std::string reason) {
            return makeFault(FaultCode::Range, "input", std::move(reason));
        };
        if (input.size() != m_job.inputBytes)
            return fail(fmt::format("the input has {} bytes, the job takes {}", input.size(),
                                    m_job.inputBytes));
        if (m_job.arenaBytes > kMaxArenaBytes)
            return fail(fmt::format("an arena of {} bytes is above the limit {}", m_job.arenaBytes,
                                    kMaxArenaBytes));
        if (m_job.inputOffset > m_job.arenaBytes ||
            input.size() > m_job.arenaBytes - m_job.inputOffset)
            return fail(fmt::format("{} input bytes at offset {} leave the arena of {} bytes",
                                    input.size(), m_job.inputOffset, m_job.arenaBytes));
        return std::nullopt;
    }

    void start(ByteView input) {
        Relocated relocated = relocateAndValidate(m_job);
        m_out.fault = std::move(relocated.fault);
        if (!m_out.fault)
            m_out.fault = checkWork(relocated.descriptors);
        if (m_out.fault)
            return;
        Bytes wire;
        for (const Descriptor& d : relocated.descriptors)
            wire.insert(wire.end(), d.bytes().begin(), d.bytes().end());
        m_memory.emplace(m_job, std::move(wire));
        m_descriptors = std::move(relocated.descriptors);
        std::copy(input.begin(), input.end(),
                  m_memory->arena().begin() + static_cast<std::ptrdiff_t>(m_job.inputOffset));
        m_out.fault = runSteps();
        if (!m_out.fault && !m_out.cancelled)
            m_out.fault = readOutput();
    }

    MaybeFault checkWork(const std::vector<Descriptor>& descriptors) const {
        std::uint64_t work = 0;
        for (const Descriptor& d : descriptors) {
            work += shapeOf(d).work();
            if (work > m_options.maxWork)
                return makeFault(
                    FaultCode::Unsupported, "input",
                    fmt::format("the job takes more than {} operations", m_options.maxWork));
        }
        return std::nullopt;
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
        const auto total = static_cast<std::int64_t>(m_descriptors.size());
        if (!step.firstRecord || !step.count || *step.firstRecord < 0 || *step.count < 0 ||
            *step.firstRecord > total || *step.count > total - *step.firstRecord)
            return makeFault(FaultCode::Descriptor, "execution",
                             fmt::format("a step runs {} descriptors from {}, there are {}",
                                         step.count.value_or(-1), step.firstRecord.value_or(-1),
                                         total));
        for (std::int64_t i = *step.firstRecord; i < *step.firstRecord + *step.count; ++i) {
            if (!m_context.report(static_cast<double>(i) / static_cast<double>(total),
                                  "Executing")) {
                m_out.cancelled = true;
                return std::nullopt;
            }
            RecordRun run(m_descriptors[static_cast<std::size_t>(i)], i, *m_memory);
            if (MaybeFault fault = run.run())
                return fault;
            ++m_finished;
            if (m_options.captureLayers)
                captureRecord(i, run.shape());
        }
        return std::nullopt;
    }

    /// The record's output as the arena holds it now, rows closed up.
    std::optional<Bytes> denseOutput(std::int64_t index) const {
        const Descriptor& d = m_descriptors[static_cast<std::size_t>(index)];
        const RecordShape s = shapeOf(d);
        const auto span = m_memory->read(addressOf(d, Field::OutputBase), s.outputSpan());
        if (!span)
            return std::nullopt;
        Bytes dense;
        dense.reserve(static_cast<std::size_t>(s.outputElements()));
        const auto row = static_cast<std::size_t>(s.ow * s.cout);
        for (std::size_t y = 0; y < static_cast<std::size_t>(s.oh); ++y) {
            const ByteView from = span->subspan(y * s.outputRow, row);
            dense.insert(dense.end(), from.begin(), from.end());
        }
        return dense;
    }

    void capture(const JobLayer& from, std::optional<std::int64_t> record, const Hwc& shape,
                 Bytes bytes) {
        TraceLayer layer;
        layer.operatorIndex = from.operatorIndex;
        layer.record = record;
        layer.name = from.name;
        layer.shape = {shape.h, shape.w, shape.c};
        layer.scale = from.scale;
        layer.zeroPoint = from.zeroPoint;
        layer.bytes = std::move(bytes);
        sealLayer(layer);
        m_out.trace.layers.push_back(std::move(layer));
    }

    void captureRecord(std::int64_t index, const RecordShape& s) {
        const auto i = static_cast<std::size_t>(index);
        const JobLayer from =
            i < m_job.layers.size() ? m_job.layers[i] : JobLayer{index, "", {}, {}};
        capture(from, index, {s.oh, s.ow, s.cout}, *denseOutput(index));
    }

    MaybeFault runSoftmax(const Step& step) {
        const auto fail = [](FaultCode code, std::string reason) {
            return makeFault(code, "softmax", std::move(reason));
        };
        if (!step.inputMultiplier || !step.inputLeftShift || !step.diffMin)
            return fail(FaultCode::Descriptor, "the step lacks a parameter");
        const SoftmaxParameters parameters{*step.inputMultiplier, *step.inputLeftShift,
                                           *step.diffMin};
        if (!softmaxParametersAreSafe(parameters))
            return fail(FaultCode::Descriptor,
                        fmt::format("multiplier {}, left shift {} and diff_min {} are not safe",
                                    parameters.multiplier, parameters.leftShift,
                                    parameters.diffMin));
        const auto total = static_cast<std::int64_t>(m_descriptors.size());
        if (!step.sourceRecord || *step.sourceRecord < 0 || *step.sourceRecord >= total)
            return fail(FaultCode::Descriptor, fmt::format("source descriptor {} does not exist",
                                                           step.sourceRecord.value_or(-1)));
        const auto input = denseOutput(*step.sourceRecord);
        if (!input)
            return fail(FaultCode::Range, "the source's output does not lie inside one region");
        return softmaxRows(*input, parameters);
    }

    MaybeFault softmaxRows(const Bytes& input, const SoftmaxParameters& parameters) {
        const Hwc& shape = m_job.softmaxShape;
        if (shape.h < 1 || shape.w < 1 || shape.c < 1 ||
            shape.elements() != static_cast<std::int64_t>(input.size()))
            return makeFault(FaultCode::Descriptor, "softmax",
                             fmt::format("the source has {} bytes, the softmax shape is {}",
                                         input.size(), toText(shape)));
        m_softmax.resize(input.size());
        const auto depth = static_cast<std::size_t>(shape.c);
        const std::span from(reinterpret_cast<const std::int8_t*>(input.data()), input.size());
        const std::span to(reinterpret_cast<std::int8_t*>(m_softmax.data()), m_softmax.size());
        for (std::size_t row = 0; row < input.size(); row += depth) {
            if (!softmaxRow(from.subspan(row, depth), to.subspan(row, depth), parameters))
                return makeFault(FaultCode::Arithmetic, "softmax",
                                 fmt::format("the sum of row {} reaches 2^31", row / depth));
        }
        ++m_finished;
        m_hasSoftmax = true;
        if (m_options.captureLayers)
            capture(m_job.softmax, std::nullopt, shape, m_softmax);
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
            *m_job.outputRecord >= static_cast<std::int64_t>(m_descriptors.size()))
            return fail(fmt::format("output descriptor {} does not exist", *m_job.outputRecord));
        auto bytes = denseOutput(*m_job.outputRecord);
        if (!bytes)
            return fail("the output does not lie inside one region");
        m_out.output = std::move(*bytes);
        return std::nullopt;
    }

    const Job& m_job;
    const ExecuteOptions& m_options;
    const JobContext& m_context;
    Execution m_out;
    std::optional<Memory> m_memory;
    std::vector<Descriptor> m_descriptors;
    Bytes m_softmax;
    bool m_hasSoftmax = false;
    std::int64_t m_finished = 0;
};

} // namespace

Execution execute(const Job& job, ByteView input, const ExecuteOptions& options,
                  const JobContext& context) {
    return JobRun(job, options, context).run(input);
}

} // namespace plumbline::npu_p0
