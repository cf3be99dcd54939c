// SPDX-License-Identifier: GPL-3.0-or-later
// Two traces, or two packages, against each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/artifacts/package.h"
#include "core/graph/trace.h"
#include "core/lowering/field_table.h"

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

/// One difference between two packages.
struct PackageDifference {
    std::string
        kind; ///< "field", "relocation", "weights", "params", "arena", "report", "step", "value"
    std::optional<std::int64_t> operatorIndex;
    std::optional<std::int64_t> record;
    std::optional<std::int64_t> word;
    std::string key;  ///< field name, JSON path or byte range
    std::string ours; ///< value as text; empty where it is missing
    std::string theirs;
};

/// All differences in records (by field), relocations, regions (by operator and first byte), arena,
/// steps and the rest of npu.json; file digests and free text (`note`, `arena_note`, `cycle_model`,
/// `compiler`) aside.
std::vector<PackageDifference> diffPackages(const Package& ours, const Package& theirs,
                                            const FieldTable& fields);

/// The reference digests in a package's report as a trace of digests; no layers when it has none.
Trace referenceTrace(const Package& package);

} // namespace plumbline
