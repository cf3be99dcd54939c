// SPDX-License-Identifier: GPL-3.0-or-later
// The application's palette and style.
#include <QApplication>
#include <QStyleFactory>

#include "views/common/palette.h"

namespace plumbline {

QPalette themePalette(bool dark) {
    QPalette p;
    const auto set = [&p, dark](QPalette::ColorRole role, QRgb light, QRgb darkValue) {
        p.setColor(role, QColor(dark ? darkValue : light));
    };
    set(QPalette::Window, 0xFFF1F3F6, 0xFF1B1F24);
    set(QPalette::WindowText, 0xFF1A2028, 0xFFE3E8EE);
    set(QPalette::Base, 0xFFFFFFFF, 0xFF15181C);
    set(QPalette::AlternateBase, 0xFFF6F8FA, 0xFF1A1E23);
    set(QPalette::Text, 0xFF1A2028, 0xFFE3E8EE);
    set(QPalette::PlaceholderText, 0xFF6B7684, 0xFF8B97A5);
    set(QPalette::Button, 0xFFE8EBEF, 0xFF2A3037);
    set(QPalette::ButtonText, 0xFF1A2028, 0xFFE3E8EE);
    set(QPalette::BrightText, 0xFFFFFFFF, 0xFFFFFFFF);
    set(QPalette::Highlight, 0xFF1F5FBF, 0xFF2F5F9E);
    set(QPalette::HighlightedText, 0xFFFFFFFF, 0xFFFFFFFF);
    set(QPalette::Link, 0xFF1F5FBF, 0xFF6CA8FF);
    set(QPalette::LinkVisited, 0xFF5A4FA0, 0xFFB3A4F2);
    set(QPalette::ToolTipBase, 0xFFFFFFFF, 0xFF2A3037);
    set(QPalette::ToolTipText, 0xFF1A2028, 0xFFE3E8EE);
    set(QPalette::Light, 0xFFFFFFFF, 0xFF3A424B);
    set(QPalette::Midlight, 0xFFF4F6F8, 0xFF313840);
    set(QPalette::Mid, 0xFFC2C9D1, 0xFF23282E);
    set(QPalette::Dark, 0xFFA5AEB8, 0xFF101317);
    set(QPalette::Shadow, 0xFF7C8691, 0xFF050607);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor(dark ? 0xFF6E7985 : 0xFF8A94A0));
    return p;
}

void applyTheme(QApplication& application, Theme theme) {
    static const QPalette system = QApplication::palette(); // before anything replaced it
    const bool dark = theme == Theme::Dark || (theme == Theme::System && isDark(system));
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(themePalette(dark));
    application.setStyleSheet(
        QStringLiteral(
            "QLineEdit { border: 1px solid %1; border-radius: 3px; padding: 2px 4px; }"
            "QLineEdit:focus { border-color: palette(highlight); }"
            "QComboBox QLineEdit, QAbstractSpinBox QLineEdit { border: 0; padding: 0; }"
            "QToolTip { border: 1px solid palette(mid); padding: 4px; }"
            "QHeaderView::section { padding: 3px 6px; border: 0; border-right: 1px solid "
            "palette(mid);"
            " border-bottom: 1px solid palette(mid); background: palette(button); }"
            "QDockWidget::title { padding: 5px 8px; background: palette(button); }"
            "QMainWindow::separator { width: 5px; height: 5px; background: palette(window); }"
            "QTableView, QTreeView { border: 0; gridline-color: palette(mid); }")
            .arg(toneColor(Tone::SurfaceEdge, themePalette(dark)).name()));
}

} // namespace plumbline
