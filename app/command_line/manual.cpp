// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/manual.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/build_info.h"

namespace plumbline::command_line {
namespace {

/// Of both pages: that of the release, as packaging/org.example.plumbline.metainfo.xml states it.
constexpr std::string_view kDate = "2026-11-30";

/// Text in which every character stands for itself; a dash is a minus, as in options.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

/// `text` as lines of at most 78 bytes where its words allow it, none of which is a request.
std::string lines(std::string_view text) {
    constexpr std::size_t kWidth = 78;
    std::string out;
    std::string line;
    const auto endLine = [&out, &line] {
        if (!line.empty())
            out += (line[0] == '.' || line[0] == '\'' ? "\\&" : "") + line + "\n";
        line.clear();
    };
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        const std::string word = plain(text.substr(0, space));
        text.remove_prefix(std::min(space + 1, text.size()));
        if (!line.empty() && line.size() + 1 + word.size() > kWidth)
            endLine();
        line += (line.empty() ? "" : " ") + word;
    }
    endLine();
    return out;
}

/// `text` as a sentence.
std::string sentence(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upperCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return text;
}

/// A word in capitals is to be replaced, one in small letters to be typed.
std::string valueText(const std::string& value) {
    const bool isTyped =
        std::none_of(value.begin(), value.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return isTyped ? bold(value) : italic(value);
}

std::string optionEntry(const OptionInfo& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "" : ", ") + bold(name);
    if (!option.value.empty())
        names += " " + valueText(option.value);
    const std::string needed = option.required ? " This option is required." : "";
    const std::string often = option.repeatable ? " May be given several times." : "";
    return ".TP\n" + names + "\n" + lines(sentence(option.description) + needed + often);
}

std::string argumentEntry(const ArgumentInfo& argument) {
    return ".TP\n" + valueText(argument.value) + "\n" + lines(sentence(argument.description));
}

std::string argumentsText(const CommandInfo& command) {
    std::string text;
    for (const ArgumentInfo& argument : command.arguments) {
        const std::string dots = argument.repeatable ? "..." : "";
        text += argument.required ? fmt::format(" {}{}", valueText(argument.value), dots)
                                  : fmt::format(" [{}{}]", valueText(argument.value), dots);
    }
    return text;
}

/// The required options of `command` by name.
std::string requiredText(const CommandInfo& command) {
    std::string text;
    for (const OptionInfo& option : command.options)
        if (option.required)
            text += fmt::format(" {} {}", bold(option.names.front()), valueText(option.value));
    return text;
}

std::string synopsis(const ProgramInfo& info) {
    const std::string& name = info.program.name;
    if (info.commands.empty())
        return fmt::format("{} [\\fIOPTION\\fR...]{}\n", bold(name), argumentsText(info.program));
    std::string text;
    for (const CommandInfo& command : info.commands)
        text += fmt::format("{}{}{}{} [\\fIOPTION\\fR...]\n", text.empty() ? "" : ".br\n",
                            bold(name + " " + command.name), argumentsText(command),
                            requiredText(command));
    return text;
}

std::string commandSection(const std::string& program, const CommandInfo& command,
                           const std::vector<OptionInfo>& shared) {
    std::string text = fmt::format(".SS {} {}\n{}", plain(program), plain(command.name),
                                   lines(sentence(command.description)));
    for (const ArgumentInfo& argument : command.arguments)
        text += argumentEntry(argument);
    for (const OptionInfo& option : command.options)
        if (std::count(shared.begin(), shared.end(), option) == 0)
            text += optionEntry(option);
    return text;
}

std::string optionSections(const ProgramInfo& info) {
    const std::vector<OptionInfo> shared = sharedOptions(info);
    std::string text = ".SH OPTIONS\n";
    if (info.commands.empty()) {
        for (const ArgumentInfo& argument : info.program.arguments)
            text += argumentEntry(argument);
    } else {
        text += "Every command takes these:\n";
    }
    for (const OptionInfo& option : shared)
        text += optionEntry(option);
    if (info.commands.empty())
        return text;
    text += ".PP\nWithout a command:\n";
    for (const OptionInfo& option : info.program.options)
        text += optionEntry(option);
    text += ".SH COMMANDS\n";
    for (const CommandInfo& command : info.commands)
        text += commandSection(info.program.name, command, shared);
    return text;
}

std::string entries(std::string_view title, const std::vector<ManualEntry>& list) {
    std::string text;
    for (const ManualEntry& entry : list)
        text += ".TP\n" + bold(entry.term) + "\n" + lines(entry.text);
    return list.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

std::string exampleText(const std::string& line, const std::string& what) {
    return fmt::format(".PP\n{}.PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n", lines(what + ":"), plain(line));
}

std::string examples(const ProgramInfo& info, const ManualProse& prose) {
    std::string text;
    for (const ManualEntry& example : prose.examples)
        text += exampleText(example.term, example.text);
    for (const CommandInfo& command : info.commands)
        if (!command.example.empty())
            text += exampleText(command.example, command.description);
    // A paragraph right below the heading would be an empty line.
    return ".SH EXAMPLES\n" + text.substr(std::min(text.size(), std::string_view(".PP\n").size()));
}

std::string seeAlso(const std::vector<std::string>& pages) {
    std::string text;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const std::size_t bracket = pages[i].find('(');
        text += fmt::format(".BR {} {}{}\n", plain(pages[i].substr(0, bracket)),
                            pages[i].substr(bracket), i + 1 < pages.size() ? "," : "");
    }
    return ".SH SEE ALSO\n" + text;
}

} // namespace

std::string manualPage(const ProgramInfo& info, const ManualProse& prose) {
    const std::string& name = info.program.name;
    std::string page = fmt::format(".TH {} 1 {} \"Plumbline {}\" \"User Commands\"\n"
                                   ".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n",
                                   plain(upperCase(name)), kDate, buildInfo().version, plain(name),
                                   plain(prose.purpose), synopsis(info));
    for (std::size_t i = 0; i < prose.description.size(); ++i)
        page += (i == 0 ? "" : ".PP\n") + lines(prose.description[i]);
    page += optionSections(info);
    page += entries("EXIT STATUS", prose.exitStatus);
    page += entries("ENVIRONMENT", prose.environment);
    page += entries("FILES", prose.files);
    page += examples(info, prose);
    return page + seeAlso(prose.seeAlso);
}

} // namespace plumbline::command_line
