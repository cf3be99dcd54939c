// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/quiet_focus.h"

#include <QAbstractItemView>
#include <QItemSelectionModel>

namespace plumbline {

QuietFocus::QuietFocus(QAbstractItemView* view)
    : QObject(view) {}

void QuietFocus::install(QAbstractItemView* view) {
    auto* const filter = new QuietFocus(view);
    view->installEventFilter(filter);
}

bool QuietFocus::eventFilter(QObject* watched, QEvent* event) {
    auto* const view = qobject_cast<QAbstractItemView*>(watched);
    if (event->type() != QEvent::FocusIn || m_isDelivering || view == nullptr ||
        view->selectionModel() == nullptr || view->currentIndex().isValid())
        return QObject::eventFilter(watched, event);
    const QSignalBlocker quiet(view->selectionModel());
    m_isDelivering = true;
    watched->event(event);
    m_isDelivering = false;
    view->selectionModel()->clear();
    return true;
}

} // namespace plumbline
