// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of one record over its operands' bytes, in the order of the hardware: tiles
// row-major, positions inside the tile, channel groups of eight, K slices. Source: spec sections 7
// and 9. fast_record.h computes the same without that order.
#pragma once

#include <span>
#include <stop_token>
#include <string>

#include "core/base/bytes.h"
#include "core/npu_p0/shape.h"

namespace plumbline::npu_p0 {

/// One output channel's parameters as the region holds them.
struct ChannelParameters {
    std::int32_t bias = 0;
    Multiplier multiplier;
};

/// Operands of a record. Inputs are the used spans, rows apart as the shape says; `output` is dense
/// [OH,OW,Cout].
struct RecordOperands {
    ByteView input0;
    ByteView input1;                             ///< ADD only
    ByteView weights;                            ///< packed [groups][K][8]
    std::span<const ChannelParameters> channels; ///< Cout entries, conv, depthwise, FC
    AddMultipliers add;                          ///< ADD only
    std::span<std::int8_t> output;
};

/// How computing a record ended.
struct RecordOutcome {
    std::string fault;    ///< of its arithmetic, with position and channel; empty: none
    bool stopped = false; ///< `stop` asked for it
    bool isDone() const { return fault.empty() && !stopped; }
};

/// Computes the output, every ordered update checked unless a bound proves that none can overflow.
/// The output of a record that is not done is unspecified.
RecordOutcome computeRecord(const RecordShape& shape, const RecordOperands& operands,
                            const std::stop_token& stop = {});

} // namespace plumbline::npu_p0
