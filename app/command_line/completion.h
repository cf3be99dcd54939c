// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts for shells, made from the same value as help.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/command_line/program_info.h"

namespace plumbline::command_line {

/// The shells, as the value of an option or argument shows them.
inline constexpr std::string_view kShells = "bash|zsh|fish";

/// The script for `shell`; nothing for a shell that is not in kShells.
std::optional<std::string> completionFor(std::string_view shell, const ProgramInfo& info);

std::string bashCompletion(const ProgramInfo& info);
std::string zshCompletion(const ProgramInfo& info);
std::string fishCompletion(const ProgramInfo& info);

/// `text` as one word of a shell: in single quotes, each quote inside written as `escapedQuote`.
std::string singleQuoted(std::string_view text, std::string_view escapedQuote);

/// All option names of `command`, separated by spaces.
std::string optionNames(const CommandInfo& command);

} // namespace plumbline::command_line
