// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line/program_info.h"

#include <algorithm>

namespace plumbline::command_line {

std::vector<OptionInfo> sharedOptions(const ProgramInfo& info) {
    if (info.commands.empty())
        return info.program.options;
    std::vector<OptionInfo> shared;
    for (const OptionInfo& option : info.commands.front().options) {
        const auto hasIt = [&option](const CommandInfo& command) {
            return std::count(command.options.begin(), command.options.end(), option) > 0;
        };
        if (std::all_of(info.commands.begin(), info.commands.end(), hasIt))
            shared.push_back(option);
    }
    return shared;
}

} // namespace plumbline::command_line
