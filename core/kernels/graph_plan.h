// SPDX-License-Identifier: GPL-3.0-or-later
// A graph made ready for kernels: everything of a run that does not depend on the input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/tensor.h"
#include "core/kernels/kernels.h"

namespace plumbline {

/// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED. A dense layer is a 1x1 convolution over one
/// image whose height is the batch.
struct WeightedPlan {
    bool isDepthwise = false;
    std::int64_t batch = 1; ///< images
    Hwc input;              ///< of one image
    Hwc output;
    Window window;
    std::int32_t inputZeroPoint = 0;
    std::int32_t outputZeroPoint = 0;
    ActivationBounds bounds;
    const std::int8_t* weights = nullptr; ///< inside the model's file
    std::vector<std::int32_t> bias;       ///< one per output channel, or empty
    std::vector<Multiplier> multipliers;  ///< one per output channel
};

struct AddPlan {
    std::int64_t elements = 0;
    std::int32_t zeroPoint0 = 0;
    std::int32_t zeroPoint1 = 0;
    std::int32_t outputZeroPoint = 0;
    AddMultipliers multipliers;
    ActivationBounds bounds;
};

struct PoolPlan {
    bool isAverage = false;
    std::int64_t batch = 1; ///< images
    Hwc input;              ///< of one image
    Hwc output;
    Window window;
    ActivationBounds bounds;
};

struct ClampPlan {
    std::int64_t elements = 0;
    ActivationBounds bounds;
};

struct SoftmaxPlan {
    std::int64_t rows = 0;
    std::int64_t depth = 0; ///< values per row
    SoftmaxParameters parameters;
};

/// RESHAPE: the output is another name for the input's storage.
struct AliasPlan {};

using KernelPlan = std::variant<AliasPlan, WeightedPlan, AddPlan, PoolPlan, ClampPlan, SoftmaxPlan>;

struct PlannedOperator {
    std::int64_t index = 0; ///< in the main graph
    std::string name;
    std::int32_t input0 = 0;  ///< tensor index of the first activation
    std::int32_t input1 = -1; ///< of ADD's second one
    std::int32_t output = 0;
    KernelPlan kernel;
    std::uint64_t work = 0; ///< multiplications, or values looked at where it has none
    std::shared_ptr<const PreparedLayer> prepared; ///< by PreparedGraph::kernels; may be null
};

/// What a run needs to know of a tensor.
struct PlannedTensor {
    std::int32_t storage = 0;               ///< tensor whose storage this one shares; itself mostly
    std::uint64_t bytes = 0;                ///< 0 for tensors that no run touches
    const std::uint8_t* constant = nullptr; ///< `bytes` constant bytes inside the model's file
    std::vector<std::int64_t> traceShape;   ///< [H,W,C] when batch-one, else all dimensions
    std::optional<double> scale;
    std::optional<std::int64_t> zeroPoint;
};

/// A model's main graph, checked and planned for one kernel set. Immutable; may be run from several
/// threads at a time.
struct PreparedGraph {
    const KernelSet* kernels = nullptr;
    std::shared_ptr<const Bytes> file; ///< keeps weights and constants alive
    std::optional<std::string> modelSha256;
    std::vector<PlannedTensor> tensors;     ///< as in the graph
    std::vector<PlannedOperator> operators; ///< in execution order
    std::vector<std::int32_t> inputs;       ///< tensor indices
    std::vector<std::int32_t> outputs;      ///< tensor indices
    std::uint64_t inputBytes = 0;           ///< all graph inputs together
};

/// The arguments of a weighted layer, for one image, without data, rows and preparation.
WeightedArguments argumentsOf(const WeightedPlan& plan);

/// Limits of one run, so that a hostile model costs bounded memory and time.
inline constexpr std::uint64_t kMaxActivationBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxRunWork = std::uint64_t{1}
                                             << 40; ///< sum of PlannedOperator::work

} // namespace plumbline
