// SPDX-License-Identifier: GPL-3.0-or-later
// What the fields of a target's records are: the one table that encode, decode, validation, views,
// dump and the generated documentation loop over.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/bytes.h"

namespace plumbline {

enum class FieldKind : std::uint8_t {
    Number,   ///< an unsigned count
    Signed,   ///< two's complement in the field's own width
    Address,  ///< a byte address; relocated
    Reserved, ///< must be zero
    Opcode,   ///< names the operation; see FieldTable::opcodeName
};

/// One row per field. Bits of a word that belong to no operation are Reserved rows, so the rows
/// cover every bit of a record exactly once.
struct FieldSpec {
    std::string_view name;     ///< "INPUT_H"
    std::string_view wordName; ///< name of the word it stands in, "INPUT_HW"
    std::uint8_t word;         ///< zero-based 32-bit word
    std::uint8_t lsb;          ///< lowest bit
    std::uint8_t width;        ///< bits, 1..32
    FieldKind kind;
    std::uint32_t opcodes; ///< bit (1 << opcode) of every opcode that uses the field
    std::int64_t minimum;  ///< smallest allowed value where the field is used
    std::int64_t maximum;  ///< largest allowed value where the field is used
    std::string_view unit; ///< "bytes", "elements"; may be empty
    std::string_view meaning;
    std::string_view rule;        ///< what it must meet, one phrase; may be empty
    std::string_view region = {}; ///< region that an Address points into; else empty
    /// Of an Address: name of the field that holds how many bytes may be accessed there.
    std::string_view lengthField = {};
};

struct ConstantsLayout; // constants_layout.h
struct OutputFields;    // arena_image.h

struct FieldTable {
    std::string_view name;             ///< "NPU-P0 descriptor, ABI 1.0"
    std::size_t recordBytes;           ///< bytes of one record
    std::span<const FieldSpec> fields; ///< ordered by word, then lsb
    std::size_t opcodeField;           ///< index of the row that holds the opcode
    /// "CONV2D"; empty for a number that is no opcode.
    std::string_view (*opcodeName)(std::uint32_t opcode);
    const ConstantsLayout* constants = nullptr; ///< how weights and parameters are packed
    const OutputFields* output = nullptr;       ///< which fields say what a record writes
};

/// The field's bits, zero-extended. `record` holds at least the field's word.
std::uint32_t rawField(ByteView record, const FieldSpec& field);
/// The field's value, sign-extended where it is Signed.
std::int64_t fieldValue(ByteView record, const FieldSpec& field);
/// Stores the low `field.width` bits of `value`; other bits stay.
void setField(std::span<std::uint8_t> record, const FieldSpec& field, std::int64_t value);
/// The opcode number in `record`.
std::uint32_t opcodeOf(ByteView record, const FieldTable& table);
/// Whether `opcode` uses `field`.
constexpr bool usesField(const FieldSpec& field, std::uint32_t opcode) {
    return opcode < 32 && (field.opcodes >> opcode & 1) != 0;
}
/// Index of the row called `name`.
std::optional<std::size_t> findField(const FieldTable& table, std::string_view name);

/// Why the value breaks the field's own rule for the record's opcode (reserved or unused and not
/// zero, out of range); empty when it holds.
std::string fieldViolation(ByteView record, const FieldSpec& field, const FieldTable& table);

} // namespace plumbline
