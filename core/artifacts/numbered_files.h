// SPDX-License-Identifier: GPL-3.0-or-later
// Plain directories of tensor files as traces; the part of loadTrace for those without a
// trace.json.
#pragma once

#include <filesystem>
#include <limits>

#include "core/base/result.h"
#include "core/graph/trace.h"

namespace plumbline {

inline constexpr std::size_t kMaxTraceLayers = 100'000;
inline constexpr std::int64_t kMaxTraceOperator = std::numeric_limits<std::int32_t>::max();

/// A layer for each file NAME.bin or NAME.npy (int8) whose NAME holds digits; the last run of them
/// is the operator index. The shape of a .bin is [bytes]. Other files are passed over. Errors:
/// BadTrace.
Result<Trace> loadNumberedFiles(const std::filesystem::path& directory);

/// A BadTrace error about `file`.
Diagnostic badTrace(const std::filesystem::path& file, std::string message);

} // namespace plumbline
