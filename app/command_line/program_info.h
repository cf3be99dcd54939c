// SPDX-License-Identifier: GPL-3.0-or-later
// A program's command line as a value: what help, completion and manual page are made from.
#pragma once

#include <string>
#include <vector>

namespace plumbline::command_line {

struct OptionInfo {
    std::vector<std::string> names; ///< with their dashes, at least one: "-o", "--output"
    std::string value;              ///< as help shows it: "FILE", "light|dark"; empty for a flag
    std::string description;
    bool required = false;
    bool repeatable = false;

    bool operator==(const OptionInfo&) const = default;
};

/// An argument without a name of its own.
struct ArgumentInfo {
    std::string value; ///< as help shows it: "MODEL|DIR"
    std::string description;
    bool required = true;
    bool repeatable = false;
};

/// A command of a program, or a program without commands.
struct CommandInfo {
    std::string name;
    std::string description;
    std::string example; ///< one command line; may be empty
    std::vector<ArgumentInfo> arguments;
    std::vector<OptionInfo> options;
};

struct ProgramInfo {
    CommandInfo program;               ///< its name, and the options before any command
    std::vector<CommandInfo> commands; ///< empty when it has none
};

/// The options that every command has; all of a program without commands.
std::vector<OptionInfo> sharedOptions(const ProgramInfo& info);

} // namespace plumbline::command_line
