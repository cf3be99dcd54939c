// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_line/candidates.h"
#include "app/command_line/completion.h"

namespace plumbline::command_line {
namespace {

std::string quoted(std::string_view text) { return singleQuoted(text, R"('\'')"); }

/// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

/// The function that proposes what stands for `value`: "_plumb_of_model_dir".
std::string valueFunction(const std::string& program, std::string_view value) {
    std::string name = "_" + program + "_of_";
    for (const char c : value)
        name += c == '|' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return name;
}

/// ":message:action" of a value.
std::string valueSpec(const std::string& program, const std::string& value) {
    const std::string action = candidatesOf(value).empty() ? " " : valueFunction(program, value);
    return fmt::format(":{}:{}", escaped(value, ":\\"), action);
}

std::string optionSpec(const std::string& program, const OptionInfo& option) {
    std::string prefix = option.repeatable ? "'*'" : "";
    std::string names = option.names.front();
    if (option.names.size() > 1 && !option.repeatable)
        prefix = fmt::format("'({})'", fmt::join(option.names, " "));
    const auto withSign = [&option](const std::string& name) {
        if (option.value.empty())
            return name;
        return name + (name.starts_with("--") ? "=" : "+");
    };
    std::vector<std::string> signs(option.names.size());
    std::transform(option.names.begin(), option.names.end(), signs.begin(), withSign);
    names = signs.size() > 1 ? fmt::format("{{{}}}", fmt::join(signs, ",")) : signs.front();
    std::string rest = fmt::format("[{}]", escaped(option.description, "[]\\:"));
    if (!option.value.empty())
        rest += valueSpec(program, option.value);
    return prefix + names + quoted(rest);
}

std::string argumentSpec(const std::string& program, const ArgumentInfo& argument) {
    const std::string place = argument.repeatable ? "*" : argument.required ? "" : ":";
    return quoted(place + valueSpec(program, argument.value));
}

/// The lines of an `_arguments` call.
std::string specs(const std::string& program, const CommandInfo& command) {
    std::string text;
    for (const OptionInfo& option : command.options)
        text += " \\\n        " + optionSpec(program, option);
    for (const ArgumentInfo& argument : command.arguments)
        text += " \\\n        " + argumentSpec(program, argument);
    return text;
}

std::string valueFunctionText(const std::string& program, const std::string& value) {
    const Candidates candidates = candidatesOf(value);
    std::string text = valueFunction(program, value) + "() {\n";
    if (!candidates.words.empty())
        text += fmt::format("    compadd \"$@\" -- {}\n", fmt::join(candidates.words, " "));
    if (candidates.files)
        text += "    _files \"$@\"\n";
    for (const std::string& suffix : candidates.suffixes)
        text += fmt::format("    _files \"$@\" -g '*{}(-.)'\n", suffix);
    if (candidates.directories && !candidates.files)
        text += "    _files \"$@\" -/\n";
    return text + "}\n\n";
}

std::set<std::string> valuesOf(const ProgramInfo& info) {
    std::set<std::string> values;
    const auto collect = [&values](const CommandInfo& command) {
        for (const OptionInfo& option : command.options)
            values.insert(option.value);
        for (const ArgumentInfo& argument : command.arguments)
            values.insert(argument.value);
    };
    collect(info.program);
    std::for_each(info.commands.begin(), info.commands.end(), collect);
    return values;
}

/// The body of the main function of a program with commands.
std::string commandsText(const ProgramInfo& info) {
    const std::string& name = info.program.name;
    std::string list;
    for (const CommandInfo& command : info.commands)
        list +=
            "        " + quoted(command.name + ":" + escaped(command.description, ":\\")) + "\n";
    return fmt::format(
        "    local curcontext=$curcontext state line\n"
        "    local -a commands=(\n{}    )\n"
        "    _arguments -C{} \\\n        '1: :->command' '*:: :->rest' && return\n"
        "    case $state in\n"
        "        command) _describe command commands ;;\n"
        "        rest) (( $+functions[_{}_run_$words[1]] )) && _{}_run_$words[1] ;;\n"
        "    esac\n",
        list, specs(name, info.program), name, name);
}

} // namespace

std::string zshCompletion(const ProgramInfo& info) {
    const std::string& name = info.program.name;
    std::string text = fmt::format("#compdef {}\n# Completion of {} in zsh; made by the program "
                                   "itself.\n\n",
                                   name, name);
    for (const std::string& value : valuesOf(info))
        if (!candidatesOf(value).empty())
            text += valueFunctionText(name, value);
    for (const CommandInfo& command : info.commands)
        text += fmt::format("_{}_run_{}() {{\n    _arguments{}\n}}\n\n", name, command.name,
                            specs(name, command));
    const std::string body = info.commands.empty()
                                 ? fmt::format("    _arguments{}\n", specs(name, info.program))
                                 : commandsText(info);
    return text + fmt::format("_{}() {{\n{}}}\n\n_{} \"$@\"\n", name, body, name);
}

} // namespace plumbline::command_line
