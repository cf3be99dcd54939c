// SPDX-License-Identifier: GPL-3.0-or-later
// The window's exports: how they show that they work, and what came of them.
#include <QDesktopServices>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QUrl>

#include "app/gui/exports.h"
#include "app/gui/main_window.h"
#include "app/gui/notice_bar.h"

namespace plumbline::gui {

void MainWindow::connectExports() {
    connect(m_exports, &Exports::started, this, [this](const QString& what) {
        m_work->setText(what);
        m_progress->setRange(0, 0); // how far it is cannot be said
        showWork(true);
    });
    connect(m_exports, &Exports::finished, this, [this] {
        if (!m_loader.isBusy())
            showWork(false);
    });
    connect(m_exports, &Exports::problem, this,
            [this](const QString& what) { m_notice->showProblem(what); });
    connect(m_exports, &Exports::written, this, [this](const QString& path) {
        m_notice->showNotice(
            tr("%1 is written.").arg(path),
            {{tr("&Open It"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }}});
    });
}

} // namespace plumbline::gui
