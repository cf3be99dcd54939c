// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/cost_model.h"

#include <QLocale>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {

QString costText(const CostRow& row, CostMeasure measure) {
    const std::int64_t total = row.total(measure);
    const bool isCycles = measure == CostMeasure::Cycles;
    QStringList lines{CostModel::tr("Record %1, operator %2 %3")
                          .arg(row.record)
                          .arg(row.operatorIndex)
                          .arg(safeText(row.name))};
    lines += (isCycles ? CostModel::tr("%1 cycles (estimate)")
                       : CostModel::tr("%1 bytes by DMA (estimate)"))
                 .arg(groupedNumber(total));
    for (std::size_t part = 0; part < kCostParts; ++part) {
        const std::int64_t value = row.parts(measure).at(part);
        const double share =
            total > 0 ? 100.0 * static_cast<double>(value) / static_cast<double>(total) : 0;
        lines += CostModel::tr("%1: %2, %3 %")
                     .arg(safeText(costPartName(measure, part)), groupedNumber(value),
                          QLocale::c().toString(share, 'f', 1));
    }
    if (isCycles && row.statedCycles != total)
        lines += CostModel::tr("The file states %1 cycles, which its own parts do not add up to.")
                     .arg(groupedNumber(row.statedCycles));
    return lines.join(QLatin1Char('\n'));
}

void CostModel::setRows(std::vector<CostRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int CostModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CostModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CostModel::value(const CostRow& row, int column) const {
    switch (column) {
    case RecordColumn:
        return qlonglong{row.record};
    case OperatorColumn:
        return qlonglong{row.operatorIndex};
    case NameColumn:
        return safeText(row.name);
    case CyclesColumn:
        return qlonglong{row.total(CostMeasure::Cycles)};
    case BytesColumn:
        return qlonglong{row.total(CostMeasure::DmaBytes)};
    default:
        return column < CyclesColumn
                   ? qlonglong{row.cycles.at(static_cast<std::size_t>(column - ComputeColumn))}
                   : qlonglong{row.bytes.at(static_cast<std::size_t>(column - GatherColumn))};
    }
}

QVariant CostModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const QVariant held = value(row(index.row()), index.column());
    switch (role) {
    case SortRole:
        return held;
    case Qt::DisplayRole:
        return index.column() == NameColumn ? held : QVariant(groupedNumber(held.toLongLong()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(index.column() == NameColumn
                                                     ? Qt::AlignLeft | Qt::AlignVCenter
                                                     : Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole:
        return index.column() == NameColumn ? QVariant() : QVariant(monoFont());
    default:
        return {};
    }
}

QVariant CostModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 ||
        section >= ColumnCount)
        return {};
    static const QStringList names{
        tr("Record"),         tr("Operator"),     tr("Opcode"),          tr("Compute, est. cycles"),
        tr("Pack, est."),     tr("Load, est."),   tr("Store, est."),     tr("Cycles, est."),
        tr("Gather bytes"),   tr("Weight bytes"), tr("Parameter bytes"), tr("Written bytes"),
        tr("DMA bytes, est.")};
    return names.at(section);
}

CostProxy::CostProxy(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setSortRole(CostModel::SortRole);
}

void CostProxy::setPasses(std::function<bool(std::int64_t)> passes) {
    m_passes = std::move(passes);
    invalidateFilter();
}

const CostModel& CostProxy::model() const { return *qobject_cast<const CostModel*>(sourceModel()); }

const CostRow& CostProxy::costRow(int row) const {
    return model().row(mapToSource(index(row, 0)).row());
}

int CostProxy::rowOfOperator(std::int64_t operatorIndex) const {
    for (int row = 0; row < rowCount(); ++row)
        if (costRow(row).operatorIndex == operatorIndex)
            return row;
    return -1;
}

bool CostProxy::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
    return !m_passes || m_passes(model().row(row).operatorIndex);
}

} // namespace plumbline
