// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/strategy_model.h"

#include <algorithm>

#include <QLocale>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

const ArenaStrategyInfo& infoOf(ArenaStrategy strategy) {
    const auto all = allArenaStrategies();
    const auto found = std::find_if(
        all.begin(), all.end(), [strategy](const auto& info) { return info.strategy == strategy; });
    return found == all.end() ? all.front() : *found;
}

constexpr QChar kMinus(0x2212);

} // namespace

QString strategyName(ArenaStrategy strategy) {
    switch (strategy) {
    case ArenaStrategy::FirstFit:
        return StrategyModel::tr("first fit (contract)");
    case ArenaStrategy::BestFit:
        return StrategyModel::tr("best fit");
    case ArenaStrategy::GrowingFit:
        return StrategyModel::tr("first fit, growing");
    case ArenaStrategy::GreedyBySize:
        return StrategyModel::tr("greedy by size");
    }
    return {};
}

std::vector<StrategyOutcome> planAll(const std::vector<LifetimeRequest>& requests,
                                     std::int64_t operatorCount, std::uint64_t alignment,
                                     const std::stop_token& stop) {
    std::vector<StrategyOutcome> outcomes;
    for (const ArenaStrategyInfo& info : allArenaStrategies()) {
        if (stop.stop_requested())
            break;
        Result<ArenaPlan> plan = planWith(info.strategy, requests, operatorCount, alignment, stop);
        StrategyOutcome outcome{info.strategy, nullptr, {}};
        if (plan)
            outcome.plan = std::make_shared<const ArenaPlan>(*std::move(plan));
        else
            outcome.problem = safeText(plan.diagnostics().front().message);
        outcomes.push_back(std::move(outcome));
    }
    return outcomes;
}

QString differenceText(std::uint64_t value, std::uint64_t base) {
    if (value == base)
        return QStringLiteral("0");
    const std::uint64_t size = value > base ? value - base : base - value;
    return (value > base ? QChar(QLatin1Char('+')) : kMinus) +
           groupedNumber(static_cast<std::int64_t>(size));
}

QString percentAgainst(std::uint64_t value, std::uint64_t base) {
    if (base == 0)
        return QStringLiteral("—");
    if (value == base)
        return QStringLiteral("0 %");
    const double percent = (static_cast<double>(value) / static_cast<double>(base) - 1) * 100;
    const QString number = QLocale::c().toString(qAbs(percent), 'f', 1);
    return (percent > 0 ? QChar(QLatin1Char('+')) : kMinus) + number + QStringLiteral(" %");
}

void StrategyModel::setOutcomes(std::vector<StrategyOutcome> outcomes, std::uint64_t compiledPeak) {
    beginResetModel();
    m_outcomes = std::move(outcomes);
    m_compiledPeak = compiledPeak;
    endResetModel();
}

const StrategyOutcome* StrategyModel::outcome(int row) const {
    const auto index = static_cast<std::size_t>(row);
    return row >= 0 && index < m_outcomes.size() ? &m_outcomes[index] : nullptr;
}

int StrategyModel::rowOf(ArenaStrategy strategy) const {
    for (std::size_t i = 0; i < m_outcomes.size(); ++i)
        if (m_outcomes[i].strategy == strategy)
            return static_cast<int>(i);
    return -1;
}

int StrategyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_outcomes.size());
}

int StrategyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString StrategyModel::text(const StrategyOutcome& outcome, int column) const {
    if (column == StrategyColumn)
        return strategyName(outcome.strategy);
    if (!outcome.plan)
        return column == PeakColumn ? tr("not planned") : QString();
    const std::uint64_t peak = outcome.plan->peakBytes;
    switch (column) {
    case PeakColumn:
        return groupedNumber(static_cast<std::int64_t>(peak));
    case OverMinimumColumn:
        return percentAgainst(peak, outcome.plan->minimumBytes);
    case DifferenceColumn:
        return differenceText(peak, m_compiledPeak);
    case PercentColumn:
        return percentAgainst(peak, m_compiledPeak);
    default:
        return {};
    }
}

QVariant StrategyModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const StrategyOutcome& outcome = m_outcomes[static_cast<std::size_t>(index.row())];
    const bool isText = index.column() == StrategyColumn;
    switch (role) {
    case Qt::DisplayRole:
        return text(outcome, index.column());
    case Qt::ToolTipRole:
        return outcome.problem.isEmpty() ? safeText(infoOf(outcome.strategy).meaning)
                                         : outcome.problem;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(isText ? Qt::AlignLeft | Qt::AlignVCenter
                                                        : Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole:
        return isText ? QVariant() : QVariant(monoFont());
    default:
        return {};
    }
}

QVariant StrategyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole) {
        static const QStringList names{tr("Strategy"), tr("Peak, bytes"), tr("Over min."),
                                       tr("Δ bytes"), tr("Δ %")};
        return names.at(section);
    }
    if (role == Qt::ToolTipRole && section == OverMinimumColumn)
        return tr("Against the most bytes that live at once: no plan can need less");
    if (role == Qt::ToolTipRole && section >= DifferenceColumn)
        return tr("Against the compiled plan");
    return {};
}

} // namespace plumbline
