// SPDX-License-Identifier: GPL-3.0-or-later
// The built programs, and what they say of their command lines.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace plumbline::test {

/// A program under test. Its commands are "" alone where it has none.
struct ProgramUnderTest {
    std::string name;
    std::string path;
    std::string completion; ///< arguments before the shell's name
    std::string manual;     ///< arguments that print the manual page
    bool hasCommands = false;
};

std::vector<ProgramUnderTest> programsUnderTest();

/// Standard output of `command` in sh; fails the test unless it ends with status 0.
std::string outputOf(const std::string& command);

/// The status that `command` ends with in sh.
int statusOf(const std::string& command);

std::string help(const ProgramUnderTest& program, const std::string& command);
std::string completion(const ProgramUnderTest& program, const std::string& shell);
std::string manual(const ProgramUnderTest& program);

/// The commands that --help lists.
std::vector<std::string> commandsOf(const ProgramUnderTest& program);

/// The options, with dashes, that the help of `command` lists.
std::set<std::string> optionsOf(const ProgramUnderTest& program, const std::string& command);

std::vector<std::string> linesOf(const std::string& text);

} // namespace plumbline::test
