// SPDX-License-Identifier: GPL-3.0-or-later
// Completion scripts are taken by their shells, and propose what help lists.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/packaging/command_lines.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string>;

class Completion : public testing::TestWithParam<ProgramUnderTest> {
  protected:
    /// The script for `shell` as a file.
    std::string script(const std::string& shell) const {
        const std::string path = (m_directory.path() / shell).string();
        std::ofstream(path) << completion(GetParam(), shell);
        return path;
    }

    /// What bash proposes for the last of `words`, in a folder with files of several kinds.
    Words inBash(const std::vector<std::string>& words) const {
        std::string line;
        for (const std::string& word : words)
            line += " '" + word + "'";
        const fs::path folder = m_directory.path() / "folder";
        fs::create_directories(folder / "layers");
        for (const char* name : {"model.tflite", "a b.tflite", "input.npy"})
            std::ofstream(folder / name) << "x";
        const std::string name = GetParam().name;
        std::ofstream(m_directory.path() / "driver")
            << "source " << script("bash") << "\ncd " << folder.string() << "\nCOMP_WORDS=(" << name
            << line << ")\nCOMP_CWORD=" << words.size() << "\n_" << name
            << "\n[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' \"${COMPREPLY[@]}\"\n";
        return asSet(outputOf("bash " + (m_directory.path() / "driver").string()));
    }

    /// What fish proposes for `line` without the program's name.
    Words inFish(const std::string& line) const {
        const std::string list =
            outputOf("cd " + m_directory.path().string() + " && fish --no-config -c 'source " +
                     script("fish") + "; complete -C \"" + GetParam().name + " " + line + "\"'");
        return asSet(list);
    }

    static Words asSet(const std::string& list) {
        Words words;
        for (const std::string& line : linesOf(list))
            words.insert(line.substr(0, line.find('\t')));
        return words;
    }

    static bool contains(const Words& all, const Words& some) {
        return std::includes(all.begin(), all.end(), some.begin(), some.end());
    }

  private:
    TemporaryDirectory m_directory;
};

std::vector<std::string> afterCommand(const std::string& command, const std::string& word) {
    return command.empty() ? std::vector{word} : std::vector{command, word};
}

TEST_P(Completion, BashProposesExactlyTheOptionsOfHelp) {
    for (const std::string& command : commandsOf(GetParam())) {
        const Words options = optionsOf(GetParam(), command);
        EXPECT_GE(options.size(), 3U) << command;
        EXPECT_EQ(inBash(afterCommand(command, "-")), options) << command;
    }
}

TEST_P(Completion, FishProposesExactlyTheOptionsOfHelp) {
    for (const std::string& command : commandsOf(GetParam())) {
        Words found = inFish(command + (command.empty() ? "" : " ") + "--");
        Words expected = optionsOf(GetParam(), command);
        for (const std::string& option : Words(expected))
            if (!option.starts_with("--"))
                expected.erase(option);
        EXPECT_EQ(found, expected) << command;
    }
}

TEST_P(Completion, ZshDescribesEveryOptionOfHelp) {
    const std::string text = completion(GetParam(), "zsh");
    const std::string& program = GetParam().name;
    for (const std::string& command : commandsOf(GetParam())) {
        const std::string head =
            "_" + program + (command.empty() ? "" : "_run_" + command) + "() {\n";
        const std::size_t begin = text.find(head);
        ASSERT_NE(begin, std::string::npos) << head;
        const std::string body = text.substr(begin, text.find("\n}\n", begin) - begin);
        for (const std::string& option : optionsOf(GetParam(), command))
            EXPECT_NE(body.find(option), std::string::npos) << command << " " << option;
    }
}

TEST_P(Completion, ScriptsAreTakenByTheirShells) {
    for (const std::string shell : {"bash", "zsh", "fish"})
        EXPECT_EQ(outputOf(shell + " -n " + script(shell) + " 2>&1"), "") << shell;
}

TEST_P(Completion, UnknownShellIsWrongUsage) {
    const ProgramUnderTest& program = GetParam();
    EXPECT_EQ(statusOf(program.path + " " + program.completion + " tcsh 2>&1"), 2);
}

INSTANTIATE_TEST_SUITE_P(Programs, Completion, testing::ValuesIn(programsUnderTest()),
                         [](const auto& row) { return row.param.name; });

/// Rows about plumb alone.
class PlumbCompletion : public Completion {};

TEST_P(PlumbCompletion, BashProposesCommandsFirst) {
    const std::vector<std::string> commands = commandsOf(GetParam());
    EXPECT_GE(commands.size(), 17U);
    EXPECT_EQ(inBash({""}), Words(commands.begin(), commands.end()));
    EXPECT_EQ(inBash({"ex"}), Words{"explain"});
}

TEST_P(PlumbCompletion, BashProposesTheChoicesOfAnOption) {
    const Words engines{"executor", "plain", "reference"};
    EXPECT_EQ(inBash({"run", "--engine", ""}), engines);
    EXPECT_EQ(inBash({"run", "--engine", "="}), engines);
    EXPECT_EQ(inBash({"run", "--engine", "=", "ref"}), Words{"reference"});
    EXPECT_EQ(inBash({"--quiet", "run", "--engine", "ex"}), Words{"executor"});
    EXPECT_EQ(inBash({"run", "--seed", ""}), Words{});
}

TEST_P(PlumbCompletion, BashProposesPagesSamplesAndShells) {
    EXPECT_EQ(inBash({"docs", "d"}), (Words{"descriptor-abi", "diagnostics"}));
    EXPECT_EQ(inBash({"demo", "mob"}), Words{"mobilenet"});
    EXPECT_EQ(inBash({"completion", ""}), (Words{"bash", "fish", "zsh"}));
}

TEST_P(PlumbCompletion, BashProposesFilesOfTheRightKind) {
    EXPECT_EQ(inBash({"run", ""}), (Words{"a b.tflite", "layers", "model.tflite"}));
    EXPECT_EQ(inBash({"run", "m"}), Words{"model.tflite"});
    EXPECT_EQ(inBash({"run", "--input", "i"}), Words{"input.npy"});
    EXPECT_EQ(inBash({"run", "x", "--trace", ""}), Words{"layers"});
    EXPECT_EQ(inBash({"run", "--reference", ""}),
              (Words{"a b.tflite", "input.npy", "layers", "model.tflite", "reference"}));
}

TEST_P(PlumbCompletion, FishProposesCommandsAndChoices) {
    const std::vector<std::string> commands = commandsOf(GetParam());
    EXPECT_EQ(inFish(""), Words(commands.begin(), commands.end()));
    EXPECT_EQ(inFish("run --engine "), (Words{"executor", "plain", "reference"}));
    EXPECT_TRUE(contains(inFish("docs "), {"descriptor-abi", "man"}));
}

INSTANTIATE_TEST_SUITE_P(Programs, PlumbCompletion, testing::Values(programsUnderTest().front()),
                         [](const auto& row) { return row.param.name; });

} // namespace
} // namespace plumbline::test
