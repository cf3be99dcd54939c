// SPDX-License-Identifier: GPL-3.0-or-later
// Text without regard to ASCII case, as all names and texts of the filter language compare.
#pragma once

#include <string>
#include <string_view>

namespace plumbline {

/// Only A to Z change, whatever the locale.
constexpr char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b);
bool startsWithIgnoringCase(std::string_view text, std::string_view prefix);
/// Whether `part` stands in `text`; an empty part always does.
bool containsIgnoringCase(std::string_view text, std::string_view part);

/// Changed, added and removed bytes between two texts, letter case aside; for suggestions.
std::size_t editDistance(std::string_view a, std::string_view b);

} // namespace plumbline
