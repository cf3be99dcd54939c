// SPDX-License-Identifier: GPL-3.0-or-later
// Which named mistake explains the observed bytes of a layer, and which elements it explains.
#pragma once

#include <atomic>

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QWidget>

#include "views/common/newest_job.h"
#include "views/provenance/element_map.h"
#include "views/provenance/hypothesis_model.h"
#include "views/provenance/layer_question.h"

class QAction;
class QSplitter;

namespace plumbline {

/// Ranks in the background: on demand, and by itself for a layer that is known to differ. Its
/// commands are its QWidget::actions().
class HypothesesPanel : public QWidget {
    Q_OBJECT

  public:
    explicit HypothesesPanel(SiteStore& sites, QWidget* parent = nullptr);

    /// Nothing for an operator without a layer; the document then may have no runner.
    void show(const DocumentPtr& document, std::optional<std::int64_t> operatorIndex);
    void setElement(std::optional<ElementIndex> element);
    bool isBusy() const { return m_job.isBusy(); }

    Observed observed() const;
    /// Chooses whose bytes are observed; false when there is no such choice now.
    bool setObserved(Observed whose);
    void find();
    void cancel();
    /// Raw bytes or .npy of the shown layer; false, with the reason in status(), when it is none.
    bool loadDump(const QString& path);

    QString status() const { return m_status->text(); }
    /// Whether there is more than the status to be seen.
    bool hasList() const { return m_shown && !m_shown->answer.ranking->hypotheses.empty(); }
    QTableView* table() const { return m_table; }
    HypothesisModel* model() const { return m_model; }
    ElementMap* map() const { return m_map; }
    QSpinBox* channel() const { return m_channel; }
    MarkTableModel* markTable() const { return m_markTable; }

  signals:
    void elementPicked(const ElementIndex& element);
    void contentChanged(); ///< another sentence or list, which stays

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// A ranking with what it was made from.
    struct Ranked {
        Observation observation;
        RankingAnswer answer;
    };

    QAction* newAction(const QString& name, const QString& text, const QKeySequence& shortcut);
    QWidget* buildBar();
    QWidget* buildMap();
    void buildTable();
    void fillChoices(bool isNewDocument);
    void showObservation();
    bool isKnownToDiffer() const;
    QString questionText() const;
    void showRanking(const Ranked& ranked);
    void clearRanking(const QString& status);
    void showStatus(const QString& status); ///< without a list
    void setBusy(bool busy);
    void showMarks();
    void chooseDump();
    const Ranked* remembered() const;

    SiteStore& m_sites;
    DocumentPtr m_document;
    std::optional<std::int64_t> m_operator;
    std::optional<LayerDump> m_dump;
    Observation m_observation;    ///< of what is shown
    std::vector<Ranked> m_ranked; ///< latest first
    std::optional<Ranked> m_shown;
    NewestJob m_job;
    std::shared_ptr<std::atomic<int>> m_done; ///< thousandths of the job

    QComboBox* m_whose = nullptr;
    QAction* m_find = nullptr;
    QAction* m_load = nullptr;
    QAction* m_showMe = nullptr;
    QAction* m_cancel = nullptr;
    QWidget* m_findButton = nullptr;
    QWidget* m_cancelButton = nullptr;
    QWidget* m_showMeButton = nullptr;
    QProgressBar* m_progress = nullptr;
    QTimer m_progressTimer;
    QLabel* m_status = nullptr;
    QSplitter* m_splitter = nullptr;
    HypothesisModel* m_model = nullptr;
    QTableView* m_table = nullptr;
    QWidget* m_mapSide = nullptr;
    ElementMap* m_map = nullptr;
    QSpinBox* m_channel = nullptr;
    MarkTableModel* m_markTable = nullptr;
};

} // namespace plumbline
