// SPDX-License-Identifier: GPL-3.0-or-later
// The estimated costs of all records as a table, and the part of it that the bars show.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "core/lowering/lowering.h"

namespace plumbline {

enum class CostMeasure : std::uint8_t { Cycles, DmaBytes };

inline constexpr std::size_t kCostParts = 4;

/// One record. The parts of the cycles are compute, pack, load and store; those of the bytes are
/// gather, weights, parameters and writes.
struct CostRow {
    std::int64_t operatorIndex = 0;
    std::int64_t record = 0;
    std::string name; ///< opcode
    std::array<std::int64_t, kCostParts> cycles{};
    std::array<std::int64_t, kCostParts> bytes{};
    std::int64_t statedCycles = 0; ///< what the lowering or the package says the sum is

    const std::array<std::int64_t, kCostParts>& parts(CostMeasure measure) const {
        return measure == CostMeasure::Cycles ? cycles : bytes;
    }
    std::int64_t total(CostMeasure measure) const;
};

/// One row per operator that has a record, in operator order.
std::vector<CostRow> costRows(const Lowering& lowering);
QString costPartName(CostMeasure measure, std::size_t part);
/// Several lines for a tooltip: every part with its share, marked as estimates.
QString costText(const CostRow& row, CostMeasure measure);

class CostModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Columns {
        RecordColumn,
        OperatorColumn,
        NameColumn,
        ComputeColumn,
        PackColumn,
        LoadColumn,
        StoreColumn,
        CyclesColumn,
        GatherColumn,
        WeightsColumn,
        ParamsColumn,
        WriteColumn,
        BytesColumn,
        ColumnCount
    };
    enum Roles { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<CostRow> rows);
    const CostRow& row(int index) const { return m_rows[static_cast<std::size_t>(index)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QVariant value(const CostRow& row, int column) const;

    std::vector<CostRow> m_rows;
};

/// The rows whose operators pass the session's filter, sorted.
class CostProxy : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit CostProxy(QObject* parent = nullptr);
    void setPasses(std::function<bool(std::int64_t)> passes);
    const CostRow& costRow(int row) const;
    int rowOfOperator(std::int64_t operatorIndex) const; ///< -1 where it has none

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    const CostModel& model() const;
    std::function<bool(std::int64_t)> m_passes;
};

} // namespace plumbline
