// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/experiment.h"

#include <QFileDialog>

#include "views/common/format.h"

namespace plumbline::gui {

Experiment::Experiment(Session& session, const Target& target, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_window(window)
    , m_loader(target) {
    connect(&session, &Session::editsRequested, this, [this](const std::vector<Edit>& edits) {
        m_history.push(edits);
        run();
    });
    connect(&m_loader, &DocumentLoader::reached, this, [this](const DocumentPtr& document) {
        m_session.setDocument(document, Session::Keep::Selection);
    });
    connect(&m_loader, &DocumentLoader::failed, this, [this](const Diagnostics& diagnostics) {
        m_history.withdraw(); // what cannot be applied is no step
        emit historyChanged();
        emit problem(safeText(diagnostics.front().message));
    });
}

void Experiment::run() {
    emit historyChanged();
    m_loader.experiment(m_session.document(), m_history.current());
}

void Experiment::undo() {
    m_history.undo();
    run();
}

void Experiment::redo() {
    m_history.redo();
    run();
}

void Experiment::discard() {
    m_history.clear();
    run();
}

void Experiment::documentOpened(bool keepEdits) {
    m_loader.cancel();
    if (keepEdits && m_history.canUndo())
        return run();
    m_history.clear();
    emit historyChanged();
}

void Experiment::exportPackage() {
    const QString path = QFileDialog::getSaveFileName(
        m_window, tr("Export the Changed Package as a Directory"),
        safeText(m_session.document()->title) + QStringLiteral(".changed"));
    if (path.isEmpty())
        return;
    const Status written = exportExperiment(*m_session.document(), path.toStdString());
    if (written)
        emit exported(path);
    else
        emit problem(safeText(written.diagnostics().front().message));
}

} // namespace plumbline::gui
