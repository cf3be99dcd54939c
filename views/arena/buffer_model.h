// SPDX-License-Identifier: GPL-3.0-or-later
// The buffers of an arena plan as a table.
#pragma once

#include <memory>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "core/lowering/arena_plan.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// "conv1/Relu" or "tensor 12" of an allocation.
QString bufferName(const Allocation& allocation);
/// The tensors that share the storage, by name: "conv1/Relu, reshape/out".
QString bufferMembers(const Allocation& allocation, const Lowering& lowering);
/// "input" for -1, "end" beyond the last operator, else the operator's index.
QString lifetimeEndText(std::int64_t operatorIndex, std::int64_t operatorCount);

class BufferModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Columns {
        IndexColumn,
        NameColumn,
        OffsetColumn,
        BytesColumn,
        SizeColumn,
        FirstColumn,
        LastColumn,
        MembersColumn,
        ColumnCount
    };
    enum Roles { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// `lowering` gives names; it may be of another plan than `plan`.
    void setPlan(LoweringPtr lowering, std::shared_ptr<const ArenaPlan> plan);
    const ArenaPlan* plan() const { return m_plan.get(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QString text(const Allocation& allocation, int row, int column) const;
    static QVariant sortValue(const Allocation& allocation, int row, int column);

    LoweringPtr m_lowering;
    std::shared_ptr<const ArenaPlan> m_plan;
};

/// Those of them that are live at one operator.
class LiveBuffersProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit LiveBuffersProxy(QObject* parent = nullptr);
    void setStep(std::optional<std::int64_t> step);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    std::optional<std::int64_t> m_step;
};

} // namespace plumbline
