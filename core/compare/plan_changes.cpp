// SPDX-License-Identifier: GPL-3.0-or-later
// What the plans of two lowerings say: buffers of the arena, tiles, half buffers, costs,
// quantization.
#include <algorithm>

#include <fmt/format.h>

#include "core/compare/lowering_changes.h"
#include "core/lowering/arena_image.h"
#include "core/lowering/selection.h"

namespace plumbline {
namespace {

std::string called(const Lowering& lowering, std::int64_t index) {
    if (index < 0)
        return "the input";
    return static_cast<std::size_t>(index) < lowering.operators.size()
               ? fmt::format("{} {}", lowering.operators[static_cast<std::size_t>(index)].name,
                             index)
               : "the end of the job";
}

/// The allocation whose bytes stand at arena byte `at` when operator `index` reads (or, with
/// `isOutput`, writes): the latest one that was written by then.
const Allocation* allocationAt(const Lowering& lowering, std::int64_t index, std::uint64_t at,
                               bool isOutput) {
    const auto& all = lowering.arena.allocations; // in order of firstOperator
    auto next = std::partition_point(all.begin(), all.end(), [&](const Allocation& made) {
        return made.firstOperator < index + (isOutput ? 1 : 0);
    });
    while (next != all.begin()) {
        --next;
        if (at >= next->offset && at - next->offset < next->size)
            return &*next;
    }
    return nullptr;
}

/// A number of the plan that is compared.
struct PlanRow {
    ChangeKind kind;
    std::string_view key;
    std::string_view unit;
    std::int64_t (*value)(const LoweredOperator&);
};

constexpr PlanRow kRows[] = {
    {ChangeKind::Tiles, "tile height", "",
     [](const LoweredOperator& op) { return op.tiles.tileH; }},
    {ChangeKind::Tiles, "tile width", "", [](const LoweredOperator& op) { return op.tiles.tileW; }},
    {ChangeKind::Tiles, "positions of a tile", "",
     [](const LoweredOperator& op) { return op.tiles.positions; }},
    {ChangeKind::Tiles, "tiles", "tiles", [](const LoweredOperator& op) { return op.tiles.tiles; }},
    {ChangeKind::Tiles, "reduction length", "steps",
     [](const LoweredOperator& op) { return op.tiles.fullK; }},
    {ChangeKind::Tiles, "K slice", "steps",
     [](const LoweredOperator& op) { return op.tiles.kSlice; }},
    {ChangeKind::Buffers, "raw gather half", "B",
     [](const LoweredOperator& op) { return op.buffers.rawGatherHalf; }},
    {ChangeKind::Buffers, "packed A", "B",
     [](const LoweredOperator& op) { return op.buffers.packedA; }},
    {ChangeKind::Buffers, "packed W", "B",
     [](const LoweredOperator& op) { return op.buffers.packedW; }},
    {ChangeKind::Buffers, "limit", "B", [](const LoweredOperator& op) { return op.buffers.limit; }},
    {ChangeKind::Cost, "gather read", "B",
     [](const LoweredOperator& op) { return op.cost.gatherReadBytes; }},
    {ChangeKind::Cost, "input fetches", "fetches",
     [](const LoweredOperator& op) { return op.cost.inputFetches; }},
    {ChangeKind::Cost, "weight read", "B",
     [](const LoweredOperator& op) { return op.cost.weightReadBytes; }},
    {ChangeKind::Cost, "weight fetches", "fetches",
     [](const LoweredOperator& op) { return op.cost.weightFetches; }},
    {ChangeKind::Cost, "parameter read", "B",
     [](const LoweredOperator& op) { return op.cost.paramReadBytes; }},
    {ChangeKind::Cost, "parameter fetches", "fetches",
     [](const LoweredOperator& op) { return op.cost.paramFetches; }},
    {ChangeKind::Cost, "write", "B", [](const LoweredOperator& op) { return op.cost.writeBytes; }},
    {ChangeKind::Cost, "useful multiply-accumulates", "",
     [](const LoweredOperator& op) { return op.cost.usefulMacs; }},
    {ChangeKind::Cost, "pack cycles", "cycles",
     [](const LoweredOperator& op) { return op.cost.packCycles; }},
    {ChangeKind::Cost, "estimated cycles", "cycles",
     [](const LoweredOperator& op) { return op.cost.estimatedCycles; }},
};

/// Sums over all operators that are compared.
constexpr PlanRow kTotals[] = {
    {ChangeKind::Cost, "estimated cycles of all operators", "cycles",
     [](const LoweredOperator& op) { return op.cost.estimatedCycles; }},
    {ChangeKind::Cost, "bytes read by all operators", "B",
     [](const LoweredOperator& op) { return op.cost.readBytes(); }},
    {ChangeKind::Cost, "bytes written by all operators", "B",
     [](const LoweredOperator& op) { return op.cost.writeBytes; }},
    {ChangeKind::Cost, "useful multiply-accumulates of all operators", "",
     [](const LoweredOperator& op) { return op.cost.usefulMacs; }},
};

class PlanDiffer {
  public:
    explicit PlanDiffer(LoweringComparison& comparison)
        : m_c(comparison) {}

    void run() {
        for (std::size_t i = 0; i < m_c.operators.size(); ++i) {
            if (!m_c.operators[i])
                continue;
            const LoweredOperator& a = m_c.first.operators[i];
            const LoweredOperator& b = m_c.secondAt(*m_c.operators[i]);
            if (a.placement != Placement::Npu || b.placement != Placement::Npu)
                continue; // nothing is planned for the others
            for (const PlanRow& row : kRows)
                number(row.kind, &a, &b, row.key, row.value(a), row.value(b), row.unit);
            diffQuantization(a, b);
            diffAllocation(a, b);
        }
        diffPorts();
        diffTotals();
    }

  private:
    LoweringChange* number(ChangeKind kind, const LoweredOperator* a, const LoweredOperator* b,
                           std::string_view key, std::int64_t x, std::int64_t y,
                           std::string_view unit) {
        if (x == y)
            return nullptr;
        LoweringChange& change =
            m_c.add(kind, a, b, std::string(key), std::to_string(x), std::to_string(y));
        change.consequence = changeText(x, y, unit);
        return &change;
    }

    LoweringChange* offset(const LoweredOperator* a, const LoweredOperator* b, std::string_view key,
                           std::uint64_t x, std::uint64_t y, bool isShift) {
        LoweringChange* const change =
            number(ChangeKind::Allocation, a, b, key, static_cast<std::int64_t>(x),
                   static_cast<std::int64_t>(y), "");
        if (change == nullptr)
            return nullptr;
        change->isAddressShift = isShift;
        change->consequence =
            (isShift ? "the same bytes lie " : "the plan has it ") + distanceText(x, y);
        return change;
    }

    void real(const LoweredOperator& a, const LoweredOperator& b, std::string_view key,
              std::optional<double> x, std::optional<double> y) {
        if (x == y)
            return;
        const auto text = [](const std::optional<double>& value) {
            return value ? fmt::format("{}", *value) : std::string();
        };
        LoweringChange& change =
            m_c.add(ChangeKind::Quantization, &a, &b, std::string(key), text(x), text(y));
        if (x && y && *x != 0)
            change.consequence = fmt::format("times {:.6g}", *y / *x);
    }

    void diffQuantization(const LoweredOperator& a, const LoweredOperator& b) {
        const OperatorQuantization &x = a.quantization, &y = b.quantization;
        const auto zero = [&](std::string_view key, std::int64_t p, std::int64_t q) {
            if (LoweringChange* const change =
                    number(ChangeKind::Quantization, &a, &b, key, p, q, ""))
                change->consequence = fmt::format("{:+}", q - p);
        };
        real(a, b, "input scale", x.inputScale, y.inputScale);
        zero("input zero point", x.inputZeroPoint, y.inputZeroPoint);
        real(a, b, "input 1 scale", x.input1Scale, y.input1Scale);
        zero("input 1 zero point", x.input1ZeroPoint.value_or(0), y.input1ZeroPoint.value_or(0));
        real(a, b, "output scale", x.outputScale, y.outputScale);
        zero("output zero point", x.outputZeroPoint, y.outputZeroPoint);
        if (x.lower == y.lower && x.upper == y.upper)
            return;
        const auto bounds = [](const OperatorQuantization& q) {
            return fmt::format("{}..{}", q.lower, q.upper);
        };
        m_c.add(ChangeKind::Quantization, &a, &b, "clamp", bounds(x), bounds(y)).consequence =
            fmt::format("the output is clamped to {} instead of {}", bounds(y), bounds(x));
    }

    /// Whether the record writes where the plan says.
    static bool writesAsPlanned(const Lowering& lowering, const LoweredOperator& op) {
        const FieldTable* const table = lowering.fields;
        const bool hasRecord = op.record && *op.record >= 0 &&
                               static_cast<std::size_t>(*op.record) < lowering.records.size();
        return hasRecord && table != nullptr && table->output != nullptr &&
               rawField(lowering.records[static_cast<std::size_t>(*op.record)].bytes,
                        table->fields[table->output->base]) == op.arena.output;
    }

    void diffAllocation(const LoweredOperator& a, const LoweredOperator& b) {
        const bool isShift = a.arena.outputBytes == b.arena.outputBytes &&
                             writesAsPlanned(m_c.first, a) && writesAsPlanned(m_c.second, b);
        if (LoweringChange* const change =
                offset(&a, &b, "output offset", a.arena.output, b.arena.output, isShift)) {
            change->firstAddress = bufferAddress(m_c.first, a);
            change->secondAddress = bufferAddress(m_c.second, b);
        }
        number(ChangeKind::Allocation, &a, &b, "output bytes",
               static_cast<std::int64_t>(a.arena.outputBytes),
               static_cast<std::int64_t>(b.arena.outputBytes), "B");
        const std::int64_t x = a.arena.outputLiveUntilOperator;
        const std::int64_t y = b.arena.outputLiveUntilOperator;
        const bool bothEnd = x == static_cast<std::int64_t>(m_c.first.operators.size()) &&
                             y == static_cast<std::int64_t>(m_c.second.operators.size());
        if (!bothEnd && !m_c.areMatched(x, y))
            m_c.add(ChangeKind::Allocation, &a, &b, "output live until", std::to_string(x),
                    std::to_string(y))
                .consequence = fmt::format("it is read last by {} instead of {}",
                                           called(m_c.second, y), called(m_c.first, x));
    }

    static std::string bufferAddress(const Lowering& lowering, const LoweredOperator& op) {
        const Allocation* const found = allocationAt(lowering, op.index, op.arena.output, true);
        return found ? toText(selectBuffer(found - lowering.arena.allocations.data())) : "";
    }

    void diffPorts() {
        const PortSummary &a = m_c.first.input, &b = m_c.second.input;
        offset(nullptr, nullptr, "offset of the input", a.offset, b.offset, false);
        diffPort("input", a, b);
        diffPort("output", m_c.first.output, m_c.second.output);
    }

    void diffPort(std::string_view name, const PortSummary& a, const PortSummary& b) {
        const auto shape = [](const PortSummary& port) {
            return fmt::format("{}x{}x{}", port.shape.h, port.shape.w, port.shape.c);
        };
        if (shape(a) != shape(b))
            m_c.add(ChangeKind::Allocation, nullptr, nullptr, fmt::format("shape of the {}", name),
                    shape(a), shape(b));
        number(ChangeKind::Allocation, nullptr, nullptr, fmt::format("bytes of the {}", name),
               static_cast<std::int64_t>(a.bytes), static_cast<std::int64_t>(b.bytes), "B");
    }

    void diffTotals() {
        if (LoweringChange* const peak =
                number(ChangeKind::Allocation, nullptr, nullptr, "peak",
                       static_cast<std::int64_t>(m_c.first.arena.peakBytes),
                       static_cast<std::int64_t>(m_c.second.arena.peakBytes), "B"))
            peak->consequence = "arena peak " + peak->consequence;
        for (const PlanRow& row : kTotals) {
            const auto sum = [&](const Lowering& lowering) {
                std::int64_t total = 0;
                for (const LoweredOperator& op : lowering.operators)
                    total += row.value(op);
                return total;
            };
            number(row.kind, nullptr, nullptr, row.key, sum(m_c.first), sum(m_c.second), row.unit);
        }
    }

    LoweringComparison& m_c;
};

} // namespace

bool isSameArenaPlace(const LoweringComparison& comparison, const RecordPair& pair,
                      std::uint64_t first, std::uint64_t second, bool isOutput) {
    if (!pair.firstOperator || !pair.secondOperator)
        return false;
    const Allocation* const a =
        allocationAt(comparison.first, pair.firstOperator->index, first, isOutput);
    const Allocation* const b =
        allocationAt(comparison.second, pair.secondOperator->index, second, isOutput);
    return a && b && a->bytes == b->bytes && first - a->offset == second - b->offset &&
           comparison.areMatched(a->firstOperator, b->firstOperator);
}

void addPlanChanges(LoweringComparison& comparison) { PlanDiffer(comparison).run(); }

} // namespace plumbline
