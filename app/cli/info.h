// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of `plumb info`.
#pragma once

#include "app/cli/console.h"
#include "core/artifacts/package.h"

namespace plumbline::cli {

/// Prints what a package holds, damaged or not.
void printPackageInfo(const Package& package, const std::string& path, Console& console);

} // namespace plumbline::cli
