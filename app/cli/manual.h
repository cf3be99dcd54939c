// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page plumb(1).
#pragma once

#include <string>

#include "app/command_line/program_info.h"

namespace plumbline::cli {

/// The page as roff, of a command line such as programInfo() gives.
std::string manualPageOf(const command_line::ProgramInfo& info);

} // namespace plumbline::cli
