// SPDX-License-Identifier: GPL-3.0-or-later
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/peak.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep

#include <array>

#include <hwy/highway.h>

#include "core/kernels/simd_rows-inl.h"
#include "tests/bench/peak.h"

HWY_BEFORE_NAMESPACE();
namespace plumbline::HWY_NAMESPACE { // NOLINT: Highway's name

#if !HWY_ARCH_X86 || HWY_TARGET > HWY_SSSE3

bench::Peak peak() {
    return {"none", [](std::uint64_t) { return std::uint64_t{0}; }};
}

#else

/// Twelve independent chains hide the latency of any such operation.
std::uint64_t dots(std::uint64_t rounds) {
    constexpr std::size_t kChains = 12;
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
    V32 total = hn::Zero(d);
    for (const V32& sum : sums)
        total = hn::Add(total, sum);
    std::array<std::int32_t, kLanes32> lanes;
    hn::StoreU(total, d, lanes.data());
    const volatile std::int32_t kept = lanes[0];
    (void)kept;
    return rounds * kChains * static_cast<std::uint64_t>(kVectorInputs);
}

bench::Peak peak() { return {kPerLane == 4 ? "int8 dot product" : "int16 multiply-add", dots}; }

#endif

} // namespace plumbline::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline {

HWY_EXPORT(peak);

bench::Peak bench::peakOfBestTarget() { return HWY_DYNAMIC_DISPATCH(peak)(); }

} // namespace plumbline
#endif
