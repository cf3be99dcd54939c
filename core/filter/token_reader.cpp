// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/filter/token_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/filter/text.h"

namespace plumbline {
namespace {

constexpr std::size_t kMaxListedNames = 12;

} // namespace

void TokenReader::take() {
    m_current = nextToken(m_source, m_next);
    m_next = m_current.end;
    if (m_current.kind == TokenKind::Bad)
        fail(m_current.code, m_current.begin, m_current.end, m_current.text);
}

bool TokenReader::takeIf(TokenKind kind) {
    if (m_current.kind != kind)
        return false;
    take();
    return true;
}

std::nullopt_t TokenReader::fail(Code code, std::size_t begin, std::size_t end,
                                 const std::string& message) {
    if (m_error)
        return std::nullopt;
    Location where;
    where.byte = begin;
    // A mark over megabytes helps nobody.
    where.part = m_source.substr(begin, std::min<std::size_t>(end - begin, kMaxFilterBytes));
    m_error = makeError(code, message + (message.ends_with('?') ? "" : "."), where);
    return std::nullopt;
}

std::nullopt_t TokenReader::failAt(const Token& token, Code code, const std::string& message) {
    return fail(code, token.begin, token.end, message);
}

std::nullopt_t TokenReader::failHere(std::string_view expected) {
    const bool atEnd = m_current.kind == TokenKind::End;
    return failAt(
        m_current, Code::FilterSyntax,
        fmt::format("{} must stand here{}", expected, atEnd ? "; the filter ends too early" : ""));
}

std::optional<FilterValue> TokenReader::takeValue(const FilterField& field) {
    if (m_current.kind != TokenKind::Number && !isText(m_current))
        return failHere(field.isNumber() ? "A number" : "A text");
    std::optional<FilterValue> made = field.isNumber()                 ? number(field)
                                      : field.type == FilterType::Name ? name(field)
                                                                       : text(field);
    if (made)
        take();
    return m_error ? std::nullopt : made;
}

std::optional<FilterValue> TokenReader::number(const FilterField& field) {
    if (m_current.kind != TokenKind::Number)
        return failAt(m_current, Code::FilterType,
                      fmt::format("'{}' is a number and cannot be compared with text", field.name));
    if (m_current.countsBytes && !field.countsBytes())
        return failAt(m_current, Code::FilterType,
                      fmt::format("'{}' does not count bytes", field.name));
    return std::visit([](auto number) { return FilterValue(number); }, m_current.number);
}

std::optional<FilterValue> TokenReader::text(const FilterField& field) {
    if (isText(m_current))
        return m_current.text;
    return failAt(m_current, Code::FilterType,
                  fmt::format("'{}' is text; quote the value: \"{}\"", field.name,
                              m_source.substr(m_current.begin, m_current.end - m_current.begin)));
}

std::optional<FilterValue> TokenReader::name(const FilterField& field) {
    if (!isText(m_current))
        return text(field);
    for (const std::string& known : field.names) {
        if (equalsIgnoringCase(known, m_current.text))
            return known;
    }
    std::string help = suggestion(nearestOf(m_current.text, field.names));
    if (help.empty() && field.names.size() <= kMaxListedNames)
        help = fmt::format("; it is one of {}", fmt::join(field.names, ", "));
    return failAt(m_current, Code::FilterName,
                  fmt::format("'{}' is never '{}'{}", field.name, m_current.text, help));
}

std::string suggestion(const std::string& name) {
    return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

} // namespace plumbline
