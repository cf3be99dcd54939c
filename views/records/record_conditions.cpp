// SPDX-License-Identifier: GPL-3.0-or-later
// The filters that the cells of the table of records stand for.
#include "views/common/format.h"
#include "views/records/records_model.h"

namespace plumbline {
namespace {

/// `name == value` where the value is known.
QString equals(QLatin1StringView name, std::int64_t value) {
    return value == 0 ? QString() : QStringLiteral("%1 == %2").arg(name).arg(value);
}

QString both(const QString& a, const QString& b) {
    return a.isEmpty() || b.isEmpty() ? QString() : a + QLatin1StringView(" and ") + b;
}

} // namespace

QString RecordsModel::condition(std::size_t row, int column) const {
    const LoweredOperator* const op = m_rows[row].op;
    if (op == nullptr)
        return {};
    const OperatorGeometry& g = op->geometry;
    switch (column) {
    case Index:
        return QStringLiteral("record == %1").arg(row);
    case OperatorName:
        return QStringLiteral("name == ") + filterString(QString::fromStdString(op->name));
    case Opcode:
        return op->opcodeName.empty()
                   ? QString()
                   : QStringLiteral("opcode == %1").arg(QString::fromStdString(op->opcodeName));
    case Ifm:
        return both(both(equals(QLatin1StringView("h"), g.h), equals(QLatin1StringView("w"), g.w)),
                    equals(QLatin1StringView("cin"), g.cin));
    case Ofm:
        return both(
            both(equals(QLatin1StringView("oh"), g.oh), equals(QLatin1StringView("ow"), g.ow)),
            equals(QLatin1StringView("cout"), g.cout));
    case Kernel:
        return both(equals(QLatin1StringView("kh"), g.kh), equals(QLatin1StringView("kw"), g.kw));
    case Stride:
        return both(equals(QLatin1StringView("stride.h"), g.strideH),
                    equals(QLatin1StringView("stride.w"), g.strideW));
    case Tiles:
        return equals(QLatin1StringView("tiles"), op->tiles.tiles);
    case KSlices:
        return equals(QLatin1StringView("k.slices"), plainText(row, KSlices).toLongLong());
    case Macs:
        return QStringLiteral("macs == %1").arg(op->cost.usefulMacs);
    case Cycles:
        return equals(QLatin1StringView("cycles"), op->cost.estimatedCycles);
    case ArenaBytes:
        return QStringLiteral("arena.bytes == %1").arg(op->arena.outputBytes);
    case Status:
        if (m_rows[row].status == RecordStatus::Violation)
            return QStringLiteral("severity == error");
        if (m_rows[row].status == RecordStatus::NotCompared ||
            m_rows[row].status == RecordStatus::Unchecked)
            return {};
        return m_rows[row].status == RecordStatus::Mismatch ? QStringLiteral("mismatches > 0")
                                                            : QStringLiteral("mismatches == 0");
    default:
        return {};
    }
}

} // namespace plumbline
