// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view.h"

#include <utility>

#include <QAbstractItemModel>
#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>

namespace plumbline {

View::View(Session& session, const QString& id, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_id(id)
    , m_title(title) {
    setObjectName(id);
    setAccessibleName(title);
    connect(&session, &Session::documentChanged, this,
            [this] { note(DocumentChange | SelectionChange | FilterChange); });
    connect(&session, &Session::selectionChanged, this, [this] { note(SelectionChange); });
    connect(&session, &Session::filterChanged, this, [this] { note(FilterChange); });
    connect(&session, &Session::heatChanged, this, [this] { note(HeatChange); });
    connect(&session, &Session::comparedChanged, this, [this] { note(ComparedChange); });
}

void View::note(unsigned change) {
    m_pending |= change;
    if (isVisible() && m_onScreen)
        catchUp();
}

void View::setOnScreen(bool onScreen) {
    m_onScreen = onScreen;
    note(0);
}

void View::catchUp() {
    const unsigned pending = std::exchange(m_pending, 0U);
    if ((pending & DocumentChange) != 0)
        showDocument();
    if ((pending & FilterChange) != 0)
        showFilter();
    if ((pending & HeatChange) != 0)
        showHeat();
    if ((pending & ComparedChange) != 0)
        showCompared();
    if ((pending & SelectionChange) != 0)
        showSelection();
}

void View::bringUpToDate() { catchUp(); }

std::unique_ptr<QAbstractItemModel> View::wholeTable(const QAbstractItemView& /*table*/) const {
    return nullptr;
}

void View::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    note(0);
}

void View::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addActions(actions());
    menu.exec(event->globalPos());
}

QAction* addCommand(View& view, const QString& name, const QString& text,
                    const QKeySequence& shortcut) {
    auto* const action = new QAction(text, &view);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view.addAction(action);
    return action;
}

} // namespace plumbline
