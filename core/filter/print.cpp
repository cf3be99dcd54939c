// SPDX-License-Identifier: GPL-3.0-or-later
// Filters and their errors as text.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/filter/filter.h"
#include "core/filter/lexer.h"

namespace plumbline {
namespace {

constexpr std::array kComparisons{
    TokenKind::Equal,     TokenKind::NotEqual, TokenKind::Less,
    TokenKind::LessEqual, TokenKind::Greater,  TokenKind::GreaterEqual,
};

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + '"';
}

class Printer {
  public:
    explicit Printer(const FilterSchema& schema)
        : m_schema(schema) {}

    std::string print(const FilterNode& node) const {
        switch (node.kind) {
        case FilterNode::Kind::And:
            return joined(node, TokenKind::And);
        case FilterNode::Kind::Or:
            return joined(node, TokenKind::Or);
        case FilterNode::Kind::Not:
            return "not " + inner(node.children.front());
        case FilterNode::Kind::Compare:
            return comparison(node);
        case FilterNode::Kind::In:
            return fmt::format("{} in {}", m_schema.writtenName(node.field), set(node));
        case FilterNode::Kind::Contains:
            return textTest(node, TokenKind::Contains);
        case FilterNode::Kind::Matches:
            return textTest(node, TokenKind::Matches);
        case FilterNode::Kind::Text:
            return m_schema.find(node.text) ? quoted(node.text) : quoteFilterValue(node.text);
        }
        return "";
    }

  private:
    /// In parentheses where it is made of several conditions.
    std::string inner(const FilterNode& node) const {
        const bool several =
            node.kind == FilterNode::Kind::And || node.kind == FilterNode::Kind::Or;
        return several ? fmt::format("({})", print(node)) : print(node);
    }

    std::string joined(const FilterNode& node, TokenKind word) const {
        std::string out;
        for (const FilterNode& child : node.children)
            out += (out.empty() ? "" : fmt::format(" {} ", tokenText(word))) + inner(child);
        return out;
    }

    std::string comparison(const FilterNode& node) const {
        const std::string operand = node.operand.field ? m_schema.writtenName(*node.operand.field)
                                                       : quoteFilterValue(node.operand.literal);
        return fmt::format("{} {} {}", m_schema.writtenName(node.field),
                           tokenText(kComparisons[static_cast<std::size_t>(node.comparison)]),
                           operand);
    }

    std::string textTest(const FilterNode& node, TokenKind word) const {
        return fmt::format("{} {} {}", m_schema.writtenName(node.field), tokenText(word),
                           quoteFilterValue(node.text));
    }

    static std::string set(const FilterNode& node) {
        std::string out;
        for (const FilterItem& item : node.items) {
            out += out.empty() ? "" : ", ";
            out += quoteFilterValue(item.low);
            if (item.high)
                out += ".." + quoteFilterValue(*item.high);
        }
        const bool isRange = node.items.size() == 1 && node.items.front().high;
        return isRange ? out : "{" + out + "}";
    }

    const FilterSchema& m_schema;
};

/// The shortest decimal text that reads back as `value`.
std::string realText(double value) {
    if (!std::isfinite(value))
        return "unknown";
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

bool continuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Characters of UTF-8 text, about as many columns of a terminal.
std::size_t columns(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continuesCharacter));
}

} // namespace

std::string quoteFilterValue(const FilterValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return std::to_string(*number);
    if (const auto* number = std::get_if<double>(&value))
        return realText(*number);
    if (const auto* text = std::get_if<std::string>(&value))
        return isPlainWord(*text) ? *text : quoted(*text);
    return std::string(tokenText(TokenKind::Unknown));
}

std::string filterFor(const FilterSchema& schema, std::size_t field, const FilterValue& value) {
    return fmt::format("{} == {}", schema.writtenName(field), quoteFilterValue(value));
}

std::string toText(const Filter& filter) {
    return filter.isEmpty() ? "" : Printer(filter.schema()).print(*filter.root());
}

std::size_t errorLength(const Diagnostic& error) {
    return std::max<std::size_t>(1, error.where.part.size());
}

std::string markedText(std::string_view text, const Diagnostic& error) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    const std::size_t begin = std::min<std::size_t>(error.where.byte.value_or(0), text.size());
    const std::size_t marked = std::max<std::size_t>(1, columns(error.where.part));
    return line + "\n" + std::string(columns(text.substr(0, begin)), ' ') + "^" +
           std::string(marked - 1, '~');
}

} // namespace plumbline
