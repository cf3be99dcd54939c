// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation. A comparison with an unknown value is false, whichever it is.
#include "core/filter/filter.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "core/filter/pattern.h"
#include "core/filter/source.h"
#include "core/filter/text.h"

namespace plumbline {
namespace {

using Kind = FilterNode::Kind;

/// Exact, also where a double cannot hold the integer.
std::partial_ordering compareExactly(std::int64_t a, double b) {
    constexpr double kBeyond = 9223372036854775808.0; // 2^63
    if (std::isnan(b))
        return std::partial_ordering::unordered;
    if (b >= kBeyond)
        return std::partial_ordering::less;
    if (b < -kBeyond)
        return std::partial_ordering::greater;
    const double floor = std::floor(b);
    const auto wholeOrder = a <=> static_cast<std::int64_t>(floor);
    if (wholeOrder != 0)
        return wholeOrder;
    return floor < b ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering compareNumbers(const FilterValue& a, const FilterValue& b) {
    const auto* wholeA = std::get_if<std::int64_t>(&a);
    const auto* wholeB = std::get_if<std::int64_t>(&b);
    if (wholeA && wholeB)
        return *wholeA <=> *wholeB;
    if (wholeA)
        return compareExactly(*wholeA, std::get<double>(b));
    if (wholeB)
        return 0 <=> compareExactly(*wholeB, std::get<double>(a));
    return std::get<double>(a) <=> std::get<double>(b);
}

float asSingle(const FilterValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole ? static_cast<float>(*whole) : static_cast<float>(std::get<double>(value));
}

std::int64_t rankOf(const FilterField& field, const FilterValue& value) {
    const auto found =
        std::find(field.names.begin(), field.names.end(), std::get<std::string>(value));
    return found - field.names.begin();
}

/// `a` is the field's value.
std::partial_ordering compare(const FilterField& field, const FilterValue& a,
                              const FilterValue& b) {
    if (!isKnown(a) || !isKnown(b))
        return std::partial_ordering::unordered;
    if (field.type == FilterType::Real)
        return asSingle(a) <=> asSingle(b);
    if (field.isNumber())
        return compareNumbers(a, b);
    if (field.isOrdered)
        return rankOf(field, a) <=> rankOf(field, b);
    return equalsIgnoringCase(std::get<std::string>(a), std::get<std::string>(b))
               ? std::partial_ordering::equivalent
               : std::partial_ordering::less;
}

bool holds(FilterComparison comparison, std::partial_ordering order) {
    if (order == std::partial_ordering::unordered)
        return false;
    switch (comparison) {
    case FilterComparison::Equal:
        return order == 0;
    case FilterComparison::NotEqual:
        return order != 0;
    case FilterComparison::Less:
        return order < 0;
    case FilterComparison::LessEqual:
        return order <= 0;
    case FilterComparison::Greater:
        return order > 0;
    case FilterComparison::GreaterEqual:
        return order >= 0;
    }
    return false;
}

} // namespace

bool FilterEvaluation::matches(const FilterNode& node) const {
    const auto childMatches = [this](const FilterNode& child) { return matches(child); };
    switch (node.kind) {
    case Kind::And:
        return std::all_of(node.children.begin(), node.children.end(), childMatches);
    case Kind::Or:
        return std::any_of(node.children.begin(), node.children.end(), childMatches);
    case Kind::Not:
        return !matches(node.children.front());
    case Kind::Compare:
        return compares(node);
    case Kind::In:
        return isIn(node);
    case Kind::Contains:
    case Kind::Matches:
        return hasText(node);
    case Kind::Text:
        return containsIgnoringCase(m_subject.op.name, node.text) ||
               containsIgnoringCase(m_subject.op.opcodeName, node.text);
    }
    return false;
}

FilterValue FilterEvaluation::value(std::size_t field) const {
    return filterValue(m_schema.field(field), m_subject);
}

bool FilterEvaluation::compares(const FilterNode& node) const {
    const FilterValue ours = value(node.field);
    if (!node.operand.field && !isKnown(node.operand.literal))
        return isKnown(ours) == (node.comparison == FilterComparison::NotEqual);
    const FilterValue theirs =
        node.operand.field ? value(*node.operand.field) : node.operand.literal;
    return holds(node.comparison, compare(m_schema.field(node.field), ours, theirs));
}

bool FilterEvaluation::isIn(const FilterNode& node) const {
    const FilterField& field = m_schema.field(node.field);
    const FilterValue ours = value(node.field);
    return std::any_of(node.items.begin(), node.items.end(), [&](const FilterItem& item) {
        const std::partial_ordering low = compare(field, ours, item.low);
        return item.high ? low >= 0 && compare(field, ours, *item.high) <= 0 : low == 0;
    });
}

bool FilterEvaluation::hasText(const FilterNode& node) const {
    const FilterValue ours = value(node.field);
    const auto* text = std::get_if<std::string>(&ours);
    if (!text)
        return false;
    return node.kind == Kind::Contains ? containsIgnoringCase(*text, node.text)
                                       : node.pattern->isFoundIn(*text);
}

FilterValue filterValue(const FilterField& field, const FilterSubject& subject) {
    if (field.getter)
        return field.getter(subject);
    const auto& records = subject.lowering.records;
    const std::optional<std::int64_t> record = subject.op.record;
    if (!field.spec || !record || *record < 0 ||
        static_cast<std::size_t>(*record) >= records.size())
        return {};
    const Bytes& bytes = records[static_cast<std::size_t>(*record)].bytes;
    if (bytes.size() < (std::size_t{field.spec->word} + 1) * 4)
        return {};
    return fieldValue(bytes, *field.spec);
}

} // namespace plumbline
