// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is known of one record of a document, and its text forms. No widgets.
#pragma once

#include <optional>
#include <vector>

#include <QCoreApplication>
#include <QString>

#include "core/document/document.h"

namespace plumbline {

/// What an address word points at, followed through its relocation.
struct Pointer {
    std::size_t field = 0;                     ///< row of the field table
    std::uint32_t templateOffset = 0;          ///< the word in the record's file
    std::optional<std::size_t> relocation;     ///< index in the lowering's list
    QString region;                            ///< of the relocation; may be any text
    bool relocationFits = false;               ///< its offset is the template's word
    std::optional<std::uint32_t> base;         ///< of the region; nothing for an unknown one
    std::optional<std::uint64_t> finalAddress; ///< base + template offset
    std::optional<std::uint32_t> relocated;    ///< the word as the executor sees it
    std::uint64_t length = 0; ///< bytes that the record says it accesses there; 0 when unknown
};

class RecordFacts {
    Q_DECLARE_TR_FUNCTIONS(RecordFacts)

  public:
    /// `record` is an index of the lowering's records whose bytes are as long as the table says.
    RecordFacts(const Document& document, std::int64_t record);
    /// Whether `document` has such a record.
    static bool exists(const Document& document, std::int64_t record);

    std::int64_t index() const { return m_index; }
    const FieldTable& table() const { return *m_table; }
    ByteView bytes() const { return m_bytes; } ///< the template
    std::uint32_t opcode() const { return opcodeOf(m_bytes, *m_table); }
    QString opcodeName() const; ///< empty for a number that is no opcode
    const LoweredOperator* op() const { return m_operator; } ///< null when no operator claims it
    const std::optional<RecordViolation>& violation() const { return m_violation; }

    std::size_t wordCount() const { return m_table->recordBytes / 4; }
    std::uint32_t word(std::size_t word) const { return loadU32(m_bytes, word * 4); }
    /// Whether the opcode uses the field; true for every field of a record without an opcode.
    bool uses(const FieldSpec& field) const;
    /// Nothing for a field that is no address.
    std::optional<Pointer> pointer(std::size_t field) const;

    QString rawText(const FieldSpec& field) const;       ///< "0x0C"
    QString valueText(const FieldSpec& field) const;     ///< "12", "1 CONV2D", "-128"
    QString violationText(const FieldSpec& field) const; ///< empty when the rule holds

    QString title() const; ///< "Record 7 · operator 7 CONV_2D · CONV2D"
    /// One line per field: word, field, bits, raw, value, unit, used, verdict.
    QString csv() const;
    /// A C array of the record's words with designators and the word names.
    QString cArray() const;

  private:
    const Document& m_document;
    std::int64_t m_index;
    const FieldTable* m_table;
    ByteView m_bytes;
    ByteView m_relocated; ///< empty when it was not relocated
    const LoweredOperator* m_operator = nullptr;
    std::optional<RecordViolation> m_violation;
    std::vector<std::optional<std::size_t>> m_relocations; ///< by word: the first one
};

} // namespace plumbline
