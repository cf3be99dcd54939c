// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered between runs: preferences in one file, state (window, recent files) in
// another.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include "views/common/palette.h"

namespace plumbline::gui {

class Settings {
  public:
    /// Files below `folder`; an empty one means the person's own configuration folder.
    explicit Settings(const QString& folder = {});

    Theme theme() const;
    void setTheme(Theme theme);

    QStringList recentFiles() const; ///< existing or not, newest first
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    QByteArray windowGeometry() const;
    QByteArray windowState(const QString& layout = {}) const; ///< docks; of a named layout
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    QStringList layoutNames() const;
    void saveLayout(const QString& name, const QByteArray& state);
    void removeLayout(const QString& name);

  private:
    QSettings m_preferences;
    QSettings m_state;
};

/// "system", "light" or "dark"; what the settings and --theme use.
QString themeName(Theme theme);
std::optional<Theme> themeNamed(const QString& name);

} // namespace plumbline::gui
