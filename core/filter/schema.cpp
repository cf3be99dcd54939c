// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/filter/schema.h"

#include <algorithm>

#include "core/filter/fields.h"
#include "core/filter/text.h"

namespace plumbline {
namespace {

constexpr std::string_view kRecordPrefix = "field.";
constexpr std::uint32_t kOpcodes = 32; ///< FieldSpec::opcodes has as many bits

std::vector<std::string> opcodeNames(const FieldTable& table) {
    std::vector<std::string> names;
    for (std::uint32_t opcode = 0; opcode < kOpcodes; ++opcode) {
        if (const std::string_view name = table.opcodeName(opcode); !name.empty())
            names.emplace_back(name);
    }
    return names;
}

FilterField recordField(const FieldSpec& spec) {
    FilterField field;
    field.name = spec.name;
    field.type = FilterType::Integer;
    field.unit = spec.unit;
    field.meaning = spec.meaning;
    field.spec = &spec;
    return field;
}

} // namespace

std::string_view filterTypeName(FilterType type) {
    switch (type) {
    case FilterType::Integer:
        return "integer";
    case FilterType::Real:
        return "real";
    case FilterType::Text:
        return "text";
    case FilterType::Name:
        return "name";
    }
    return "";
}

FilterSchema::FilterSchema(const FieldTable* records) {
    std::vector<FilterField> fields = operatorFields();
    m_operatorFields = fields.size();
    if (records) {
        for (FilterField& field : fields) {
            if (field.name != kOpcodeField)
                continue;
            field.type = FilterType::Name;
            field.names = opcodeNames(*records);
        }
        for (const FieldSpec& spec : records->fields)
            fields.push_back(recordField(spec));
    }
    m_fields = std::make_shared<const std::vector<FilterField>>(std::move(fields));
}

std::optional<std::size_t> FilterSchema::find(std::string_view name) const {
    const bool ofRecord = startsWithIgnoringCase(name, kRecordPrefix);
    if (ofRecord)
        name.remove_prefix(kRecordPrefix.size());
    for (std::size_t i = ofRecord ? m_operatorFields : 0; i < m_fields->size(); ++i) {
        if (equalsIgnoringCase(field(i).name, name))
            return i;
    }
    return std::nullopt;
}

std::string FilterSchema::writtenName(std::size_t index) const {
    const FilterField& wanted = field(index);
    return find(wanted.name) == index ? wanted.name : std::string(kRecordPrefix) + wanted.name;
}

std::string FilterSchema::nearest(std::string_view name) const {
    std::vector<std::string> names;
    names.reserve(m_fields->size());
    for (std::size_t i = 0; i < m_fields->size(); ++i)
        names.push_back(writtenName(i));
    return nearestOf(name, names);
}

std::string nearestOf(std::string_view text, std::span<const std::string> candidates) {
    std::string best;
    // A third of the letters may differ; more is another word.
    std::size_t bestDistance = std::max<std::size_t>(1, text.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t longer = std::max(candidate.size(), text.size());
        if (longer - std::min(candidate.size(), text.size()) >= bestDistance)
            continue;
        const std::size_t distance = editDistance(text, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace plumbline
