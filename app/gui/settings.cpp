// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings.h"

#include <QStandardPaths>

namespace plumbline::gui {
namespace {

constexpr qsizetype kMaxRecent = 12;

QString fileIn(const QString& folder, const QString& name) {
    const QString base =
        folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                               QStringLiteral("/plumbline")
                         : folder;
    return base + QLatin1Char('/') + name;
}

QString layoutKey(const QString& name) { return QStringLiteral("layouts/") + name; }

} // namespace

QString themeName(Theme theme) {
    switch (theme) {
    case Theme::System:
        return QStringLiteral("system");
    case Theme::Light:
        return QStringLiteral("light");
    case Theme::Dark:
        return QStringLiteral("dark");
    }
    return {};
}

std::optional<Theme> themeNamed(const QString& name) {
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark})
        if (name == themeName(theme))
            return theme;
    return std::nullopt;
}

Settings::Settings(const QString& folder)
    : m_preferences(fileIn(folder, QStringLiteral("preferences.ini")), QSettings::IniFormat)
    , m_state(fileIn(folder, QStringLiteral("state.ini")), QSettings::IniFormat) {}

Theme Settings::theme() const {
    return themeNamed(m_preferences.value(QStringLiteral("theme")).toString())
        .value_or(Theme::System);
}

void Settings::setTheme(Theme theme) {
    m_preferences.setValue(QStringLiteral("theme"), themeName(theme));
}

QStringList Settings::recentFiles() const {
    return m_state.value(QStringLiteral("recent")).toStringList();
}

void Settings::addRecentFile(const QString& path) {
    QStringList recent = recentFiles();
    recent.removeAll(path);
    recent.prepend(path);
    while (recent.size() > kMaxRecent)
        recent.removeLast();
    m_state.setValue(QStringLiteral("recent"), recent);
}

void Settings::clearRecentFiles() { m_state.remove(QStringLiteral("recent")); }

QByteArray Settings::windowGeometry() const {
    return m_state.value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::windowState(const QString& layout) const {
    return m_state.value(layout.isEmpty() ? QStringLiteral("window/state") : layoutKey(layout))
        .toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state) {
    m_state.setValue(QStringLiteral("window/geometry"), geometry);
    m_state.setValue(QStringLiteral("window/state"), state);
}

QStringList Settings::layoutNames() const {
    auto& state = const_cast<QSettings&>(m_state); // groups are a cursor, not content
    state.beginGroup(QStringLiteral("layouts"));
    const QStringList names = state.childKeys();
    state.endGroup();
    return names;
}

void Settings::saveLayout(const QString& name, const QByteArray& state) {
    m_state.setValue(layoutKey(name), state);
}

void Settings::removeLayout(const QString& name) { m_state.remove(layoutKey(name)); }

} // namespace plumbline::gui
