// SPDX-License-Identifier: GPL-3.0-or-later
// Packages: a directory with npu.json, descriptors.bin, weights.bin and params.bin. Source: spec
// section 12.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/graph/trace.h"
#include "core/lowering/lowering.h"
#include "core/lowering/target.h"

namespace plumbline {

struct Package {
    std::filesystem::path directory;
    nlohmann::json manifest; ///< npu.json
    std::string workload;
    Job job;
    /// As the report states them, in its order; what cannot be read is default and reported.
    std::vector<LoweredOperator> operators;
    PortSummary input;
    PortSummary output;
    bool damaged = false;    ///< something disagrees; `diagnostics` say what
    Diagnostics diagnostics; ///< each disagreement, with file, key and value
};

/// npu.json of a complete `lowering`; `reference` as in reportJson.
nlohmann::json manifestJson(const Lowering& lowering, const std::string& workload,
                            const Trace* reference = nullptr);

/// Writes the package of a complete `lowering` as `directory`, atomically (output_directory.h).
Status writePackage(const std::filesystem::path& directory, const Lowering& lowering,
                    const std::string& workload, const Trace* reference = nullptr);

/// Loads a package directory (or the path of its npu.json). A package whose parts disagree still
/// loads, marked as damaged, with every disagreement as a diagnostic; a missing or short binary
/// loads as what is there. Errors, when npu.json cannot be understood at all: FileUnreadable,
/// BadManifest. Limits: npu.json 64 MiB, JSON nesting 32, a binary 1 GiB.
Result<Package> loadPackage(const std::filesystem::path& path);

/// Everything that is wrong with `package`: what loading found, relocations that are missing, extra
/// or wrong, the validator on every relocated record, and the sanitizer's findings. Numbers of the
/// report that a record contradicts are warnings, RecordDiffers.
Diagnostics checkPackage(const Package& package, const Target& target);

/// Target::contradictions of every operator whose record is there.
Diagnostics contradictedNumbers(const Package& package, const Target& target);

/// Whether `path` looks like a package: a directory with an npu.json, or a file of that name.
bool isPackagePath(const std::filesystem::path& path);

} // namespace plumbline
