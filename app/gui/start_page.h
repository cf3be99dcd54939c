// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows before anything is open.
#pragma once

#include <QWidget>

class QListWidget;

namespace plumbline::gui {

class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(QWidget* parent = nullptr);
    /// Full paths, newest first.
    void setRecentFiles(const QStringList& paths);

  signals:
    void openRequested(); ///< the file dialog
    void fileChosen(const QString& path);
    void sampleChosen(const QString& name);

  private:
    QWidget* makeColumn(const QString& title, QListWidget*& list);

    QListWidget* m_recent = nullptr;
    QListWidget* m_samples = nullptr;
};

} // namespace plumbline::gui
