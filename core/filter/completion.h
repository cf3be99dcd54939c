// SPDX-License-Identifier: GPL-3.0-or-later
// What could stand at a place of a filter that is being typed.
#pragma once

#include "core/filter/source.h"

namespace plumbline {

enum class CompletionKind : std::uint8_t { Field, Operator, Keyword, Value };

struct Completion {
    std::string text; ///< as it is to be written, quoted where needed
    CompletionKind kind{};
    std::string detail;    ///< a field's meaning and unit; may be empty
    std::size_t begin = 0; ///< it replaces the bytes begin to end of the filter's text
    std::size_t end = 0;
    bool operator==(const Completion&) const = default;
};

/// The candidates at byte `cursor` of `text`, the likeliest first. What is typed of a word narrows
/// them: names that begin with it, then names that contain it; numbers must begin with it. `source`
/// (may be null) gives the values that occur; without it only names that are always known are
/// offered as values.
std::vector<Completion> complete(std::string_view text, std::size_t cursor,
                                 const FilterSchema& schema, const FilterSource* source = nullptr);

} // namespace plumbline
