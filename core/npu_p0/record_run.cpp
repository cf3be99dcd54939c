// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/record_run.h"

#include <cstring>

#include <fmt/format.h>

namespace plumbline::npu_p0 {
namespace {

using MaybeFault = std::optional<Fault>;

std::string unmapped(std::string_view what, std::uint64_t address, std::uint64_t bytes) {
    return fmt::format("{}: {} bytes at 0x{:x} do not lie inside one region", what, bytes, address);
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

Fault fail(FaultCode code, std::int64_t index, std::string reason) {
    return {code, "execution", index, {}, {}, std::move(reason)};
}

class Loader {
  public:
    Loader(const Descriptor& d, std::int64_t index, const Memory& memory, LoadedRecord& record)
        : m_d(d)
        , m_index(index)
        , m_memory(memory)
        , m_record(record) {}

    MaybeFault load() {
        m_record.shape = shapeOf(m_d);
        return m_record.shape.opcode == Opcode::Add ? readAdd() : readOthers();
    }

  private:
    MaybeFault read(Field base, std::uint64_t bytes, ByteView& view) {
        const std::uint64_t address = addressOf(m_d, base);
        const auto found = m_memory.read(address, bytes);
        if (!found)
            return fail(FaultCode::Range, m_index, unmapped(specOf(base).name, address, bytes));
        view = *found;
        return std::nullopt;
    }

    MaybeFault readOthers() {
        const RecordShape& shape = m_record.shape;
        RecordOperands& operands = m_record.operands;
        if (MaybeFault f = read(Field::Input0Base, shape.inputSpan(), operands.input0))
            return f;
        if (!isOneOf(shape.opcode, kWeighted))
            return std::nullopt;
        if (MaybeFault f =
                read(Field::WeightBase, addressOf(m_d, Field::WeightBytes), operands.weights))
            return f;
        return readChannels();
    }

    MaybeFault readChannels() {
        ByteView records;
        if (MaybeFault f = read(Field::ParamBase, addressOf(m_d, Field::ParamBytes), records))
            return f;
        m_record.channels.resize(static_cast<std::size_t>(m_record.shape.cout));
        for (std::size_t c = 0; c < m_record.channels.size(); ++c) {
            ChannelParameters& channel = m_record.channels[c];
            channel = {loadI32(records, c * 16), loadMultiplier(records, c * 16 + 4)};
            std::string problem = multiplierProblem(channel.multiplier);
            if (loadU32(records, c * 16 + 12) != 0)
                problem = "the reserved word is not 0";
            if (!problem.empty())
                return fail(FaultCode::Descriptor, m_index,
                            fmt::format("parameters of channel {}: {}", c, problem));
        }
        m_record.operands.channels = m_record.channels;
        return std::nullopt;
    }

    MaybeFault readAdd() {
        ByteView params;
        if (MaybeFault f = read(Field::ParamBase, addressOf(m_d, Field::ParamBytes), params))
            return f;
        RecordOperands& operands = m_record.operands;
        operands.add = {loadMultiplier(params, 4), loadMultiplier(params, 12),
                        loadMultiplier(params, 20)};
        std::string problem;
        if (loadU32(params, 28) != 0)
            problem = "the reserved word is not 0";
        for (const Multiplier& m :
             {operands.add.output, operands.add.input1, operands.add.input0}) {
            if (std::string bad = multiplierProblem(m); !bad.empty())
                problem = std::move(bad);
        }
        if (loadU32(params, 0) != kAddLeftShift)
            problem =
                fmt::format("the left shift is {}, not {}", loadU32(params, 0), kAddLeftShift);
        if (!problem.empty())
            return fail(FaultCode::Descriptor, m_index, "parameters of ADD: " + problem);
        if (MaybeFault f = read(Field::Input0Base, m_record.shape.inputSpan(), operands.input0))
            return f;
        return read(Field::Input1Base, m_record.shape.input1Span(), operands.input1);
    }

    const Descriptor& m_d;
    std::int64_t m_index;
    const Memory& m_memory;
    LoadedRecord& m_record;
};

} // namespace

std::uint64_t addressOf(const Descriptor& descriptor, Field field) {
    return static_cast<std::uint64_t>(descriptor.get(field));
}

MaybeFault loadRecord(const Descriptor& descriptor, std::int64_t index, const Memory& memory,
                      LoadedRecord& record) {
    return Loader(descriptor, index, memory, record).load();
}

MaybeFault writeRecord(const Descriptor& descriptor, std::int64_t index, const RecordShape& shape,
                       std::span<const std::int8_t> output, Memory& memory) {
    const std::uint64_t address = addressOf(descriptor, Field::OutputBase);
    const auto span = memory.write(address, shape.outputSpan());
    if (!span)
        return fail(FaultCode::Range, index, unmapped("OUTPUT_BASE", address, shape.outputSpan()));
    const auto row = static_cast<std::size_t>(shape.ow * shape.cout);
    for (std::size_t y = 0; y < static_cast<std::size_t>(shape.oh); ++y)
        std::memcpy(span->data() + y * shape.outputRow, output.data() + y * row, row);
    return std::nullopt;
}

RecordRun runRecord(const Descriptor& descriptor, std::int64_t index, Memory& memory,
                    const std::stop_token& stop) {
    LoadedRecord record;
    if (MaybeFault fault = loadRecord(descriptor, index, memory, record))
        return {std::move(fault), false};
    std::vector<std::int8_t> output(static_cast<std::size_t>(record.shape.outputElements()));
    record.operands.output = output;
    RecordOutcome outcome = computeRecord(record.shape, record.operands, stop);
    if (outcome.stopped)
        return {std::nullopt, true};
    if (!outcome.fault.empty())
        return {fail(FaultCode::Arithmetic, index, std::move(outcome.fault)), false};
    return {writeRecord(descriptor, index, record.shape, output, memory), false};
}

std::optional<Bytes> denseOutput(const Descriptor& descriptor, const RecordShape& s,
                                 const Memory& memory) {
    const auto span = memory.read(addressOf(descriptor, Field::OutputBase), s.outputSpan());
    if (!span)
        return std::nullopt;
    if (s.outputRow == static_cast<std::uint64_t>(s.ow * s.cout))
        return Bytes(span->begin(), span->end());
    Bytes dense;
    dense.reserve(static_cast<std::size_t>(s.outputElements()));
    const auto row = static_cast<std::size_t>(s.ow * s.cout);
    for (std::size_t y = 0; y < static_cast<std::size_t>(s.oh); ++y) {
        const ByteView from = span->subspan(y * s.outputRow, row);
        dense.insert(dense.end(), from.begin(), from.end());
    }
    return dense;
}

} // namespace plumbline::npu_p0
