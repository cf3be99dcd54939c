// SPDX-License-Identifier: GPL-3.0-or-later
// External interface: nextToken.
#include "core/filter/lexer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/filter/text.h"

namespace plumbline {
namespace {

constexpr std::int64_t kKibi = 1024;
constexpr std::int64_t kKilo = 1000;

constexpr std::array kUnits{
    FilterUnit{"B", 1, true},
    FilterUnit{"KiB", kKibi, true},
    FilterUnit{"MiB", kKibi* kKibi, true},
    FilterUnit{"GiB", kKibi* kKibi* kKibi, true},
    FilterUnit{"kB", kKilo, true},
    FilterUnit{"MB", kKilo* kKilo, true},
    FilterUnit{"GB", kKilo* kKilo* kKilo, true},
    FilterUnit{"k", kKilo, false},
    FilterUnit{"M", kKilo* kKilo, false},
    FilterUnit{"G", kKilo* kKilo* kKilo, false},
};

struct Spelling {
    std::string_view text;
    TokenKind kind;
};

/// The first spelling of a kind is the one that is printed.
constexpr std::array kKeywords{
    Spelling{"and", TokenKind::And},           Spelling{"or", TokenKind::Or},
    Spelling{"not", TokenKind::Not},           Spelling{"in", TokenKind::In},
    Spelling{"contains", TokenKind::Contains}, Spelling{"matches", TokenKind::Matches},
    Spelling{"unknown", TokenKind::Unknown},
};

/// Longer ones stand before their beginnings.
constexpr std::array kSymbols{
    Spelling{"==", TokenKind::Equal},
    Spelling{"!=", TokenKind::NotEqual},
    Spelling{"<=", TokenKind::LessEqual},
    Spelling{">=", TokenKind::GreaterEqual},
    Spelling{"&&", TokenKind::And},
    Spelling{"||", TokenKind::Or},
    Spelling{"..", TokenKind::Range},
    Spelling{"<", TokenKind::Less},
    Spelling{">", TokenKind::Greater},
    Spelling{"!", TokenKind::Not},
    Spelling{"~", TokenKind::Matches},
    Spelling{"(", TokenKind::LeftParenthesis},
    Spelling{")", TokenKind::RightParenthesis},
    Spelling{"{", TokenKind::LeftBrace},
    Spelling{"}", TokenKind::RightBrace},
    Spelling{",", TokenKind::Comma},
};

constexpr bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isLetter(char c) {
    return (lowered(c) >= 'a' && lowered(c) <= 'z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool isHexDigit(char c) { return isDigit(c) || (lowered(c) >= 'a' && lowered(c) <= 'f'); }

class Lexer {
  public:
    Lexer(std::string_view text, std::size_t offset)
        : m_text(text)
        , m_at(offset) {}

    Token next() {
        skip(isSpace);
        m_begin = m_at;
        if (m_at == m_text.size())
            return made(TokenKind::End);
        const char c = peek();
        if (isLetter(c))
            return word();
        if (c == '"' || c == '\'')
            return quoted();
        if (isDigit(c) || (c == '-' && isDigit(peek(1))))
            return number();
        for (const Spelling& symbol : kSymbols) {
            if (m_text.substr(m_at).starts_with(symbol.text)) {
                m_at += symbol.text.size();
                return made(symbol.kind);
            }
        }
        ++m_at;
        if (c == '=')
            return bad(Code::FilterSyntax, "Equality is written '=='");
        return bad(Code::FilterSyntax,
                   "This character has no meaning here; quote it if it is text");
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }

    template <class Is> void skip(Is is) {
        while (m_at < m_text.size() && is(m_text[m_at]))
            ++m_at;
    }

    /// A dot joins words only when no second one follows: "a..b" is a range.
    void skipWord() {
        while (m_at < m_text.size()) {
            const char c = peek();
            const bool joins = c == '-' || c == '/' || c == ':' || (c == '.' && peek(1) != '.');
            if (!isLetter(c) && !isDigit(c) && !joins)
                return;
            ++m_at;
        }
    }

    std::string_view taken() const { return m_text.substr(m_begin, m_at - m_begin); }

    Token made(TokenKind kind) const {
        Token token;
        token.kind = kind;
        token.begin = m_begin;
        token.end = m_at;
        return token;
    }

    Token bad(Code code, std::string message) const {
        Token token = made(TokenKind::Bad);
        token.code = code;
        token.text = std::move(message);
        return token;
    }

    Token word() {
        skipWord();
        for (const Spelling& keyword : kKeywords) {
            if (equalsIgnoringCase(taken(), keyword.text))
                return made(keyword.kind);
        }
        Token token = made(TokenKind::Word);
        token.text = taken();
        return token;
    }

    Token quoted() {
        const char quote = m_text[m_at++];
        std::string content;
        while (m_at < m_text.size() && peek() != quote) {
            if (peek() == '\\' && (peek(1) == quote || peek(1) == '\\'))
                ++m_at;
            content += m_text[m_at++];
        }
        if (m_at == m_text.size())
            return bad(Code::FilterUnclosed, "The quote is not closed");
        ++m_at;
        Token token = made(TokenKind::Quoted);
        token.text = std::move(content);
        return token;
    }

    Token number() {
        if (peek() == '-')
            ++m_at;
        const std::optional<FilterNumber> value =
            peek() == '0' && lowered(peek(1)) == 'x' ? hexadecimal() : decimal();
        if (!value)
            return bad(Code::FilterNumber, "This is no number, or one beyond 63 bits");
        return withUnit(*value);
    }

    std::optional<FilterNumber> hexadecimal() {
        const bool negative = m_text[m_begin] == '-';
        m_at += 2;
        const std::size_t first = m_at;
        skip(isHexDigit);
        std::int64_t value = 0;
        const auto [stop, error] =
            std::from_chars(m_text.data() + first, m_text.data() + m_at, value, 16);
        if (first == m_at || error != std::errc() || stop != m_text.data() + m_at)
            return std::nullopt;
        return negative ? -value : value;
    }

    std::optional<FilterNumber> decimal() {
        skip(isDigit);
        bool whole = true;
        if (peek() == '.' && isDigit(peek(1))) {
            whole = false;
            ++m_at;
            skip(isDigit);
        }
        const bool sign = peek(1) == '+' || peek(1) == '-';
        if (lowered(peek()) == 'e' && isDigit(peek(sign ? 2 : 1))) {
            whole = false;
            m_at += sign ? 2 : 1;
            skip(isDigit);
        }
        return whole ? parsed<std::int64_t>() : parsed<double>();
    }

    template <class T> std::optional<FilterNumber> parsed() const {
        T value{};
        const char* const end = m_text.data() + m_at;
        const auto [stop, error] = std::from_chars(m_text.data() + m_begin, end, value);
        if (error != std::errc() || stop != end)
            return std::nullopt;
        return value;
    }

    /// Takes a unit that follows at once or after spaces.
    const FilterUnit* takeUnit() {
        const std::size_t before = m_at;
        skip(isSpace);
        const std::size_t first = m_at;
        skipWord();
        for (const FilterUnit& unit : kUnits) {
            if (unit.name == m_text.substr(first, m_at - first))
                return &unit;
        }
        if (first > before)
            m_at = before;
        return nullptr;
    }

    Token withUnit(const FilterNumber& value) {
        const std::size_t digitsEnd = m_at;
        const FilterUnit* unit = takeUnit();
        if (!unit && m_at > digitsEnd)
            return unknownUnit(digitsEnd);
        const std::optional<FilterNumber> scaled = times(value, unit ? unit->factor : 1);
        if (!scaled)
            return bad(Code::FilterNumber, "The number is beyond 63 bits");
        Token token = made(TokenKind::Number);
        token.number = *scaled;
        token.countsBytes = unit && unit->countsBytes;
        return token;
    }

    Token unknownUnit(std::size_t begin) {
        m_begin = begin;
        std::vector<std::string_view> names;
        for (const FilterUnit& unit : kUnits)
            names.push_back(unit.name);
        return bad(Code::FilterUnit, fmt::format("There is no unit '{}'; units are {}", taken(),
                                                 fmt::join(names, ", ")));
    }

    static std::optional<FilterNumber> times(const FilterNumber& value, std::int64_t factor) {
        if (const auto* whole = std::get_if<std::int64_t>(&value)) {
            std::int64_t product = 0;
            if (__builtin_mul_overflow(*whole, factor, &product))
                return std::nullopt;
            return product;
        }
        constexpr double kExactWhole = 9007199254740992.0; // 2^53
        const double product = std::get<double>(value) * static_cast<double>(factor);
        if (!std::isfinite(product))
            return std::nullopt;
        if (factor > 1 && std::abs(product) < kExactWhole && product == std::trunc(product))
            return static_cast<std::int64_t>(product);
        return product;
    }

    std::string_view m_text;
    std::size_t m_at;
    std::size_t m_begin = 0;
};

} // namespace

std::span<const FilterUnit> filterUnits() { return kUnits; }

Token nextToken(std::string_view text, std::size_t offset) { return Lexer(text, offset).next(); }

bool isPlainWord(std::string_view text) {
    const Token token = nextToken(text, 0);
    return token.kind == TokenKind::Word && token.begin == 0 && token.end == text.size();
}

std::string_view tokenText(TokenKind kind) {
    if (kind == TokenKind::Matches)
        return "~";
    for (const Spelling& keyword : kKeywords) {
        if (keyword.kind == kind)
            return keyword.text;
    }
    for (const Spelling& symbol : kSymbols) {
        if (symbol.kind == kind)
            return symbol.text;
    }
    return "";
}

} // namespace plumbline
