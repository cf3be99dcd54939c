// SPDX-License-Identifier: GPL-3.0-or-later
// Lowered samples and short ways to filter them.
#pragma once

#include <string>
#include <vector>

#include "core/filter/source.h"

namespace plumbline::test {

/// Lowered once per program; complete or not.
const Lowering& loweredSample(const std::string& name);

/// The schema of NPU-P0.
const FilterSchema& schema();

/// Indices of the operators that `text` takes; fails the test when it is no filter.
std::vector<std::int64_t> taken(const std::string& text, const Lowering& lowering,
                                FilterContext context = {});

/// The value of the field called `name` of operator `index`.
FilterValue valueOf(const std::string& name, const Lowering& lowering, std::size_t index);

} // namespace plumbline::test
