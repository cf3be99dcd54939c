// SPDX-License-Identifier: GPL-3.0-or-later
// One explained element: where it was made, both values, the chain, and all steps to walk through.
#pragma once

#include <array>

#include <QLabel>
#include <QTableView>
#include <QWidget>

#include "views/provenance/chain_strip.h"
#include "views/provenance/step_model.h"

class QAction;
class QHBoxLayout;
class QKeyEvent;

namespace plumbline {

/// The two bytes that are held against each other.
struct ValuePair {
    std::int64_t ours = 0;
    std::optional<std::int64_t> theirs;
    QString theirName; ///< "reference kernels"; empty without a reference
};

class StepsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit StepsPanel(QWidget* parent = nullptr);

    void setExplanation(std::shared_ptr<const Explanation> explanation,
                        const std::optional<TileWalk>& walk, const ValuePair& values);

    StepModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }
    ChainStrip* chain() const { return m_chain; }
    QString heading() const { return m_heading->text(); }
    QString sentence() const { return m_sentence->text(); }
    QString valuesText() const;
    QString counter() const { return m_counter->text(); } ///< "step 3 / 15"

    /// The step that is shown as a sentence; nothing in an empty table.
    std::optional<std::size_t> currentStep() const;
    /// Steps outside the table are moved into it.
    void goToStep(std::int64_t step);
    void moveBy(std::int64_t steps);
    /// The first step after the current slice, or of the slice before the current one.
    void moveToSlice(int direction);
    /// Follows what the current cell stands for, else the first thing that the step read.
    void followCurrent();

    /// What the row of buttons shows, in order; null is a separator. `last` stands at their end.
    void fillBar(const QList<QAction*>& actions, QWidget* last);

  signals:
    void followed(const ReplaySource& source);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void buildTable();
    /// The rows whose texts decide how wide the columns are.
    std::vector<int> widestRows() const;
    void fitColumns();
    /// Hides what matters least, columns and addresses, while the rest does not fit.
    void dropColumns();
    bool handleKey(const QKeyEvent& event);
    void showCurrentRow();
    void showStep();
    void showValues(const ValuePair& values);
    bool follow(const QModelIndex& cell);

    using Widths = std::array<int, StepModel::ColumnCount>;
    Widths measured(const std::vector<int>& rows) const;

    Widths m_columnWidths{};
    Widths m_bareWidths{}; ///< without addresses
    StepModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    ChainStrip* m_chain = nullptr;
    QLabel* m_heading = nullptr;
    QLabel* m_ours = nullptr;
    QLabel* m_theirs = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_counter = nullptr;
    QHBoxLayout* m_bar = nullptr;
};

} // namespace plumbline
