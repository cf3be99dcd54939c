// SPDX-License-Identifier: GPL-3.0-or-later
// Recursive descent over the grammar of docs/filter.md. External interface: parseFilter.
#include <optional>

#include <fmt/format.h>

#include "core/filter/filter.h"
#include "core/filter/pattern.h"
#include "core/filter/token_reader.h"

namespace plumbline {
namespace {

using Kind = FilterNode::Kind;
using MaybeNode = std::optional<FilterNode>; ///< nothing: the error is set

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

double asReal(const FilterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    return std::get<double>(value);
}

class Parser : private TokenReader {
  public:
    Parser(std::string_view text, const FilterSchema& schema)
        : TokenReader(text)
        , m_schema(schema) {}

    Result<Filter> run() {
        if (source().size() > kMaxFilterBytes) {
            fail(Code::FilterTooLong, kMaxFilterBytes, source().size(),
                 fmt::format("The filter has {} bytes; at most {} are read", source().size(),
                             kMaxFilterBytes));
            return *error();
        }
        take();
        MaybeNode root;
        if (current().kind != TokenKind::End) {
            root = alternatives();
            if (root && current().kind != TokenKind::End)
                failTrailing();
        }
        if (error())
            return *error();
        std::shared_ptr<const FilterNode> shared;
        if (root)
            shared = std::make_shared<const FilterNode>(*std::move(root));
        return Filter(m_schema, std::string(source()), std::move(shared));
    }

  private:
    void failTrailing() {
        if (current().kind == TokenKind::RightParenthesis)
            failAt(current(), Code::FilterUnclosed, "This ')' closes nothing");
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
        if (error())
            return std::nullopt;
        if (node.children.size() > 1)
            return node;
        FilterNode only = std::move(node.children.front());
        return only;
    }

    MaybeNode alternatives() { return chain(Kind::Or, TokenKind::Or, &Parser::conjunction); }
    MaybeNode conjunction() { return chain(Kind::And, TokenKind::And, &Parser::negation); }

    MaybeNode negation() {
        if (current().kind != TokenKind::Not)
            return primary();
        const Token word = current();
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
        if (current().kind == TokenKind::LeftParenthesis)
            return parenthesis();
        if (current().kind == TokenKind::Number)
            return failAt(current(), Code::FilterSyntax,
                          "A number alone is no condition; compare a field with it, or quote it");
        if (!isText(current()))
            return failHere("A condition, such as cout > 32,");
        const Token subject = current();
        take();
        if (error())
            return std::nullopt;
        const bool negates = current().kind == TokenKind::Not;
        const bool compared =
            comparisonOf(current().kind) || negates || current().kind == TokenKind::In ||
            current().kind == TokenKind::Contains || current().kind == TokenKind::Matches;
        if (!compared)
            return bareText(subject);
        const std::optional<std::size_t> field = fieldOf(subject);
        if (!field)
            return std::nullopt;
        if (!negates)
            return condition(*field);
        take();
        if (current().kind != TokenKind::In && current().kind != TokenKind::Contains)
            return failHere("'in' or 'contains'");
        MaybeNode node = condition(*field);
        return node ? MaybeNode(negated(*std::move(node))) : std::nullopt;
    }

    MaybeNode parenthesis() {
        const Token open = current();
        if (!enter(open))
            return std::nullopt;
        take();
        MaybeNode inside = alternatives();
        --m_depth;
        if (!inside)
            return std::nullopt;
        if (current().kind == TokenKind::End)
            return failAt(open, Code::FilterUnclosed, "This '(' is not closed");
        if (current().kind != TokenKind::RightParenthesis)
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

    /// What follows a field; the current token is the comparison.
    MaybeNode condition(std::size_t field) {
        const Token how = current();
        take();
        if (error())
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
        if (current().kind == TokenKind::Unknown) {
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
        if (field.isNumber() && current().kind == TokenKind::Word) {
            node.operand.field = otherField(field);
            if (!node.operand.field)
                return std::nullopt;
            take();
            return node;
        }
        std::optional<FilterValue> literal = takeValue(field);
        if (!literal)
            return std::nullopt;
        node.operand.literal = *std::move(literal);
        return node;
    }

    /// The field that the current word names, if it can be compared with `field`.
    std::optional<std::size_t> otherField(const FilterField& field) {
        const std::optional<std::size_t> other = m_schema.find(current().text);
        if (other && m_schema.field(*other).isNumber())
            return other;
        failAt(current(), Code::FilterType,
               fmt::format("'{}' is a number; '{}' is neither a number nor a field that holds one",
                           field.name, current().text));
        return std::nullopt;
    }

    // --- sets and ranges

    MaybeNode membership(FilterNode node) {
        node.kind = Kind::In;
        const FilterField& field = m_schema.field(node.field);
        const Token open = current();
        if (open.kind != TokenKind::LeftBrace)
            return loneRange(std::move(node), field);
        do {
            take();
            if (error() || !item(node, field))
                return std::nullopt;
        } while (current().kind == TokenKind::Comma);
        if (current().kind == TokenKind::End)
            return failAt(open, Code::FilterUnclosed, "This '{' is not closed");
        if (current().kind != TokenKind::RightBrace)
            return failHere("',' or '}'");
        take();
        return node;
    }

    MaybeNode loneRange(FilterNode node, const FilterField& field) {
        const Token first = current();
        if (!item(node, field))
            return std::nullopt;
        if (!node.items.front().high)
            return failAt(first, Code::FilterSyntax,
                          "After 'in' stands a range such as 16..64 or a set such as {16, 32}");
        return node;
    }

    bool item(FilterNode& node, const FilterField& field) {
        const Token first = current();
        std::optional<FilterValue> low = takeValue(field);
        if (!low)
            return false;
        FilterItem made{*std::move(low), std::nullopt};
        if (current().kind == TokenKind::Range) {
            if (!field.isNumber()) {
                failAt(current(), Code::FilterType,
                       fmt::format("'{}' is text; ranges are of numbers", field.name));
                return false;
            }
            take();
            made.high = error() ? std::nullopt : takeValue(field);
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
        if (!isText(current()))
            return current().kind == TokenKind::Number ? (text(field), std::nullopt)
                                                       : failHere("A text");
        node.kind = how.kind == TokenKind::Contains ? Kind::Contains : Kind::Matches;
        node.text = current().text;
        if (node.kind == Kind::Matches && !compile(node))
            return std::nullopt;
        take();
        return node;
    }

    bool compile(FilterNode& node) {
        Result<Pattern> pattern = Pattern::compile(node.text);
        if (!pattern) {
            // Escapes make the text's bytes differ from the pattern's: mark all of it.
            failAt(current(), Code::FilterPattern,
                   fmt::format("{}, at byte {} of the expression",
                               pattern.diagnostics().front().message,
                               pattern.diagnostics().front().where.byte.value_or(0)));
            return false;
        }
        node.pattern = std::make_shared<const Pattern>(*std::move(pattern));
        return true;
    }

    const FilterSchema& m_schema;
    int m_depth = 0;
};

} // namespace

Result<Filter> parseFilter(std::string_view text, const FilterSchema& schema) {
    return Parser(text, schema).run();
}

} // namespace plumbline
