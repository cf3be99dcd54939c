// SPDX-License-Identifier: GPL-3.0-or-later
// The manual pages say all that help says, in roff without faults.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "app/command_line/manual.h"
#include "tests/packaging/command_lines.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

class Manual : public testing::TestWithParam<ProgramUnderTest> {};

/// A dash is written so that it can be copied.
std::string withDashes(const std::string& name) {
    std::string text;
    for (const char c : name)
        text += c == '-' ? std::string("\\-") : std::string(1, c);
    return text;
}

std::string inRoff(const std::string& option) { return "\\fB" + withDashes(option) + "\\fR"; }

TEST_P(Manual, HasEverySection) {
    const std::string page = manual(GetParam());
    for (const char* title : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES",
                              "EXAMPLES", "SEE ALSO"})
        EXPECT_NE(page.find(std::string("\n.SH ") + title + "\n"), std::string::npos) << title;
}

TEST_P(Manual, DescribesEveryOptionOfEveryCommand) {
    const std::string page = manual(GetParam());
    const std::size_t begin = page.find("\n.SH OPTIONS\n");
    const std::string shared = page.substr(begin, page.find("\n.SH ", begin + 1) - begin);
    for (const std::string& command : commandsOf(GetParam())) {
        std::string own;
        if (!command.empty()) {
            const std::size_t at =
                page.find("\n.SS " + GetParam().name + " " + withDashes(command) + "\n");
            ASSERT_NE(at, std::string::npos) << command;
            const std::size_t end = std::min(page.find("\n.SS ", at + 1), page.find("\n.SH ", at));
            own = page.substr(at, end - at);
        }
        for (const std::string& option : optionsOf(GetParam(), command))
            EXPECT_NE((shared + own).find(inRoff(option)), std::string::npos)
                << command << " " << option;
    }
}

TEST_P(Manual, HasTheDateOfTheRelease) {
    const Bytes bytes = readBytes(PLUMBLINE_METAINFO);
    const std::string metainfo(bytes.begin(), bytes.end());
    const std::string mark = " date=\"";
    const std::size_t at = metainfo.find(mark); // the newest release comes first
    ASSERT_NE(at, std::string::npos);
    const std::string date = metainfo.substr(at + mark.size(), std::string("2026-11-30").size());
    const std::string page = manual(GetParam());
    EXPECT_NE(page.substr(0, page.find('\n')).find(" 1 " + date + " "), std::string::npos) << date;
}

TEST_P(Manual, HasNoFaultThatMandocFinds) {
    const TemporaryDirectory directory;
    const std::string path = (directory.path() / (GetParam().name + ".1")).string();
    std::ofstream(path) << manual(GetParam());
    EXPECT_EQ(outputOf("mandoc -T lint -W warning " + path), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, Manual, testing::ValuesIn(programsUnderTest()),
                         [](const auto& row) { return row.param.name; });

TEST(ManualPage, TakesTextAsItStands) {
    command_line::ProgramInfo info;
    info.program.name = "tool";
    info.program.options.push_back({{"-x"}, "a|b", ".dot and \\slash", false, true});
    const std::string page = command_line::manualPage(info, {});
    EXPECT_NE(page.find(".TP\n\\fB\\-x\\fR \\fBa|b\\fR\n"
                        "\\&.dot and \\eslash. May be given several times.\n"),
              std::string::npos)
        << page;
}

} // namespace
} // namespace plumbline::test
