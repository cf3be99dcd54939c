// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/cost_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chart/ticks.h"

namespace plumbline {
namespace {

constexpr int kMostTicks = 5;

} // namespace

std::int64_t cappedSum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? std::numeric_limits<std::int64_t>::min()
                 : std::numeric_limits<std::int64_t>::max();
}

std::int64_t totalOf(const CostParts& parts) {
    std::int64_t total = 0;
    for (const std::int64_t part : parts)
        total = cappedSum(total, part);
    return total;
}

std::vector<CostRow> costRows(const Lowering& lowering) {
    std::vector<CostRow> rows;
    for (const LoweredOperator& op : lowering.operators) {
        if (!op.record)
            continue;
        const Cost& c = op.cost;
        rows.push_back({op.index,
                        *op.record,
                        op.opcodeName,
                        {c.computeCycles, c.packCycles, c.loadCycles, c.storeCycles},
                        {c.gatherReadBytes, c.weightReadBytes, c.paramReadBytes, c.writeBytes},
                        c.estimatedCycles});
    }
    return rows;
}

std::string_view costPartName(CostMeasure measure, std::size_t part) {
    constexpr std::array<std::string_view, kCostParts> kCycles{"compute", "pack", "load", "store"};
    constexpr std::array<std::string_view, kCostParts> kBytes{"gather", "weights", "parameters",
                                                              "writes"};
    return (measure == CostMeasure::Cycles ? kCycles : kBytes).at(part);
}

std::string_view costUnit(CostMeasure measure) {
    return measure == CostMeasure::Cycles ? "cycles" : "DMA bytes";
}

std::vector<CostBar> costBars(const std::vector<CostRow>& rows, CostMeasure measure,
                              std::size_t most) {
    std::vector<CostBar> bars;
    const std::size_t each = std::max<std::size_t>((rows.size() + most - 1) / most, 1);
    for (std::size_t first = 0; first < rows.size(); first += each) {
        CostBar bar{first, std::min(each, rows.size() - first), {}};
        for (std::size_t row = first; row < first + bar.rowCount; ++row)
            for (std::size_t part = 0; part < kCostParts; ++part)
                bar.parts.at(part) =
                    cappedSum(bar.parts.at(part), rows[row].parts(measure).at(part));
        bars.push_back(bar);
    }
    return bars;
}

CostAxis costAxis(double largest) {
    if (!std::isfinite(largest) || largest <= 1)
        return {};
    const double step = roundTickStep(largest, kMostTicks);
    return {std::ceil(largest / step) * step, step};
}

} // namespace plumbline
