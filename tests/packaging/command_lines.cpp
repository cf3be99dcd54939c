// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/command_lines.h"

#include <array>
#include <cstdio>
#include <regex>
#include <sstream>

#include <sys/wait.h>

#include <gtest/gtest.h>

namespace plumbline::test {
namespace {

struct Run {
    int status = -1;
    std::string out;
};

Run runInShell(const std::string& command) {
    Run run;
    std::FILE* const pipe = ::popen(command.c_str(), "r"); // NOLINT(cert-env33-c): the tests' own
    if (pipe == nullptr)
        return run;
    std::array<char, 4096> part{};
    while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe))
        run.out.append(part.data(), got);
    const int status = ::pclose(pipe);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

} // namespace

std::vector<ProgramUnderTest> programsUnderTest() {
    std::vector<ProgramUnderTest> programs{
        {"plumb", PLUMB_PROGRAM, "completion", "docs man", true}};
#ifdef PLUMBLINE_PROGRAM
    programs.push_back({"plumbline", PLUMBLINE_PROGRAM, "--completion", "--manual", false});
#endif
    return programs;
}

std::string outputOf(const std::string& command) {
    const Run run = runInShell(command);
    EXPECT_EQ(run.status, 0) << command;
    return run.out;
}

int statusOf(const std::string& command) { return runInShell(command).status; }

std::string help(const ProgramUnderTest& program, const std::string& command) {
    return outputOf(program.path + " " + command + " --help");
}

// A platform that does not exist: neither text may need one.
std::string completion(const ProgramUnderTest& program, const std::string& shell) {
    return outputOf("QT_QPA_PLATFORM=none " + program.path + " " + program.completion + " " +
                    shell);
}

std::string manual(const ProgramUnderTest& program) {
    return outputOf("QT_QPA_PLATFORM=none " + program.path + " " + program.manual);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> commandsOf(const ProgramUnderTest& program) {
    if (!program.hasCommands)
        return {""};
    std::vector<std::string> commands;
    bool inside = false;
    const std::regex row("^  ([a-z-]+) .*");
    for (const std::string& line : linesOf(help(program, ""))) {
        std::smatch match;
        if (line == "Subcommands:")
            inside = true;
        else if (inside && std::regex_match(line, match, row))
            commands.push_back(match[1]);
        else
            inside = false;
    }
    return commands;
}

std::set<std::string> optionsOf(const ProgramUnderTest& program, const std::string& command) {
    std::set<std::string> options;
    const std::regex names("^  (-[^ ,]+(, ?-[^ ,]+)*).*");
    const std::regex name("--?[a-zA-Z][a-zA-Z-]*");
    for (const std::string& line : linesOf(help(program, command))) {
        std::smatch match;
        if (!std::regex_match(line, match, names))
            continue;
        const std::string list = match[1];
        for (std::sregex_iterator i(list.begin(), list.end(), name), end; i != end; ++i)
            options.insert(i->str());
    }
    return options;
}

} // namespace plumbline::test
