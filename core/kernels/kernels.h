// SPDX-License-Identifier: GPL-3.0-or-later
// The seam between engines and arithmetic: one function per operator over plain tensors. A kernel
// set is a table of such functions; every set gives the same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/graph/tensor.h"
#include "core/numeric/quantize.h"

namespace plumbline {

/// One int8 image [H,W,C], dense. Callers run a batch image by image.
struct Int8View {
    const std::int8_t* data = nullptr;
    Hwc shape;
};

/// A kernel's window over the input, in elements; all but the pads at least 1, pads at least 0.
/// Only the near pads are stated: what lies beyond the far edge follows from the extents.
struct Window {
    std::int64_t kernelH = 1;
    std::int64_t kernelW = 1;
    std::int64_t strideH = 1;
    std::int64_t strideW = 1;
    std::int64_t dilationH = 1;
    std::int64_t dilationW = 1;
    std::int64_t padTop = 0;
    std::int64_t padLeft = 0;
};

/// Conv, depthwise and fully connected (a 1x1 conv whose rows are the batch). Zero points fit int8,
/// shifts are in kMinShift..kMaxShift. Padding reads the input zero point, so it adds 0.
struct WeightedArguments {
    Int8View input;
    std::int32_t inputZeroPoint = 0;
    Window window;
    const std::int8_t* weights = nullptr; ///< conv and dense [Cout,Kh,Kw,Cin]; depthwise [Kh,Kw,C]
    std::span<const std::int32_t> bias;   ///< Cout values, or empty for no bias
    std::span<const Multiplier> multipliers; ///< Cout values
    std::int32_t outputZeroPoint = 0;
    ActivationBounds bounds;
    Hwc outputShape;
    std::int8_t* output = nullptr; ///< outputShape.elements() values
};

struct AddArguments {
    std::int64_t elements = 0;
    const std::int8_t* input0 = nullptr;
    const std::int8_t* input1 = nullptr;
    std::int32_t zeroPoint0 = 0;
    std::int32_t zeroPoint1 = 0;
    AddMultipliers multipliers;
    std::int32_t outputZeroPoint = 0;
    ActivationBounds bounds;
    std::int8_t* output = nullptr;
};

/// Every window covers at least one position of the input; positions outside it do not count.
struct PoolArguments {
    Int8View input;
    Window window;
    ActivationBounds bounds;
    Hwc outputShape;
    std::int8_t* output = nullptr;
};

struct ClampArguments {
    std::int64_t elements = 0;
    const std::int8_t* input = nullptr;
    ActivationBounds bounds;
    std::int8_t* output = nullptr;
};

struct SoftmaxArguments {
    std::int64_t rows = 0;
    std::int64_t depth = 0; ///< values per row
    const std::int8_t* input = nullptr;
    SoftmaxParameters parameters; ///< softmaxParametersAreSafe
    std::int8_t* output = nullptr;
};

/// Each function returns false on an arithmetic fault (an ordered update or a left shift leaves
/// int32, a softmax sum reaches 2^31); the output is then unspecified.
struct KernelSet {
    std::string_view name; ///< "reference"
    bool (*conv)(const WeightedArguments&);
    bool (*depthwise)(const WeightedArguments&); ///< any depth multiplier: output.c / input.c
    bool (*add)(const AddArguments&);
    bool (*maxPool)(const PoolArguments&);
    bool (*averagePool)(const PoolArguments&);
    bool (*clamp)(const ClampArguments&);
    bool (*softmax)(const SoftmaxArguments&);
};

/// Plain loops, every ordered update checked unless a bound proves that none can overflow.
const KernelSet& referenceKernels();

} // namespace plumbline
