// SPDX-License-Identifier: GPL-3.0-or-later
// What this build of Plumbline is.
#pragma once

#include <optional>
#include <string>

namespace plumbline {

struct BuildInfo {
    std::string version;                    ///< project version, "0.1.0"
    std::optional<std::string> gitRevision; ///< 40 hexadecimal digits; nothing outside a checkout
    std::optional<bool> gitDirty;           ///< tracked files changed; nothing outside a checkout
};

const BuildInfo& buildInfo();

} // namespace plumbline
