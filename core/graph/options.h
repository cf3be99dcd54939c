// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the operators whose meaning the core knows. Defaults are those of TFLite's schema: an
// operator without an options table has exactly these.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace plumbline {

/// TFLite's Padding; a file may hold other numbers.
enum class Padding : std::int8_t { Same = 0, Valid = 1 };

/// TFLite's ActivationFunctionType; a file may hold other numbers.
enum class FusedActivation : std::int8_t {
    None = 0,
    Relu = 1,
    ReluN1To1 = 2,
    Relu6 = 3,
    Tanh = 4,
    SignBit = 5,
};

struct NoOptions {
    bool operator==(const NoOptions&) const = default;
};

struct Conv2DOptions {
    Padding padding = Padding::Same;
    std::int32_t strideH = 0;
    std::int32_t strideW = 0;
    std::int32_t dilationH = 1;
    std::int32_t dilationW = 1;
    FusedActivation activation = FusedActivation::None;
    bool operator==(const Conv2DOptions&) const = default;
};

struct DepthwiseConv2DOptions {
    Padding padding = Padding::Same;
    std::int32_t strideH = 0;
    std::int32_t strideW = 0;
    std::int32_t depthMultiplier = 0;
    std::int32_t dilationH = 1;
    std::int32_t dilationW = 1;
    FusedActivation activation = FusedActivation::None;
    bool operator==(const DepthwiseConv2DOptions&) const = default;
};

struct Pool2DOptions {
    Padding padding = Padding::Same;
    std::int32_t strideH = 0;
    std::int32_t strideW = 0;
    std::int32_t filterH = 0;
    std::int32_t filterW = 0;
    FusedActivation activation = FusedActivation::None;
    bool operator==(const Pool2DOptions&) const = default;
};

struct FullyConnectedOptions {
    FusedActivation activation = FusedActivation::None;
    std::int8_t weightsFormat = 0; ///< 0 DEFAULT, 1 SHUFFLED4x16INT8
    bool keepNumDims = false;
    bool operator==(const FullyConnectedOptions&) const = default;
};

struct AddOptions {
    FusedActivation activation = FusedActivation::None;
    bool operator==(const AddOptions&) const = default;
};

struct SoftmaxOptions {
    float beta = 1.0F; ///< 1 without an options table; 0 in a table that lacks the field
    bool operator==(const SoftmaxOptions&) const = default;
};

struct ReshapeOptions {
    std::vector<std::int32_t> newShape;
    bool operator==(const ReshapeOptions&) const = default;
};

using OperatorOptions =
    std::variant<NoOptions, Conv2DOptions, DepthwiseConv2DOptions, Pool2DOptions,
                 FullyConnectedOptions, AddOptions, SoftmaxOptions, ReshapeOptions>;

/// "SAME", "VALID", or the number of any other.
const char* paddingName(Padding padding);
/// "NONE", "RELU", …; "unknown" for any other number.
const char* fusedActivationName(FusedActivation activation);

} // namespace plumbline
