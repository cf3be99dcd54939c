// SPDX-License-Identifier: GPL-3.0-or-later
// The window's commands: menus, shortcuts and the toolbar's buttons.
#pragma once

#include <functional>

#include <QKeySequence>
#include <QString>

class QAction;
class QMenu;

namespace plumbline::gui {

class MainWindow;

class MenuBuilder {
  public:
    explicit MenuBuilder(MainWindow& window)
        : m_window(window) {}
    void build();

  private:
    QAction* add(QMenu& menu, const QString& id, const QString& text, const QKeySequence& shortcut,
                 const std::function<void()>& run);
    void buildFile();
    void buildExports(QMenu& menu);
    /// Enables the action while something is open; its status tip says what is missing.
    void needDocument(QAction& action, const QString& statusTip);
    void buildEdit();
    void buildGo();
    void buildView();
    void buildHeat(QMenu& menu);
    void buildLayouts(QMenu& menu);
    void buildThemes(QMenu& menu);
    void buildRun();
    void buildReference(QMenu& menu);
    void buildCompare();
    void buildExperiment(QMenu& menu);
    void buildHelp();
    void buildToolBar();

    MainWindow& m_window;
};

} // namespace plumbline::gui
