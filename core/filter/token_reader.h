// SPDX-License-Identifier: GPL-3.0-or-later
// What the filter parser reads with: one token after the other, literals, and the first error.
// Private to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/filter/filter.h"
#include "core/filter/lexer.h"

namespace plumbline {

class TokenReader {
  public:
    explicit TokenReader(std::string_view source)
        : m_source(source) {}

    std::string_view source() const { return m_source; }
    const Token& current() const { return m_current; }
    /// The first error there was.
    const std::optional<Diagnostic>& error() const { return m_error; }

    /// Goes on to the next token; one that is none is an error.
    void take();
    bool takeIf(TokenKind kind);

    /// All of these set the error, unless there is one, and give nothing.
    std::nullopt_t fail(Code code, std::size_t begin, std::size_t end, const std::string& message);
    std::nullopt_t failAt(const Token& token, Code code, const std::string& message);
    /// Something else than `expected` stands here.
    std::nullopt_t failHere(std::string_view expected);

    /// Takes the literal at the current token, as `field` has it.
    std::optional<FilterValue> takeValue(const FilterField& field);
    /// The current token as text, not yet taken.
    std::optional<FilterValue> text(const FilterField& field);

  private:
    std::optional<FilterValue> number(const FilterField& field);
    std::optional<FilterValue> name(const FilterField& field);

    std::string_view m_source;
    std::size_t m_next = 0; ///< byte after the current token
    Token m_current;
    std::optional<Diagnostic> m_error;
};

inline bool isText(const Token& token) {
    return token.kind == TokenKind::Word || token.kind == TokenKind::Quoted;
}

/// "; did you mean 'NAME'?"; empty without a name.
std::string suggestion(const std::string& name);

} // namespace plumbline
