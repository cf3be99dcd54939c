// SPDX-License-Identifier: GPL-3.0-or-later
// The first half of the lowering: each operator of the graph against the rules of spec section 2.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/model.h"
#include "core/lowering/lowering.h"
#include "core/npu_p0/opcode.h"
#include "core/numeric/quantize.h"

namespace plumbline::npu_p0 {

/// What the rules found out about one operator. With a refusal, parts that could not be known keep
/// their defaults.
struct OperatorPlan {
    LoweredOperator lowered; ///< placement, geometry, quantization, tiles, buffers, cost
    std::optional<Opcode> opcode;
    std::optional<std::int32_t> input;  ///< tensor indices
    std::optional<std::int32_t> input1; ///< ADD only
    std::optional<std::int32_t> output;
    ByteView weights;                    ///< in the file's order
    ByteView bias;                       ///< int32 little endian, one per output channel
    std::vector<Multiplier> multipliers; ///< one per output channel
    AddMultipliers add;
};

/// The part of an operator's rules that concerns the whole graph.
struct GraphFacts {
    std::vector<std::int32_t> producer; ///< per tensor: operator that writes it; -1: none
    std::vector<bool> isGraphInput;     ///< per tensor
};
inline constexpr std::int32_t kNoProducer = -1;

GraphFacts factsOf(const Graph& graph);

/// Checks operator `index` of `graph`; every broken rule is appended to `diagnostics`.
OperatorPlan planOperator(const Graph& graph, const GraphFacts& facts, std::int32_t index,
                          Diagnostics& diagnostics);

/// Kernel, strides and padding of a convolution or pool against its extents.
struct WindowOptions {
    std::int64_t kernelH = 1, kernelW = 1;
    std::int64_t strideH = 1, strideW = 1;
    Padding padding = Padding::Valid;
};

/// Pads before and after one axis. Nothing when the output extent does not follow.
struct AxisPads {
    std::int64_t before = 0;
    std::int64_t after = 0;
};
std::optional<AxisPads> axisPads(std::int64_t extent, std::int64_t output, std::int64_t kernel,
                                 std::int64_t stride, Padding padding);

} // namespace plumbline::npu_p0
