// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: dialogs, drops, sessions, reloading, and what becomes of the loader's results.
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include "app/gui/comparison.h"
#include "app/gui/exports.h"
#include "app/gui/main_window.h"
#include "app/gui/notice_bar.h"
#include "app/gui/start_page.h"
#include "app/gui/workspace.h"
#include "core/base/sha256.h"
#include "views/common/filter_bar.h"
#include "views/common/filter_edit.h"
#include "views/common/format.h"
#include "views/common/view.h"

namespace plumbline::gui {
namespace {

namespace fs = std::filesystem;

fs::path pathOf(const QString& text) { return fs::path(text.toStdString()); }
QString textOf(const fs::path& path) { return QString::fromStdString(path.string()); }

QString describe(const Diagnostics& diagnostics) {
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics) {
        const QString place = safeText(placeText(diagnostic.where));
        lines << safeText(codeInfo(diagnostic.code).id) + QStringLiteral(": ") +
                     (place.isEmpty() ? QString() : place + QStringLiteral(": ")) +
                     safeText(diagnostic.message);
    }
    return lines.join(QLatin1Char('\n'));
}

constexpr const char* kHeatNames[] = {"",          "cycles",      "macs",
                                      "dma-bytes", "arena-bytes", "mismatches"};

/// An experiment's edits, one change per text.
std::vector<std::string> editTextsOf(const Document& document) {
    std::vector<std::string> texts;
    if (!document.original)
        return texts;
    Job job = *document.original->job;
    const FieldTable& fields = document.target->fields();
    for (const Edit& edit : document.edits) {
        const QString text = QString::fromStdString(toText(edit, job, fields));
        for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
            texts.push_back(part.toStdString());
        if (Result<Job> changed = applyEdits(job, fields, std::span(&edit, 1)))
            job = *std::move(changed);
    }
    return texts;
}

} // namespace

void MainWindow::connectLoader() {
    connect(&m_loader, &DocumentLoader::reached, this, &MainWindow::reached);
    connect(&m_loader, &DocumentLoader::failed, this, &MainWindow::failed);
    connect(&m_loader, &DocumentLoader::progressed, this,
            [this](double fraction, const QString& what) {
                m_work->setText(what);
                m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
            });
    connect(&m_loader, &DocumentLoader::finished, this, [this] {
        showWork(m_exports->isBusy());
        showWaiting();
        opened();
        watchFile();
        emit documentShown();
    });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::openDialog);
    connect(m_start, &StartPage::fileChosen, this,
            [this](const QString& path) { openPaths({path}); });
    connect(m_start, &StartPage::sampleChosen, this, [this](const QString& name) {
        OpenRequest request;
        request.sample = name.toStdString();
        open(request);
    });
}

void MainWindow::openPaths(const QStringList& paths) {
    if (paths.size() == 1 && isSessionPath(pathOf(paths.first())))
        return openSession(pathOf(paths.first()));
    std::vector<fs::path> list;
    for (const QString& path : paths)
        list.push_back(pathOf(path));
    Result<OpenRequest> request = requestFor(list);
    if (!request)
        return failed(request.diagnostics());
    // An input or a trace alone belongs to the model that is open.
    const bool onlyInput =
        request->path.extension() == ".npy" || request->path.extension() == ".bin";
    if (onlyInput && m_open && !m_request.path.empty()) {
        OpenRequest with = m_request;
        with.input = request->path;
        m_keep = Session::Keep::Selection;
        return open(with);
    }
    open(*request);
}

void MainWindow::open(const OpenRequest& request) {
    m_request = request;
    m_notice->dismiss();
    if (!request.path.empty())
        m_settings.addRecentFile(textOf(fs::absolute(request.path)));
    refreshRecent();
    constexpr int kProgressAfter = 250; // milliseconds of work that need no word
    QTimer::singleShot(kProgressAfter, this, [this] {
        if (m_loader.isBusy()) {
            m_progress->setRange(0, kProgressSteps);
            showWork(true);
        }
    });
    m_loader.open(request);
}

void MainWindow::reached(DocumentPtr document, bool firstStage) {
    m_waiting = std::move(document);
    m_waitingIsFirst = m_waitingIsFirst || firstStage;
    if (m_stack->currentWidget() == m_workspace)
        return showWaiting();
    // Views that end up behind tabs are hidden only after a turn of the event loop; before, they
    // would work for nothing.
    m_stack->setCurrentWidget(m_workspace);
    arrangeOnce();
    QTimer::singleShot(0, this, &MainWindow::showWaiting);
}

void MainWindow::showWaiting() {
    if (m_waiting == nullptr)
        return;
    const bool first = std::exchange(m_waitingIsFirst, false);
    const Session::Keep keep =
        first ? m_keep.value_or(Session::Keep::Nothing) : Session::Keep::Selection;
    if (first) {
        m_keep.reset();
        m_reopened = keep == Session::Keep::Selection;
        if (!m_reopened)
            m_comparison->stop();
    }
    m_open = true;
    m_session.setDocument(std::exchange(m_waiting, nullptr), keep);
    if (!m_pendingFilter.isEmpty())
        applyFilter(std::exchange(m_pendingFilter, {}));
    if (!m_pendingAddress.isEmpty())
        m_session.selectAddress(std::exchange(m_pendingAddress, {}));
    else if (m_session.selection().empty() && !m_session.lowering().operators.empty())
        m_session.select(selectOperator(0));
    if (first)
        m_showedErrors = false;
    if (!m_showedErrors && hasErrors(m_session.document()->diagnostics)) {
        m_showedErrors = true;
        m_workspace->dockOf(*m_workspace->view(QStringLiteral("diagnostics")))->raise();
    }
    updateTitle();
    updateSummary();
}

void MainWindow::failed(const Diagnostics& diagnostics) {
    m_keep.reset();
    m_notice->showNotice(describe(diagnostics), {});
}

/// A filter that cannot be applied stands in the line, with what is wrong.
void MainWindow::applyFilter(const QString& filter) {
    QString problem;
    if (m_session.setFilter(filter, &problem))
        return;
    m_filter->edit()->setText(filter);
    m_filter->edit()->check();
    m_notice->showNotice(tr("The filter is not applied: %1").arg(problem), {});
}

void MainWindow::cancelWork() {
    m_exports->cancel();
    if (!m_loader.isBusy())
        return;
    m_loader.cancel();
    m_notice->showNotice(tr("Cancelled. What you see is as far as it came."),
                         {{tr("&Start Again"), [this] { reload(); }}});
}

void MainWindow::selectWhenOpen(const QString& address) {
    m_open && !m_loader.isBusy() ? static_cast<void>(m_session.selectAddress(address))
                                 : static_cast<void>(m_pendingAddress = address);
}

void MainWindow::applyFilterWhenOpen(const QString& filter) {
    m_open && !m_loader.isBusy() ? applyFilter(filter)
                                 : static_cast<void>(m_pendingFilter = filter);
}

void MainWindow::watchFile() {
    if (!m_watcher->files().isEmpty())
        m_watcher->removePaths(m_watcher->files());
    if (m_request.path.empty())
        return;
    fs::path file = m_request.path;
    if (fs::is_directory(file))
        file /= fs::exists(file / "npu.json") ? "npu.json" : "trace.json";
    if (fs::exists(file))
        m_watcher->addPath(textOf(file));
}

void MainWindow::fileChanged() {
    const QString name = safeText(m_session.document()->title);
    const bool there = fs::exists(m_request.path);
    if (there && m_watcher->files().isEmpty())
        watchFile(); // it was replaced, not written into
    if (!there)
        return m_notice->showNotice(
            tr("%1 is gone from the disk. What you see is as it was.").arg(name), {});
    m_notice->showNotice(tr("%1 has changed on disk.").arg(name),
                         {{tr("&Reload"), [this] { reload(); }}, {tr("&Keep What Is Open"), {}}});
}

void MainWindow::reload() {
    if (m_request.path.empty() && m_request.sample.empty())
        return;
    if (m_open) {
        m_keep = Session::Keep::Selection;
        m_reloaded = true;
        m_comparison->rememberOpen();
    }
    open(m_request);
}

void MainWindow::openDialog() {
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open a Model, a Package's npu.json or a Session"), {},
        tr("Models, packages and sessions (*.tflite npu.json *.plumbline);;All files (*)"));
    if (!paths.isEmpty())
        openPaths(paths);
}

void MainWindow::openFolderDialog() {
    const QString path =
        QFileDialog::getExistingDirectory(this, tr("Open a Package or Trace Directory"));
    if (!path.isEmpty())
        openPaths({path});
}

void MainWindow::chooseInput() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Choose an Input"), {}, tr("Inputs (*.npy *.bin *.raw);;All files (*)"));
    if (path.isEmpty())
        return;
    OpenRequest request = m_request;
    request.input = pathOf(path);
    m_keep = Session::Keep::Selection;
    open(request);
}

void MainWindow::saveSession() {
    QString path = QFileDialog::getSaveFileName(this, tr("Save Session"), {},
                                                tr("Plumbline sessions (*.plumbline)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QStringLiteral(".plumbline")))
        path += QStringLiteral(".plumbline");
    SessionFile session;
    session.request = m_request;
    if (const auto& file = m_session.document()->file)
        session.modelSha256 = sha256Hex(*file);
    session.selection = toText(m_session.selection());
    session.filter = m_session.filterText().toStdString();
    session.edits = editTextsOf(*m_session.document());
    session.heat = kHeatNames[static_cast<std::size_t>(m_session.heat())];
    if (const Status written = writeSession(pathOf(path), session); !written)
        QMessageBox::warning(this, tr("Save Session"), describe(written.diagnostics()));
}

void MainWindow::openSession(const fs::path& path) {
    Result<SessionFile> session = readSession(path);
    if (!session)
        return failed(session.diagnostics());
    m_pendingAddress = QString::fromStdString(session->selection);
    m_pendingFilter = QString::fromStdString(session->filter);
    for (const std::string& edit : session->edits)
        m_pendingEdits << QString::fromStdString(edit);
    for (std::size_t heat = 0; heat < std::size(kHeatNames); ++heat)
        if (session->heat == kHeatNames[heat])
            m_session.setHeat(static_cast<Heat>(heat));
    open(session->request);
    const std::string expected = session->modelSha256;
    connect(
        this, &MainWindow::documentShown, this,
        [this, expected] {
            const auto& file = m_session.document()->file;
            if (!expected.empty() && file && sha256Hex(*file) != expected)
                m_notice->showNotice(
                    tr("The file is not the one that this session was saved with."), {});
        },
        Qt::SingleShotConnection);
}

void MainWindow::refreshRecent() {
    const QStringList recent = m_settings.recentFiles();
    m_start->setRecentFiles(recent);
    m_recentMenu->clear();
    for (const QString& path : recent)
        m_recentMenu->addAction(path, this, [this, path] { openPaths({path}); });
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("&Clear List"), this, [this] {
        m_settings.clearRecentFiles();
        refreshRecent();
    });
    m_recentMenu->setEnabled(!recent.isEmpty());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    openPaths(paths);
}

} // namespace plumbline::gui
