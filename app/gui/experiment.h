// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment in force: edits that views ask for, run in the background on a copy, undone,
// redone, exported.
#pragma once

#include <QObject>

#include "app/gui/document_loader.h"
#include "core/lowering/edit_history.h"
#include "views/common/session.h"

class QWidget;

namespace plumbline::gui {

class Experiment : public QObject {
    Q_OBJECT

  public:
    /// Takes the edits that views ask `session` for. `window` is the parent of dialogs.
    Experiment(Session& session, const Target& target, QWidget* window);

    bool canUndo() const { return m_history.canUndo(); }
    bool canRedo() const { return m_history.canRedo(); }
    bool isBusy() const { return m_loader.isBusy(); }
    /// Whether the session shows an experiment.
    bool isActive() const { return m_session.document()->original != nullptr; }

    void undo();
    void redo();
    /// Back to the original; the edits are forgotten.
    void discard();
    /// Asks for a directory and writes the changed package there.
    void exportPackage();
    /// Another document is open: with `keepEdits` they are applied to it, else forgotten.
    void documentOpened(bool keepEdits);

  signals:
    void historyChanged();
    void
    problem(const QString& what); ///< why an edit came to nothing, or a package was not written
    void exported(const QString& directory);

  private:
    void run();

    Session& m_session;
    QWidget* m_window;
    DocumentLoader m_loader;
    EditHistory m_history;
};

} // namespace plumbline::gui
