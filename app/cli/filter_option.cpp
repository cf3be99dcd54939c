// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/filter_option.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/table.h"
#include "core/filter/source.h"
#include "core/lowering/target.h"

namespace plumbline::cli {

void addFilterOption(Command& command, std::string& text) {
    command.text("--filter", text, "TEXT",
                 "Only what the filter takes, such as 'opcode == CONV2D and cout > 32'");
}

Filter filterOption(const std::string& text) {
    Result<Filter> filter = parseFilter(text, schemaOf(&npuP0Target().fields()));
    if (!filter)
        throw Failure(ExitCode::Usage, filter.diagnostics(),
                      markedText(text, filter.diagnostics().front()));
    return *std::move(filter);
}

std::vector<bool> chosenOperators(const Filter& filter, const Lowering& lowering) {
    return filterOperators(filter, lowering);
}

std::vector<bool> chosenRecords(const Filter& filter, const Lowering& lowering) {
    const FilterSource source(lowering);
    std::vector<bool> chosen(lowering.records.size());
    for (std::size_t i = 0; i < chosen.size(); ++i)
        chosen[i] = source.matchesRecord(filter, static_cast<std::int64_t>(i));
    return chosen;
}

std::string chosenText(const std::vector<bool>& chosen, const std::string& noun) {
    const auto count = std::count(chosen.begin(), chosen.end(), true);
    return fmt::format("{} of {}", count, counted(chosen.size(), noun));
}

} // namespace plumbline::cli
