// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a TFLite file (flatbuffer, schema version 3) into a Model. Source: spec section 1.
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/graph/model.h"

namespace plumbline {

/// Limits that make a hostile file cost bounded time and memory.
struct ImportLimits {
    static constexpr std::uint32_t kMaxTables = 4'000'000;   ///< flatbuffer tables verified
    static constexpr std::uint32_t kMaxDepth = 64;           ///< nesting verified
    static constexpr std::size_t kMaxTensors = 1'000'000;    ///< per subgraph
    static constexpr std::size_t kMaxOperators = 1'000'000;  ///< per subgraph
    static constexpr std::size_t kMaxSubgraphs = 1'000;
    static constexpr std::int64_t kMaxElements = std::int64_t{1} << 40; ///< of one tensor
};

/// The model in `file`. Every builtin operator is read with its name and raw inputs and outputs;
/// options are decoded for the operators of spec section 2. Errors: NotTflite, DamagedModel (with the
/// part of the file and its byte), IndexOutOfRange, BadShape, ModelTooLarge; never a partial model.
Result<ModelPtr> importTflite(Bytes file);

/// The name of a builtin operator code, "CONV_2D"; "BUILTIN_999" for a code that has none.
std::string operatorName(OperatorKind kind);

} // namespace plumbline
