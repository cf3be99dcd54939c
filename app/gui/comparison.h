// SPDX-License-Identifier: GPL-3.0-or-later
// What the open document is compared with: another file, or what was open before a reload.
#pragma once

#include <QObject>

#include "app/gui/document_loader.h"
#include "views/common/session.h"

namespace plumbline::gui {

class Comparison : public QObject {
    Q_OBJECT

  public:
    Comparison(Session& session, const Target& target, QObject* parent);

    /// Opens what `path` is and compares the document with it. Newest wins.
    void compareWith(const std::filesystem::path& path);
    /// Keeps the open document for compareWithBefore(); called when it is about to be replaced by a
    /// later state of itself.
    void rememberOpen();
    const DocumentPtr& before() const { return m_before; } ///< null where nothing was kept
    void compareWithBefore();
    /// Back to nothing, or to an experiment's original.
    void stop();
    bool isBusy() const { return m_loader.isBusy(); }

  signals:
    void started(); ///< there is something to look at in the comparison view
    void problem(const QString& what);

  private:
    Session& m_session;
    DocumentLoader m_loader;
    DocumentPtr m_reached; ///< the latest stage of what is being opened
    DocumentPtr m_before;
};

} // namespace plumbline::gui
