// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages: the command line as help knows it, between paragraphs written by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/command_line/program_info.h"

namespace plumbline::command_line {

/// A term and what it means, or a command line and what it does.
struct ManualEntry {
    std::string term;
    std::string text;
};

/// What a table of options cannot say. Plain text: nothing in it is markup.
struct ManualProse {
    std::string_view purpose;             ///< half a sentence for NAME
    std::vector<std::string> description; ///< paragraphs
    std::vector<ManualEntry> exitStatus;
    std::vector<ManualEntry> environment; ///< may be empty
    std::vector<ManualEntry> files;
    std::vector<ManualEntry> examples; ///< before those of the commands
    std::vector<std::string> seeAlso;  ///< "plumb(1)"
};

/// The page of section 1 as roff (man macros). The same arguments give the same bytes.
std::string manualPage(const ProgramInfo& info, const ManualProse& prose);

} // namespace plumbline::command_line
