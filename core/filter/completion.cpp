// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens before the word at the cursor lead a small automaton to what may come next. External
// interface: complete.
#include "core/filter/completion.h"

#include <algorithm>
#include <set>

#include "core/filter/lexer.h"
#include "core/filter/text.h"

namespace plumbline {
namespace {

constexpr std::size_t kMaxValues = 64;        ///< more than anyone reads
constexpr std::size_t kMaxOperators = 10'000; ///< whose values are looked at
constexpr std::size_t kMaxValueBytes = 256;   ///< longer ones nobody picks from a list

/// What may stand next.
enum class State : std::uint8_t {
    Condition,    ///< a field, text, "not" or "("
    AfterSubject, ///< a comparison
    Value,        ///< one value to compare with
    Literal,      ///< one value and nothing else
    SetOrRange,
    SetItem,
    AfterItem,
    AfterCondition, ///< "and", "or", ")"
};

/// Where the tokens before the cursor lead.
class Automaton {
  public:
    explicit Automaton(const FilterSchema& schema)
        : m_schema(schema) {}

    State state() const { return m_state; }
    std::size_t field() const { return m_field; } ///< of the condition at hand; valid after a field
    bool isInParentheses() const { return m_depth > 0; }
    /// Whether the comparison at hand is one that "unknown" goes with.
    bool mayBeUnknown() const { return m_mayBeUnknown; }

    void take(const Token& token) {
        switch (m_state) {
        case State::Condition:
            takeCondition(token);
            break;
        case State::AfterSubject:
            takeComparison(token);
            break;
        case State::Value:
        case State::Literal:
            m_state = State::AfterCondition;
            break;
        case State::SetOrRange:
        case State::SetItem:
            takeItem(token);
            break;
        case State::AfterItem:
            takeAfterItem(token);
            break;
        case State::AfterCondition:
            takeJunction(token);
            break;
        }
    }

  private:
    void takeCondition(const Token& token) {
        if (token.kind == TokenKind::LeftParenthesis)
            ++m_depth;
        if (token.kind != TokenKind::Word && token.kind != TokenKind::Quoted)
            return;
        const auto found = token.kind == TokenKind::Word ? m_schema.find(token.text) : std::nullopt;
        m_field = found.value_or(0);
        m_state = found ? State::AfterSubject : State::AfterCondition;
    }

    void takeComparison(const Token& token) {
        if (token.kind == TokenKind::Not)
            return;
        if (token.kind == TokenKind::In) {
            m_inBraces = false;
            m_state = State::SetOrRange;
        } else if (token.kind == TokenKind::Contains || token.kind == TokenKind::Matches) {
            m_state = State::Literal;
        } else {
            m_state = State::Value;
            m_mayBeUnknown = token.kind == TokenKind::Equal || token.kind == TokenKind::NotEqual;
        }
    }

    void takeItem(const Token& token) {
        if (token.kind == TokenKind::LeftBrace) {
            m_inBraces = true;
            m_state = State::SetItem;
        } else if (token.kind == TokenKind::RightBrace) {
            m_state = State::AfterCondition;
        } else {
            m_state = State::AfterItem;
        }
    }

    void takeAfterItem(const Token& token) {
        if (token.kind == TokenKind::Range && !m_inBraces)
            m_state = State::Literal; // one literal, then the condition is done
        else if (token.kind == TokenKind::Range || token.kind == TokenKind::Comma)
            m_state = State::SetItem;
        else
            m_state = State::AfterCondition;
    }

    void takeJunction(const Token& token) {
        if (token.kind == TokenKind::And || token.kind == TokenKind::Or)
            m_state = State::Condition;
        if (token.kind == TokenKind::RightParenthesis && m_depth > 0)
            --m_depth;
    }

    const FilterSchema& m_schema;
    State m_state = State::Condition;
    std::size_t m_field = 0;
    int m_depth = 0;
    bool m_inBraces = false;
    bool m_mayBeUnknown = false;
};

/// The word that the cursor touches: its bytes in the text, and what of it stands before the
/// cursor.
struct TypedWord {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string prefix;
};

/// Keywords count: "in" may become "input.scale".
bool isTyped(std::string_view text, const Token& token) {
    const char first = lowered(text[token.begin]);
    return token.kind == TokenKind::Number || token.kind == TokenKind::Quoted ||
           (first >= 'a' && first <= 'z') || first == '_' || first == '"' || first == '\'';
}

class Collector {
  public:
    Collector(const FilterSchema& schema, const FilterSource* source, TypedWord word)
        : m_schema(schema)
        , m_source(source)
        , m_word(std::move(word)) {}

    void addAll(const Automaton& at) {
        switch (at.state()) {
        case State::Condition:
            addFields(false);
            addKeywords({TokenKind::Not, TokenKind::LeftParenthesis});
            break;
        case State::AfterSubject:
            addComparisons(m_schema.field(at.field()));
            break;
        case State::Value:
            addValues(at.field());
            if (m_schema.field(at.field()).isNumber())
                addFields(true);
            if (at.mayBeUnknown())
                addKeywords({TokenKind::Unknown});
            break;
        case State::SetOrRange:
            addKeywords({TokenKind::LeftBrace});
            break;
        case State::Literal:
        case State::SetItem:
            addValues(at.field());
            break;
        case State::AfterItem:
            addKeywords({TokenKind::Comma, TokenKind::RightBrace});
            break;
        case State::AfterCondition:
            addKeywords({TokenKind::And, TokenKind::Or});
            if (at.isInParentheses())
                addKeywords({TokenKind::RightParenthesis});
            break;
        }
    }

    std::vector<Completion> take() {
        std::stable_sort(m_found.begin(), m_found.end(), [this](const auto& a, const auto& b) {
            return beginsWell(a.text) && !beginsWell(b.text);
        });
        return std::move(m_found);
    }

  private:
    static std::string_view unquoted(std::string_view text) {
        if (text.starts_with('"'))
            text.remove_prefix(1);
        return text;
    }

    bool beginsWell(std::string_view text) const {
        return startsWithIgnoringCase(unquoted(text), m_word.prefix);
    }

    void add(std::string text, CompletionKind kind, std::string detail = {}) {
        // Inside a number's digits nobody looks for a part.
        const bool isDigits =
            !m_word.prefix.empty() && m_word.prefix[0] >= '0' && m_word.prefix[0] <= '9';
        if (isDigits ? !beginsWell(text) : !containsIgnoringCase(text, m_word.prefix))
            return;
        m_found.push_back({std::move(text), kind, std::move(detail), m_word.begin, m_word.end});
    }

    void addFields(bool onlyNumbers) {
        for (std::size_t i = 0; i < m_schema.fields().size(); ++i) {
            const FilterField& field = m_schema.field(i);
            if (onlyNumbers && !field.isNumber())
                continue;
            const bool qualified = startsWithIgnoringCase(m_word.prefix, "field.");
            if (qualified && !field.isOfRecord())
                continue;
            std::string detail = field.meaning;
            if (!field.unit.empty())
                detail += " (" + field.unit + ")";
            add(qualified ? "field." + field.name : m_schema.writtenName(i), CompletionKind::Field,
                std::move(detail));
        }
    }

    void addComparisons(const FilterField& field) {
        const auto addOperators = [this](std::initializer_list<TokenKind> kinds) {
            for (const TokenKind kind : kinds)
                add(std::string(tokenText(kind)), CompletionKind::Operator);
        };
        addOperators({TokenKind::Equal, TokenKind::NotEqual});
        if (field.isNumber() || field.isOrdered)
            addOperators({TokenKind::Less, TokenKind::LessEqual, TokenKind::Greater,
                          TokenKind::GreaterEqual});
        addOperators({TokenKind::In});
        if (!field.isNumber())
            addOperators({TokenKind::Contains, TokenKind::Matches});
    }

    void addKeywords(std::initializer_list<TokenKind> kinds) {
        for (const TokenKind kind : kinds)
            add(std::string(tokenText(kind)), CompletionKind::Keyword);
    }

    /// The names that the field has, then the values that occur, each once and in order.
    void addValues(std::size_t index) {
        const FilterField& field = m_schema.field(index);
        for (const std::string& name : field.names)
            add(quoteFilterValue(name), CompletionKind::Value);
        if (!m_source || !field.names.empty())
            return;
        std::set<FilterValue> values;
        const std::size_t operators = std::min(m_source->size(), kMaxOperators);
        for (std::size_t i = 0; i < operators; ++i) {
            FilterValue value = m_source->value(field, i);
            const auto* text = std::get_if<std::string>(&value);
            if (isKnown(value) && (!text || text->size() <= kMaxValueBytes))
                values.insert(std::move(value));
        }
        std::size_t added = 0;
        for (auto value = values.begin(); value != values.end() && added < kMaxValues; ++value) {
            const std::size_t before = m_found.size();
            add(quoteFilterValue(*value), CompletionKind::Value);
            added += m_found.size() - before;
        }
    }

    const FilterSchema& m_schema;
    const FilterSource* m_source;
    TypedWord m_word;
    std::vector<Completion> m_found;
};

/// What of `token` stands before the cursor, without an opening quote.
std::string prefixOf(std::string_view text, const Token& token, std::size_t cursor) {
    std::string_view prefix = text.substr(token.begin, cursor - token.begin);
    if (prefix.starts_with('"') || prefix.starts_with('\''))
        prefix.remove_prefix(1);
    return std::string(prefix);
}

} // namespace

std::vector<Completion> complete(std::string_view text, std::size_t cursor,
                                 const FilterSchema& schema, const FilterSource* source) {
    if (text.size() > kMaxFilterBytes)
        return {};
    cursor = std::min(cursor, text.size());
    Automaton automaton(schema);
    TypedWord word{cursor, cursor, {}};
    for (std::size_t at = 0; at < cursor;) {
        const Token token = nextToken(text, at);
        if (token.kind == TokenKind::End || token.begin >= cursor)
            break;
        if (token.end >= cursor && isTyped(text, token)) {
            word = {token.begin, token.end, prefixOf(text, token, cursor)};
            break;
        }
        automaton.take(token);
        at = token.end;
    }
    Collector collector(schema, source, std::move(word));
    collector.addAll(automaton);
    return collector.take();
}

} // namespace plumbline
