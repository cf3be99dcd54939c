// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace.h"

#include <QApplication>
#include <QDockWidget>

#include "views/arena/arena_view.h"
#include "views/compare/compare_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/hex/bytes_view.h"
#include "views/layers/layers_view.h"
#include "views/layers/tensor_view.h"
#include "views/provenance/why_view.h"
#include "views/records/fields_view.h"
#include "views/records/records_view.h"
#include "views/tiles/costs_view.h"
#include "views/tiles/tiles_view.h"

namespace plumbline::gui {

std::optional<BuiltInLayout> layoutNamed(const QString& name) {
    const QStringList names{QStringLiteral("overview"), QStringLiteral("debugging"),
                            QStringLiteral("memory")};
    const qsizetype at = names.indexOf(name);
    return at < 0 ? std::nullopt : std::optional(static_cast<BuiltInLayout>(at));
}

Workspace::Workspace(Session& session, QWidget* parent)
    : QMainWindow(parent, Qt::Widget) {
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    for (View* const made : std::initializer_list<View*>{
             new GraphView(session), new RecordsView(session), new FieldsView(session),
             new BytesView(session), new ArenaView(session), new TilesView(session),
             new CostsView(session), new LayersView(session), new TensorView(session),
             new WhyView(session), new CompareView(session), new DiagnosticsView(session)})
        addView(made);
    recordLayouts();
    applyLayout(BuiltInLayout::Overview);
}

void Workspace::recordLayouts() {
    const auto record = [this](BuiltInLayout layout, void (Workspace::*arrange)()) {
        for (QDockWidget* const dock : std::as_const(m_docks)) {
            removeDockWidget(dock);
            dock->show(); // a hidden one cannot be split
        }
        (this->*arrange)();
        m_layouts[layout] = saveState();
    };
    record(BuiltInLayout::Overview, &Workspace::arrangeOverview);
    record(BuiltInLayout::Debugging, &Workspace::arrangeDebugging);
    record(BuiltInLayout::Memory, &Workspace::arrangeMemory);
}

void Workspace::addView(View* made) {
    auto* const dock = new QDockWidget(made->title(), this);
    dock->setObjectName(QStringLiteral("dock.") + made->id());
    dock->setAccessibleName(made->title());
    dock->setWidget(made);
    connect(dock, &QDockWidget::visibilityChanged, made, &View::setOnScreen);
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
    restoreState(m_layouts.value(layout));
    if (layout == BuiltInLayout::Overview) {
        resizeShares({dock("graph"), dock("records")}, {34, 66}, Qt::Horizontal);
        resizeShares({dock("fields"), dock("bytes")}, {34, 32}, Qt::Horizontal);
        resizeShares({dock("records"), dock("fields")}, {24, 36}, Qt::Vertical);
        resizeShares({dock("graph"), dock("arena")}, {58, 42}, Qt::Vertical);
        dock("arena")->raise();
    } else if (layout == BuiltInLayout::Debugging) {
        resizeShares({dock("graph"), dock("layers"), dock("tensor")}, {28, 42, 30}, Qt::Horizontal);
        resizeShares({dock("layers"), dock("why")}, {46, 54}, Qt::Vertical);
        resizeShares({dock("graph"), dock("fields")}, {55, 45}, Qt::Vertical);
        dock("fields")->raise();
        dock("layers")->raise();
    } else {
        resizeShares({dock("arena"), dock("bytes")}, {62, 38}, Qt::Vertical);
        dock("arena")->raise();
    }
}

void Workspace::resizeShares(const QList<QDockWidget*>& docks, const QList<int>& shares,
                             Qt::Orientation orientation) {
    const int whole = orientation == Qt::Horizontal ? width() : height();
    QList<int> sizes;
    for (const int share : shares)
        sizes << whole * share / 100;
    resizeDocks(docks, sizes, orientation);
}

void Workspace::arrangeOverview() {
    addDockWidget(Qt::LeftDockWidgetArea, dock("graph"));
    splitDockWidget(dock("graph"), dock("records"), Qt::Horizontal);
    splitDockWidget(dock("records"), dock("fields"), Qt::Vertical);
    splitDockWidget(dock("fields"), dock("bytes"), Qt::Horizontal);
    addDockWidget(Qt::BottomDockWidgetArea, dock("arena"));
    tabifyBehind("arena", {"tiles", "costs", "layers", "tensor", "why", "compare", "diagnostics"});
}

void Workspace::arrangeDebugging() {
    addDockWidget(Qt::LeftDockWidgetArea, dock("graph"));
    splitDockWidget(dock("graph"), dock("layers"), Qt::Horizontal);
    splitDockWidget(dock("graph"), dock("fields"), Qt::Vertical);
    splitDockWidget(dock("layers"), dock("why"), Qt::Vertical);
    splitDockWidget(dock("layers"), dock("tensor"), Qt::Horizontal);
    tabifyBehind("fields", {"records", "bytes"});
    tabifyBehind("layers", {"compare", "diagnostics", "arena", "tiles", "costs"});
}

void Workspace::tabifyBehind(const char* front, std::initializer_list<const char*> others) {
    for (const char* const id : others)
        tabifyDockWidget(dock(front), dock(id));
}

void Workspace::arrangeMemory() {
    addDockWidget(Qt::TopDockWidgetArea, dock("arena"));
    tabifyBehind("arena", {"tiles", "costs", "layers", "tensor", "why", "compare", "diagnostics"});
    addDockWidget(Qt::BottomDockWidgetArea, dock("bytes"));
    splitDockWidget(dock("bytes"), dock("records"), Qt::Horizontal);
    tabifyDockWidget(dock("records"), dock("fields"));
    tabifyDockWidget(dock("records"), dock("graph"));
}

} // namespace plumbline::gui
