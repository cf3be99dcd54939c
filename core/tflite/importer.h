// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a TFLite file (flatbuffer, schema version 3) into a Model. Source: spec section 1.
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/graph/model.h"

namespace plumbline {

/// Limits that make a hostile file cost bounded time and memory.
struct ImportLimits {
    static constexpr std::uint32_t kMaxTables = 4'000'000;  ///< flatbuffer tables verified
    static constexpr std::uint32_t kMaxDepth = 64;          ///< nesting verified
    static constexpr std::size_t kMaxTensors = 1'000'000;   ///< per subgraph
    static constexpr std::size_t kMaxOperators = 1'000'000; ///< per subgraph
    static constexpr std::size_t kMaxSubgraphs = 1'000;
    /// Elements copied out of vectors and strings in all; a file can refer to one vector many
    /// times.
    static constexpr std::size_t kMaxCopiedElements = 64'000'000;
    static constexpr std::int64_t kMaxElements = std::int64_t{1} << 40; ///< of one tensor
    /// What the model's names, index lists, shapes and scales may take in memory: this many bytes
    /// and kExpansionFactor times the file's. Only a file whose tables share their parts, which no
    /// converter does on this scale, can need more. Constant data is not copied and not counted.
    static constexpr std::uint64_t kExpansionBase = 64'000'000;
    static constexpr std::uint64_t kExpansionFactor = 8;
};

/// The model in `file`. Every builtin operator is read with its name and raw inputs and outputs;
/// options are decoded for the operators of spec section 2. Errors, always one: NotTflite,
/// DamagedModel (with the part of the file and its byte), IndexOutOfRange, BadShape, ModelTooLarge;
/// never a partial model. Model::diagnostics, also in the result, holds SchemaVersion,
/// ExtraSubgraphs and ExternalData.
Result<ModelPtr> importTflite(Bytes file);

/// The name of a builtin operator code, "CONV_2D"; "BUILTIN_999" for a code that has none.
std::string operatorName(OperatorKind kind);

} // namespace plumbline
