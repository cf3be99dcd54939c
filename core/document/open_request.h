// SPDX-License-Identifier: GPL-3.0-or-later
// What several paths given together mean, and sessions as files.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/lowering/selection.h"

namespace plumbline {

/// Understands `paths` together: at most one model (.tflite) or package, at most one input (.npy,
/// .bin, .raw or any other file beside a model or package), at most one trace directory; a trace
/// alone is opened itself. Error: Usage, which says what there is too much of.
Result<OpenRequest> requestFor(const std::vector<std::filesystem::path>& paths);

/// A session: what was open and where the person stood. docs/file-formats.md describes the file.
struct SessionFile {
    OpenRequest request;
    std::string modelSha256; ///< of the model or npu.json; empty when there was none
    std::string selection;   ///< an address; may be empty
    std::string filter;
    std::vector<std::string> edits; ///< of an experiment, as parseEdit reads them, in order
    std::string heat;               ///< "cycles", "macs", "dma-bytes", "arena-bytes" or empty
};

/// Writes `session` atomically; paths become relative to the file's folder. Error: FileUnwritable.
Status writeSession(const std::filesystem::path& path, const SessionFile& session);

/// Reads a session; relative paths count from its folder. Errors: FileUnreadable, BadSession with
/// the key.
Result<SessionFile> readSession(const std::filesystem::path& path);

/// Whether `path` is named like a session.
bool isSessionPath(const std::filesystem::path& path);

} // namespace plumbline
