// SPDX-License-Identifier: GPL-3.0-or-later
// plumb diff: two models or packages, two traces, or a trace against a package's reference digests.
#include "app/cli/diff.h"

#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/filter_option.h"
#include "app/cli/subject.h"

namespace plumbline::cli {
namespace {

bool isTracePath(const std::string& path) {
    std::error_code error;
    return !isPackagePath(path) && std::filesystem::is_directory(path, error);
}

bool isModelPath(const std::string& path) { return !isPackagePath(path) && !isTracePath(path); }

ExitCode runDiff(const DiffOptions& options, Console& console) {
    const bool hasTrace = isTracePath(options.first) || isTracePath(options.second);
    if (!hasTrace)
        return diffAsLowerings(options, console);
    if (isModelPath(options.first) || isModelPath(options.second))
        failUsage("A model has no layers that a trace can be compared with. plumb run MODEL "
                  "--reference TRACE runs it and compares.");
    if (!options.filter.empty() || options.hideShifts)
        failUsage("--filter and --hide-shifts are for models and packages, not for traces.");
    return diffAsTraces(options, console);
}

} // namespace

Package openForDiff(const std::string& path, Console& console) {
    Package package = openPackage(path);
    console.report(inFile(package.diagnostics, path));
    return package;
}

std::string numberText(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "-";
}

void addDiff(Program& program) {
    Command command(program, "diff",
                    "Compare two models or packages, two traces, or a trace with a package's "
                    "reference",
                    "plumb diff model.tflite model.p0 --hide-shifts");
    auto options = std::make_shared<DiffOptions>();
    command.positional("A", options->first, "A model, a package or a trace directory");
    command.positional("B", options->second, "A model, a package or a trace directory");
    command.flag("--hide-shifts", options->hideShifts,
                 "Leave out what only lies at another address");
    addFilterOption(command, options->filter);
    command.action(std::move(options), runDiff);
}

} // namespace plumbline::cli
