// SPDX-License-Identifier: GPL-3.0-or-later
// Filters over operators and their records: one language for every view and command. The language
// is described in docs/filter.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/filter/schema.h"

namespace plumbline {

class Pattern;

inline constexpr std::size_t kMaxFilterBytes = 4096;
inline constexpr int kMaxFilterNesting = 64; ///< parentheses and "not" inside each other

enum class FilterComparison : std::uint8_t {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual
};

/// What a field is compared with: a literal, the literal "unknown", or another field.
struct FilterOperand {
    FilterValue literal;
    std::optional<std::size_t> field;
};

/// One entry of a set: a value, or a range with both ends included.
struct FilterItem {
    FilterValue low;
    std::optional<FilterValue> high;
};

/// A part of a parsed filter; which members count follows from `kind`.
struct FilterNode {
    enum class Kind : std::uint8_t {
        And,      ///< children, two or more
        Or,       ///< children, two or more
        Not,      ///< one child
        Compare,  ///< field, comparison, operand
        In,       ///< field, items
        Contains, ///< field, text
        Matches,  ///< field, text, pattern
        Text,     ///< text: stands in the operator's name or opcode
    };
    Kind kind = Kind::Text;
    std::vector<FilterNode> children;
    std::size_t field = 0; ///< in the schema
    FilterComparison comparison{};
    FilterOperand operand;
    std::vector<FilterItem> items;
    std::string text;
    std::shared_ptr<const Pattern> pattern;
};

/// A parsed filter. Cheap to copy; an empty one takes every operator.
class Filter {
  public:
    Filter() = default;
    Filter(FilterSchema schema, std::string text, std::shared_ptr<const FilterNode> root)
        : m_schema(std::move(schema))
        , m_text(std::move(text))
        , m_root(std::move(root)) {}

    bool isEmpty() const { return !m_root; }
    /// As it was written.
    const std::string& text() const { return m_text; }
    /// nullptr when empty.
    const FilterNode* root() const { return m_root.get(); }
    const FilterSchema& schema() const { return m_schema; }

  private:
    FilterSchema m_schema;
    std::string m_text;
    std::shared_ptr<const FilterNode> m_root;
};

/// Parses `text`; blanks alone give the empty filter. Errors are one of the codes Filter…, with
/// Location::byte where the error begins in `text` and Location::part what stands there (empty at
/// the end).
Result<Filter> parseFilter(std::string_view text, const FilterSchema& schema);

/// How many bytes of the text an error of parseFilter marks; at least 1.
std::size_t errorLength(const Diagnostic& error);
/// Two lines without a newline at the end: `text` on one line, and marks below what the error
/// means.
std::string markedText(std::string_view text, const Diagnostic& error);

/// The filter in canonical form; parsing it gives the same filter.
std::string toText(const Filter& filter);

/// `value` as a literal: numbers plainly, text as a word where that reads back, else quoted.
std::string quoteFilterValue(const FilterValue& value);
/// "cout == 32" for "filter by this"; an unknown value gives "cout == unknown".
std::string filterFor(const FilterSchema& schema, std::size_t field, const FilterValue& value);

} // namespace plumbline
