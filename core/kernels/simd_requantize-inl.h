// SPDX-License-Identifier: GPL-3.0-or-later
// Requantization of a vector of int32, one lane per output channel. Compiled once per instruction
// set. Source: spec section 7.
#if defined(PLUMBLINE_SIMD_REQUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_SIMD_REQUANTIZE_INL_H
#undef PLUMBLINE_SIMD_REQUANTIZE_INL_H
#else
#define PLUMBLINE_SIMD_REQUANTIZE_INL_H
#endif

#include <hwy/highway.h>

// Highway 1.0.3 looks for AVX-512 VNNI before it uses this target, but names the compiler another
// VNNI, which such a machine need not have; so these files are compiled without auto-vectorization.
#if HWY_TARGET == HWY_AVX3_DL
#undef HWY_TARGET_STR
#define HWY_TARGET_STR                                                                             \
    HWY_TARGET_STR_AVX3                                                                            \
    ",vpclmulqdq,avx512vbmi,avx512vbmi2,vaes,avxvnni,avx512bitalg,avx512vpopcntdq,avx512vnni"
#endif

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::int32_t>;
using V32 = hn::Vec<D32>;

/// floor((x * m + 2^30) / 2^31), which is SRDHM where not both are INT32_MIN.
HWY_INLINE V32 highMultiply(V32 x, V32 m) {
    const D32 d;
    const hn::RepartitionToWide<D32> d64;
    const hn::Repartition<std::uint64_t, D32> du64;
    const auto oddLanes = [&](V32 v) HWY_ATTR {
        return hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(du64, v)));
    };
    const auto half = hn::Set(d64, std::int64_t{1} << 30);
    const auto even = hn::Add(hn::MulEven(x, m), half);
    const auto odd = hn::Add(hn::MulEven(oddLanes(x), oddLanes(m)), half);
    return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<1>(odd)),
                       hn::BitCast(d, hn::ShiftRight<31>(hn::BitCast(du64, even))));
}

/// RDBP of |x| < 2^30: x / 2^right to nearest, ties away from zero. `half` is 2^right / 2.
HWY_INLINE V32 roundingShift(V32 x, V32 right, V32 half) {
    // Where right is 0 the sum is x or x - 1; the maximum is then x.
    const V32 nudged = hn::Add(hn::Add(x, half), hn::ShiftRight<31>(x));
    return hn::Max(nudged, x) >> right;
}

/// Multiplier and shifts of one lane each.
struct LaneScale {
    V32 multiplier;
    V32 right; ///< 0..31
    V32 half;  ///< 2^right / 2
};

/// The profile's requantization without a left shift; magnitudeAfter() gives a bound.
HWY_INLINE V32 requantizeLanes(V32 x, const LaneScale& scale) {
    return roundingShift(highMultiply(x, scale.multiplier), scale.right, scale.half);
}

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
