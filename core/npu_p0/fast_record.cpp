// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/fast_record.h"

#include "core/kernels/bounds.h"

namespace plumbline::npu_p0 {
namespace {

bool hasClosedRows(const RecordShape& s) {
    const auto input = static_cast<std::uint64_t>(s.w * s.cin);
    const auto output = static_cast<std::uint64_t>(s.ow * s.cout);
    return s.inputRow == input && s.outputRow == output &&
           (s.opcode != Opcode::Add || s.input1Row == input);
}

/// Bytes of the arena.
struct Place {
    std::size_t offset = 0;
    std::uint64_t bytes = 0;
    bool overlaps(const Place& other) const {
        return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
};

bool placeInArena(std::uint64_t address, std::uint64_t bytes, const Job& job, const Memory& memory,
                  Place& place) {
    if (!memory.isInArena(address, bytes))
        return false;
    place = {static_cast<std::size_t>(address - job.bases.arena), bytes};
    return true;
}

Window windowOf(const RecordShape& s) {
    return {s.kh, s.kw, s.sh, s.sw, 1, 1, s.padTop, s.padLeft};
}

} // namespace

bool FastRecord::placeTensors(const Descriptor& descriptor, const Job& job, const Memory& memory) {
    Place input0, input1, output;
    if (!placeInArena(addressOf(descriptor, Field::Input0Base), m_shape.inputSpan(), job, memory,
                      input0) ||
        !placeInArena(addressOf(descriptor, Field::OutputBase), m_shape.outputSpan(), job, memory,
                      output) ||
        output.overlaps(input0))
        return false;
    if (m_shape.opcode == Opcode::Add &&
        (!placeInArena(addressOf(descriptor, Field::Input1Base), m_shape.input1Span(), job, memory,
                       input1) ||
         output.overlaps(input1)))
        return false;
    m_input0 = input0.offset;
    m_input1 = input1.offset;
    m_output = output.offset;
    return true;
}

bool FastRecord::prepareWeighted(const LoadedRecord& record, PreparationBudget& budget) {
    const RecordShape& s = m_shape;
    std::vector<std::int32_t> bias;
    for (const ChannelParameters& channel : record.channels) {
        bias.push_back(channel.bias);
        m_multipliers.push_back(channel.multiplier);
    }
    m_weighted.input.shape = {s.h, s.w, s.cin};
    m_weighted.inputZeroPoint = s.inputZero;
    m_weighted.window = windowOf(s);
    m_weighted.weights = reinterpret_cast<const std::int8_t*>(record.operands.weights.data());
    m_weighted.weightOrder = WeightOrder::LaneGroups;
    m_weighted.bias = bias;
    m_weighted.multipliers = m_multipliers;
    m_weighted.outputZeroPoint = s.outputZero;
    m_weighted.bounds = s.bounds;
    m_weighted.outputShape = {s.oh, s.ow, s.cout};
    m_prepared = budget.prepare(*m_kernels, m_weighted, s.opcode == Opcode::Depthwise3x3);
    m_weighted.weights = nullptr;
    m_weighted.bias = {};
    m_weighted.prepared = m_prepared.get();
    return m_prepared != nullptr;
}

std::unique_ptr<const FastRecord> FastRecord::make(const Descriptor& descriptor, std::int64_t index,
                                                   const Job& job, const Memory& memory,
                                                   const KernelSet& kernels,
                                                   PreparationBudget& budget) {
    LoadedRecord loaded;
    if (loadRecord(descriptor, index, memory, loaded))
        return nullptr;
    std::unique_ptr<FastRecord> made(new FastRecord);
    made->m_shape = loaded.shape;
    made->m_kernels = &kernels;
    made->m_add = loaded.operands.add;
    if (!hasClosedRows(loaded.shape) || !made->placeTensors(descriptor, job, memory))
        return nullptr;
    const auto isConstant = [&](Field base, Field bytes) {
        return !memory.isInArena(addressOf(descriptor, base), addressOf(descriptor, bytes));
    };
    if (loaded.shape.opcode == Opcode::Add && !addIsSafe(made->m_add))
        return nullptr;
    const bool isWeighted = isOneOf(loaded.shape.opcode, kWeighted);
    if ((isWeighted || loaded.shape.opcode == Opcode::Add) &&
        !isConstant(Field::ParamBase, Field::ParamBytes))
        return nullptr;
    if (isWeighted && (!isConstant(Field::WeightBase, Field::WeightBytes) ||
                       !made->prepareWeighted(loaded, budget)))
        return nullptr;
    return made;
}

KernelStatus FastRecord::run(std::span<std::uint8_t> arena, Workers& workers,
                             const std::stop_token& stop) const {
    const auto* input0 = reinterpret_cast<const std::int8_t*>(arena.data() + m_input0);
    const auto* input1 = reinterpret_cast<const std::int8_t*>(arena.data() + m_input1);
    auto* output = reinterpret_cast<std::int8_t*>(arena.data() + m_output);
    const RecordShape& s = m_shape;
    const auto onRows = [&](auto args, auto kernel) {
        args.input = {input0, {s.h, s.w, s.cin}};
        args.output = output;
        args.stop = stop;
        return workers.overRows(s.oh, s.work(), [&args, kernel](RowRange rows) {
            auto part = args;
            part.rows = rows;
            return kernel(part);
        });
    };
    const auto onElements = [&](const auto& args, auto kernel) {
        return workers.overElements(args.elements, stop, [&](std::int64_t first, std::int64_t end) {
            return kernel(args.part(first, end));
        });
    };
    PoolArguments pool;
    pool.window = windowOf(s);
    pool.bounds = s.bounds;
    pool.outputShape = {s.oh, s.ow, s.cout};
    switch (s.opcode) {
    case Opcode::Conv2D:
    case Opcode::FullyConnected:
        return onRows(m_weighted, m_kernels->conv);
    case Opcode::Depthwise3x3:
        return onRows(m_weighted, m_kernels->depthwise);
    case Opcode::Add:
        return onElements(AddArguments{s.outputElements(), input0, input1, s.inputZero,
                                       s.input1Zero, m_add, s.outputZero, s.bounds, output},
                          m_kernels->add);
    case Opcode::MaxPool:
        return onRows(pool, m_kernels->maxPool);
    case Opcode::AveragePool:
    case Opcode::GlobalAveragePool:
        return onRows(pool, m_kernels->averagePool);
    case Opcode::Clamp:
        return onElements(ClampArguments{s.outputElements(), input0, s.bounds, output},
                          m_kernels->clamp);
    }
    return KernelStatus::Fault;
}

} // namespace plumbline::npu_p0
