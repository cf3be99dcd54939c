// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies of the arena and what each would need, as a table. Experiments only.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "core/lowering/arena_strategies.h"

namespace plumbline {

/// A plan by one strategy, or why there is none.
struct StrategyOutcome {
    ArenaStrategy strategy{};
    std::shared_ptr<const ArenaPlan> plan; ///< null: see `problem`
    QString problem;
};

/// Plans `requests` by every strategy; stops early, with fewer outcomes, when asked.
std::vector<StrategyOutcome> planAll(const std::vector<LifetimeRequest>& requests,
                                     std::int64_t operatorCount, std::uint64_t alignment,
                                     const std::stop_token& stop);

class StrategyModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Columns {
        StrategyColumn,
        PeakColumn,
        OverMinimumColumn,
        DifferenceColumn,
        PercentColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// `compiledPeak` is the peak of the plan that the document holds, bytes.
    void setOutcomes(std::vector<StrategyOutcome> outcomes, std::uint64_t compiledPeak);
    const StrategyOutcome* outcome(int row) const;
    int rowOf(ArenaStrategy strategy) const; ///< -1 where it is not in the table

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

  private:
    QString text(const StrategyOutcome& outcome, int column) const;

    std::vector<StrategyOutcome> m_outcomes;
    std::uint64_t m_compiledPeak = 0;
};

/// "+12.5 %", "0 %", "−3 %": `value` against `base`; "—" for a base of 0.
QString percentAgainst(std::uint64_t value, std::uint64_t base);
/// "+1,024", "0" or "−512" bytes.
QString differenceText(std::uint64_t value, std::uint64_t base);
/// The strategy's name as people read it.
QString strategyName(ArenaStrategy strategy);

} // namespace plumbline
