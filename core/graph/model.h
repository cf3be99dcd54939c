// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is, whatever file it came from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/options.h"
#include "core/graph/tensor.h"

namespace plumbline {

/// TFLite's builtin operator codes that the core names; others are plain numbers.
enum class OperatorKind : std::int32_t {
    Add = 0,
    AveragePool2D = 1,
    Conv2D = 3,
    DepthwiseConv2D = 4,
    FullyConnected = 9,
    MaxPool2D = 17,
    Relu = 19,
    ReluN1To1 = 20,
    Relu6 = 21,
    Reshape = 22,
    Softmax = 25,
    Custom = 32,
};

/// Index of an absent optional input in Operator::inputs.
inline constexpr std::int32_t kAbsentTensor = -1;

struct Operator {
    OperatorKind kind{};
    std::string name;       ///< "CONV_2D"; "CUSTOM"; "BUILTIN_999" for a code without a name
    std::string customCode; ///< of a custom operator, else empty
    int version = 1;
    std::vector<std::int32_t> inputs;  ///< tensor indices; kAbsentTensor for an absent optional one
    std::vector<std::int32_t> outputs; ///< tensor indices
    OperatorOptions options;           ///< NoOptions for operators whose options are not decoded
    bool hasOptionsTable = false;      ///< the file carries an options table of the operator's kind
    ByteView customOptions;            ///< raw bytes of a custom operator; points into Model::file
};

/// One subgraph: tensors and operators in execution order.
struct Graph {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Operator> operators;
    std::vector<std::int32_t> inputs;  ///< tensor indices
    std::vector<std::int32_t> outputs; ///< tensor indices
};

struct MetadataEntry {
    std::string name;
    ByteView data;
};

/// A whole model file. Immutable once imported; shared between threads.
struct Model {
    std::shared_ptr<const Bytes> file; ///< owns every ByteView below
    std::string sha256;                ///< of the file
    std::string description;
    int schemaVersion = 3;
    std::vector<Graph> graphs; ///< subgraph 0 is the main one; may be empty
    std::vector<MetadataEntry> metadata;
    Diagnostics diagnostics; ///< notes and warnings of the import
};

using ModelPtr = std::shared_ptr<const Model>;

} // namespace plumbline
