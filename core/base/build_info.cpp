// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/build_info.h"

#include "build_info_values.h"

namespace plumbline {

const BuildInfo& buildInfo() {
    static const BuildInfo info = [] {
        BuildInfo made{kVersionText, std::nullopt, std::nullopt};
        if (*kGitRevisionText != '\0') {
            made.gitRevision = kGitRevisionText;
            made.gitDirty = kGitDirty;
        }
        return made;
    }();
    return info;
}

} // namespace plumbline
