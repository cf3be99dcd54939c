// SPDX-License-Identifier: GPL-3.0-or-later
// The exact numbers beside the arena chart: one step, and the experiments.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QLabel>
#include <QSpinBox>
#include <QTableView>

#include "views/arena/arena_scene.h"
#include "views/arena/buffer_model.h"
#include "views/arena/strategy_model.h"
#include "views/common/newest_job.h"

namespace plumbline {

/// The arena at one operator, and the buffers that are live there.
class ArenaStepPanel : public QWidget {
    Q_OBJECT

  public:
    explicit ArenaStepPanel(BufferModel* buffers, QWidget* parent = nullptr);
    void showStep(const ArenaScene& scene, std::optional<std::int64_t> step);
    /// Marks the row of `buffer` without reporting it.
    void markBuffer(std::optional<std::size_t> buffer);

  signals:
    void picked(qlonglong step, qlonglong buffer);

  private:
    enum Fact {
        OperatorFact,
        LiveFact,
        PaddingFact,
        HolesFact,
        LargestHoleFact,
        HighWaterFact,
        MinimumFact,
        PeakFact,
        FactCount
    };

    void buildTable(BufferModel* buffers);

    std::array<QLabel*, FactCount> m_facts{};
    QTableView* m_table = nullptr;
    LiveBuffersProxy* m_live = nullptr;
    std::optional<std::int64_t> m_step;
};

/// A spin box whose steps are powers of two.
class AlignmentBox : public QSpinBox {
    Q_OBJECT

  public:
    explicit AlignmentBox(QWidget* parent = nullptr);
    void stepBy(int steps) override;
};

/// Strategies and alignment; choosing one shows its plan in the chart. Plans in the background,
/// and only while it is seen.
class WhatIfPanel : public QWidget {
    Q_OBJECT

  public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    /// Another document: forgets experiments. `lowering` is never null.
    void setLowering(const LoweringPtr& lowering);
    bool isBusy() const { return m_job.isBusy(); }
    /// Shows the compiled plan again.
    void leaveExperiment();

  signals:
    /// `plan` is null for the compiled plan; `name` describes it.
    void planChosen(std::shared_ptr<const ArenaPlan> plan, const QString& name);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void plan();
    void showOutcomes(std::vector<StrategyOutcome> outcomes);
    void choose(int row);

    LoweringPtr m_lowering;
    StrategyModel* m_strategies = nullptr;
    QTableView* m_table = nullptr;
    AlignmentBox* m_alignment = nullptr;
    QLabel* m_note = nullptr;
    std::optional<ArenaStrategy> m_chosen;
    bool m_isStale = true;
    NewestJob m_job;
};

} // namespace plumbline
