// SPDX-License-Identifier: GPL-3.0-or-later
// Why is this byte wrong: every step of one output element, and the mistakes that explain its
// layer.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>

#include "views/common/newest_job.h"
#include "views/common/view.h"
#include "views/provenance/hypotheses_panel.h"
#include "views/provenance/layer_question.h"
#include "views/provenance/steps_panel.h"

namespace plumbline {

class WhyView : public View {
    Q_OBJECT

  public:
    explicit WhyView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override { return m_operator; }
    /// Selects the element that is worth explaining first.
    bool pickOperator(std::int64_t index) override;
    /// The elements that the map marks.
    QAbstractItemModel* accessibleTable() override { return m_hypotheses->markTable(); }
    std::vector<ViewPicture> pictures() override;
    bool isBusy() const override { return m_job.isBusy() || m_hypotheses->isBusy(); }

    StepsPanel* steps() const { return m_steps; }
    HypothesesPanel* hypotheses() const { return m_hypotheses; }
    QPushButton* offer() const { return m_offer; }
    QComboBox* inputsBox() const { return m_inputsBox; }
    std::optional<ElementIndex> element() const { return m_element; }
    LayerInputs inputs() const;
    /// False where the reference has no bytes to take.
    bool setInputs(LayerInputs inputs);
    /// What the view says instead of steps; empty while it shows steps.
    QString note() const;

  protected:
    void showDocument() override;
    void showSelection() override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QAction* newAction(const QString& name, const QString& text, const QKeySequence& shortcut);
    void buildActions();
    void buildInputs(); ///< of the layer: as run, or the reference's
    QWidget* buildOffer();
    /// Whether the operator has a layer here that could be explained.
    bool isLayer(std::int64_t operatorIndex) const;
    /// The element to begin with; nothing where the layer's shape is damaged.
    std::optional<ElementIndex> firstElement(std::int64_t operatorIndex) const;
    void showOperator();
    void enableActions();
    void showOffer();
    /// Lays steps and hypotheses beside each other where there is more width than height.
    void arrange();
    void keepShare(); ///< the border of both was moved
    void showEmptyNote();
    void explain();
    void explainFirst();
    void showAnswer(const ElementAnswer& answer);
    ValuePair valuesOf(const Explanation& explanation) const;
    void follow(const ReplaySource& source);
    void selectElement(const ElementIndex& element);

    std::optional<std::int64_t> m_operator;
    std::optional<ElementIndex> m_element;
    SiteStore m_sites;
    NewestJob m_job;

    QStackedWidget* m_stack = nullptr; ///< work or note
    QStackedWidget* m_top = nullptr;   ///< steps or offer
    QSplitter* m_splitter = nullptr;
    QLabel* m_empty = nullptr;
    QLabel* m_offerText = nullptr;
    QPushButton* m_offer = nullptr;
    StepsPanel* m_steps = nullptr;
    HypothesesPanel* m_hypotheses = nullptr;
    QComboBox* m_inputsBox = nullptr;
    QAction* m_explainFirst = nullptr;
    QList<QAction*> m_sliceActions;
    /// Percent of the view that the hypotheses take, where somebody has chosen it.
    std::optional<int> m_chosenShare;
    QList<QAction*> m_walkActions;
};

} // namespace plumbline
