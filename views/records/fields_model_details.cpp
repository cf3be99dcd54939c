// SPDX-License-Identifier: GPL-3.0-or-later
// The rows below an address: what the record's file holds, its relocation, and where that leads.
#include <array>

#include "views/common/format.h"
#include "views/records/fields_model.h"

namespace plumbline {
namespace {

QString marked(const FieldsModel::Verdict& verdict) {
    if (!verdict.holds)
        return {};
    return (*verdict.holds ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + verdict.text;
}

} // namespace

QString FieldsModel::detailText(const Item& item, int column) const {
    const auto pointer = m_facts->pointer(*item.field);
    if (!pointer)
        return {};
    const std::array<std::pair<QString, QString>, 5> names{{
        {tr("Template offset"), tr("What the record's file holds: an offset in the region")},
        {tr("Relocation"), tr("Adds the base of a region to the word")},
        {tr("Relocation offset"), tr("What the relocation says that the word holds")},
        {tr("Region base"), tr("Where the region lies in memory")},
        {tr("Final address"), tr("What the accelerator reads; Enter follows it")},
    }};
    const auto& [name, meaning] = names.at(static_cast<std::size_t>(item.kind) -
                                           static_cast<std::size_t>(Kind::TemplateOffset));
    switch (column) {
    case Name:
        return name;
    case Value:
        return detailValue(item, *pointer);
    case Meaning:
        return meaning;
    case Rule:
        return marked(detailVerdict(item, *pointer));
    default:
        return {};
    }
}

QString FieldsModel::detailValue(const Item& item, const Pointer& pointer) const {
    const QString none = tr("none");
    switch (item.kind) {
    case Kind::TemplateOffset:
        return hexNumber(pointer.templateOffset);
    case Kind::RelocationEntry:
        return pointer.relocation
                   ? QStringLiteral("#%1 %2").arg(*pointer.relocation).arg(pointer.region)
                   : none;
    case Kind::RelocationOffset: {
        const Relocation* const relocation = relocationOf(item);
        return relocation == nullptr ? none : offsetText(relocation->offset);
    }
    case Kind::RegionBase:
        return pointer.base ? hexNumber(*pointer.base) : none;
    case Kind::FinalAddress:
        return pointer.finalAddress ? hexNumber(*pointer.finalAddress) : none;
    default:
        return {};
    }
}

FieldsModel::Verdict FieldsModel::detailVerdict(const Item& item, const Pointer& pointer) const {
    const FieldSpec& spec = m_facts->table().fields[*item.field];
    if (!m_facts->uses(spec) && !pointer.relocation)
        return {};
    if (item.kind == Kind::RelocationEntry) {
        if (!pointer.relocation)
            return {false, tr("an address that is used has a relocation")};
        return pointer.region == safeText(spec.region)
                   ? Verdict{true, tr("the field points into %1").arg(pointer.region)}
                   : Verdict{false, tr("the field points into %1").arg(safeText(spec.region))};
    }
    if (item.kind == Kind::RelocationOffset && pointer.relocation)
        return pointer.relocationFits
                   ? Verdict{true, tr("states the template's offset")}
                   : Verdict{false, tr("states another offset than the template holds")};
    if (item.kind != Kind::FinalAddress || !pointer.finalAddress || !pointer.relocated)
        return {};
    return *pointer.finalAddress == *pointer.relocated
               ? Verdict{true, tr("the executor sees it")}
               : Verdict{false, tr("the executor sees %1").arg(hexNumber(*pointer.relocated))};
}

} // namespace plumbline
