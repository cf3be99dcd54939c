// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_line/candidates.h"
#include "app/command_line/completion.h"

namespace plumbline::command_line {
namespace {

std::string quoted(std::string_view text) { return singleQuoted(text, R"(\')"); }

/// What `complete` needs to propose these; -F takes paths of any kind, -f none.
std::string proposals(const Candidates& candidates) {
    std::vector<std::string> list = candidates.words;
    if (!candidates.files) {
        for (const std::string& suffix : candidates.suffixes)
            list.push_back(fmt::format("(__fish_complete_suffix {})", suffix));
        if (candidates.directories && candidates.suffixes.empty())
            list.emplace_back("(__fish_complete_directories)");
    }
    std::string text = candidates.files ? " -F" : " -f";
    if (!list.empty())
        text += fmt::format(" -a {}", quoted(fmt::format("{}", fmt::join(list, " "))));
    return text;
}

std::string optionLine(const std::string& head, const OptionInfo& option) {
    std::string text = head;
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty())
        text += " -r" + proposals(candidatesOf(option.value));
    return text + " -d " + quoted(option.description) + "\n";
}

std::string commandLines(const std::string& head, const CommandInfo& command) {
    std::string text;
    for (const OptionInfo& option : command.options)
        text += optionLine(head, option);
    for (const ArgumentInfo& argument : command.arguments)
        if (const Candidates candidates = candidatesOf(argument.value); !candidates.empty())
            text += head + proposals(candidates) + "\n";
    return text;
}

} // namespace

std::string fishCompletion(const ProgramInfo& info) {
    const std::string head = "complete -c " + info.program.name;
    const bool hasCommands = !info.commands.empty();
    const std::string atFirst = hasCommands ? head + " -n __fish_use_subcommand" : head;
    std::string text =
        fmt::format("# Completion of {} in fish; made by the program itself.\n{} -f\n",
                    info.program.name, head);
    text += commandLines(atFirst, info.program);
    for (const CommandInfo& command : info.commands)
        text += fmt::format("{} -a {} -d {}\n", atFirst, command.name, quoted(command.description));
    for (const CommandInfo& command : info.commands)
        text += commandLines(
            fmt::format("{} -n '__fish_seen_subcommand_from {}'", head, command.name), command);
    return text;
}

} // namespace plumbline::command_line
