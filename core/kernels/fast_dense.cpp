// SPDX-License-Identifier: GPL-3.0-or-later
// Conv and fully connected on vectors: lanes are output channels, registers hold a block of output
// positions times channel vectors. Compiled once per instruction set. The entry point is
// denseFunctions().
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/fast_dense.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <algorithm>
#include <array>
#include <utility>

#include <hwy/highway.h>

#include "core/base/stop_check.h"
#include "core/kernels/fast_functions.h"
#include "core/kernels/simd_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name

#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSSE3

WeightedFunctions dense() { return {plainKernels().prepareConv, plainKernels().conv}; }

#else

/// A window row by row: `segments` stretches of `inputs` that lie side by side in a padded row. A
/// stretch is one kernel row, or one kernel position where columns are dilated.
struct Stretches {
    std::int64_t segments = 1;
    std::int64_t inputs = 1; ///< of one stretch
    std::int64_t steps() const { return (inputs + kPerLane - 1) / kPerLane; }
};

Stretches stretchesOf(const WeightedArguments& args) {
    const Window& w = args.window;
    const std::int64_t channels = args.input.shape.c;
    if (w.dilationW == 1)
        return {w.kernelH, w.kernelW * channels};
    return {w.kernelH * w.kernelW, channels};
}

class DenseLayer final : public PreparedLayer {
  public:
    DenseLayer(const WeightedArguments& args, const WeightReader& weights, const ChannelSums& sums,
               SumProof proof)
        : stretches(stretchesOf(args))
        , vectors((args.outputShape.c + kLanes32 - 1) / kLanes32)
        , bias(static_cast<std::size_t>(vectors * kLanes32))
        , scales(static_cast<std::size_t>(vectors * kLanes32))
        , packed(static_cast<std::size_t>(vectors * vectorWeights())) {
        scales.isCommon = proof == SumProof::Narrow;
        for (std::int64_t c = 0; c < args.outputShape.c; ++c)
            pack(args, weights, sums, c);
    }

    /// Weights of one vector of channels: [segment][step][lane][kPerLane].
    std::int64_t vectorWeights() const {
        return stretches.segments * stretches.steps() * kVectorInputs;
    }

    Stretches stretches;
    std::int64_t vectors; ///< of output channels
    std::vector<std::int32_t> bias;
    LaneScales scales;
    std::vector<PackedWeight> packed;

  private:
    void pack(const WeightedArguments& args, const WeightReader& weights, const ChannelSums& sums,
              std::int64_t c) {
        const auto channel = static_cast<std::size_t>(c);
        const std::int64_t ownBias = args.bias.empty() ? 0 : args.bias[channel];
        const ChannelWeights own = weights.channel(c);
        bias[channel] = static_cast<std::int32_t>(
            ownBias - shiftedSum(args.inputZeroPoint, sums.weights[channel]));
        scales.set(channel, args.multipliers[channel]);
        PackedWeight* to = packed.data() + c / kLanes32 * vectorWeights() + c % kLanes32 * kPerLane;
        for (std::int64_t segment = 0, k = 0; segment < stretches.segments; ++segment) {
            for (std::int64_t i = 0; i < stretches.inputs; ++i, ++k)
                to[i / kPerLane * kVectorInputs + i % kPerLane] = own[k];
            to += stretches.steps() * kVectorInputs;
        }
    }
};

/// Where one block of output positions reads and writes.
struct Block {
    const DenseLayer& layer;
    const WeightedArguments& args;
    const Input* const* segments; ///< of the block's first position
    std::int64_t stride;          ///< inputs from a position to the next
    std::int64_t firstVector;
    std::int8_t* output; ///< of the block's first position
};

/// The input products of one step of one position in every lane.
HWY_INLINE VInput broadcastInputs(const Input* at) {
    std::int32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return hn::BitCast(DInput(), hn::Set(D32(), bits));
}

/// What a block's sums become.
struct Epilogue {
    const Block& block;
    OutputRange range;
    std::int64_t vector; ///< of channels
    LaneScale scale;

    HWY_INLINE V32 level(V32 sum) const {
        return requantizeLanes(sum, block.layer.scales, vector * kLanes32, scale);
    }
};

/// Which 32 bits of packed bytes come where, so that four channels of each of four positions per
/// 128 bits become all channels of each position in turn.
alignas(64) inline constexpr std::array<std::int32_t, kLanes32> kByPosition = [] {
    constexpr std::int32_t kBlocks128 = kLanes32 / 4;
    std::array<std::int32_t, kLanes32> made{};
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kLanes32); ++i)
        made[static_cast<std::size_t>(i)] = i % kBlocks128 * 4 + i / kBlocks128;
    return made;
}();

HWY_INLINE V8 byPosition(V8 bytes) {
#if HWY_TARGET <= HWY_AVX3
    return V8{_mm512_permutexvar_epi32(_mm512_load_si512(kByPosition.data()), bytes.raw)};
#elif HWY_TARGET == HWY_AVX2
    const auto* order = reinterpret_cast<const __m256i*>(kByPosition.data());
    return V8{_mm256_permutevar8x32_epi32(bytes.raw, _mm256_load_si256(order))};
#else
    return bytes; // of one 128 bits
#endif
}

/// Requantizes and stores one vector of channels of up to four positions side by side.
template <int kCount>
HWY_INLINE void storePositions(const Epilogue& made, const V32* const (&sums)[kCount],
                               std::int8_t* output) {
    constexpr int kLast = kCount - 1;
    const V16 low = made.range.pack(made.level(*sums[0]), made.level(*sums[std::min(1, kLast)]));
    const V16 high = kCount > 2 ? made.range.pack(made.level(*sums[std::min(2, kLast)]),
                                                  made.level(*sums[kLast]))
                                : low;
    std::array<std::int8_t, 4 * kLanes32> all;
    hn::StoreU(byPosition(made.range.bytes(low, high)), hn::DFromV<V8>(), all.data());
    const std::int64_t outputs = made.block.args.outputShape.c;
    const std::int64_t first = made.vector * kLanes32;
    const std::int64_t channels = std::min(kLanes32, outputs - first);
    for (int p = 0; p < kCount; ++p) {
        const std::int8_t* own = all.data() + p * kLanes32;
        if (channels == kLanes32)
            std::memcpy(output + first, own, static_cast<std::size_t>(kLanes32));
        else
            std::memcpy(output + first, own, static_cast<std::size_t>(channels));
        output += outputs;
    }
}

template <int kPositions, int kVectors>
HWY_INLINE void storeBlock(const Block& block, const V32 (&sums)[kPositions][kVectors]) {
    const OutputRange range(block.args.outputZeroPoint, block.args.bounds);
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
        const std::int64_t vector = block.firstVector + v;
        const Epilogue epilogue{block, range, vector,
                                loadScale(block.layer.scales, vector * kLanes32)};
        std::int8_t* output = block.output;
        HWY_UNROLL(8)
        for (int p = 0; p + 4 <= kPositions; p += 4) {
            storePositions<4>(
                epilogue, {&sums[p][v], &sums[p + 1][v], &sums[p + 2][v], &sums[p + 3][v]}, output);
            output += 4 * block.args.outputShape.c;
        }
        constexpr int kDone = kPositions / 4 * 4;
        if constexpr (kPositions % 4 == 1)
            storePositions<1>(epilogue, {&sums[kDone][v]}, output);
        if constexpr (kPositions % 4 == 2)
            storePositions<2>(epilogue, {&sums[kDone][v], &sums[kDone + 1][v]}, output);
        if constexpr (kPositions % 4 == 3)
            storePositions<3>(epilogue, {&sums[kDone][v], &sums[kDone + 1][v], &sums[kDone + 2][v]},
                              output);
    }
}

/// kPositions x kVectors accumulators over the whole window.
template <int kPositions, int kVectors> void computeBlock(const Block& block) {
    const D32 d;
    const DWeight dw;
    const DenseLayer& layer = block.layer;
    V32 sums[kPositions][kVectors];
    HWY_UNROLL(8)
    for (int v = 0; v < kVectors; ++v) {
        const V32 bias = hn::LoadU(d, layer.bias.data() + (block.firstVector + v) * kLanes32);
        HWY_UNROLL(8)
        for (int p = 0; p < kPositions; ++p)
            sums[p][v] = bias;
    }
    const std::int64_t vectorWeights = layer.vectorWeights();
    const std::int64_t steps = layer.stretches.steps();
    const PackedWeight* weights = layer.packed.data() + block.firstVector * vectorWeights;
    for (std::int64_t segment = 0; segment < layer.stretches.segments; ++segment) {
        const Input* x = block.segments[segment];
        for (std::int64_t step = 0; step < steps; ++step) {
            VWeight w[kVectors];
            HWY_UNROLL(8)
            for (int v = 0; v < kVectors; ++v)
                w[v] = hn::LoadU(dw, weights + v * vectorWeights);
            HWY_UNROLL(8)
            for (int p = 0; p < kPositions; ++p) {
                const VInput inputs = broadcastInputs(x + p * block.stride);
                HWY_UNROLL(8)
                for (int v = 0; v < kVectors; ++v)
                    sums[p][v] = dotLanes(sums[p][v], inputs, w[v]);
            }
            weights += kVectorInputs;
            x += kPerLane;
        }
    }
    storeBlock<kPositions, kVectors>(block, sums);
}

using ComputeBlock = void (*)(const Block&);

// With 32 registers up to 24 accumulators stay in them, with 16 up to 12.
inline constexpr int kMaxVectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;
inline constexpr std::array<int, 5> kMaxPositions =
    HWY_TARGET <= HWY_AVX3 ? std::array{0, 8, 8, 8, 6} : std::array{0, 8, 6, 0, 0};
inline constexpr int kMostPositions = 8;
inline constexpr int kAloneVectors = 2 * kMaxVectors; ///< of a position that has no neighbour

template <int kVectors, int... kPositions>
constexpr std::array<ComputeBlock, kMostPositions + 1>
blocksOf(std::integer_sequence<int, kPositions...>) {
    return {
        nullptr,
        (kPositions < kMaxPositions[kVectors]
             ? computeBlock<(kPositions < kMaxPositions[kVectors] ? kPositions + 1 : 1), kVectors>
             : nullptr)...};
}

template <int... kVectors> constexpr auto blockTable(std::integer_sequence<int, kVectors...>) {
    return std::array<std::array<ComputeBlock, kMostPositions + 1>, kMaxVectors + 1>{
        std::array<ComputeBlock, kMostPositions + 1>{},
        blocksOf<kVectors + 1>(std::make_integer_sequence<int, kMostPositions>())...};
}

/// By vectors and positions.
inline constexpr auto kBlocks = blockTable(std::make_integer_sequence<int, kMaxVectors>());

/// All channels of `count` positions side by side.
void computePositions(Block block, std::int64_t count, const Input** segments) {
    const std::int64_t outputs = block.args.outputShape.c;
    std::int8_t* const output = block.output;
    for (block.firstVector = 0; block.firstVector < block.layer.vectors;) {
        std::int64_t vectors =
            std::min<std::int64_t>(kMaxVectors, block.layer.vectors - block.firstVector);
        if (count == 1 && block.layer.vectors - block.firstVector >= kAloneVectors) {
            computeBlock<1, kAloneVectors>(block);
            block.firstVector += kAloneVectors;
            continue;
        }
        const std::int64_t most = kMaxPositions[static_cast<std::size_t>(vectors)];
        const std::int64_t blocks = (count + most - 1) / most;
        std::int64_t done = 0;
        for (std::int64_t left = blocks; left > 0; --left) {
            const std::int64_t positions = (count - done + left - 1) / left;
            block.output = output + done * outputs;
            kBlocks[static_cast<std::size_t>(vectors)][static_cast<std::size_t>(positions)](block);
            done += positions;
            for (std::int64_t s = 0; s < block.layer.stretches.segments; ++s)
                segments[s] += positions * block.stride;
        }
        for (std::int64_t s = 0; s < block.layer.stretches.segments; ++s)
            segments[s] -= count * block.stride;
        block.output = output;
        block.firstVector += vectors;
    }
}

bool isPointwise(const WeightedArguments& args) {
    const Window& w = args.window;
    return w.kernelH == 1 && w.kernelW == 1 && w.strideH == 1 && w.strideW == 1 && w.padTop == 0 &&
           w.padLeft == 0 && args.outputShape.w == args.input.shape.w &&
           args.outputShape.h <= args.input.shape.h;
}

/// A 1x1 conv over positions in a row, a stretch of them at a time that stays in the cache.
KernelStatus runPointwise(const WeightedArguments& args, const DenseLayer& layer) {
    constexpr std::int64_t kStretchInputs = 8192;
    const std::int64_t channels = args.input.shape.c;
    const std::int64_t most = std::max<std::int64_t>(24, kStretchInputs / channels / 24 * 24);
    const std::int64_t first = args.rows.first * args.outputShape.w;
    const std::int64_t end = args.rows.end * args.outputShape.w;
    std::vector<Input> inputs(
        static_cast<std::size_t>(std::min(most, end - first) * channels + kVectorInputs));
    StopCheck stop(args.stop);
    for (std::int64_t at = first; at < end; at += most) {
        const std::int64_t count = std::min(most, end - at);
        if (stop.after(count * channels * args.outputShape.c))
            return KernelStatus::Stopped;
        convertInputs(args.input.data + at * channels, count * channels, args.inputZeroPoint,
                      inputs.data());
        const Input* segment = inputs.data();
        const Block block{layer,    args, &segment,
                          channels, 0,    args.output + at * args.outputShape.c};
        computePositions(block, count, &segment);
    }
    return KernelStatus::Done;
}

/// Where the stretches of output row `y` begin at its first position.
void placeSegments(const WeightedArguments& args, const DenseLayer& layer, PaddedRows& rows,
                   std::int64_t y, std::vector<const Input*>& segments) {
    const Window& w = args.window;
    const std::int64_t perRow = layer.stretches.segments / w.kernelH;
    auto segment = segments.begin();
    for (std::int64_t kh = 0; kh < w.kernelH; ++kh) {
        const Input* row = rows.row(y * w.strideH - w.padTop + kh * w.dilationH);
        for (std::int64_t i = 0; i < perRow; ++i)
            *segment++ = row + i * w.dilationW * rows.pixel();
    }
}

KernelStatus runRows(const WeightedArguments& args, const DenseLayer& layer) {
    constexpr std::int64_t kMostPositionsAtOnce = 96;
    const Hwc& out = args.outputShape;
    PaddedRows rows(args, 1, 1);
    std::vector<const Input*> segments(static_cast<std::size_t>(layer.stretches.segments));
    Block block{layer, args, segments.data(), args.window.strideW * rows.pixel(), 0, nullptr};
    StopCheck stop(args.stop);
    for (std::int64_t y = args.rows.first; y < args.rows.end; ++y) {
        placeSegments(args, layer, rows, y, segments);
        for (std::int64_t x = 0; x < out.w; x += kMostPositionsAtOnce) {
            const std::int64_t count = std::min(kMostPositionsAtOnce, out.w - x);
            if (stop.after(count * layer.vectors * layer.vectorWeights()))
                return KernelStatus::Stopped;
            block.output = args.output + (y * out.w + x) * out.c;
            computePositions(block, count, segments.data());
            for (const Input*& segment : segments)
                segment += count * block.stride;
        }
    }
    return KernelStatus::Done;
}

KernelStatus runDense(const WeightedArguments& args) {
    if (args.prepared == nullptr)
        return plainKernels().conv(args);
    const auto& layer = static_cast<const DenseLayer&>(*args.prepared);
    return isPointwise(args) ? runPointwise(args, layer) : runRows(args, layer);
}

std::shared_ptr<const PreparedLayer> prepareDense(const WeightedArguments& args) {
    const std::int64_t fullK = args.window.kernelH * args.window.kernelW * args.input.shape.c;
    const WeightReader weights(args, fullK, false);
    if (!isPointwise(args) && !PaddedRows::areSmall(args, 1))
        return nullptr;
    const ChannelSums sums = weights.sums();
    const SumProof proof = proofOf(args, sums);
    if (proof == SumProof::None)
        return nullptr;
    return std::make_shared<const DenseLayer>(args, weights, sums, proof);
}

WeightedFunctions dense() { return {prepareDense, runDense}; }

#endif

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace plumbline {

template <> WeightedFunctions denseFunctions<HWY_TARGET>() { return HWY_NAMESPACE::dense(); }

} // namespace plumbline
