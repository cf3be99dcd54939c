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

#include "core/kernels/kernels.h"
#include "core/kernels/lane_scales.h"

// Highway 1.0.3 looks for AVX-512 VNNI before it uses this target, but names the compiler another
// VNNI, which such a machine need not have; so these files are compiled without auto-vectorization.
#if HWY_TARGET == HWY_AVX3_DL
#undef HWY_TARGET_STR
#define HWY_TARGET_STR                                                                             \
    HWY_TARGET_STR_AVX3                                                                            \
    ",vpclmulqdq,avx512vbmi,avx512vbmi2,vaes,avxvnni,avx512bitalg,avx512vpopcntdq,avx512vnni"
#endif

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSSE3
HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::int32_t>;
using V32 = hn::Vec<D32>;

/// Lanes 1, 3, 5, … moved to lanes 0, 2, 4, …
HWY_INLINE V32 oddLanes(V32 v) {
    const hn::Repartition<std::uint64_t, D32> du64;
    return hn::BitCast(D32(), hn::ShiftRight<32>(hn::BitCast(du64, v)));
}

/// High halves of the 64-bit values, those of `even` in the even lanes.
HWY_INLINE V32 highHalves(hn::Vec<hn::RepartitionToWide<D32>> even,
                          hn::Vec<hn::RepartitionToWide<D32>> odd) {
    const D32 d;
    return hn::OddEven(hn::BitCast(d, odd), oddLanes(hn::BitCast(d, even)));
}

/// floor((x * m + 2^30) / 2^31) for |x| < 2^30, which is SRDHM.
HWY_INLINE V32 highMultiply(V32 x, V32 m) {
    const hn::RepartitionToWide<D32> d64;
    const auto half = hn::Set(d64, std::int64_t{1} << 31);
    const V32 twice = hn::Add(x, x);
    return highHalves(hn::Add(hn::MulEven(twice, m), half),
                      hn::Add(hn::MulEven(oddLanes(twice), oddLanes(m)), half));
}

/// The same for any x; m is not negative.
HWY_INLINE V32 wideHighMultiply(V32 x, V32 m) {
    const hn::RepartitionToWide<D32> d64;
    const auto half = hn::Set(d64, std::int64_t{1} << 30);
    return highHalves(hn::ShiftLeft<1>(hn::Add(hn::MulEven(x, m), half)),
                      hn::ShiftLeft<1>(hn::Add(hn::MulEven(oddLanes(x), oddLanes(m)), half)));
}

/// Multiplier and shifts of one lane each.
struct LaneScale {
    V32 multiplier;
    V32 right; ///< 0..31
    V32 half;  ///< 2^right / 2
};

/// The profile's requantization without a left shift of |x| < 2^30 by a right shift of at least 1:
/// SRDHM, then RDBP, to nearest, ties away from zero.
HWY_INLINE V32 requantizeCommon(V32 x, const LaneScale& scale) {
    const V32 product = highMultiply(x, scale.multiplier);
    return hn::Add(hn::Add(product, scale.half), hn::ShiftRight<31>(product)) >> scale.right;
}

/// The same for any x and any right shift.
HWY_INLINE V32 requantizeAny(V32 x, const LaneScale& scale) {
    const D32 d;
    const V32 one = hn::Set(d, 1);
    const V32 product = wideHighMultiply(x, scale.multiplier);
    const V32 mask = hn::Sub(one << scale.right, one); // of 31 too: 2^31 - 1 by wrapping
    const V32 threshold = hn::Sub(hn::ShiftRight<1>(mask), hn::ShiftRight<31>(product));
    const auto isUp = hn::Gt(hn::And(product, mask), threshold);
    return hn::Sub(product >> scale.right, hn::VecFromMask(d, isUp));
}

/// The profile's requantization of lanes `at` and on of `scales`.
HWY_INLINE V32 requantizeLanes(V32 x, const LaneScales& scales, std::int64_t at,
                               const LaneScale& scale) {
    if (scales.isCommon)
        return requantizeCommon(x, scale);
    return requantizeAny(x << hn::LoadU(D32(), scales.left.data() + at), scale);
}

HWY_INLINE LaneScale loadScale(const LaneScales& scales, std::int64_t at) {
    const D32 d;
    return {hn::LoadU(d, scales.multiplier.data() + at), hn::LoadU(d, scales.right.data() + at),
            hn::LoadU(d, scales.half.data() + at)};
}

using V16 = hn::Vec<hn::ScalableTag<std::int16_t>>;
using V8 = hn::Vec<hn::ScalableTag<std::int8_t>>;

/// Saturates to bytes; per 128 bits eight of `low`, then eight of `high`.
HWY_INLINE V8 packBytes(V16 low, V16 high) {
#if HWY_TARGET <= HWY_AVX3
    return V8{_mm512_packs_epi16(low.raw, high.raw)};
#elif HWY_TARGET == HWY_AVX2
    return V8{_mm256_packs_epi16(low.raw, high.raw)};
#else
    return V8{_mm_packs_epi16(low.raw, high.raw)};
#endif
}

/// Zero point and bounds of an output.
class OutputRange {
  public:
    OutputRange(std::int32_t zeroPoint, const ActivationBounds& bounds)
        : m_zero(hn::Set(hn::DFromV<V16>(), static_cast<std::int16_t>(zeroPoint)))
        , m_lower(hn::Set(hn::DFromV<V8>(), static_cast<std::int8_t>(bounds.lower)))
        , m_upper(hn::Set(hn::DFromV<V8>(), static_cast<std::int8_t>(bounds.upper))) {}

    /// Two vectors of requantized sums with the zero point added; per 128 bits four of each.
    HWY_INLINE V16 pack(V32 first, V32 second) const {
        return hn::SaturatedAdd(hn::ReorderDemote2To(hn::DFromV<V16>(), first, second), m_zero);
    }
    /// Output values; per 128 bits eight of each.
    HWY_INLINE V8 bytes(V16 low, V16 high) const {
        return hn::Min(hn::Max(packBytes(low, high), m_lower), m_upper);
    }

    /// Output values of one vector alone.
    HWY_INLINE auto halfBytes(V16 levels) const {
        const hn::Rebind<std::int8_t, hn::DFromV<V16>> d;
        return hn::Min(hn::Max(hn::DemoteTo(d, levels), hn::LowerHalf(d, m_lower)),
                       hn::LowerHalf(d, m_upper));
    }

  private:
    V16 m_zero;
    V8 m_lower;
    V8 m_upper;
};

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
