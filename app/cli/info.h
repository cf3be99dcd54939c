// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of `plumb info`.
#pragma once

#include "app/cli/console.h"
#include "core/artifacts/package.h"
#include "core/filter/filter.h"

namespace plumbline::cli {

/// Prints what a package holds, damaged or not; of the records those that `filter` takes.
void printPackageInfo(const Package& package, const std::string& path, const Filter& filter,
                      Console& console);

} // namespace plumbline::cli
