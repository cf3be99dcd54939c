// SPDX-License-Identifier: GPL-3.0-or-later
// The two comparisons of plumb diff.
#pragma once

#include <optional>
#include <string>

#include "app/cli/console.h"
#include "core/artifacts/package.h"

namespace plumbline::cli {

struct DiffOptions {
    std::string first;
    std::string second;
    std::string filter; ///< empty: everything
    bool hideShifts = false;
};

/// Two models or packages, as lowerings.
ExitCode diffAsLowerings(const DiffOptions& options, Console& console);
/// Two traces, or a trace and a package's reference digests.
ExitCode diffAsTraces(const DiffOptions& options, Console& console);

/// A damaged package can still be compared: what is wrong with it goes to standard error.
Package openForDiff(const std::string& path, Console& console);

/// The number, or "-".
std::string numberText(const std::optional<std::int64_t>& value);

} // namespace plumbline::cli
