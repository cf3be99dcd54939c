// SPDX-License-Identifier: GPL-3.0-or-later
// Changing values as an experiment: what can be typed, and what an experiment changed.
#include <algorithm>

#include "views/common/format.h"
#include "views/records/fields_model.h"

namespace plumbline {
namespace {

struct TypedNumber {
    std::int64_t value = 0;
    bool isHex = false;
};

/// "12", "-12" or "0x0C"; nothing for other text.
std::optional<TypedNumber> typedNumber(const QString& text) {
    QString digits = text.trimmed();
    const bool isNegative = digits.startsWith(QLatin1Char('-'));
    if (isNegative)
        digits = digits.mid(1);
    const bool isHex = digits.startsWith(QLatin1StringView("0x"), Qt::CaseInsensitive);
    if (isHex)
        digits = digits.mid(2);
    if (digits.isEmpty() || !digits[0].isLetterOrNumber())
        return std::nullopt;
    bool ok = false;
    const qlonglong value = digits.toLongLong(&ok, isHex ? 16 : 10);
    return ok ? std::optional(TypedNumber{isNegative ? -value : value, isHex}) : std::nullopt;
}

constexpr std::uint32_t kOpcodes = 32; ///< that FieldSpec::opcodes can tell apart

std::optional<std::int64_t> opcodeCalled(const QString& name, const FieldTable& table) {
    for (std::uint32_t opcode = 0; opcode < kOpcodes; ++opcode)
        if (const QString known = safeText(table.opcodeName(opcode));
            !known.isEmpty() && known.compare(name.trimmed(), Qt::CaseInsensitive) == 0)
            return opcode;
    return std::nullopt;
}

QString rangeText(const FieldSpec& spec) {
    const auto [low, high] = valueRange(spec);
    return QStringLiteral("%1..%2").arg(low).arg(high);
}

} // namespace

bool FieldsModel::isEditable(const QModelIndex& index) const {
    if (!m_facts || !index.isValid() || !m_document->job || m_document->target == nullptr)
        return false;
    const Item& item = itemAt(index);
    if (item.kind == Kind::RelocationEntry || item.kind == Kind::RelocationOffset)
        return relocationOf(item) != nullptr;
    return item.field && !isDetail(item.kind);
}

Qt::ItemFlags FieldsModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags common = QAbstractItemModel::flags(index);
    return index.column() == Value && isEditable(index) ? common | Qt::ItemIsEditable : common;
}

/// A package may state any number; typed() reads both forms back.
QString FieldsModel::offsetText(std::int64_t offset) {
    return offset < 0 ? QString::number(offset) : hexNumber(static_cast<std::uint64_t>(offset));
}

const Relocation* FieldsModel::relocationOf(const Item& item) const {
    const auto pointer = m_facts->pointer(*item.field);
    return pointer && pointer->relocation ? &m_document->lowering->relocations[*pointer->relocation]
                                          : nullptr;
}

const Relocation* FieldsModel::originalRelocationOf(const Item& item) const {
    const auto pointer = m_facts->pointer(*item.field);
    if (!m_original || !pointer || !pointer->relocation)
        return nullptr;
    const auto& all = m_document->original->lowering->relocations;
    return *pointer->relocation < all.size() ? &all[*pointer->relocation] : nullptr;
}

QStringList FieldsModel::choices(const QModelIndex& index) const {
    QStringList names;
    const Item& item = itemAt(index);
    if (item.kind == Kind::RelocationEntry) {
        for (const std::string_view region :
             {kArenaRegion, kWeightsRegion, kParamsRegion, kDescriptorsRegion})
            names.append(safeText(region));
        return names;
    }
    const FieldTable& table = m_facts->table();
    if (!isDetail(item.kind) && table.fields[*item.field].kind == FieldKind::Opcode)
        for (std::uint32_t opcode = 0; opcode < kOpcodes; ++opcode)
            if (const QString name = safeText(table.opcodeName(opcode)); !name.isEmpty())
                names.append(name);
    return names;
}

QString FieldsModel::valueHint(const QModelIndex& index) const {
    const Item& item = itemAt(index);
    if (item.kind == Kind::RelocationEntry)
        return tr("Region whose base the relocation adds");
    if (item.kind == Kind::RelocationOffset)
        return tr("Relocation offset: bytes, decimal or 0x hexadecimal");
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    const QString name = safeText(spec.name);
    if (spec.kind == FieldKind::Opcode)
        return tr("%1: %2 or a number, %3")
            .arg(name, choices(index).join(QStringLiteral(", ")), allowedText(spec));
    return tr("%1: %2; decimal or 0x hexadecimal").arg(name, allowedText(spec));
}

/// "1..1024; the bits hold 0..4294967295", or the bits alone where the rule allows all of them.
QString FieldsModel::allowedText(const FieldSpec& spec) const {
    const auto [bitsLow, bitsHigh] = valueRange(spec);
    const bool isUsed = m_facts->uses(spec);
    const std::int64_t low = isUsed ? spec.minimum : 0;
    const std::int64_t high = isUsed ? spec.maximum : 0;
    if (low <= bitsLow && bitsHigh <= high)
        return rangeText(spec);
    const QString allowed =
        low == high ? QString::number(low) : QStringLiteral("%1..%2").arg(low).arg(high);
    return tr("%1; the bits hold %2").arg(allowed, rangeText(spec));
}

QString FieldsModel::editText(const Item& item) const {
    if (item.kind == Kind::RelocationEntry)
        return safeText(relocationOf(item)->region);
    if (item.kind == Kind::RelocationOffset)
        return offsetText(relocationOf(item)->offset);
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    if (spec.kind == FieldKind::Opcode && !m_facts->opcodeName().isEmpty())
        return m_facts->opcodeName();
    return spec.kind == FieldKind::Address ? m_facts->rawText(spec)
                                           : QString::number(fieldValue(m_facts->bytes(), spec));
}

FieldsModel::Typed FieldsModel::typed(const QModelIndex& index, const QString& text) const {
    const Item& item = itemAt(index);
    if (isDetail(item.kind))
        return typedRelocation(item, text);
    return typedField(m_facts->table().fields[*item.field], *item.field, text);
}

FieldsModel::Typed FieldsModel::typedField(const FieldSpec& spec, std::size_t field,
                                           const QString& text) const {
    Typed made;
    const auto [low, high] = valueRange(spec);
    const auto number = typedNumber(text);
    std::optional<std::int64_t> value;
    if (number)
        value = number->value;
    else if (spec.kind == FieldKind::Opcode)
        value = opcodeCalled(text, m_facts->table());
    if (number && number->isHex && low < 0 && *value > high && *value <= high - low)
        value = *value - (high - low + 1);
    if (!value) {
        made.problem = spec.kind == FieldKind::Opcode
                           ? tr("'%1' is no opcode and no number").arg(text)
                           : tr("'%1' is no number, decimal or 0x hexadecimal").arg(text);
        return made;
    }
    if (*value < low || *value > high) {
        made.problem = tr("%1 is outside %2, which the %3 bits of %4 can hold")
                           .arg(*value)
                           .arg(rangeText(spec))
                           .arg(spec.width)
                           .arg(safeText(spec.name));
        return made;
    }
    Bytes record(m_facts->bytes().begin(), m_facts->bytes().end());
    setField(record, spec, *value);
    made.edit = FieldEdit{m_facts->index(), field, *value};
    made.changes = *value != fieldValue(m_facts->bytes(), spec);
    made.warning = safeText(fieldViolation(record, spec, m_facts->table()));
    return made;
}

FieldsModel::Typed FieldsModel::typedRelocation(const Item& item, const QString& text) const {
    const auto pointer = m_facts->pointer(*item.field);
    const Relocation& present = *relocationOf(item);
    RelocationEdit edit{static_cast<std::int64_t>(*pointer->relocation), present};
    Typed made;
    if (item.kind == Kind::RelocationEntry) {
        edit.relocation.region = text.toStdString();
    } else if (const auto number = typedNumber(text)) {
        edit.relocation.offset = number->value;
        if (number->value != std::int64_t{pointer->templateOffset})
            made.warning = tr("states another offset than the template holds");
    } else {
        made.problem = tr("'%1' is no number, decimal or 0x hexadecimal").arg(text);
        return made;
    }
    made.changes = !(edit.relocation == present);
    made.edit = std::move(edit);
    return made;
}

bool FieldsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || index.column() != Value || !isEditable(index))
        return false;
    const Typed made = typed(index, value.toString());
    if (!made.edit || !made.changes)
        return false;
    emit editMade(*made.edit);
    return true;
}

bool FieldsModel::isChanged(const QModelIndex& index) const {
    return index.isValid() && changed(itemAt(index));
}

bool FieldsModel::changed(const Item& item) const {
    if (!m_original)
        return false;
    if (item.kind == Kind::RelocationEntry || item.kind == Kind::RelocationOffset) {
        const Relocation* const now = relocationOf(item);
        const Relocation* const before = originalRelocationOf(item);
        if (now == nullptr || before == nullptr)
            return false;
        return item.kind == Kind::RelocationEntry ? now->region != before->region
                                                  : now->offset != before->offset;
    }
    if (isDetail(item.kind))
        return false;
    if (!item.field)
        return m_facts->word(item.word) != m_original->word(item.word);
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    return rawField(m_facts->bytes(), spec) != rawField(m_original->bytes(), spec);
}

/// The raw text or the value of a changed row before the experiment; empty in other columns.
QString FieldsModel::originalText(const Item& item, int column) const {
    if (column != Raw && column != Value)
        return {};
    if (item.kind == Kind::RelocationEntry)
        return column == Value ? safeText(originalRelocationOf(item)->region) : QString();
    if (item.kind == Kind::RelocationOffset)
        return column == Value ? offsetText(originalRelocationOf(item)->offset) : QString();
    if (!item.field)
        return column == Raw ? hexNumber(m_original->word(item.word)) : QString();
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    return column == Raw ? m_original->rawText(spec) : m_original->valueText(spec);
}

} // namespace plumbline
