// SPDX-License-Identifier: GPL-3.0-or-later
// Which operators of two lowerings belong together.
#pragma once

#include <vector>

#include "core/compare/lowering_diff.h"

namespace plumbline {

struct MatchedOperators {
    OperatorMatch pair;
    bool hasMoved = false; ///< past other matched operators
};

/// Matches operators of the same TFLite name, so that the matches are alike in as much as possible
/// and in the same order; then those left over that are equal in everything, wherever they stand.
/// In the order of the first lowering. Matching the other way round gives the same pairs.
///
/// Near-linear where most operators are equal; where they are not, what is compared is bounded, and
/// an operator may miss its counterpart when it lies thousands of places away.
std::vector<MatchedOperators> matchOperators(const Lowering& first, const Lowering& second);

} // namespace plumbline
