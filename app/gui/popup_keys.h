// SPDX-License-Identifier: GPL-3.0-or-later
// Letters typed into an open menu or popup.
#pragma once

#include <QApplication>
#include <QKeyEvent>

namespace plumbline::gui {

/// Keeps letters of an open menu or popup from being shortcuts of what lies under it.
class PopupKeys : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride || !QApplication::activePopupWidget())
            return QObject::eventFilter(watched, event);
        const auto modifiers = static_cast<QKeyEvent*>(event)->modifiers();
        if ((modifiers & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != 0)
            return QObject::eventFilter(watched, event);
        event->accept(); // it is a key press then, and the popup's
        return true;
    }
};

} // namespace plumbline::gui
