// SPDX-License-Identifier: GPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/peak.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <array>
#include <string_view>

#include <hwy/highway.h>

#include "core/kernels/simd_rows-inl.h"
#include "tests/bench/peak.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name

#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSSE3

bench::Peak peak() {
    const auto none = [](std::uint64_t) { return std::uint64_t{0}; };
    return {"none", none, none, [](const std::uint8_t*, std::uint64_t) { return std::uint64_t{0}; },
            1};
}

#else

/// So many independent chains hide the latency of any such operation.
inline constexpr std::size_t kChains = 12;

/// Makes the compiler believe that `values` are needed.
template <std::size_t kCount> void keep(const std::array<V32, kCount>& values) {
    const D32 d;
    V32 total = hn::Zero(d);
    for (const V32& value : values)
        total = hn::Add(total, value);
    std::array<std::int32_t, kLanes32> lanes;
    hn::StoreU(total, d, lanes.data());
    const volatile std::int32_t kept = lanes[0];
    (void)kept;
}

std::uint64_t dots(std::uint64_t rounds) {
    const D32 d;
    std::array<V32, kChains> sums;
    sums.fill(hn::Zero(d));
    VInput x = hn::Set(DInput(), Input{3});
    const VWeight w = hn::Set(DWeight(), PackedWeight{5});
    for (std::uint64_t i = 0; i < rounds; ++i) {
        HWY_UNROLL(12)
        for (std::size_t c = 0; c < kChains; ++c)
            sums[c] = dotLanes(sums[c], x, w);
        __asm__ volatile("" : "+v"(x.raw)); // otherwise the products are computed once
    }
    keep(sums);
    return rounds * kChains * static_cast<std::uint64_t>(kVectorInputs);
}

std::uint64_t requantizations(std::uint64_t rounds) {
    const D32 d;
    std::array<V32, kChains> values;
    values.fill(hn::Set(d, 123'456));
    LaneScale scale{hn::Set(d, 1'500'000'000), hn::Set(d, 1), hn::Set(d, 1)};
    for (std::uint64_t i = 0; i < rounds; ++i) {
        HWY_UNROLL(12)
        for (std::size_t c = 0; c < kChains; ++c)
            values[c] = requantizeCommon(values[c], scale);
        __asm__ volatile("" : "+v"(scale.multiplier.raw));
    }
    keep(values);
    return rounds * kChains * static_cast<std::uint64_t>(kLanes32);
}

std::uint64_t reads(const std::uint8_t* weights, std::uint64_t bytes) {
    constexpr std::size_t kStreams = 8;
    const D32 d;
    const auto* from = reinterpret_cast<const PackedWeight*>(weights);
    std::array<V32, kStreams> sums;
    sums.fill(hn::Zero(d));
    const VInput x = hn::Set(DInput(), Input{3});
    const std::uint64_t count = bytes / sizeof(PackedWeight);
    for (std::uint64_t i = 0; i < count;
         i += kStreams * static_cast<std::uint64_t>(kVectorInputs)) {
        HWY_UNROLL(8)
        for (std::size_t s = 0; s < kStreams; ++s)
            sums[s] = dotLanes(
                sums[s], x,
                hn::LoadU(DWeight(), from + i + s * static_cast<std::size_t>(kVectorInputs)));
    }
    keep(sums);
    return count;
}

bench::Peak peak() {
    return {kPerLane == 4 ? "int8 dot product" : "int16 multiply-add", dots, requantizations, reads,
            sizeof(PackedWeight)};
}

#endif

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

namespace plumbline::bench {

template <> Peak peakOf<HWY_TARGET>() { return HWY_NAMESPACE::peak(); }

} // namespace plumbline::bench

#if HWY_ONCE
namespace plumbline::bench {

Peak peakOfBestTarget() {
    const std::string_view isa = fastKernels().isa;
#if HWY_ARCH_X86
    if (isa == hwy::TargetName(HWY_AVX3_DL))
        return peakOf<HWY_AVX3_DL>();
    if (isa == hwy::TargetName(HWY_AVX3))
        return peakOf<HWY_AVX3>();
    if (isa == hwy::TargetName(HWY_AVX2))
        return peakOf<HWY_AVX2>();
    if (isa == hwy::TargetName(HWY_SSE4))
        return peakOf<HWY_SSE4>();
    if (isa == hwy::TargetName(HWY_SSSE3))
        return peakOf<HWY_SSSE3>();
#endif
    return peakOf<HWY_STATIC_TARGET>();
}

} // namespace plumbline::bench
#endif
