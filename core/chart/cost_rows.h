// SPDX-License-Identifier: GPL-3.0-or-later
// The estimated costs of all records: what the rows, the stacked bars and the axis of the costs
// view and of costDrawing() are made of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/chart/charts.h"
#include "core/lowering/lowering.h"

namespace plumbline {

inline constexpr std::size_t kCostParts = 4;
using CostParts = std::array<std::int64_t, kCostParts>;

/// The sum, or the number nearest to it: damaged packages state any costs.
std::int64_t cappedSum(std::int64_t a, std::int64_t b);
std::int64_t totalOf(const CostParts& parts);

/// One record. The parts of the cycles are compute, pack, load and store; those of the bytes are
/// gather, weights, parameters and writes.
struct CostRow {
    std::int64_t operatorIndex = 0;
    std::int64_t record = 0;
    std::string name; ///< opcode
    CostParts cycles{};
    CostParts bytes{};
    std::int64_t statedCycles = 0; ///< what the lowering or the package says the sum is

    const CostParts& parts(CostMeasure measure) const {
        return measure == CostMeasure::Cycles ? cycles : bytes;
    }
    std::int64_t total(CostMeasure measure) const { return totalOf(parts(measure)); }
};

/// One row per operator that has a record, in operator order.
std::vector<CostRow> costRows(const Lowering& lowering);

/// "compute", "weights"; `part` is below kCostParts. The parts are stacked in this order.
std::string_view costPartName(CostMeasure measure, std::size_t part);
/// "cycles", "DMA bytes"
std::string_view costUnit(CostMeasure measure);

/// A stacked bar: one row, or the sums of neighbouring ones.
struct CostBar {
    std::size_t firstRow = 0;
    std::size_t rowCount = 1;
    CostParts parts{};
};

/// At most `most` bars (which is at least 1) over all rows, in their order, of equally many rows
/// each; the last may have fewer.
std::vector<CostBar> costBars(const std::vector<CostRow>& rows, CostMeasure measure,
                              std::size_t most);

/// An axis from 0 to `end` with a tick every `step`, both round; `end` is at least 1.
struct CostAxis {
    double end = 1;
    double step = 1;
};
/// The axis that holds `largest`.
CostAxis costAxis(double largest);

} // namespace plumbline
