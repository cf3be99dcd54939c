// SPDX-License-Identifier: GPL-3.0-or-later
// How one output element came to its value, as a list of steps that can be walked both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lowering/selection.h"

namespace plumbline {

/// What a step does to the value that is carried on. `before` of a step is the result of the step
/// before it, but for these: Start, Centre and Difference begin a chain and have a `before` of 0;
/// Accumulate has the result of the step before it as its input, and its `before` is the running
/// sum, the result of the latest Accumulate or 0; Reciprocal takes that sum up. The Sum of ADD
/// joins two chains: its `before` is the scaled input 1, its input the scaled input 0. Source: spec
/// sections 7 and 8.
enum class ReplayKind : std::uint8_t {
    Start,         ///< the bias, the first element of a maximum, 0 or -128
    Product,       ///< result = before + (input - parameter, the zero point) * weight
    SliceEnd,      ///< the partial sum at the end of a K slice; nothing changes
    Centre,        ///< result = (input - parameter2, the zero point) * 2^parameter: ADD
    LeftShift,     ///< result = before * 2^parameter
    HighMultiply,  ///< result = SRDHM(before, parameter)
    RoundingShift, ///< result = RDBP(before, parameter); memory holds -parameter
    Sum,           ///< result = before + input: pools, the two scaled operands of ADD
    Maximum,       ///< result = max(before, input)
    Divide,        ///< result = before / parameter to nearest, ties away from zero
    Difference,    ///< result = input - parameter, the row's maximum; below parameter2 left out:
                   ///< softmax
    Exponential,   ///< result = exp(before) in Q31, `before` in Q5.26: softmax
    Accumulate,    ///< result = before + RDBP(input, 12): a term of the row's sum: softmax
    Reciprocal,    ///< result = 1 / sum in Q31, parameter = its headroom: softmax
    ZeroPoint,     ///< result = before + parameter
    Clamp,         ///< result = before within parameter..parameter2
};

/// "high multiply"
std::string_view replayKindName(ReplayKind kind);

/// A byte or word that a step read.
struct ReplaySource {
    std::string region;       ///< "arena", "weights", "params" or "descriptors"
    std::uint64_t offset = 0; ///< bytes from the region's start
    bool operator==(const ReplaySource&) const = default;
};

/// Most steps of one explanation; a longer reduction is not explained.
inline constexpr std::uint64_t kMaxReplaySteps = std::uint64_t{1} << 20;

struct ReplayStep {
    ReplayKind kind{};
    std::int64_t before = 0;               ///< the value carried into the step
    std::int64_t result = 0;               ///< the value carried out of it
    std::int64_t input = 0;                ///< raw input value, or the other operand
    std::int64_t weight = 0;               ///< Product only, signed byte
    std::int64_t parameter = 0;            ///< zero point, shift, multiplier, count or bound
    std::int64_t parameter2 = 0;           ///< see Clamp, Centre and Difference
    std::optional<ReplaySource> inputFrom; ///< nothing for padding and for made values
    std::optional<ReplaySource> weightFrom;
    std::optional<ReplaySource> parameterFrom; ///< of `parameter`; of Start's result
    std::int64_t slice = -1;                   ///< K slice, zero-based; -1 where there is none
    std::int64_t k = -1;      ///< step of the reduction, zero-based; -1 outside it; the last one of
                              ///< the slice for SliceEnd; the place in the row for softmax
    ElementIndex at;          ///< of the input element, where `inputFrom` or isPadding
    bool isPadding = false;   ///< the input lies outside the feature map
    std::string_view operand; ///< "input 0", "input 1", "sum" of ADD, …; empty for the only one
    bool operator==(const ReplayStep&) const = default;
};

/// One element of one executed layer.
struct Explanation {
    std::int64_t operatorIndex = 0;
    std::optional<std::int64_t> record; ///< nothing for the CPU softmax
    std::string operatorName;           ///< TFLite name or opcode name
    ElementIndex element;               ///< of the output
    std::optional<std::int64_t> tile;   ///< row-major, zero-based; nothing where there are no tiles
    std::int64_t position = 0;          ///< in the tile, row-major; the row for the softmax
    std::int64_t group = 0;             ///< channel group; 0 for the softmax, like lane and slices
    std::int64_t lane = 0;              ///< in the group
    std::int64_t slices = 0;            ///< K slices; 1 where nothing is sliced
    std::vector<ReplayStep> steps;      ///< in the order of the executor
    std::int64_t value = 0;             ///< the result of the last step, signed byte
    ReplaySource output;                ///< where the byte is written; empty region for none
};

/// One line that says what `step` computes, with its values and addresses.
std::string replayText(const ReplayStep& step);

} // namespace plumbline
