// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles, half-buffer bounds and the cost estimate of one record. Source: spec sections 2 and 10.
#pragma once

#include "core/lowering/lowering.h"
#include "core/npu_p0/opcode.h"

namespace plumbline::npu_p0 {

inline constexpr std::int64_t kHalfBufferBytes = 8192;

TilePlan tilePlan(Opcode opcode, const OperatorGeometry& geometry);
BufferBounds bufferBounds(Opcode opcode, const OperatorGeometry& geometry, const TilePlan& tiles);
TileFacts tileFacts(Opcode opcode);
/// Fills the compute, load and store cycles from the cost's own MACs and bytes: with the pack
/// cycles they add up to the estimate.
void splitCycles(Cost& cost);
Cost estimateCost(Opcode opcode, const OperatorGeometry& geometry, const TilePlan& tiles);

/// Bytes of the packed weights and of the parameters; 0 where the opcode has none.
std::int64_t packedWeightBytes(Opcode opcode, const OperatorGeometry& geometry,
                               const TilePlan& tiles);
std::int64_t parameterBytes(Opcode opcode, const OperatorGeometry& geometry);

} // namespace plumbline::npu_p0
