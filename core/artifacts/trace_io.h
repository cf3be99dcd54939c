// SPDX-License-Identifier: GPL-3.0-or-later
// Layer traces as directories: trace.json and one raw file per layer. docs/file-formats.md
// describes them.
#pragma once

#include <filesystem>

#include "core/base/result.h"
#include "core/graph/trace.h"

namespace plumbline {

/// Writes `trace` as a directory (atomically, see output_directory.h). `digestsOnly` leaves the
/// tensor files out and their `file` null.
Status writeTrace(const std::filesystem::path& directory, const Trace& trace,
                  bool digestsOnly = false);

/// Loads a trace directory, or a plain directory of numbered .bin or .npy files (the number is the
/// operator index; the last run of digits in the name). Sizes and digests are checked. Errors:
/// BadTrace with the file and the key. Limits: 100,000 layers, 1 GiB in all.
Result<Trace> loadTrace(const std::filesystem::path& directory);

} // namespace plumbline
