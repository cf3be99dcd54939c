// SPDX-License-Identifier: GPL-3.0-or-later
// What may be typed where help shows a value such as "MODEL|DIR" or "executor|reference".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::command_line {

/// Words, and kinds of paths. All empty: nothing can be proposed (a number, a filter).
struct Candidates {
    std::vector<std::string> words;    ///< to be typed as they stand
    bool files = false;                ///< any file or directory
    bool directories = false;          ///< any directory
    std::vector<std::string> suffixes; ///< files with these, as ".tflite"

    bool takesPaths() const { return files || directories || !suffixes.empty(); }
    bool empty() const { return words.empty() && !takesPaths(); }
};

/// `value` is a list of alternatives separated by bars. One in lower case is a word; MODEL, DIR,
/// FILE, REF, CSV, DUMP and SAMPLE stand for what they say, A and B for two models or directories;
/// others for nothing.
Candidates candidatesOf(std::string_view value);

} // namespace plumbline::command_line
