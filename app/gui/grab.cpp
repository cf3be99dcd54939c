// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/grab.h"

#include <QApplication>
#include <QBuffer>
#include <QDockWidget>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

#include "app/gui/main_window.h"
#include "app/gui/workspace.h"
#include "core/base/output_directory.h"
#include "views/common/view.h"

namespace plumbline::gui {
namespace {

namespace fs = std::filesystem;

OutputFile pictureOf(QWidget& widget, const QString& name) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    widget.grab().save(&buffer, "PNG");
    return {name.toStdString() + ".png", Bytes(png.begin(), png.end())};
}

/// A directory of pictures only, the window's among them: an earlier run wrote it.
bool isOurPictures(const fs::path& directory) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory, error))
        if (entry.path().extension() != ".png")
            return false;
    return !error && fs::exists(directory / "window.png");
}

} // namespace

Grabber::Grabber(MainWindow& window, QString directory)
    : m_window(window)
    , m_directory(std::move(directory)) {}

void Grabber::start() { waitUntilIdle(); }

void Grabber::waitUntilIdle() {
    constexpr int kTick = 30;      // milliseconds
    constexpr int kQuietTicks = 4; // layouts and deferred work settle
    m_idleTicks = m_window.isIdle() ? m_idleTicks + 1 : 0;
    if (m_idleTicks < kQuietTicks) {
        QTimer::singleShot(kTick, &m_window, [this] { waitUntilIdle(); });
        return;
    }
    QApplication::exit(write());
}

int Grabber::write() {
    if (!m_window.hasDocument()) {
        std::fprintf(stderr, "plumbline: nothing could be opened\n%s\n",
                     qPrintable(m_window.noticeText()));
        return 3;
    }
    std::vector<OutputFile> files{pictureOf(m_window, QStringLiteral("window"))};
    for (View* const view : m_window.workspace().views()) {
        QDockWidget* const dock = m_window.workspace().dockOf(*view);
        dock->show();
        dock->raise();
        QApplication::processEvents();
        while (view->isBusy())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QApplication::processEvents();
        files.push_back(pictureOf(*view, view->id()));
    }
    const Status written =
        writeDirectoryAtomically(m_directory.toStdString(), files, isOurPictures);
    if (written)
        return 0;
    std::fprintf(stderr, "plumbline: %s\n", toText(written.diagnostics().front()).c_str());
    return 4;
}

} // namespace plumbline::gui
