// SPDX-License-Identifier: GPL-3.0-or-later
// The window's experiments, comparisons and references: their wiring and dialogs.
#include <QFileDialog>
#include <QMessageBox>

#include "app/gui/comparison.h"
#include "app/gui/experiment.h"
#include "app/gui/main_window.h"
#include "app/gui/notice_bar.h"
#include "app/gui/workspace.h"
#include "views/common/experiment_bar.h"
#include "views/common/format.h"
#include "views/common/view.h"

namespace plumbline::gui {

void MainWindow::connectExperiment() {
    connect(m_experimentBar, &ExperimentBar::undoRequested, m_experiment, &Experiment::undo);
    connect(m_experimentBar, &ExperimentBar::redoRequested, m_experiment, &Experiment::redo);
    connect(m_experimentBar, &ExperimentBar::discardRequested, m_experiment, &Experiment::discard);
    connect(m_experimentBar, &ExperimentBar::exportRequested, m_experiment,
            &Experiment::exportPackage);
    connect(m_experiment, &Experiment::historyChanged, this, [this] {
        m_experimentBar->setHistory(m_experiment->canUndo(), m_experiment->canRedo());
    });
    connect(m_experiment, &Experiment::problem, this,
            [this](const QString& what) { m_notice->showNotice(what, {}); });
    connect(m_experiment, &Experiment::exported, this, [this](const QString& directory) {
        m_notice->showNotice(tr("The changed package is in %1.").arg(directory),
                             {{tr("&Open It"), [this, directory] { openPaths({directory}); }}});
    });
}

void MainWindow::connectComparison() {
    connect(m_comparison, &Comparison::problem, this,
            [this](const QString& what) { m_notice->showNotice(what, {}); });
    connect(m_comparison, &Comparison::started, this,
            [this] { m_workspace->reveal(*m_workspace->view(QStringLiteral("compare"))); });
}

void MainWindow::opened() {
    const bool again = m_reopened && m_experiment->canUndo();
    m_experiment->documentOpened(m_reopened);
    if (again)
        emit m_session.noticed(tr("The experiment was made again on what was opened."));
    makePendingEdits();
    if (!m_pendingComparison.isEmpty())
        m_comparison->compareWith(std::exchange(m_pendingComparison, {}).toStdString());
    const auto& now = m_session.document();
    if (!m_reopened && now->verdicts && now->verdicts->culprit &&
        m_session.selection() == selectOperator(0))
        m_session.selectCulprit(); // what a person with a failing model wants to see first
    const DocumentPtr& before = m_comparison->before();
    const bool isOther = std::exchange(m_reloaded, false) && before && before->file && now->file &&
                         *before->file != *now->file;
    if (!now->referenceProblem.empty())
        m_notice->showNotice(safeText(now->referenceProblem), {});
    else if (isOther)
        m_notice->showNotice(
            tr("Reloaded: the file is another one than before."),
            {{tr("&Compare with Before"), [this] { m_comparison->compareWithBefore(); }}});
}

bool MainWindow::mayForgetExperiment() {
    const auto answer = QMessageBox::question(
        this, tr("Experiment"),
        tr("The changes of the experiment are in no file. Save Session keeps them, Export Package "
           "writes the changed package."),
        QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Discard;
}

void MainWindow::makePendingEdits() {
    const Document& document = *m_session.document();
    const QStringList texts = std::exchange(m_pendingEdits, {});
    if (texts.isEmpty())
        return;
    if (!document.job)
        return m_notice->showNotice(tr("There is no job to change."), {});
    const FieldTable& fields = document.target->fields();
    std::vector<Edit> edits;
    Job job = *document.job; // an edit is read against what those before it left
    for (const QString& text : texts) {
        const Result<Edit> edit = parseEdit(text.toStdString(), job, fields);
        if (!edit)
            return m_notice->showNotice(safeText(edit.diagnostics().front().message), {});
        edits.push_back(*edit);
        if (Result<Job> changed = applyEdits(job, fields, std::span(&*edit, 1)))
            job = *std::move(changed);
    }
    m_session.requestEdits(std::move(edits));
}

void MainWindow::useLayout(BuiltInLayout layout) {
    if (m_needsLayout)
        m_pendingLayout = layout;
    else
        m_workspace->applyLayout(layout);
}

void MainWindow::compareWithFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Compare with a Model or a Package's npu.json"), {},
                                     tr("Models and packages (*.tflite npu.json);;All files (*)"));
    if (!path.isEmpty())
        m_comparison->compareWith(path.toStdString());
}

void MainWindow::compareWithDirectory() {
    const QString path =
        QFileDialog::getExistingDirectory(this, tr("Compare with a Package Directory"));
    if (!path.isEmpty())
        m_comparison->compareWith(path.toStdString());
}

void MainWindow::chooseReferenceFile() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Choose a Model or a Package's npu.json as the Reference"), {},
        tr("Models and packages (*.tflite npu.json);;All files (*)"));
    if (!path.isEmpty())
        takeReference(path.toStdString());
}

void MainWindow::chooseReferenceDirectory() {
    const QString path = QFileDialog::getExistingDirectory(
        this, tr("Choose a Trace, Dumps, Arena Images or a Package as the Reference"));
    if (!path.isEmpty())
        takeReference(path.toStdString());
}

void MainWindow::takeReference(const std::filesystem::path& path) {
    if (!m_open)
        return;
    OpenRequest request = m_request;
    request.reference = path;
    m_keep = Session::Keep::Selection;
    open(request);
}

} // namespace plumbline::gui
