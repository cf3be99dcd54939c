// SPDX-License-Identifier: GPL-3.0-or-later
// Lowerings to compare, and what a comparison is asked for.
#pragma once

#include <algorithm>

#include "core/compare/lowering_diff.h"
#include "tests/support/sample_package.h"

namespace plumbline::test {

inline Lowering lowered(Bytes file) {
    const auto model = importTflite(std::move(file));
    EXPECT_TRUE(model);
    const LoweringPtr lowering = *npuP0Target().lower(*model);
    EXPECT_TRUE(lowering->complete);
    return *lowering;
}

inline const Lowering& sample() {
    static const Lowering lowering = lowered(*makeSample("every-operator"));
    return lowering;
}

inline const FieldTable& fields() { return npuP0Target().fields(); }
inline const FieldSpec& field(std::string_view name) {
    return fields().fields[*findField(fields(), name)];
}

/// The one change between two lowerings.
inline LoweringChange onlyChange(const Lowering& first, const Lowering& second) {
    const LoweringDiff diff = diffLowerings(first, second);
    EXPECT_EQ(diff.changes.size(), 1U);
    for (std::size_t i = 1; i < diff.changes.size(); ++i)
        ADD_FAILURE() << changeKindName(diff.changes[i].kind) << " " << diff.changes[i].key;
    return diff.changes.empty() ? LoweringChange{} : diff.changes.front();
}

inline std::size_t count(const LoweringDiff& diff, ChangeKind kind) {
    return static_cast<std::size_t>(
        std::count_if(diff.changes.begin(), diff.changes.end(),
                      [kind](const LoweringChange& c) { return c.kind == kind; }));
}

} // namespace plumbline::test
