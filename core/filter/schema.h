// SPDX-License-Identifier: GPL-3.0-or-later
// The fields that a filter can name: one table that evaluation, completion and documentation loop
// over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/lowering/field_table.h"

namespace plumbline {

struct FilterSubject;

/// What an operator has in a field: nothing (unknown), a number or text.
using FilterValue = std::variant<std::monostate, std::int64_t, double, std::string>;

inline bool isKnown(const FilterValue& value) { return value.index() != 0; }

enum class FilterType : std::uint8_t {
    Integer,
    Real, ///< compared in single precision, as model files store scales
    Text,
    Name, ///< one of FilterField::names
};

/// "integer", "real", "text", "name".
std::string_view filterTypeName(FilterType type);

using FilterGetter = FilterValue (*)(const FilterSubject& subject);

struct FilterField {
    std::string name; ///< "arena.bytes"; "INPUT_H"
    FilterType type{};
    std::string unit; ///< "bytes", "elements"; may be empty
    std::string meaning;
    std::vector<std::string> names; ///< Name: every value there is
    bool isOrdered = false;         ///< Name: `names` ascend, so that they compare with <
    FilterGetter getter = nullptr;
    const FieldSpec* spec = nullptr; ///< of a record field; else nullptr

    bool isNumber() const { return type == FilterType::Integer || type == FilterType::Real; }
    bool countsBytes() const { return unit.starts_with("byte"); }
    bool isOfRecord() const { return spec != nullptr; }
};

/// The fields of operators and of one target's records. Cheap to copy.
class FilterSchema {
  public:
    /// `records` (may be null) lives as long as the program, as the targets' tables do.
    explicit FilterSchema(const FieldTable* records = nullptr);

    /// Those of operators, then those of records in the record's order.
    std::span<const FilterField> fields() const { return *m_fields; }
    const FilterField& field(std::size_t index) const { return (*m_fields)[index]; }
    /// Case does not matter. "field.NAME" is always the record's, "NAME" only where no operator
    /// field has that name.
    std::optional<std::size_t> find(std::string_view name) const;
    /// How the field is written in a filter: its name, with "field." where that is needed.
    std::string writtenName(std::size_t index) const;
    /// The field's name most like `name`; empty when none is.
    std::string nearest(std::string_view name) const;

  private:
    std::shared_ptr<const std::vector<FilterField>> m_fields;
    std::size_t m_operatorFields = 0;
};

inline FilterSchema schemaOf(const FieldTable* records) { return FilterSchema(records); }

/// The one of `candidates` most like `text`; empty when none is near.
std::string nearestOf(std::string_view text, std::span<const std::string> candidates);

} // namespace plumbline
