// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces, or two packages, against each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/artifacts/package.h"
#include "core/compare/lowering_diff.h"
#include "core/graph/trace.h"

namespace plumbline {

/// First differing element of a tensor.
struct ElementDifference {
    std::int64_t h = 0, w = 0, c = 0;
    std::int64_t index = 0; ///< byte index
    int ours = 0;           ///< signed byte of the first operand
    int theirs = 0;
};

struct LayerDifference {
    std::int64_t operatorIndex = 0;
    std::string name;
    std::string what; ///< one phrase: "bytes differ", "only in the second", …
    std::string oursSha256;
    std::string theirsSha256;
    std::optional<std::int64_t> mismatches; ///< where both have bytes
    std::optional<ElementDifference> first;
    std::optional<std::int64_t> maxAbs; ///< largest absolute difference
};

struct TraceDiff {
    std::int64_t compared = 0; ///< layers present in both
    std::vector<LayerDifference> layers;
    bool equal() const { return layers.empty(); }
};

/// Layers are matched by operator index. A layer with digests only is compared by digest.
TraceDiff diffTraces(const Trace& ours, const Trace& theirs);

/// One difference between what two packages say in npu.json.
struct PackageDifference {
    std::string kind;                          ///< "arena", "report", "step" or "value"
    std::optional<std::int64_t> operatorIndex; ///< in the first package
    std::string key;                           ///< JSON path in the first package
    std::string ours;                          ///< value as JSON; empty where it is missing
    std::string theirs;
};

/// Differences in npu.json that do not follow from those between the packages' lowerings, which
/// `lowerings` tells: of damage, reference digests, identity. Operators are matched as there. File
/// digests and free text (`note`, `arena_note`, `cycle_model`, `compiler`) are left aside.
std::vector<PackageDifference> diffPackages(const Package& ours, const Package& theirs,
                                            const LoweringDiff& lowerings);

/// The reference digests in a package's report as a trace of digests; no layers when it has none.
Trace referenceTrace(const Package& package);

} // namespace plumbline
