// SPDX-License-Identifier: GPL-3.0-or-later
// Recursive descent over the grammar of docs/filter.md. External interface: parseFilter.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/filter/filter.h"
#include "core/filter/lexer.h"
#include "core/filter/pattern.h"
#include "core/filter/text.h"

namespace plumbline {
namespace {

using Kind = FilterNode::Kind;
using MaybeNode = std::optional<FilterNode>; ///< nothing: the error is set

constexpr std::size_t kMaxListedNames = 12;

std::optional<FilterComparison> comparisonOf(TokenKind kind) {
    switch (kind) {
    case TokenKind::Equal:
        return FilterComparison::Equal;
    case TokenKind::NotEqual:
        return FilterComparison::NotEqual;
    case TokenKind::Less:
        return FilterComparison::Less;
    case TokenKind::LessEqual:
        return FilterComparison::LessEqual;
    case TokenKind::Greater:
        return FilterComparison::Greater;
    case TokenKind::GreaterEqual:
        return FilterComparison::GreaterEqual;
    default:
        return std::nullopt;
    }
}

bool isEquality(FilterComparison comparison) {
    return comparison == FilterComparison::Equal || comparison == FilterComparison::NotEqual;
}

bool isText(const Token& token) {
    return token.kind == TokenKind::Word || token.kind == TokenKind::Quoted;
}

double asReal(const FilterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return std::get<double>(value);
}

class Parser {
  public:
    Parser(std::string_view text, const FilterSchema& schema)
        : m_text(text)
        , m_schema(schema) {}

    Result<Filter> run() {
        if (m_text.size() > kMaxFilterBytes) {
            fail(Code::FilterTooLong, kMaxFilterBytes, m_text.size(),
                 fmt::format("The filter has {} bytes; at most {} are read", m_text.size(),
                             kMaxFilterBytes));
            return *m_error;
        }
        take();
        MaybeNode root;
        if (m_token.kind != TokenKind::End) {
            root = alternatives();
            if (root && m_token.kind != TokenKind::End)
                failTrailing();
        }
        if (m_error)
            return *m_error;
        std::shared_ptr<const FilterNode> shared;
        if (root)
            shared = std::make_shared<const FilterNode>(*std::move(root));
        return Filter(m_schema, std::string(m_text), std::move(shared));
    }

  private:
    // --- tokens and errors

    void take() {
        m_token = nextToken(m_text, m_next);
        m_next = m_token.end;
        if (m_token.kind == TokenKind::Bad)
            fail(m_token.code, m_token.begin, m_token.end, m_token.text);
    }

    bool takeIf(TokenKind kind) {
        if (m_token.kind != kind)
            return false;
        take();
        return true;
    }

    std::nullopt_t fail(Code code, std::size_t begin, std::size_t end, std::string message) {
        if (m_error)
            return std::nullopt;
        Location where;
        where.byte = begin;
        // A mark over megabytes helps nobody.
        where.part = m_text.substr(begin, std::min<std::size_t>(end - begin, kMaxFilterBytes));
        m_error = makeError(code, message + (message.ends_with('?') ? "" : "."), where);
        return std::nullopt;
    }

    std::nullopt_t failAt(const Token& token, Code code, std::string message) {
        return fail(code, token.begin, token.end, std::move(message));
    }

    std::nullopt_t failHere(std::string_view expected) {
        const bool atEnd = m_token.kind == TokenKind::End;
        return failAt(m_token, Code::FilterSyntax,
                      fmt::format("{} must stand here{}", expected,
                                  atEnd ? "; the filter ends too early" : ""));
    }

    void failTrailing() {
        if (m_token.kind == TokenKind::RightParenthesis)
            failAt(m_token, Code::FilterUnclosed, "This ')' closes nothing");
        else
            failHere("'and', 'or' or the filter's end");
    }

    // --- conditions

    MaybeNode chain(Kind kind, TokenKind word, MaybeNode (Parser::*part)()) {
        FilterNode node;
        node.kind = kind;
        do {
            MaybeNode child = (this->*part)();
            if (!child)
                return std::nullopt;
            node.children.push_back(*std::move(child));
        } while (takeIf(word));
        if (m_error)
            return std::nullopt;
        if (node.children.size() > 1)
            return node;
        FilterNode only = std::move(node.children.front());
        return only;
    }

    MaybeNode alternatives() { return chain(Kind::Or, TokenKind::Or, &Parser::conjunction); }
    MaybeNode conjunction() { return chain(Kind::And, TokenKind::And, &Parser::negation); }

    MaybeNode negation() {
        if (m_token.kind != TokenKind::Not)
            return primary();
        const Token word = m_token;
        if (!enter(word))
            return std::nullopt;
        take();
        MaybeNode child = negation();
        --m_depth;
        if (!child)
            return std::nullopt;
        return negated(*std::move(child));
    }

    static FilterNode negated(FilterNode child) {
        FilterNode node;
        node.kind = Kind::Not;
        node.children.push_back(std::move(child));
        return node;
    }

    bool enter(const Token& token) {
        if (++m_depth <= kMaxFilterNesting)
            return true;
        failAt(token, Code::FilterNesting,
               fmt::format("Conditions are nested more than {} deep", kMaxFilterNesting));
        return false;
    }

    MaybeNode primary() {
        if (m_token.kind == TokenKind::LeftParenthesis)
            return parenthesis();
        if (m_token.kind == TokenKind::Number)
            return failAt(m_token, Code::FilterSyntax,
                          "A number alone is no condition; compare a field with it, or quote it");
        if (!isText(m_token))
            return failHere("A condition, such as cout > 32,");
        const Token subject = m_token;
        take();
        if (m_error)
            return std::nullopt;
        const bool negates = m_token.kind == TokenKind::Not;
        const bool compared =
            comparisonOf(m_token.kind) || negates || m_token.kind == TokenKind::In ||
            m_token.kind == TokenKind::Contains || m_token.kind == TokenKind::Matches;
        if (!compared)
            return bareText(subject);
        const std::optional<std::size_t> field = fieldOf(subject);
        if (!field)
            return std::nullopt;
        if (!negates)
            return condition(*field);
        take();
        if (m_token.kind != TokenKind::In && m_token.kind != TokenKind::Contains)
            return failHere("'in' or 'contains'");
        MaybeNode node = condition(*field);
        return node ? MaybeNode(negated(*std::move(node))) : std::nullopt;
    }

    MaybeNode parenthesis() {
        const Token open = m_token;
        if (!enter(open))
            return std::nullopt;
        take();
        MaybeNode inside = alternatives();
        --m_depth;
        if (!inside)
            return std::nullopt;
        if (m_token.kind == TokenKind::End)
            return failAt(open, Code::FilterUnclosed, "This '(' is not closed");
        if (m_token.kind != TokenKind::RightParenthesis)
            return failHere("'and', 'or' or ')'");
        take();
        return inside;
    }

    MaybeNode bareText(const Token& subject) {
        if (subject.kind == TokenKind::Word && m_schema.find(subject.text))
            return failAt(
                subject, Code::FilterSyntax,
                fmt::format("'{}' is a field, and a comparison must follow it; quote it to "
                            "search for the text",
                            subject.text));
        FilterNode node;
        node.kind = Kind::Text;
        node.text = subject.text;
        return node;
    }

    std::optional<std::size_t> fieldOf(const Token& token) {
        if (token.kind == TokenKind::Quoted) {
            failAt(token, Code::FilterSyntax, "A comparison begins with a field's name, unquoted");
            return std::nullopt;
        }
        const std::optional<std::size_t> field = m_schema.find(token.text);
        if (!field)
            failAt(token, Code::FilterField,
                   fmt::format("There is no field '{}'{}", token.text,
                               suggestion(m_schema.nearest(token.text))));
        return field;
    }

    static std::string suggestion(const std::string& name) {
        return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
    }

    /// What follows a field; the current token is the comparison.
    MaybeNode condition(std::size_t field) {
        const Token how = m_token;
        take();
        if (m_error)
            return std::nullopt;
        FilterNode node;
        node.field = field;
        if (how.kind == TokenKind::In)
            return membership(std::move(node));
        if (how.kind == TokenKind::Contains || how.kind == TokenKind::Matches)
            return textTest(std::move(node), how);
        node.kind = Kind::Compare;
        node.comparison = *comparisonOf(how.kind);
        return comparison(std::move(node), how);
    }

    // --- comparisons with one value

    MaybeNode comparison(FilterNode node, const Token& how) {
        const FilterField& field = m_schema.field(node.field);
        if (m_token.kind == TokenKind::Unknown) {
            if (!isEquality(node.comparison))
                return failAt(how, Code::FilterType,
                              "With 'unknown', only == and != have a meaning");
            take();
            return node;
        }
        const bool isOrdered = field.isNumber() || field.isOrdered;
        if (!isOrdered && !isEquality(node.comparison))
            return failAt(how, Code::FilterType,
                          fmt::format("'{}' is text without an order; it compares with == and !=",
                                      field.name));
        if (field.isNumber() && m_token.kind == TokenKind::Word) {
            node.operand.field = otherField(field);
            if (!node.operand.field)
                return std::nullopt;
            take();
            return node;
        }
        std::optional<FilterValue> literal = value(field);
        if (!literal)
            return std::nullopt;
        node.operand.literal = *std::move(literal);
        return node;
    }

    /// The field that the current word names, if it can be compared with `field`.
    std::optional<std::size_t> otherField(const FilterField& field) {
        const std::optional<std::size_t> other = m_schema.find(m_token.text);
        if (other && m_schema.field(*other).isNumber())
            return other;
        failAt(m_token, Code::FilterType,
               fmt::format("'{}' is a number; '{}' is neither a number nor a field that holds one",
                           field.name, m_token.text));
        return std::nullopt;
    }

    /// The literal at the current token, as `field` takes it.
    std::optional<FilterValue> value(const FilterField& field) {
        if (m_token.kind != TokenKind::Number && !isText(m_token))
            return failHere(field.isNumber() ? "A number" : "A text");
        std::optional<FilterValue> made = field.isNumber()                 ? number(field)
                                          : field.type == FilterType::Name ? name(field)
                                                                           : text(field);
        if (made)
            take();
        return m_error ? std::nullopt : made;
    }

    std::optional<FilterValue> number(const FilterField& field) {
        if (m_token.kind != TokenKind::Number)
            return failAt(
                m_token, Code::FilterType,
                fmt::format("'{}' is a number and cannot be compared with text", field.name));
        if (m_token.countsBytes && !field.countsBytes())
            return failAt(m_token, Code::FilterType,
                          fmt::format("'{}' does not count bytes", field.name));
        return std::visit([](auto number) { return FilterValue(number); }, m_token.number);
    }

    std::optional<FilterValue> text(const FilterField& field) {
        if (isText(m_token))
            return m_token.text;
        return failAt(m_token, Code::FilterType,
                      fmt::format("'{}' is text; quote the value: \"{}\"", field.name,
                                  m_text.substr(m_token.begin, m_token.end - m_token.begin)));
    }

    std::optional<FilterValue> name(const FilterField& field) {
        if (!isText(m_token))
            return text(field);
        for (const std::string& known : field.names) {
            if (equalsIgnoringCase(known, m_token.text))
                return known;
        }
        std::string help = suggestion(nearestOf(m_token.text, field.names));
        if (help.empty() && field.names.size() <= kMaxListedNames)
            help = fmt::format("; it is one of {}", fmt::join(field.names, ", "));
        return failAt(m_token, Code::FilterName,
                      fmt::format("'{}' is never '{}'{}", field.name, m_token.text, help));
    }

    // --- sets and ranges

    MaybeNode membership(FilterNode node) {
        node.kind = Kind::In;
        const FilterField& field = m_schema.field(node.field);
        const Token open = m_token;
        if (open.kind != TokenKind::LeftBrace)
            return loneRange(std::move(node), field);
        do {
            take();
            if (m_error || !item(node, field))
                return std::nullopt;
        } while (m_token.kind == TokenKind::Comma);
        if (m_token.kind == TokenKind::End)
            return failAt(open, Code::FilterUnclosed, "This '{' is not closed");
        if (m_token.kind != TokenKind::RightBrace)
            return failHere("',' or '}'");
        take();
        return node;
    }

    MaybeNode loneRange(FilterNode node, const FilterField& field) {
        const Token first = m_token;
        if (!item(node, field))
            return std::nullopt;
        if (!node.items.front().high)
            return failAt(first, Code::FilterSyntax,
                          "After 'in' stands a range such as 16..64 or a set such as {16, 32}");
        return node;
    }

    bool item(FilterNode& node, const FilterField& field) {
        const Token first = m_token;
        std::optional<FilterValue> low = value(field);
        if (!low)
            return false;
        FilterItem made{*std::move(low), std::nullopt};
        if (m_token.kind == TokenKind::Range) {
            if (!field.isNumber()) {
                failAt(m_token, Code::FilterType,
                       fmt::format("'{}' is text; ranges are of numbers", field.name));
                return false;
            }
            take();
            made.high = m_error ? std::nullopt : value(field);
            if (!made.high)
                return false;
            if (asReal(made.low) > asReal(*made.high)) {
                fail(Code::FilterNumber, first.begin, first.end,
                     "The range is empty: it begins above its end");
                return false;
            }
        }
        node.items.push_back(std::move(made));
        return true;
    }

    // --- parts of texts

    MaybeNode textTest(FilterNode node, const Token& how) {
        const FilterField& field = m_schema.field(node.field);
        if (field.isNumber())
            return failAt(how, Code::FilterType,
                          fmt::format("'{}' is a number; only text has parts", field.name));
        if (!isText(m_token))
            return m_token.kind == TokenKind::Number ? (text(field), std::nullopt)
                                                     : failHere("A text");
        node.kind = how.kind == TokenKind::Contains ? Kind::Contains : Kind::Matches;
        node.text = m_token.text;
        if (node.kind == Kind::Matches && !compile(node))
            return std::nullopt;
        take();
        return node;
    }

    bool compile(FilterNode& node) {
        Result<Pattern> pattern = Pattern::compile(node.text);
        if (!pattern) {
            // Escapes make the text's bytes differ from the pattern's: mark all of it.
            failAt(m_token, Code::FilterPattern,
                   fmt::format("{}, at byte {} of the expression",
                               pattern.diagnostics().front().message,
                               pattern.diagnostics().front().where.byte.value_or(0)));
            return false;
        }
        node.pattern = std::make_shared<const Pattern>(*std::move(pattern));
        return true;
    }

    std::string_view m_text;
    const FilterSchema& m_schema;
    std::size_t m_next = 0; ///< byte after the current token
    Token m_token;
    int m_depth = 0;
    std::optional<Diagnostic> m_error;
};

} // namespace

Result<Filter> parseFilter(std::string_view text, const FilterSchema& schema) {
    return Parser(text, schema).run();
}

} // namespace plumbline
