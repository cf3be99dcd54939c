// SPDX-License-Identifier: GPL-3.0-or-later
// What people can ask the graph view for: actions, tool bar, context menu.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QToolBar>

#include "views/common/format.h"
#include "views/graph/graph_find_bar.h"
#include "views/graph/graph_view.h"

namespace plumbline {
namespace {

constexpr double kZoomStep = 1.25;

/// A filter's text for `name == value`.
QString filterFor(const QString& field, const std::string& value) {
    QString quoted = safeText(value);
    quoted.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    quoted.replace(QLatin1Char('"'), QStringLiteral("\\\""));
    return QStringLiteral("%1 == \"%2\"").arg(field, quoted);
}

} // namespace

QAction* GraphView::addCommand(const char* name, const QString& text,
                               const QList<QKeySequence>& keys, const std::function<void()>& run) {
    auto* const action = new QAction(text, this);
    action->setObjectName(QLatin1StringView(name));
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    const QString plain = QString(text).remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    action->setToolTip(keys.isEmpty() ? plain : tr("%1 (%2)").arg(plain, keys.front().toString()));
    connect(action, &QAction::triggered, this, run);
    addAction(action);
    return action;
}

void GraphView::addCommands() {
    addCommand("graph.find", tr("&Find in Graph…"), {QKeySequence(Qt::CTRL | Qt::Key_F)},
               [this] { m_findBar->open(); });
    addCommand("graph.zoomIn", tr("Zoom &In"),
               {QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal)},
               [this] { m_canvas->zoomBy(kZoomStep); });
    addCommand("graph.zoomOut", tr("Zoom &Out"), {QKeySequence(Qt::Key_Minus)},
               [this] { m_canvas->zoomBy(1 / kZoomStep); });
    addCommand("graph.actualSize", tr("&Actual Size"), {QKeySequence(Qt::Key_0)},
               [this] { m_canvas->zoomToActualSize(); });
    addCommand("graph.fit", tr("Fit &Whole Graph"), {QKeySequence(Qt::Key_F)},
               [this] { m_canvas->fit(); });
}

QToolBar* GraphView::makeToolBar() {
    auto* const bar = new QToolBar(tr("Graph"), this);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const auto add = [this, bar](const char* name, const QString& shortText) {
        auto* const action = findChild<QAction*>(QLatin1StringView(name));
        action->setIconText(shortText);
        bar->addAction(action);
    };
    add("graph.fit", tr("Fit"));
    add("graph.actualSize", tr("100 %"));
    add("graph.zoomIn", QStringLiteral("+"));
    add("graph.zoomOut", QString(QChar(0x2212)));
    bar->addSeparator();
    add("graph.find", tr("Find"));
    auto* const space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_status->setContentsMargins(0, 0, 8, 0);
    m_status->setForegroundRole(QPalette::PlaceholderText);
    bar->addWidget(m_status);
    return bar;
}

void GraphView::showMenu(std::int32_t node, const QPoint& at) {
    pickNode(node);
    QMenu menu(this);
    const LoweredOperator* const op = m_scene->facts.operatorOf(node);
    const QString address = session().address();
    menu.addAction(tr("Copy Address %1").arg(address),
                   [address] { QGuiApplication::clipboard()->setText(address); });
    if (op != nullptr) {
        menu.addSeparator();
        const auto offer = [this, &menu](const QString& filter) {
            menu.addAction(tr("Filter by %1").arg(filter), [this, filter] {
                QString problem;
                if (!session().setFilter(filter, &problem))
                    QMessageBox::warning(this, title(), problem);
            });
        };
        if (!op->opcodeName.empty())
            offer(filterFor(QStringLiteral("opcode"), op->opcodeName));
        offer(filterFor(QStringLiteral("name"), op->name));
        offer(filterFor(QStringLiteral("placement"), std::string(placementName(op->placement))));
    }
    menu.exec(at);
}

} // namespace plumbline
