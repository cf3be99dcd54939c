// SPDX-License-Identifier: GPL-3.0-or-later
// The seam between engines and arithmetic: one function per operator over plain tensors. A kernel
// set is a table of such functions; every set gives the same bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

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

/// Rows first..end-1 of an output. A call computes these rows only, so that threads can share a
/// layer.
struct RowRange {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// How weights lie in memory, k in kh, kw, cin order.
enum class WeightOrder : std::uint8_t {
    File,       ///< conv and dense [Cout,Kh,Kw,Cin]; depthwise [Kh,Kw,C]
    LaneGroups, ///< [Cout/8 rounded up][K][8], depthwise too; lanes beyond Cout are not read
};

/// A layer's weights and parameters in the form that one kernel set reads, made once for any number
/// of runs.
class PreparedLayer {
  public:
    virtual ~PreparedLayer() = default;
};

/// Conv, depthwise and fully connected (a 1x1 conv whose rows are the batch). Zero points fit int8,
/// multipliers are not negative, shifts are in kMinShift..kMaxShift. Padding reads the input zero
/// point, so it adds 0.
struct WeightedArguments {
    Int8View input;
    std::int32_t inputZeroPoint = 0;
    Window window;
    const std::int8_t* weights = nullptr;
    WeightOrder weightOrder = WeightOrder::File; ///< run functions take File, or what is `prepared`
    std::span<const std::int32_t> bias;          ///< Cout values, or empty for no bias
    std::span<const Multiplier> multipliers;     ///< Cout values
    std::int32_t outputZeroPoint = 0;
    ActivationBounds bounds;
    Hwc outputShape;
    std::int8_t* output = nullptr;           ///< outputShape.elements() values
    RowRange rows;                           ///< of the output
    const PreparedLayer* prepared = nullptr; ///< by the same set from the same layer; may be null
    std::stop_token stop;
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

    /// Of elements first..end-1.
    AddArguments part(std::int64_t first, std::int64_t end) const {
        AddArguments made = *this;
        made.elements = end - first;
        made.input0 += first;
        made.input1 += first;
        made.output += first;
        return made;
    }
};

/// Every window covers at least one position of the input; positions outside it do not count.
struct PoolArguments {
    Int8View input;
    Window window;
    ActivationBounds bounds;
    Hwc outputShape;
    std::int8_t* output = nullptr;
    RowRange rows; ///< of the output
    std::stop_token stop;
};

struct ClampArguments {
    std::int64_t elements = 0;
    const std::int8_t* input = nullptr;
    ActivationBounds bounds;
    std::int8_t* output = nullptr;

    /// Of elements first..end-1.
    ClampArguments part(std::int64_t first, std::int64_t end) const {
        return {end - first, input + first, bounds, output + first};
    }
};

struct SoftmaxArguments {
    std::int64_t rows = 0;
    std::int64_t depth = 0; ///< values per row
    const std::int8_t* input = nullptr;
    SoftmaxParameters parameters; ///< softmaxParametersAreSafe
    std::int8_t* output = nullptr;

    /// Of rows first..end-1.
    SoftmaxArguments part(std::int64_t first, std::int64_t end) const {
        return {end - first, depth, input + first * depth, parameters, output + first * depth};
    }
    /// How many rows to compute before looking at a stop token.
    std::int64_t rowsPerLook() const { return depth < 65'536 ? 65'536 / depth : 1; }
};

enum class KernelStatus : std::uint8_t {
    Done,
    /// An ordered update or a left shift leaves int32, or a softmax sum reaches 2^31; the output is
    /// then unspecified.
    Fault,
    Stopped, ///< the arguments' stop token asked for it; the output is unspecified
};

struct KernelSet {
    std::string_view name; ///< of the engine that they make: "reference" or "plain"
    std::string_view isa;  ///< instruction set that they were compiled for, "AVX2"; "C++" for loops
    /// Null where the set has nothing to prepare for this layer. `input.data`, `output`, `rows` and
    /// `prepared` of the arguments are not read.
    std::shared_ptr<const PreparedLayer> (*prepareConv)(const WeightedArguments&);
    std::shared_ptr<const PreparedLayer> (*prepareDepthwise)(const WeightedArguments&);
    KernelStatus (*conv)(const WeightedArguments&);
    KernelStatus (*depthwise)(
        const WeightedArguments&); ///< any depth multiplier: output.c / input.c
    KernelStatus (*add)(const AddArguments&);
    KernelStatus (*maxPool)(const PoolArguments&);
    KernelStatus (*averagePool)(const PoolArguments&);
    KernelStatus (*clamp)(const ClampArguments&);
    KernelStatus (*softmax)(const SoftmaxArguments&);
};

/// Plain loops, every ordered update checked unless a bound proves that none can overflow.
const KernelSet& plainKernels();

/// Vector kernels for the best instruction set of this machine. What no bound proves free of
/// overflow runs the plain loops.
const KernelSet& fastKernels();

/// The vector kernels for every instruction set that was compiled in and that this machine has, the
/// best first.
std::vector<const KernelSet*> everyFastKernels();

} // namespace plumbline
