// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/completion.h"

namespace plumbline::command_line {

std::optional<std::string> completionFor(std::string_view shell, const ProgramInfo& info) {
    if (shell == "bash")
        return bashCompletion(info);
    if (shell == "zsh")
        return zshCompletion(info);
    if (shell == "fish")
        return fishCompletion(info);
    return std::nullopt;
}

std::string singleQuoted(std::string_view text, std::string_view escapedQuote) {
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'')
            quoted += escapedQuote;
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string optionNames(const CommandInfo& command) {
    std::string names;
    for (const OptionInfo& option : command.options)
        for (const std::string& name : option.names)
            names += (names.empty() ? "" : " ") + name;
    return names;
}

} // namespace plumbline::command_line
