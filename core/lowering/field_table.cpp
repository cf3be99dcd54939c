// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/field_table.h"

#include <fmt/format.h>

namespace plumbline {
namespace {

std::uint32_t maskOf(const FieldSpec& field) {
    return field.width == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << field.width) - 1;
}

} // namespace

std::uint32_t rawField(ByteView record, const FieldSpec& field) {
    return loadU32(record, std::size_t{field.word} * 4) >> field.lsb & maskOf(field);
}

std::int64_t fieldValue(ByteView record, const FieldSpec& field) {
    const std::int64_t raw = rawField(record, field);
    const std::int64_t signBit = std::int64_t{1} << (field.width - 1);
    const bool negative = field.kind == FieldKind::Signed && (raw & signBit) != 0;
    return negative ? raw - 2 * signBit : raw;
}

void setField(std::span<std::uint8_t> record, const FieldSpec& field, std::int64_t value) {
    const std::size_t offset = std::size_t{field.word} * 4;
    const std::uint32_t kept = loadU32(record, offset) & ~(maskOf(field) << field.lsb);
    const std::uint32_t bits = (static_cast<std::uint32_t>(value) & maskOf(field)) << field.lsb;
    storeU32(record, offset, kept | bits);
}

std::uint32_t opcodeOf(ByteView record, const FieldTable& table) {
    return rawField(record, table.fields[table.opcodeField]);
}

std::optional<std::size_t> findField(const FieldTable& table, std::string_view name) {
    for (std::size_t i = 0; i < table.fields.size(); ++i) {
        if (table.fields[i].name == name)
            return i;
    }
    return std::nullopt;
}

std::string fieldViolation(ByteView record, const FieldSpec& field, const FieldTable& table) {
    const std::int64_t value = fieldValue(record, field);
    if (field.kind == FieldKind::Reserved)
        return value == 0 ? "" : fmt::format("reserved bits hold 0x{:x}, not 0", value);
    const std::uint32_t opcode = opcodeOf(record, table);
    if (!table.opcodeName(opcode).empty() && !usesField(field, opcode))
        return value == 0 ? ""
                          : fmt::format("{} does not use this field; it holds 0x{:x}, not 0",
                                        table.opcodeName(opcode), rawField(record, field));
    if (value < field.minimum || value > field.maximum)
        return fmt::format("{} is outside {}..{}", value, field.minimum, field.maximum);
    return "";
}

} // namespace plumbline
