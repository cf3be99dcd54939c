// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of one record over its operands' bytes, in the order of the hardware: tiles
// row-major, positions inside the tile, channel groups of eight, K slices. Source: spec sections 7
// and 9. This is the seam where faster kernels can stand in.
#pragma once

#include <span>
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

/// Computes the output. An arithmetic fault gives its reason, with position and channel; the output
/// is then unspecified. Empty on success.
std::string computeRecord(const RecordShape& shape, const RecordOperands& operands);

} // namespace plumbline::npu_p0
