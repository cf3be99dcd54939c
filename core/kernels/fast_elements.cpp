// SPDX-License-Identifier: GPL-3.0-or-later
// ADD, pools and clamps on vectors. Compiled once per instruction set. The entry point is
// elementFunctions().
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/fast_elements.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <algorithm>

#include <hwy/highway.h>

#include "core/base/stop_check.h"
#include "core/kernels/fast_functions.h"
#include "core/kernels/simd_requantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name

#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSSE3

ElementFunctions elements() {
    const KernelSet& plain = plainKernels();
    return {plain.add, plain.maxPool, plain.averagePool, plain.clamp};
}

#else

template <class D> constexpr std::int64_t lanesOf(D d) {
    return static_cast<std::int64_t>(hn::Lanes(d));
}

/// The bounds of an activation on vectors of bytes.
template <class D> class ByteBounds {
  public:
    explicit ByteBounds(const ActivationBounds& bounds)
        : m_lower(hn::Set(D(), static_cast<std::int8_t>(bounds.lower)))
        , m_upper(hn::Set(D(), static_cast<std::int8_t>(bounds.upper))) {}
    HWY_INLINE hn::Vec<D> clamp(hn::Vec<D> x) const {
        return hn::Min(hn::Max(x, m_lower), m_upper);
    }

  private:
    hn::Vec<D> m_lower;
    hn::Vec<D> m_upper;
};

/// One multiplier for all lanes.
class UniformScale {
  public:
    explicit UniformScale(const Multiplier& m)
        : m_left(shiftsOf(m).left)
        , m_isCommon(m.shift < 0) {
        const D32 d;
        const Shifts shifts = shiftsOf(m);
        m_scale = {hn::Set(d, m.multiplier), hn::Set(d, shifts.right), hn::Set(d, shifts.half)};
    }
    bool isCommon() const { return m_isCommon; }
    template <bool kIsCommon> HWY_INLINE V32 apply(V32 x) const {
        if constexpr (kIsCommon)
            return requantizeCommon(x, m_scale);
        return requantizeAny(hn::ShiftLeftSame(x, m_left), m_scale);
    }

  private:
    int m_left;
    bool m_isCommon; ///< the shift is to the right, by at least 1
    LaneScale m_scale;
};

struct AddScales {
    UniformScale input0, input1, output;
};

/// As many vectors as there are; the elements that they cover.
template <bool kIsCommon>
std::int64_t addVectors(const AddArguments& args, const AddScales& scales) {
    const D32 d;
    const hn::Rebind<std::int8_t, D32> d8;
    const V32 zero0 = hn::Set(d, args.zeroPoint0), zero1 = hn::Set(d, args.zeroPoint1),
              zero = hn::Set(d, args.outputZeroPoint);
    const ByteBounds<decltype(d8)> bounds(args.bounds);
    const auto term = [&](const std::int8_t* at, V32 zeroPoint, const UniformScale& own) HWY_ATTR {
        const V32 centred = hn::Sub(hn::PromoteTo(d, hn::LoadU(d8, at)), zeroPoint);
        return own.apply<kIsCommon>(hn::ShiftLeft<kAddLeftShift>(centred));
    };
    const std::int64_t step = lanesOf(d);
    std::int64_t i = 0;
    for (; i + step <= args.elements; i += step) {
        const V32 sum = hn::Add(term(args.input0 + i, zero0, scales.input0),
                                term(args.input1 + i, zero1, scales.input1));
        const V32 level = hn::Add(scales.output.apply<kIsCommon>(sum), zero);
        hn::StoreU(bounds.clamp(hn::DemoteTo(d8, level)), d8, args.output + i);
    }
    return i;
}

KernelStatus add(const AddArguments& args) {
    if (!addIsSafe(args.multipliers))
        return plainKernels().add(args);
    const AddMultipliers& m = args.multipliers;
    const AddScales scales{UniformScale(m.input0), UniformScale(m.input1), UniformScale(m.output)};
    const bool isCommon =
        scales.input0.isCommon() && scales.input1.isCommon() && scales.output.isCommon();
    const std::int64_t done =
        isCommon ? addVectors<true>(args, scales) : addVectors<false>(args, scales);
    return plainKernels().add(args.part(done, args.elements));
}

KernelStatus clamp(const ClampArguments& args) {
    const hn::ScalableTag<std::int8_t> d8;
    const ByteBounds<decltype(d8)> bounds(args.bounds);
    const std::int64_t step = lanesOf(d8);
    std::int64_t i = 0;
    for (; i + step <= args.elements; i += step)
        hn::StoreU(bounds.clamp(hn::LoadU(d8, args.input + i)), d8, args.output + i);
    return plainKernels().clamp(args.part(i, args.elements));
}

/// Vectors of channels that a pool holds while it walks a window.
inline constexpr int kHeld = 4;

/// The positions of the input that one output position looks at.
struct PoolField {
    std::int64_t top, bottom, left, right; ///< rows top..bottom-1, columns left..right-1
    std::int64_t count() const { return (bottom - top) * (right - left); }
};

PoolField fieldOf(const PoolArguments& args, std::int64_t y, std::int64_t x) {
    const Window& w = args.window;
    const std::int64_t top = y * w.strideH - w.padTop, left = x * w.strideW - w.padLeft;
    return {std::max<std::int64_t>(top, 0), std::min(top + w.kernelH, args.input.shape.h),
            std::max<std::int64_t>(left, 0), std::min(left + w.kernelW, args.input.shape.w)};
}

/// Calls `visit(channels)` for each input pixel of `field`; false when it is to stop.
template <class Visit>
HWY_INLINE bool forEachPixel(const PoolArguments& args, const PoolField& field, StopCheck& stop,
                             const Visit& visit) {
    const Hwc& shape = args.input.shape;
    for (std::int64_t y = field.top; y < field.bottom; ++y) {
        if (stop.after((field.right - field.left) * kHeld * 16))
            return false;
        const std::int8_t* row = args.input.data + y * shape.w * shape.c;
        for (std::int64_t x = field.left; x < field.right; ++x)
            visit(row + x * shape.c);
    }
    return true;
}

/// Calls `compute(field, channel, output)` for every position and for channels `step` at a time;
/// the last ones overlap those before. It is false when it is to stop.
template <class Compute>
KernelStatus overChannels(const PoolArguments& args, std::int64_t step, const Compute& compute) {
    const Hwc& out = args.outputShape;
    for (std::int64_t y = args.rows.first; y < args.rows.end; ++y) {
        for (std::int64_t x = 0; x < out.w; ++x) {
            const PoolField field = fieldOf(args, y, x);
            std::int8_t* output = args.output + (y * out.w + x) * out.c;
            for (std::int64_t c = 0; c < out.c; c += step) {
                const std::int64_t first = std::min(c, out.c - step);
                if (!compute(field, first, output + first))
                    return KernelStatus::Stopped;
            }
        }
    }
    return KernelStatus::Done;
}

/// kVectors vectors of channels at a time.
template <int kVectors, class D> KernelStatus maxPoolOf(D d8, const PoolArguments& args) {
    const ByteBounds<D> bounds(args.bounds);
    const std::int64_t lanes = lanesOf(d8);
    StopCheck stop(args.stop);
    return overChannels(
        args, kVectors * lanes,
        [&](const PoolField& field, std::int64_t c, std::int8_t* output) HWY_ATTR {
            hn::Vec<D> largest[kVectors];
            for (int v = 0; v < kVectors; ++v)
                largest[v] = hn::Set(d8, std::int8_t{-128});
            const bool isDone =
                forEachPixel(args, field, stop, [&](const std::int8_t* pixel) HWY_ATTR {
                    HWY_UNROLL(4)
                    for (int v = 0; v < kVectors; ++v)
                        largest[v] = hn::Max(largest[v], hn::LoadU(d8, pixel + c + v * lanes));
                });
            for (int v = 0; v < kVectors; ++v)
                hn::StoreU(bounds.clamp(largest[v]), d8, output + v * lanes);
            return isDone;
        });
}

bool isDense(const Window& w) { return w.dilationH == 1 && w.dilationW == 1; }

KernelStatus maxPool(const PoolArguments& args) {
    const hn::ScalableTag<std::int8_t> d8;
    const hn::FixedTag<std::int8_t, 16> small;
    if (!isDense(args.window) || args.outputShape.c < lanesOf(small))
        return plainKernels().maxPool(args);
    if (args.outputShape.c < lanesOf(d8))
        return maxPoolOf<1>(small, args);
    return args.outputShape.c < kHeld * lanesOf(d8) ? maxPoolOf<1>(d8, args)
                                                    : maxPoolOf<kHeld>(d8, args);
}

/// total / count to nearest, ties away from zero. In 24 bits of fraction the quotient of two
/// integers below 2^24 is never rounded up to the next integer as long as 129 * count is below
/// 2^24.
HWY_INLINE V32 roundedQuotient(V32 total, std::int64_t count) {
    const D32 d;
    const hn::Repartition<float, D32> df;
    const V32 nudged = hn::Add(hn::Abs(total), hn::Set(d, static_cast<std::int32_t>(count / 2)));
    const V32 quotient = hn::ConvertTo(
        d, hn::Div(hn::ConvertTo(df, nudged), hn::Set(df, static_cast<float>(count))));
    return hn::IfThenElse(hn::Lt(total, hn::Zero(d)), hn::Neg(quotient), quotient);
}

template <int kVectors> KernelStatus averagePoolOf(const PoolArguments& args) {
    const D32 d;
    const hn::Rebind<std::int8_t, D32> d8;
    const ByteBounds<decltype(d8)> bounds(args.bounds);
    const std::int64_t lanes = lanesOf(d);
    StopCheck stop(args.stop);
    return overChannels(
        args, kVectors * lanes,
        [&](const PoolField& field, std::int64_t c, std::int8_t* output) HWY_ATTR {
            V32 totals[kVectors];
            for (int v = 0; v < kVectors; ++v)
                totals[v] = hn::Zero(d);
            const bool isDone =
                forEachPixel(args, field, stop, [&](const std::int8_t* pixel) HWY_ATTR {
                    HWY_UNROLL(4)
                    for (int v = 0; v < kVectors; ++v)
                        totals[v] = hn::Add(totals[v],
                                            hn::PromoteTo(d, hn::LoadU(d8, pixel + c + v * lanes)));
                });
            for (int v = 0; v < kVectors; ++v)
                hn::StoreU(
                    bounds.clamp(hn::DemoteTo(d8, roundedQuotient(totals[v], field.count()))), d8,
                    output + v * lanes);
            return isDone;
        });
}

KernelStatus averagePool(const PoolArguments& args) {
    constexpr std::int64_t kMostPositions = std::int64_t{1} << 16;
    const std::int64_t lanes = lanesOf(D32());
    const std::int64_t positions = std::min(args.window.kernelH, args.input.shape.h) *
                                   std::min(args.window.kernelW, args.input.shape.w);
    if (!isDense(args.window) || args.outputShape.c < lanes || positions > kMostPositions)
        return plainKernels().averagePool(args);
    return args.outputShape.c < kHeld * lanes ? averagePoolOf<1>(args) : averagePoolOf<kHeld>(args);
}

ElementFunctions elements() { return {add, maxPool, averagePool, clamp}; }

#endif

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace plumbline {

template <> ElementFunctions elementFunctions<HWY_TARGET>() { return HWY_NAMESPACE::elements(); }

} // namespace plumbline
