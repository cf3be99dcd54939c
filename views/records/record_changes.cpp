// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/record_changes.h"

#include <algorithm>

#include "views/common/format.h"
#include "views/records/record_facts.h"

namespace plumbline {
namespace {

QStringList fieldChanges(const RecordFacts& before, const RecordFacts& now) {
    QStringList lines;
    for (const FieldSpec& spec : now.table().fields)
        if (rawField(before.bytes(), spec) != rawField(now.bytes(), spec))
            lines.append(
                QObject::tr("%1 %2 → %3")
                    .arg(safeText(spec.name), before.valueText(spec), now.valueText(spec)));
    return lines;
}

QString relocationText(const Relocation& relocation) {
    return QStringLiteral("%1 + %2").arg(safeText(relocation.region)).arg(relocation.offset);
}

/// How many bytes of a slice of a region are others; those beyond a region's end do not count.
std::size_t changedBytes(ByteView before, ByteView now, const RegionSlice& slice) {
    const auto size = static_cast<std::uint64_t>(std::min(before.size(), now.size()));
    if (slice.offset >= size)
        return 0;
    const auto begin = static_cast<std::size_t>(slice.offset);
    const auto count = static_cast<std::size_t>(std::min(slice.bytes, size - slice.offset));
    std::size_t changed = 0;
    for (std::size_t at = begin; at < begin + count; ++at)
        changed += before[at] != now[at] ? 1 : 0;
    return changed;
}

void addConstants(QStringList& lines, const QString& what, ByteView before, ByteView now,
                  const std::optional<RegionSlice>& slice) {
    const std::size_t changed = slice ? changedBytes(before, now, *slice) : 0;
    if (changed > 0)
        lines.append((changed == 1 ? QObject::tr("%1: %2 byte changed")
                                   : QObject::tr("%1: %2 bytes changed"))
                         .arg(what)
                         .arg(changed));
}

} // namespace

std::vector<QStringList> recordChanges(const Document& document) {
    if (!document.original)
        return {};
    const Document& original = *document.original;
    const Lowering& before = *original.lowering;
    const Lowering& now = *document.lowering;
    std::vector<QStringList> changes(now.records.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto record = static_cast<std::int64_t>(i);
        if (RecordFacts::exists(original, record) && RecordFacts::exists(document, record))
            changes[i] = fieldChanges(RecordFacts(original, record), RecordFacts(document, record));
    }
    for (std::size_t i = 0; i < std::min(before.relocations.size(), now.relocations.size()); ++i) {
        const Relocation& from = before.relocations[i];
        const Relocation& to = now.relocations[i];
        if (from == to || to.record < 0 || to.record >= std::ssize(changes))
            continue;
        changes[static_cast<std::size_t>(to.record)].append(
            QObject::tr("relocation %1: %2 → %3")
                .arg(i)
                .arg(relocationText(from), relocationText(to)));
    }
    for (const LoweredOperator& op : now.operators) {
        if (!op.record || *op.record < 0 || *op.record >= std::ssize(changes))
            continue;
        QStringList& lines = changes[static_cast<std::size_t>(*op.record)];
        addConstants(lines, QObject::tr("weights"), before.weights, now.weights, op.weights);
        addConstants(lines, QObject::tr("parameters"), before.params, now.params, op.params);
    }
    return changes;
}

} // namespace plumbline
