// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_line/candidates.h"
#include "app/command_line/completion.h"

namespace plumbline::command_line {
namespace {

/// Functions that do not depend on the program; NAME stands for its name.
constexpr std::string_view kHelpers = R"(
# WORD WORDS KIND...: proposes those of WORDS, and paths, that WORD begins.
_NAME_offer() {
    local word=$1 words=$2 kind
    shift 2
    mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$word"
        for kind; do
            case $kind in
                files) compgen -f -- "$word" ;;
                directories) compgen -d -- "$word" ;;
                *) compgen -d -- "$word"; compgen -f -X "!*$kind" -- "$word" ;;
            esac
        done | sort -u)
    [ $# -eq 0 ] || compopt -o filenames 2>/dev/null
}

_NAME() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' i
    # --option=value comes as three words.
    if [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "$word" = = ]; then
        word=''
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case ${COMP_WORDS[i]} in
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
)";

std::string replaced(std::string_view text, std::string_view name) {
    constexpr std::string_view kPlace = "NAME";
    std::string out;
    while (!text.empty()) {
        const std::size_t at = std::min(text.find(kPlace), text.size());
        out += text.substr(0, at);
        text.remove_prefix(at);
        if (!text.empty()) {
            out += name;
            text.remove_prefix(kPlace.size());
        }
    }
    return out;
}

/// The arguments of the offer function after WORD.
std::string offer(const Candidates& candidates) {
    std::string text = fmt::format("'{}'", fmt::join(candidates.words, " "));
    if (candidates.files)
        return text + " files";
    if (candidates.directories)
        text += " directories";
    for (const std::string& suffix : candidates.suffixes)
        text += " " + suffix;
    return text;
}

/// What a word after an option of `command` may be.
std::string valueCases(const std::string& program, const std::string& command,
                       const std::vector<OptionInfo>& options) {
    std::string text;
    for (const OptionInfo& option : options) {
        if (option.value.empty())
            continue;
        std::string pattern;
        for (const std::string& name : option.names)
            pattern += fmt::format("{}{},{}", pattern.empty() ? "" : " | ", command, name);
        text +=
            fmt::format("        {})\n            _{}_offer \"$word\" {}\n            return ;;\n",
                        pattern, program, offer(candidatesOf(option.value)));
    }
    return text;
}

/// What any other word of `command` may be: an option, or one of its arguments.
std::string wordCase(const std::string& program, const CommandInfo& command,
                     const std::string& pattern, const Candidates& arguments) {
    const std::string options = optionNames(command);
    const std::string otherwise =
        arguments.empty() ? fmt::format("'{}'", options) : offer(arguments);
    return fmt::format("        {0},-*) _{1}_offer \"$word\" '{2}' ;;\n"
                       "        {0},*) _{1}_offer \"$word\" {3} ;;\n",
                       pattern, program, options, otherwise);
}

Candidates ofArguments(const CommandInfo& command) {
    std::string values;
    for (const ArgumentInfo& argument : command.arguments)
        values += (values.empty() ? "" : "|") + argument.value;
    return candidatesOf(values);
}

} // namespace

std::string bashCompletion(const ProgramInfo& info) {
    const std::string& name = info.program.name;
    const bool hasCommands = !info.commands.empty();
    // Without commands, the first argument is taken for one and does not matter.
    const std::string any = hasCommands ? "" : "*";
    std::string values = valueCases(name, any, info.program.options);
    std::string words;
    Candidates first = ofArguments(info.program);
    for (const CommandInfo& command : info.commands) {
        values += valueCases(name, command.name, command.options);
        words += wordCase(name, command, command.name, ofArguments(command));
        first.words.push_back(command.name);
    }
    words += wordCase(name, info.program, any, first);
    return fmt::format("# Completion of {0} in bash; made by the program itself.\n"
                       "{1}    case $command,$previous in\n{2}    esac\n"
                       "    case $command,$word in\n{3}    esac\n}}\n"
                       "complete -F _{0} {0}\n",
                       name, replaced(kHelpers, name), values, words);
}

} // namespace plumbline::command_line
