// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace plumbline::cli {

/// "plumb 0.1.0 (git 0123456789ab, npu-p0/1.0.2)"
std::string versionText();

} // namespace plumbline::cli
