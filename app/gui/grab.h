// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window and its views, written without a person.
#pragma once

#include <QSize>
#include <QString>

namespace plumbline::gui {

class MainWindow;

/// Once the window is idle, writes window.png and one picture of every view, named after it, into
/// `directory` (created; replaced when Plumbline wrote it before) and leaves the application with
/// status 0; 3 when nothing opened, 4 when the pictures cannot be written.
class Grabber {
  public:
    Grabber(MainWindow& window, QString directory);
    void start();

  private:
    void waitUntilIdle();
    int write();

    MainWindow& m_window;
    QString m_directory;
    int m_idleTicks = 0;
};

} // namespace plumbline::gui
