// SPDX-License-Identifier: GPL-3.0-or-later
// The sets of vector kernels, one per instruction set. Which of them this machine has is asked of
// the compiler's run-time library: Highway's own measures the clock for milliseconds when it is
// loaded.
#include <deque>

#include <hwy/highway.h>

#include "core/kernels/fast_functions.h"

namespace plumbline {
namespace {

template <std::int64_t kTarget> KernelSet setOf() {
    const WeightedFunctions dense = denseFunctions<kTarget>();
    const WeightedFunctions depthwise = depthwiseFunctions<kTarget>();
    const ElementFunctions elements = elementFunctions<kTarget>();
    const bool isPlain = dense.run == plainKernels().conv;
    return {.name = "reference",
            .isa = isPlain ? plainKernels().isa : hwy::TargetName(kTarget),
            .prepareConv = dense.prepare,
            .prepareDepthwise = depthwise.prepare,
            .conv = dense.run,
            .depthwise = depthwise.run,
            .add = elements.add,
            .maxPool = elements.maxPool,
            .averagePool = elements.averagePool,
            .clamp = elements.clamp,
            .softmax = tabledSoftmax};
}

using Sets = std::deque<KernelSet>;

/// Adds the set of a target that was compiled and that this machine has.
template <std::int64_t kTarget> void add(Sets& sets, bool isThere) {
    if constexpr ((HWY_TARGETS & kTarget) != 0) {
        if (isThere)
            sets.push_back(setOf<kTarget>());
    }
}

#if HWY_ARCH_X86
void addX86(Sets& sets) {
    __builtin_cpu_init();
    const bool hasSsse3 = __builtin_cpu_supports("ssse3");
    const bool hasSse4 = hasSsse3 && __builtin_cpu_supports("sse4.1") &&
                         __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                         __builtin_cpu_supports("aes");
    const bool hasAvx2 = hasSse4 && __builtin_cpu_supports("avx2") &&
                         __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                         __builtin_cpu_supports("bmi2");
    const bool hasAvx3 = hasAvx2 && __builtin_cpu_supports("avx512f") &&
                         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                         __builtin_cpu_supports("avx512bw");
    const bool hasAvx3Dl =
        hasAvx3 && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("vpclmulqdq");
    add<HWY_AVX3_DL>(sets, hasAvx3Dl);
    add<HWY_AVX3>(sets, hasAvx3);
    add<HWY_AVX2>(sets, hasAvx2);
    add<HWY_SSE4>(sets, hasSse4);
    add<HWY_SSSE3>(sets, hasSsse3);
}
#endif

/// All of this machine's, the best first; the last one runs everywhere.
const Sets& allSets() {
    static const Sets sets = [] {
        Sets made;
#if HWY_ARCH_X86
        addX86(made);
#endif
        if (made.empty() || HWY_STATIC_TARGET > HWY_SSSE3)
            made.push_back(setOf<HWY_STATIC_TARGET>());
        return made;
    }();
    return sets;
}

} // namespace

const KernelSet& fastKernels() { return allSets().front(); }

std::vector<const KernelSet*> everyFastKernels() {
    std::vector<const KernelSet*> sets;
    for (const KernelSet& set : allSets())
        sets.push_back(&set);
    return sets;
}

} // namespace plumbline
