// SPDX-License-Identifier: GPL-3.0-or-later
// The sets of vector kernels, one per instruction set.
#include <deque>

#include <hwy/highway.h>

#include "core/kernels/fast_functions.h"

namespace plumbline {
namespace {

/// A set of the functions for `isa`, which Highway now uses; the plain loops where it has no
/// vectors.
KernelSet setOf(const char* isa) {
    const WeightedFunctions dense = denseFunctions(), depthwise = depthwiseFunctions();
    const ElementFunctions elements = elementFunctions();
    return {.name = "reference",
            .isa = dense.run == plainKernels().conv ? plainKernels().isa : isa,
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

/// All of this machine's, the best first.
const std::deque<KernelSet>& allSets() {
    static const std::deque<KernelSet> sets = [] {
        std::deque<KernelSet> made;
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            hwy::SetSupportedTargetsForTest(target);
            hwy::GetChosenTarget().Update(hwy::SupportedTargets());
            made.push_back(setOf(hwy::TargetName(target)));
        }
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
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
