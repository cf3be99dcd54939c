// SPDX-License-Identifier: GPL-3.0-or-later
// Depthwise on vectors: a row of output values is one stretch, whose lanes are channels of
// positions side by side; taps are interleaved so that a lane holds several of one channel.
// Compiled once per instruction set. The entry point is depthwiseFunctions().
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/fast_depthwise.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <algorithm>
#include <array>
#include <numeric>

#include <hwy/highway.h>

#include "core/base/stop_check.h"
#include "core/kernels/fast_functions.h"
#include "core/kernels/simd_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name

#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSSE3

WeightedFunctions depthwise() {
    return {plainKernels().prepareDepthwise, plainKernels().depthwise};
}

#else

/// One chunk is a vector of inputs: kPerLane vectors of sums.
inline constexpr std::int64_t kChunk = kVectorInputs;

/// Which output value of its chunk lane `lane` of sum vector `vector` is: what interleaving inside
/// blocks of 128 bits makes, and what packing undoes.
inline std::int64_t valueOfLane(std::int64_t vector, std::int64_t lane) {
    return lane / 4 * (4 * kPerLane) + 4 * vector + lane % 4;
}

class DepthwiseLayer final : public PreparedLayer {
  public:
    DepthwiseLayer(const WeightedArguments& args, const WeightReader& weights,
                   const ChannelSums& sums, SumProof proof)
        : taps(args.window.kernelH * args.window.kernelW)
        , steps((taps + kPerLane - 1) / kPerLane)
        , runsRow(chunksOfRow(args.outputShape.c) <= kMostChunks)
        , chunks(runsRow ? chunksOfRow(args.outputShape.c)
                         : (args.outputShape.c + kChunk - 1) / kChunk)
        , bias(static_cast<std::size_t>(chunks * kChunk))
        , scales(static_cast<std::size_t>(chunks * kChunk))
        , packed(static_cast<std::size_t>(chunks * steps * kPerLane * kVectorInputs)) {
        scales.isCommon = proof == SumProof::Narrow;
        for (std::int64_t i = 0; i < chunks * kChunk; ++i)
            packLane(args, weights, sums, i);
    }

    std::int64_t taps;
    std::int64_t steps; ///< of kPerLane taps
    /// A whole row is one stretch whose chunks repeat after `chunks`; else each position is one.
    bool runsRow;
    std::int64_t chunks;
    std::vector<std::int32_t> bias; ///< [chunk][vector][lane], as the scales
    LaneScales scales;
    std::vector<PackedWeight> packed; ///< [chunk][step][vector][lane][kPerLane]

  private:
    static constexpr std::int64_t kMostChunks = 16;

    /// After how many chunks the channels of a row fall on the same lanes again.
    static std::int64_t chunksOfRow(std::int64_t channels) {
        return channels / std::gcd(channels, kChunk);
    }

    void packLane(const WeightedArguments& args, const WeightReader& weights,
                  const ChannelSums& sums, std::int64_t i) {
        const std::int64_t chunk = i / kChunk;
        const std::int64_t vector = i % kChunk / kLanes32, lane = i % kLanes32;
        const std::int64_t value = chunk * kChunk + valueOfLane(vector, lane);
        if (!runsRow && value >= args.outputShape.c)
            return;
        const std::int64_t c = value % args.outputShape.c;
        const auto channel = static_cast<std::size_t>(c), at = static_cast<std::size_t>(i);
        const std::int64_t own = args.bias.empty() ? 0 : args.bias[channel];
        bias[at] =
            static_cast<std::int32_t>(own - shiftedSum(args.inputZeroPoint, sums.weights[channel]));
        scales.set(at, args.multipliers[channel]);
        for (std::int64_t tap = 0; tap < taps; ++tap) {
            const std::int64_t vectorAt = (chunk * steps + tap / kPerLane) * kPerLane + vector;
            packed[static_cast<std::size_t>(vectorAt * kVectorInputs + lane * kPerLane +
                                            tap % kPerLane)] = weights.channel(c)[tap];
        }
    }
};

using Sums = std::array<V32, kPerLane>;

/// Adds one step of taps; `x` are its inputs, tap by tap.
HWY_INLINE void addStep(const std::array<VInput, kPerLane>& x, const PackedWeight* weights,
                        Sums& sums) {
    const DInput d;
    const DWeight dw;
    std::array<VInput, kPerLane> lanes;
#if HWY_TARGET == HWY_AVX3_DL
    const hn::Repartition<std::uint16_t, DInput> d16;
    const auto pairs = [&](VInput a, VInput b) HWY_ATTR {
        return std::array{hn::BitCast(d16, hn::InterleaveLower(d, a, b)),
                          hn::BitCast(d16, hn::InterleaveUpper(d, a, b))};
    };
    const auto first = pairs(x[0], x[1]), second = pairs(x[2], x[3]);
    for (std::size_t half = 0; half < 2; ++half) {
        lanes[2 * half] = hn::BitCast(d, hn::InterleaveLower(d16, first[half], second[half]));
        lanes[2 * half + 1] = hn::BitCast(d, hn::InterleaveUpper(d16, first[half], second[half]));
    }
#else
    lanes[0] = hn::InterleaveLower(d, x[0], x[1]);
    lanes[1] = hn::InterleaveUpper(d, x[0], x[1]);
#endif
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kPerLane; ++v)
        sums[v] = dotLanes(sums[v], lanes[v],
                           hn::LoadU(dw, weights + static_cast<std::int64_t>(v) * kVectorInputs));
}

/// One chunk of output values: `taps` point to its inputs.
HWY_INLINE void computeChunk(const DepthwiseLayer& layer, const OutputRange& range,
                             const Input* const* taps, std::int64_t offset, std::int64_t chunk,
                             std::int64_t count, std::int8_t* output) {
    const D32 d;
    const DInput dx;
    Sums sums;
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kPerLane; ++v)
        sums[v] = hn::LoadU(d, layer.bias.data() + chunk * kChunk +
                                   static_cast<std::int64_t>(v) * kLanes32);
    const PackedWeight* weights =
        layer.packed.data() + chunk * layer.steps * kPerLane * kVectorInputs;
    for (std::int64_t step = 0; step < layer.steps; ++step) {
        std::array<VInput, kPerLane> x;
        HWY_UNROLL(4)
        for (std::size_t t = 0; t < kPerLane; ++t)
            x[t] = hn::LoadU(dx, taps[step * kPerLane + static_cast<std::int64_t>(t)] + offset);
        addStep(x, weights, sums);
        weights += kPerLane * kVectorInputs;
    }
    HWY_UNROLL(4)
    for (std::size_t v = 0; v < kPerLane; ++v) {
        const std::int64_t at = chunk * kChunk + static_cast<std::int64_t>(v) * kLanes32;
        sums[v] = requantizeLanes(sums[v], layer.scales, at, loadScale(layer.scales, at));
    }
#if HWY_TARGET == HWY_AVX3_DL
    const V8 bytes = range.bytes(range.pack(sums[0], sums[1]), range.pack(sums[2], sums[3]));
    const hn::ScalableTag<std::int8_t> d8;
#else
    const V16 low = range.pack(sums[0], sums[1]);
    const hn::Rebind<std::int8_t, hn::DFromV<V16>> d8;
    const auto bytes = range.halfBytes(low);
#endif
    if (count >= kChunk) {
        hn::StoreU(bytes, d8, output);
        return;
    }
    std::array<std::int8_t, kChunk> all;
    hn::StoreU(bytes, d8, all.data());
    std::memcpy(output, all.data(), static_cast<std::size_t>(count));
}

/// Where the taps of output row `y` stand for its first value; those beyond the window repeat the
/// first and meet weights of 0.
void placeTaps(const DepthwiseLayer& layer, const WeightedArguments& args, PaddedRows& rows,
               std::int64_t y, std::vector<const Input*>& taps) {
    const Window& w = args.window;
    auto tap = taps.begin();
    for (std::int64_t kh = 0; kh < w.kernelH; ++kh) {
        const Input* row = rows.row(y * w.strideH - w.padTop + kh * w.dilationH);
        for (std::int64_t kw = 0; kw < w.kernelW; ++kw)
            *tap++ = row + rows.offsetOf(kw * w.dilationW);
    }
    std::fill(taps.begin() + layer.taps, taps.end(), taps.front());
}

KernelStatus runDepthwise(const WeightedArguments& args) {
    if (args.prepared == nullptr)
        return plainKernels().depthwise(args);
    const auto& layer = static_cast<const DepthwiseLayer&>(*args.prepared);
    const Hwc& out = args.outputShape;
    PaddedRows rows(args, args.window.strideW, out.c / args.input.shape.c);
    std::vector<const Input*> taps(static_cast<std::size_t>(layer.steps * kPerLane));
    const std::int64_t values = layer.runsRow ? out.w * out.c : out.c; // of one stretch
    const OutputRange range(args.outputZeroPoint, args.bounds);
    StopCheck stop(args.stop);
    for (std::int64_t y = args.rows.first; y < args.rows.end; ++y) {
        if (stop.after(out.w * out.c * layer.taps))
            return KernelStatus::Stopped;
        placeTaps(layer, args, rows, y, taps);
        for (std::int64_t first = 0; first < out.w * out.c; first += values) {
            std::int8_t* output = args.output + y * out.w * out.c + first;
            for (std::int64_t at = 0, chunk = 0; at < values; at += kChunk) {
                computeChunk(layer, range, taps.data(), first + at, chunk, values - at,
                             output + at);
                if (++chunk == layer.chunks)
                    chunk = 0;
            }
        }
    }
    return KernelStatus::Done;
}

std::shared_ptr<const PreparedLayer> prepareDepthwise(const WeightedArguments& args) {
    const std::int64_t fullK = args.window.kernelH * args.window.kernelW;
    const std::int64_t repeat = args.outputShape.c / args.input.shape.c;
    if (!PaddedRows::areSmall(args, repeat))
        return nullptr;
    const WeightReader weights(args, fullK, true);
    const ChannelSums sums = weights.sums();
    const SumProof proof = proofOf(args, sums);
    if (proof == SumProof::None)
        return nullptr;
    return std::make_shared<const DepthwiseLayer>(args, weights, sums, proof);
}

WeightedFunctions depthwise() { return {prepareDepthwise, runDepthwise}; }

#endif

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace plumbline {

template <> WeightedFunctions depthwiseFunctions<HWY_TARGET>() {
    return HWY_NAMESPACE::depthwise();
}

} // namespace plumbline
