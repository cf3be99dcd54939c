// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a package of its own.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/lowering/job.h"

namespace plumbline {

/// Writes `changed` as the package `directory`, atomically (output_directory.h): its three binaries
/// and `manifest` (the npu.json of the unchanged package, an object) with `files` and `relocations`
/// brought up to date. All else of npu.json stays, so the report still tells of the unchanged
/// records. Loading it gives the changed job. Errors: ForeignDirectory, FileUnwritable.
Status writeEditedPackage(const std::filesystem::path& directory, const nlohmann::json& manifest,
                          const Job& changed);

} // namespace plumbline
