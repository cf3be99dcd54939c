// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/record_facts.h"

#include <QStringList>

#include "views/common/format.h"

namespace plumbline {

bool RecordFacts::exists(const Document& document, std::int64_t record) {
    const Lowering& lowering = *document.lowering;
    return lowering.fields != nullptr && record >= 0 &&
           static_cast<std::size_t>(record) < lowering.records.size() &&
           lowering.records[static_cast<std::size_t>(record)].bytes.size() >=
               lowering.fields->recordBytes;
}

RecordFacts::RecordFacts(const Document& document, std::int64_t record)
    : m_document(document)
    , m_index(record)
    , m_table(document.lowering->fields) {
    const auto index = static_cast<std::size_t>(record);
    const Record& made = document.lowering->records[index];
    m_bytes = ByteView(made.bytes).first(m_table->recordBytes);
    const std::size_t begin = index * m_table->recordBytes;
    if (begin + m_table->recordBytes <= document.relocatedRecords.size())
        m_relocated = ByteView(document.relocatedRecords).subspan(begin, m_table->recordBytes);
    const auto& operators = document.lowering->operators;
    if (made.operatorIndex >= 0 && static_cast<std::size_t>(made.operatorIndex) < operators.size())
        m_operator = &operators[static_cast<std::size_t>(made.operatorIndex)];
    if (index < document.violations.size())
        m_violation = document.violations[index];
    m_relocations.resize(wordCount());
    const auto& relocations = document.lowering->relocations;
    for (std::size_t i = relocations.size(); i-- > 0;) {
        const Relocation& r = relocations[i];
        if (r.record == record && r.word >= 0 && r.word < std::ssize(m_relocations))
            m_relocations[static_cast<std::size_t>(r.word)] = i;
    }
}

QString RecordFacts::opcodeName() const { return safeText(m_table->opcodeName(opcode())); }

bool RecordFacts::uses(const FieldSpec& field) const {
    return m_table->opcodeName(opcode()).empty() || usesField(field, opcode());
}

std::optional<Pointer> RecordFacts::pointer(std::size_t field) const {
    const FieldSpec& spec = m_table->fields[field];
    if (spec.kind != FieldKind::Address)
        return std::nullopt;
    Pointer made;
    made.field = field;
    made.templateOffset = rawField(m_bytes, spec);
    if (!m_relocated.empty())
        made.relocated = rawField(m_relocated, spec);
    if (const auto length = findField(*m_table, spec.lengthField))
        made.length = rawField(m_bytes, m_table->fields[*length]);
    made.relocation = m_relocations[spec.word];
    if (!made.relocation)
        return made;
    const Relocation& relocation = m_document.lowering->relocations[*made.relocation];
    made.region = safeText(relocation.region);
    made.relocationFits = relocation.offset == std::int64_t{made.templateOffset};
    if (m_document.job)
        made.base = regionBase(m_document.job->bases, relocation.region);
    if (made.base)
        made.finalAddress = std::uint64_t{*made.base} + made.templateOffset;
    return made;
}

QString RecordFacts::rawText(const FieldSpec& field) const {
    return hexNumber(rawField(m_bytes, field), (field.width + 3) / 4);
}

QString RecordFacts::valueText(const FieldSpec& field) const {
    const QString number = QString::number(fieldValue(m_bytes, field));
    if (field.kind != FieldKind::Opcode)
        return number;
    const QString name = opcodeName();
    return name.isEmpty() ? tr("%1 (no opcode)").arg(number)
                          : QStringLiteral("%1 %2").arg(number, name);
}

QString RecordFacts::violationText(const FieldSpec& field) const {
    return safeText(fieldViolation(m_bytes, field, *m_table));
}

QString RecordFacts::title() const {
    const QString name = opcodeName();
    QStringList parts{tr("Record %1").arg(m_index)};
    if (m_operator != nullptr)
        parts.append(tr("operator %1 %2").arg(m_operator->index).arg(safeText(m_operator->name)));
    parts.append(name.isEmpty() ? tr("opcode %1, which is none").arg(opcode()) : name);
    return parts.join(QStringLiteral(" · "));
}

QString RecordFacts::csv() const {
    QString text = QStringLiteral("record,word,field,lsb,width,raw,value,unit,used,violation\n");
    for (const FieldSpec& field : m_table->fields) {
        text +=
            csvLine({QString::number(m_index), QString::number(field.word), safeText(field.name),
                     QString::number(field.lsb), QString::number(field.width), rawText(field),
                     QString::number(fieldValue(m_bytes, field)), safeText(field.unit),
                     QString::number(uses(field) ? 1 : 0), violationText(field)});
    }
    return text;
}

QString RecordFacts::cArray() const {
    QString text = QStringLiteral("static const uint32_t record_%1[%2] = { /* %3 */\n")
                       .arg(m_index)
                       .arg(wordCount())
                       .arg(opcodeName());
    std::size_t last = wordCount();
    for (const FieldSpec& field : m_table->fields) {
        if (std::exchange(last, field.word) == field.word)
            continue;
        text += QStringLiteral("    [%1] = 0x%2u, /* %3 */\n")
                    .arg(field.word, 2)
                    .arg(word(field.word), 8, 16, QLatin1Char('0'))
                    .arg(safeText(field.wordName));
    }
    return text + QStringLiteral("};\n");
}

} // namespace plumbline
