// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace.h"

#include <QApplication>
#include <QDockWidget>

#include "views/arena/arena_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/hex/bytes_view.h"
#include "views/records/fields_view.h"
#include "views/records/records_view.h"
#include "views/tiles/costs_view.h"
#include "views/tiles/tiles_view.h"

namespace plumbline::gui {

Workspace::Workspace(Session& session, QWidget* parent)
    : QMainWindow(parent, Qt::Widget) {
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    for (View* const made : std::initializer_list<View*>{
             new GraphView(session), new RecordsView(session), new FieldsView(session),
             new BytesView(session), new ArenaView(session), new TilesView(session),
             new CostsView(session), new DiagnosticsView(session)})
        addView(made);
    applyLayout(BuiltInLayout::Overview);
}

void Workspace::addView(View* made) {
    auto* const dock = new QDockWidget(made->title(), this);
    dock->setObjectName(QStringLiteral("dock.") + made->id());
    dock->setAccessibleName(made->title());
    dock->setWidget(made);
    dock->toggleViewAction()->setObjectName(QStringLiteral("view.show.") + made->id());
    m_docks.insert(made->id(), dock);
    m_views.append(made);
}

View* Workspace::view(const QString& id) const {
    for (View* const candidate : m_views)
        if (candidate->id() == id)
            return candidate;
    return nullptr;
}

QDockWidget* Workspace::dockOf(const View& view) const { return m_docks.value(view.id()); }

QDockWidget* Workspace::dock(const char* id) const {
    return m_docks.value(QString::fromLatin1(id));
}

View* Workspace::focusedView() const {
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (auto* const found = qobject_cast<View*>(widget); found && m_views.contains(found))
            return found;
    return nullptr;
}

void Workspace::reveal(View& view) {
    QDockWidget* const shown = dockOf(view);
    shown->show();
    shown->raise();
    QWidget* target = view.focusProxy() ? view.focusProxy() : &view;
    if (target->focusPolicy() == Qt::NoFocus)
        target = view.nextInFocusChain();
    target->setFocus(Qt::ShortcutFocusReason);
}

void Workspace::applyLayout(BuiltInLayout layout) {
    for (QDockWidget* const dock : std::as_const(m_docks)) {
        removeDockWidget(dock);
        dock->setFloating(false);
    }
    layout == BuiltInLayout::Overview ? arrangeOverview() : arrangeMemory();
    for (QDockWidget* const dock : std::as_const(m_docks))
        dock->show();
    this->dock("arena")->raise();
}

void Workspace::arrangeOverview() {
    addDockWidget(Qt::LeftDockWidgetArea, dock("graph"));
    splitDockWidget(dock("graph"), dock("records"), Qt::Horizontal);
    splitDockWidget(dock("graph"), dock("arena"), Qt::Vertical);
    splitDockWidget(dock("records"), dock("fields"), Qt::Vertical);
    splitDockWidget(dock("fields"), dock("bytes"), Qt::Horizontal);
    for (const char* const id : {"tiles", "costs", "diagnostics"})
        tabifyDockWidget(dock("arena"), dock(id));
    // The bottom row spans the window: it is a dock area of its own.
    for (const char* const id : {"arena", "tiles", "costs", "diagnostics"})
        addDockWidget(Qt::BottomDockWidgetArea, dock(id));
    for (const char* const id : {"tiles", "costs", "diagnostics"})
        tabifyDockWidget(dock("arena"), dock(id));
    const int width = std::max(this->width(), 1200);
    const int height = std::max(this->height(), 700);
    resizeDocks({dock("graph"), dock("records")}, {width * 36 / 100, width * 64 / 100},
                Qt::Horizontal);
    resizeDocks({dock("fields"), dock("bytes")}, {width * 34 / 100, width * 30 / 100},
                Qt::Horizontal);
    resizeDocks({dock("records"), dock("fields")}, {height * 26 / 100, height * 34 / 100},
                Qt::Vertical);
    resizeDocks({dock("arena")}, {height * 38 / 100}, Qt::Vertical);
}

void Workspace::arrangeMemory() {
    addDockWidget(Qt::TopDockWidgetArea, dock("arena"));
    for (const char* const id : {"tiles", "costs", "diagnostics"})
        tabifyDockWidget(dock("arena"), dock(id));
    addDockWidget(Qt::BottomDockWidgetArea, dock("bytes"));
    splitDockWidget(dock("bytes"), dock("records"), Qt::Horizontal);
    tabifyDockWidget(dock("records"), dock("fields"));
    tabifyDockWidget(dock("records"), dock("graph"));
    const int height = std::max(this->height(), 700);
    resizeDocks({dock("arena"), dock("bytes")}, {height * 62 / 100, height * 38 / 100},
                Qt::Vertical);
}

} // namespace plumbline::gui
