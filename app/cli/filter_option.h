// SPDX-License-Identifier: GPL-3.0-or-later
// The option --filter: which operators and records a command shows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/filter/filter.h"
#include "core/lowering/lowering.h"

namespace plumbline::cli {

/// Declares --filter; empty text leaves everything.
void addFilterOption(Command& command, std::string& text);

/// The filter in `text`. Wrong usage, with the place marked, when it is none.
Filter filterOption(const std::string& text);

/// One entry per operator of the main graph: whether `filter` takes it.
std::vector<bool> chosenOperators(const Filter& filter, const Lowering& lowering);

/// One entry per record of `lowering`: whether `filter` takes it.
std::vector<bool> chosenRecords(const Filter& filter, const Lowering& lowering);

/// "9 of 31 operators"
std::string chosenText(const std::vector<bool>& chosen, const std::string& noun);

} // namespace plumbline::cli
