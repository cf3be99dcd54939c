// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/filter/text.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace plumbline {
namespace {

constexpr auto kSameLetter = [](char x, char y) { return lowered(x) == lowered(y); };

} // namespace

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), kSameLetter);
}

bool startsWithIgnoringCase(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           equalsIgnoringCase(text.substr(0, prefix.size()), prefix);
}

bool containsIgnoringCase(std::string_view text, std::string_view part) {
    return part.empty() || std::search(text.begin(), text.end(), part.begin(), part.end(),
                                       kSameLetter) != text.end();
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]; // of the row above
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            const std::size_t changed = diagonal + (kSameLetter(a[i], b[j]) ? 0U : 1U);
            row[j + 1] = std::min({above + 1, row[j] + 1, changed});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace plumbline
