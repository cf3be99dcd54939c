// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a directory of files as one step: readers see the old directory or the new one.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace plumbline {

/// Takes the next piece of a file's content.
using ContentSink = std::function<void(ByteView)>;

/// One file of a directory that is to be written; `name` has no separators.
struct OutputFile {
    std::string name;
    Bytes content;
    /// Where set: called once, and what it hands over piece by piece follows `content`.
    std::function<void(const ContentSink&)> more = {};
};

/// Says whether an existing, non-empty directory was written by Plumbline and may be replaced.
using IsOurs = std::function<bool(const std::filesystem::path&)>;

/// Writes `files` as the whole content of `directory`.
///
/// A missing directory (and its parents) is created; an empty one is filled; a non-empty one that
/// `isOurs` accepts is exchanged atomically against the new one (Linux renameat2); any other is
/// refused with ForeignDirectory and left untouched. Killed at any moment, the old or the new
/// directory stands complete under `directory`; an abandoned temporary sibling is removed by the
/// next write. Errors: ForeignDirectory, FileUnwritable.
Status writeDirectoryAtomically(const std::filesystem::path& directory,
                                const std::vector<OutputFile>& files, const IsOurs& isOurs);

} // namespace plumbline
