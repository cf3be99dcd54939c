// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of the filter language. Private to the room, but for its tests.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/diagnostic.h"

namespace plumbline {

enum class TokenKind : std::uint8_t {
    End,
    Word,   ///< a field's name or bare text
    Quoted, ///< text in quotes
    Number,
    LeftParenthesis,
    RightParenthesis,
    LeftBrace,
    RightBrace,
    Comma,
    Range, ///< ".."
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Matches, ///< "~" or "matches"
    Contains,
    In,
    And,
    Or,
    Not,
    Unknown, ///< the word "unknown"
    Bad,     ///< no token; code and text say why
};

/// Exact where a number has neither fraction nor exponent; finite.
using FilterNumber = std::variant<std::int64_t, double>;

struct Token {
    TokenKind kind = TokenKind::End;
    std::size_t begin = 0; ///< bytes in the filter's text
    std::size_t end = 0;   ///< one past the last
    std::string text;      ///< Word and Quoted: without quotes and escapes; Bad: what is wrong
    FilterNumber number;
    bool countsBytes = false; ///< Number: it has a unit of bytes
    Code code{};              ///< Bad
};

/// A unit that may follow a number.
struct FilterUnit {
    std::string_view name;
    std::int64_t factor;
    bool countsBytes;
};

std::span<const FilterUnit> filterUnits();

/// The token that begins at or after byte `offset` <= text.size(). A Bad token ends after `offset`.
Token nextToken(std::string_view text, std::size_t offset);

/// Whether `text` reads as one Word that is no keyword.
bool isPlainWord(std::string_view text);

/// A keyword or an operator as it is written: "==", "and".
std::string_view tokenText(TokenKind kind);

} // namespace plumbline
