// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel shows and when it ranks; hypotheses_panel_parts.cpp builds its widgets.
#include "views/provenance/hypotheses_panel.h"

#include <algorithm>
#include <array>

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QSplitter>

#include "core/artifacts/npy.h"
#include "views/common/format.h"

namespace plumbline {
namespace {

constexpr std::size_t kMostRanked = 4;
constexpr int kSentence = 300;      ///< pixels of what a mistake changes,
constexpr int kLeastSentence = 120; ///< at least where it takes the rest of the table

bool isUnequal(const std::optional<TensorComparison>& comparison) {
    return comparison && !comparison->equal;
}

} // namespace

void HypothesesPanel::show(const DocumentPtr& document, std::optional<std::int64_t> operatorIndex) {
    const bool isNewDocument = document != m_document;
    if (!isNewDocument && operatorIndex == m_operator)
        return;
    if (isNewDocument) {
        m_ranked.clear();
        // An experiment on a layer is held against the same dump.
        if (!m_document || document->title != m_document->title ||
            document->path != m_document->path)
            m_dump.reset();
    }
    cancel();
    m_document = document;
    m_operator = operatorIndex;
    fillChoices(isNewDocument);
    showObservation();
}

void HypothesesPanel::fillChoices(bool isNewDocument) {
    const QSignalBlocker quiet(m_whose);
    const Observed before = observed();
    m_whose->clear();
    const auto add = [this](const QString& text, Observed whose) {
        m_whose->addItem(text, static_cast<int>(whose));
    };
    add(m_document && m_document->reference
            ? tr("Observed: %1").arg(safeText(m_document->reference->name))
            : tr("Observed: no reference"),
        Observed::Reference);
    const bool isExperiment = m_document && m_document->original;
    if (isExperiment)
        add(tr("Observed: this experiment"), Observed::Experiment);
    const bool hasDump = m_dump && m_dump->operatorIndex == m_operator;
    if (hasDump)
        add(tr("Observed: %1").arg(m_dump->name), Observed::Dump);
    const Observed usual = isExperiment ? Observed::Experiment : Observed::Reference;
    const int index = m_whose->findData(static_cast<int>(isNewDocument ? usual : before));
    m_whose->setCurrentIndex(index >= 0 ? index : m_whose->findData(static_cast<int>(usual)));
}

Observed HypothesesPanel::observed() const {
    return static_cast<Observed>(m_whose->currentData().toInt());
}

bool HypothesesPanel::setObserved(Observed whose) {
    const int index = m_whose->findData(static_cast<int>(whose));
    if (index >= 0)
        m_whose->setCurrentIndex(index);
    return index >= 0;
}

void HypothesesPanel::showObservation() {
    cancel();
    m_observation = {};
    const bool isLayer = m_operator && m_document->runner;
    m_load->setEnabled(isLayer);
    m_whose->setEnabled(isLayer);
    if (!isLayer) {
        m_find->setEnabled(false);
        showStatus({});
        return;
    }
    m_observation = observationOf(m_document, *m_operator, observed(), m_dump);
    m_find->setEnabled(m_observation.bytes != nullptr);
    if (!m_observation.bytes) {
        showStatus(m_observation.problem);
    } else if (const Ranked* const ranked = remembered()) {
        showRanking(*ranked);
    } else if (isKnownToDiffer()) {
        find();
    } else {
        showStatus(questionText());
    }
}

QString HypothesesPanel::questionText() const {
    const LayerVerdict* const verdict = m_document->verdictOf(*m_operator);
    if (observed() == Observed::Reference && verdict && verdict->isolated &&
        verdict->isolated->equal)
        return tr("The observed bytes are what the arithmetic gives; there is nothing to explain.");
    return tr("Find the mistake: which one turns the right bytes of this layer into those of %1?")
        .arg(m_observation.name);
}

bool HypothesesPanel::isKnownToDiffer() const {
    switch (observed()) {
    case Observed::Reference: {
        const LayerVerdict* const verdict = m_document->verdictOf(*m_operator);
        return verdict && (isUnequal(verdict->accumulated) || isUnequal(verdict->isolated));
    }
    case Observed::Experiment: {
        const TraceLayer* const before = m_document->original->layerOf(*m_operator);
        return before && before->bytes != *m_observation.bytes;
    }
    case Observed::Dump:
        return true;
    }
    return false;
}

const HypothesesPanel::Ranked* HypothesesPanel::remembered() const {
    const auto found = std::find_if(m_ranked.begin(), m_ranked.end(), [this](const Ranked& ranked) {
        return ranked.observation.bytes == m_observation.bytes &&
               ranked.observation.site.hasSameSite(m_observation.site);
    });
    return found == m_ranked.end() ? nullptr : &*found;
}

void HypothesesPanel::find() {
    if (!m_observation.bytes)
        return;
    clearRanking(tr("Looking for the mistake in what %1 holds…").arg(m_observation.name));
    const Observation observation = m_observation;
    const auto mistakes = m_document->target->mistakes();
    auto done = std::make_shared<std::atomic<int>>(0);
    m_done = done;
    setBusy(true);
    m_job.start(
        [observation, mistakes, done,
         known = m_sites.find(observation.site)](const std::stop_token& stop) {
            JobContext context;
            context.stop = stop;
            context.progress = [done](double fraction, std::string_view /*what*/) {
                *done = static_cast<int>(fraction * 1000);
            };
            return rankObservation(observation, known, mistakes, context);
        },
        [this, observation](RankingAnswer answer) {
            setBusy(false);
            m_sites.keep(observation.site, answer.site);
            if (!answer.ranking) {
                showStatus(answer.problem);
                return;
            }
            m_ranked.insert(m_ranked.begin(), Ranked{observation, std::move(answer)});
            if (m_ranked.size() > kMostRanked)
                m_ranked.pop_back();
            showRanking(m_ranked.front());
        });
}

void HypothesesPanel::cancel() {
    if (!m_job.isBusy())
        return;
    m_job.cancel();
    setBusy(false);
    if (m_observation.bytes)
        showStatus(questionText());
}

void HypothesesPanel::setBusy(bool busy) {
    m_progress->setValue(0);
    m_progress->setVisible(busy);
    m_findButton->setVisible(!busy);
    m_cancelButton->setVisible(busy);
    m_cancel->setEnabled(busy);
    m_find->setEnabled(!busy && m_observation.bytes != nullptr);
    if (busy)
        m_progressTimer.start();
    else
        m_progressTimer.stop();
}

void HypothesesPanel::clearRanking(const QString& status) {
    m_model->setRanking(nullptr, {});
    m_status->setText(status);
    m_status->setToolTip({});
    m_splitter->hide();
    showMarks();
    m_shown.reset(); // the table of marks has let go of its bytes
}

void HypothesesPanel::showStatus(const QString& status) {
    clearRanking(status);
    emit contentChanged();
}

void HypothesesPanel::showRanking(const Ranked& ranked) {
    m_shown = ranked;
    const HypothesisRanking& ranking = *ranked.answer.ranking;
    const auto mistakes = m_document->target->mistakes();
    m_model->setRanking(ranked.answer.ranking, mistakes);
    const LayerSite& site = *ranked.answer.site;
    const bool isNamed = site.runner->steps()[site.step].record.has_value();
    m_status->setText(isNamed || ranking.healthy
                          ? verdictText(ranking, mistakes, ranked.observation.name)
                          : tr("The CPU makes this layer, and no mistakes of it are named. Follow "
                               "the steps of a wrong element instead."));
    const QString unseen = unseenText(ranking);
    m_status->setToolTip(
        unseen.isEmpty() ? QString() : QStringLiteral("<p>%1</p>").arg(unseen.toHtmlEscaped()));
    m_splitter->setVisible(!ranking.hypotheses.empty());
    for (const int column : {HypothesisModel::Name, HypothesisModel::Explains})
        m_table->resizeColumnToContents(column);
    const bool hasEquivalent =
        std::any_of(ranking.hypotheses.begin(), ranking.hypotheses.end(),
                    [](const Hypothesis& one) { return !one.equivalent.empty(); });
    m_table->setColumnHidden(HypothesisModel::SameBytes, !hasEquivalent);
    m_table->setColumnWidth(HypothesisModel::Change, hasEquivalent ? kSentence : kLeastSentence);
    m_table->setCurrentIndex(m_model->index(0, 0));
    showMarks();
    emit contentChanged();
}

void HypothesesPanel::showMarks() {
    const Hypothesis* const chosen = m_model->hypothesis(m_table->currentIndex().row());
    m_mapSide->setVisible(chosen && m_showMe->isChecked());
    m_showMe->setEnabled(chosen != nullptr);
    m_showMeButton->setVisible(chosen != nullptr);
    if (!chosen || !m_shown) {
        m_map->setMarks({});
        m_markTable->setMarks({}, {}, {}, {});
        return;
    }
    const ByteView healthy = m_shown->answer.site->healthy;
    const ByteView observed = *m_shown->observation.bytes;
    const Hwc shape = outputShape(*m_document->lowering, *m_operator).value_or(Hwc{0, 0, 0});
    const ElementMarks marks(healthy, observed, chosen->output, shape);
    const bool hasPositions = marks.shape().h * marks.shape().w > 1;
    m_channel->setVisible(hasPositions);
    m_channel->setMaximum(static_cast<int>(marks.shape().c) - 1);
    m_markTable->setMarks(marks, healthy, observed, chosen->output);
    m_map->setMarks(marks);
}

void HypothesesPanel::setElement(std::optional<ElementIndex> element) {
    m_map->setElement(element);
}

void HypothesesPanel::chooseDump() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Load Observed Dump"), {}, tr("Dumps (*.bin *.raw *.npy);;All files (*)"));
    if (!path.isEmpty())
        loadDump(path);
}

bool HypothesesPanel::loadDump(const QString& path) {
    if (!m_operator || !m_document->runner)
        return false;
    const Hwc shape = outputShape(*m_document->lowering, *m_operator).value_or(Hwc{0, 0, 0});
    Result<Bytes> bytes =
        loadInput(path.toStdString(), static_cast<std::uint64_t>(shape.elements()),
                  std::array{shape.h, shape.w, shape.c});
    if (!bytes) {
        cancel();
        showStatus(safeText(bytes.diagnostics().front().message));
        return false;
    }
    m_dump = LayerDump{*m_operator, QFileInfo(path).fileName(),
                       std::make_shared<const Bytes>(*std::move(bytes))};
    fillChoices(false);
    const QSignalBlocker quiet(m_whose);
    setObserved(Observed::Dump);
    showObservation();
    return true;
}

} // namespace plumbline
