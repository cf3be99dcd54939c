// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/buffer_model.h"

#include "core/chart/arena_labels.h"
#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {

QString bufferName(const Allocation& allocation) {
    return QString::fromStdString(allocationName(allocation));
}

QString bufferMembers(const Allocation& allocation, const Lowering& lowering) {
    QStringList names{bufferName(allocation)};
    const bool hasGraph = lowering.model != nullptr && !lowering.model->graphs.empty();
    for (const std::int64_t alias : allocation.aliases) {
        const auto index = static_cast<std::size_t>(alias);
        const bool isKnown =
            hasGraph && alias >= 0 && index < lowering.model->graphs[0].tensors.size();
        const std::string name = isKnown ? lowering.model->graphs[0].tensors[index].name : "";
        names += name.empty() ? BufferModel::tr("tensor %1").arg(alias) : safeText(name);
    }
    return names.join(QStringLiteral(", "));
}

QString lifetimeEndText(std::int64_t operatorIndex, std::int64_t operatorCount) {
    if (operatorIndex < 0)
        return BufferModel::tr("input");
    if (operatorIndex >= operatorCount)
        return BufferModel::tr("end");
    return QString::number(operatorIndex);
}

void BufferModel::setPlan(LoweringPtr lowering, std::shared_ptr<const ArenaPlan> plan) {
    beginResetModel();
    m_lowering = std::move(lowering);
    m_plan = std::move(plan);
    endResetModel();
}

int BufferModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->allocations.size());
}

int BufferModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString BufferModel::text(const Allocation& allocation, int row, int column) const {
    const auto count = static_cast<std::int64_t>(m_plan->steps.size());
    switch (column) {
    case IndexColumn:
        return QString::number(row);
    case NameColumn:
        return bufferName(allocation);
    case OffsetColumn:
        return hexNumber(allocation.offset, 5);
    case BytesColumn:
        return groupedNumber(static_cast<std::int64_t>(allocation.bytes));
    case SizeColumn:
        return groupedNumber(static_cast<std::int64_t>(allocation.size));
    case FirstColumn:
        return lifetimeEndText(allocation.firstOperator, count);
    case LastColumn:
        return lifetimeEndText(allocation.lastOperator, count);
    case MembersColumn:
        return bufferMembers(allocation, *m_lowering);
    default:
        return {};
    }
}

QVariant BufferModel::sortValue(const Allocation& allocation, int row, int column) {
    switch (column) {
    case IndexColumn:
        return row;
    case OffsetColumn:
        return qulonglong{allocation.offset};
    case BytesColumn:
        return qulonglong{allocation.bytes};
    case SizeColumn:
        return qulonglong{allocation.size};
    case FirstColumn:
        return qlonglong{allocation.firstOperator};
    case LastColumn:
        return qlonglong{allocation.lastOperator};
    default:
        return {};
    }
}

QVariant BufferModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Allocation& allocation = m_plan->allocations[static_cast<std::size_t>(index.row())];
    const bool isText = index.column() == NameColumn || index.column() == MembersColumn;
    switch (role) {
    case Qt::DisplayRole:
        return text(allocation, index.row(), index.column());
    case Qt::ToolTipRole:
        return bufferMembers(allocation, *m_lowering);
    case SortRole:
        return isText ? QVariant(text(allocation, index.row(), index.column()))
                      : sortValue(allocation, index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(isText ? Qt::AlignLeft | Qt::AlignVCenter
                                                        : Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole:
        return isText ? QVariant() : QVariant(monoFont());
    default:
        return {};
    }
}

QVariant BufferModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole) {
        static const QStringList names{tr("#"),    tr("Buffer"), tr("Offset"), tr("Bytes"),
                                       tr("Size"), tr("First"),  tr("Last"),   tr("Members")};
        return names.at(section);
    }
    if (role == Qt::ToolTipRole) {
        static const QStringList tips{
            tr("Index: buffer/N is its address"),    tr("Tensor that was allocated"),
            tr("Bytes from the arena's start"),      tr("The tensor's own bytes"),
            tr("Bytes rounded up to the alignment"), tr("Operator that writes it"),
            tr("Last operator at which it is live"), tr("All tensors that share the storage")};
        return tips.at(section);
    }
    return {};
}

LiveBuffersProxy::LiveBuffersProxy(QObject* parent)
    : QSortFilterProxyModel(parent) {
    setSortRole(BufferModel::SortRole);
}

void LiveBuffersProxy::setStep(std::optional<std::int64_t> step) {
    if (step == m_step)
        return;
    m_step = step;
    invalidateFilter();
}

bool LiveBuffersProxy::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
    const auto* const model = qobject_cast<const BufferModel*>(sourceModel());
    if (!m_step || model == nullptr || model->plan() == nullptr)
        return false;
    return model->plan()->allocations[static_cast<std::size_t>(row)].isLiveAt(*m_step);
}

} // namespace plumbline
