// SPDX-License-Identifier: GPL-3.0-or-later
// The plain kernels: loops over tensors, one function per operator of spec section 7. The entry
// point is plainKernels().
#include "core/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/base/stop_check.h"
#include "core/numeric/softmax.h"

namespace plumbline {
namespace {

/// Kernel positions first..end-1 that fall inside the input along one axis.
struct Range {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

Range insideRange(std::int64_t origin, std::int64_t dilation, std::int64_t kernel,
                  std::int64_t extent) {
    const auto ceilDivide = [dilation](std::int64_t value) {
        return value <= 0 ? 0 : (value - 1) / dilation + 1;
    };
    const std::int64_t end = std::min(kernel, ceilDivide(extent - origin));
    return {std::min(ceilDivide(-origin), end), end};
}

/// The input positions that one output position sees.
struct Field {
    std::int64_t originY = 0; ///< input row of kernel row 0; negative inside the padding
    std::int64_t originX = 0;
    Range rows; ///< kernel rows inside the input
    Range columns;
};

Field fieldAt(const Window& window, const Hwc& input, std::int64_t y, std::int64_t x) {
    Field field;
    field.originY = y * window.strideH - window.padTop;
    field.originX = x * window.strideW - window.padLeft;
    field.rows = insideRange(field.originY, window.dilationH, window.kernelH, input.h);
    field.columns = insideRange(field.originX, window.dilationW, window.kernelW, input.w);
    return field;
}

/// The channels of the input position under kernel position (kh, kw) of `field`.
const std::int8_t* pixelAt(const Int8View& input, const Window& window, const Field& field,
                           std::int64_t kh, std::int64_t kw) {
    const std::int64_t y = field.originY + kh * window.dilationH;
    const std::int64_t x = field.originX + kw * window.dilationW;
    return input.data + (y * input.shape.w + x) * input.shape.c;
}

std::int8_t clampToInt8(std::int64_t value, const ActivationBounds& bounds) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, bounds.lower, bounds.upper));
}

/// Whether max|bias| + 255 * 128 * K proves that no sum of K products leaves int32.
bool cannotOverflow(std::span<const std::int32_t> bias, std::int64_t fullK) {
    std::int64_t largest = 0;
    for (const std::int32_t value : bias)
        largest = std::max(largest, value < 0 ? -std::int64_t{value} : std::int64_t{value});
    return fullK <= (kInt32Max - largest) / (255 * 128);
}

/// Requantizes one accumulator per output channel into `output`.
bool storeChannels(const WeightedArguments& args, const std::int32_t* accumulators,
                   std::int8_t* output) {
    for (std::size_t c = 0; c < args.multipliers.size(); ++c) {
        const auto level = requantize(accumulators[c], args.multipliers[c]);
        if (!level)
            return false;
        output[c] = clampToInt8(std::int64_t{*level} + args.outputZeroPoint, args.bounds);
    }
    return true;
}

std::int32_t biasOf(const WeightedArguments& args, std::size_t channel) {
    return args.bias.empty() ? 0 : args.bias[channel];
}

// The sums of conv. Inputs and weights are widened to 16 bits, which holds x - z in -255..255 and
// lets a compiler use its multiply-add instructions.

std::int32_t plainSum(std::int32_t bias, const std::int16_t* x, const std::int16_t* w,
                      std::size_t count) {
    std::int32_t sum = bias;
    for (std::size_t k = 0; k < count; ++k)
        sum += std::int32_t{x[k]} * std::int32_t{w[k]};
    return sum;
}

std::optional<std::int32_t> checkedSum(std::int32_t bias, const std::int16_t* x,
                                       const std::int16_t* w, std::size_t count) {
    std::int64_t sum = bias;
    for (std::size_t k = 0; k < count; ++k) {
        sum += std::int32_t{x[k]} * std::int32_t{w[k]};
        if (!fitsInt32(sum))
            return std::nullopt;
    }
    return static_cast<std::int32_t>(sum);
}

/// x - z of the whole field in kh, kw, cin order; 0 where it lies in the padding.
void gatherField(const WeightedArguments& args, const Field& field,
                 std::vector<std::int16_t>& gathered) {
    const Window& window = args.window;
    const std::int64_t channels = args.input.shape.c;
    std::fill(gathered.begin(), gathered.end(), std::int16_t{0});
    for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
        for (std::int64_t kw = field.columns.first; kw < field.columns.end; ++kw) {
            const std::int8_t* pixel = pixelAt(args.input, window, field, kh, kw);
            std::int16_t* target = gathered.data() + (kh * window.kernelW + kw) * channels;
            for (std::int64_t c = 0; c < channels; ++c)
                target[c] = static_cast<std::int16_t>(pixel[c] - args.inputZeroPoint);
        }
    }
}

KernelStatus conv(const WeightedArguments& args) {
    const Window& window = args.window;
    const Hwc& out = args.outputShape;
    const std::int64_t fullK = window.kernelH * window.kernelW * args.input.shape.c;
    const bool isPlain = cannotOverflow(args.bias, fullK);
    const auto count = static_cast<std::size_t>(fullK);
    const std::vector<std::int16_t> weights(args.weights, args.weights + fullK * out.c);
    std::vector<std::int16_t> gathered(count);
    std::vector<std::int32_t> sums(static_cast<std::size_t>(out.c));
    StopCheck stop(args.stop);
    for (std::int64_t y = args.rows.first; y < args.rows.end; ++y) {
        for (std::int64_t x = 0; x < out.w; ++x) {
            gatherField(args, fieldAt(window, args.input.shape, y, x), gathered);
            for (std::size_t c = 0; c < sums.size(); ++c) {
                if (stop.after(fullK))
                    return KernelStatus::Stopped;
                const std::int16_t* row = weights.data() + c * count;
                if (isPlain) {
                    sums[c] = plainSum(biasOf(args, c), gathered.data(), row, count);
                } else if (const auto sum =
                               checkedSum(biasOf(args, c), gathered.data(), row, count)) {
                    sums[c] = *sum;
                } else {
                    return KernelStatus::Fault;
                }
            }
            if (!storeChannels(args, sums.data(), args.output + (y * out.w + x) * out.c))
                return KernelStatus::Fault;
        }
    }
    return KernelStatus::Done;
}

// The updates of depthwise: one kernel position, all channels. Output channel i * multiplier + j
// belongs to input channel i.

void plainUpdate(std::vector<std::int32_t>& sums, const std::int8_t* pixel, std::int32_t zeroPoint,
                 const std::int8_t* weights, std::size_t multiplier) {
    if (multiplier == 1) {
        for (std::size_t c = 0; c < sums.size(); ++c)
            sums[c] += (pixel[c] - zeroPoint) * weights[c];
        return;
    }
    for (std::size_t i = 0; i < sums.size() / multiplier; ++i) {
        const std::int32_t x = pixel[i] - zeroPoint;
        for (std::size_t j = 0; j < multiplier; ++j)
            sums[i * multiplier + j] += x * weights[i * multiplier + j];
    }
}

bool checkedUpdate(std::vector<std::int32_t>& sums, const std::int8_t* pixel,
                   std::int32_t zeroPoint, const std::int8_t* weights, std::size_t multiplier) {
    for (std::size_t c = 0; c < sums.size(); ++c) {
        const std::int32_t x = pixel[c / multiplier] - zeroPoint;
        const std::int64_t sum = std::int64_t{sums[c]} + x * weights[c];
        if (!fitsInt32(sum))
            return false;
        sums[c] = static_cast<std::int32_t>(sum);
    }
    return true;
}

/// Adds the whole field to `sums`, which hold the bias.
bool accumulateDepthwise(const WeightedArguments& args, const Field& field, bool isPlain,
                         std::vector<std::int32_t>& sums) {
    const Window& window = args.window;
    const auto multiplier = static_cast<std::size_t>(args.outputShape.c / args.input.shape.c);
    for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
        for (std::int64_t kw = field.columns.first; kw < field.columns.end; ++kw) {
            const std::int8_t* pixel = pixelAt(args.input, window, field, kh, kw);
            const std::int8_t* weights =
                args.weights + (kh * window.kernelW + kw) * args.outputShape.c;
            if (isPlain)
                plainUpdate(sums, pixel, args.inputZeroPoint, weights, multiplier);
            else if (!checkedUpdate(sums, pixel, args.inputZeroPoint, weights, multiplier))
                return false;
        }
    }
    return true;
}

KernelStatus depthwise(const WeightedArguments& args) {
    const Hwc& out = args.outputShape;
    const std::int64_t fullK = args.window.kernelH * args.window.kernelW;
    const bool isPlain = cannotOverflow(args.bias, fullK);
    std::vector<std::int32_t> sums(static_cast<std::size_t>(out.c));
    StopCheck stop(args.stop);
    for (std::int64_t y = args.rows.first; y < args.rows.end; ++y) {
        for (std::int64_t x = 0; x < out.w; ++x) {
            if (stop.after(fullK * out.c))
                return KernelStatus::Stopped;
            for (std::size_t c = 0; c < sums.size(); ++c)
                sums[c] = biasOf(args, c);
            const Field field = fieldAt(args.window, args.input.shape, y, x);
            if (!accumulateDepthwise(args, field, isPlain, sums) ||
                !storeChannels(args, sums.data(), args.output + (y * out.w + x) * out.c))
                return KernelStatus::Fault;
        }
    }
    return KernelStatus::Done;
}

std::optional<std::int32_t> addLevel(const AddArguments& args, std::int32_t a, std::int32_t b) {
    constexpr std::int32_t kScale = std::int32_t{1} << kAddLeftShift;
    const auto term0 = requantize((a - args.zeroPoint0) * kScale, args.multipliers.input0);
    const auto term1 = requantize((b - args.zeroPoint1) * kScale, args.multipliers.input1);
    if (!term0 || !term1)
        return std::nullopt;
    const std::int64_t sum = std::int64_t{*term0} + *term1;
    return fitsInt32(sum) ? requantize(static_cast<std::int32_t>(sum), args.multipliers.output)
                          : std::nullopt;
}

KernelStatus add(const AddArguments& args) {
    for (std::int64_t i = 0; i < args.elements; ++i) {
        const auto level = addLevel(args, args.input0[i], args.input1[i]);
        if (!level)
            return KernelStatus::Fault;
        args.output[i] = clampToInt8(std::int64_t{*level} + args.outputZeroPoint, args.bounds);
    }
    return KernelStatus::Done;
}

/// Calls `visit` with the channels of every input position inside `field`; false when it is to
/// stop.
template <class Visit>
bool forEachPixel(const PoolArguments& args, const Field& field, StopCheck& stop,
                  const Visit& visit) {
    const std::int64_t rowWork = (field.columns.end - field.columns.first) * args.input.shape.c;
    for (std::int64_t kh = field.rows.first; kh < field.rows.end; ++kh) {
        if (stop.after(rowWork))
            return false;
        for (std::int64_t kw = field.columns.first; kw < field.columns.end; ++kw)
            visit(pixelAt(args.input, args.window, field, kh, kw));
    }
    return true;
}

/// Folds the input positions of every window, channel by channel, from `initial` with `fold(total,
/// value)`; `finish(total, count)` is the level before the clamp. Channels go in blocks, so that
/// memory does not depend on their number.
template <class Total, class Fold, class Finish>
KernelStatus pool(const PoolArguments& args, Total initial, const Fold& fold,
                  const Finish& finish) {
    constexpr std::int64_t kBlock = 256;
    std::array<Total, kBlock> totals;
    const Hwc& out = args.outputShape;
    std::int8_t* output = args.output + args.rows.first * out.w * out.c;
    StopCheck stop(args.stop);
    for (std::int64_t position = args.rows.first * out.w; position < args.rows.end * out.w;
         ++position, output += out.c) {
        const Field field =
            fieldAt(args.window, args.input.shape, position / out.w, position % out.w);
        const std::int64_t count =
            (field.rows.end - field.rows.first) * (field.columns.end - field.columns.first);
        for (std::int64_t first = 0; first < out.c; first += kBlock) {
            const auto channels = static_cast<std::size_t>(std::min(kBlock, out.c - first));
            totals.fill(initial);
            const auto take = [&](const std::int8_t* pixel) {
                for (std::size_t c = 0; c < channels; ++c)
                    fold(totals[c], pixel[first + static_cast<std::int64_t>(c)]);
            };
            if (!forEachPixel(args, field, stop, take))
                return KernelStatus::Stopped;
            for (std::size_t c = 0; c < channels; ++c)
                output[first + static_cast<std::int64_t>(c)] =
                    clampToInt8(finish(totals[c], count), args.bounds);
        }
    }
    return KernelStatus::Done;
}

KernelStatus maxPool(const PoolArguments& args) {
    return pool(
        args, std::int8_t{-128},
        [](std::int8_t& total, std::int8_t value) { total = std::max(total, value); },
        [](std::int8_t total, std::int64_t) { return total; });
}

KernelStatus averagePool(const PoolArguments& args) {
    return pool(
        args, std::int64_t{0}, [](std::int64_t& total, std::int8_t value) { total += value; },
        [](std::int64_t total, std::int64_t count) { return roundedAverage(total, count); });
}

KernelStatus clamp(const ClampArguments& args) {
    for (std::int64_t i = 0; i < args.elements; ++i)
        args.output[i] = clampToInt8(args.input[i], args.bounds);
    return KernelStatus::Done;
}

KernelStatus softmax(const SoftmaxArguments& args) {
    const auto depth = static_cast<std::size_t>(args.depth);
    for (std::int64_t row = 0; row < args.rows; ++row) {
        const std::int64_t offset = row * args.depth;
        if (!softmaxRow({args.input + offset, depth}, {args.output + offset, depth},
                        args.parameters))
            return KernelStatus::Fault;
    }
    return KernelStatus::Done;
}

std::shared_ptr<const PreparedLayer> nothingToPrepare(const WeightedArguments&) { return nullptr; }

} // namespace

const KernelSet& plainKernels() {
    static constexpr KernelSet kSet{.name = "plain",
                                    .isa = "C++",
                                    .prepareConv = nothingToPrepare,
                                    .prepareDepthwise = nothingToPrepare,
                                    .conv = conv,
                                    .depthwise = depthwise,
                                    .add = add,
                                    .maxPool = maxPool,
                                    .averagePool = averagePool,
                                    .clamp = clamp,
                                    .softmax = softmax};
    return kSet;
}

} // namespace plumbline
