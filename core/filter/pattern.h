// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions whose time is bounded by pattern times text, whatever they hold: texts come
// from files that nobody vouches for.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline {

/// A compiled expression over bytes: literals, `.`, `[a-z]`, `[^…]`, `\d \w \s`, `^ $`, groups,
/// `|`,
/// `* + ?`; ASCII case is ignored.
class Pattern {
  public:
    using Set = std::bitset<256>;

    struct Instruction {
        enum class Kind : std::uint8_t { Set, Split, Jump, AtBegin, AtEnd };
        Kind kind{};
        std::int32_t first = 0;  ///< Set: index of the set; Split, Jump: distance to go on at
        std::int32_t second = 0; ///< Split: the other distance
    };

    /// Error: FilterPattern, with the byte in the pattern.
    static Result<Pattern> compile(std::string_view text);

    /// Whether any part of `text` matches.
    bool isFoundIn(std::string_view text) const;

  private:
    Pattern() = default;

    std::vector<Instruction> m_code; ///< a match ends one past the last
    std::vector<Set> m_sets;
};

} // namespace plumbline
