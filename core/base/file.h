// SPDX-License-Identifier: GPL-3.0-or-later
// Reading whole files and writing them atomically.
#pragma once

#include <filesystem>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace plumbline {

/// Largest file that any loader of the core accepts, in bytes.
inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;

/// The whole content of a regular file (or pipe). Errors: FileUnreadable, FileTooLarge.
Result<Bytes> readFile(const std::filesystem::path& path, std::uint64_t maxBytes = kMaxFileBytes);

/// Writes `content` to a temporary sibling and renames it over `path`: a reader sees the old file
/// or the new one. Parent directories are created. Errors: FileUnwritable.
Status writeFileAtomically(const std::filesystem::path& path, ByteView content);

/// As above for text.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace plumbline
