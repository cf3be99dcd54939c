// SPDX-License-Identifier: GPL-3.0-or-later
// plumb version
#include "app/cli/version.h"

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "core/base/build_info.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct VersionOptions {};

ExitCode runVersion(const VersionOptions&, Console& console) {
    const BuildInfo& build = buildInfo();
    if (console.json)
        console.writeJson({{"ok", true},
                           {"program", "plumb"},
                           {"version", build.version},
                           {"git_revision", orNull(build.gitRevision)},
                           {"git_dirty", orNull(build.gitDirty)},
                           {"contract", npuP0Target().contract()}});
    else
        console.print("{}\n", versionText());
    return ExitCode::Ok;
}

} // namespace

std::string versionText() {
    const BuildInfo& build = buildInfo();
    std::string source = "no git revision";
    if (build.gitRevision)
        source = fmt::format("git {}{}", build.gitRevision->substr(0, 12),
                             build.gitDirty.value_or(false) ? " with changes" : "");
    return fmt::format("plumb {} ({}, {})", build.version, source, npuP0Target().contract());
}

void addVersion(Program& program) {
    Command command(program, "version", "Print version, source revision and contract",
                    "plumb version --json");
    auto options = std::make_shared<VersionOptions>();
    command.action(std::move(options), runVersion);
}

} // namespace plumbline::cli
