// SPDX-License-Identifier: GPL-3.0-or-later
// The window's parts and their wiring; main_window_open.cpp opens, menu_builder.cpp has the
// commands.
#include "app/gui/main_window.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/comparison.h"
#include "app/gui/experiment.h"
#include "app/gui/exports.h"
#include "app/gui/menu_builder.h"
#include "app/gui/notice_bar.h"
#include "app/gui/start_page.h"
#include "app/gui/workspace.h"
#include "core/lowering/target.h"
#include "views/common/experiment_bar.h"
#include "views/common/filter_bar.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/view.h"

namespace plumbline::gui {

MainWindow::MainWindow(Settings& settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_loader(npuP0Target()) {
    setAcceptDrops(true);
    m_start = new StartPage(this);
    m_workspace = new Workspace(m_session, this);
    m_notice = new NoticeBar(this);
    m_experiment = new Experiment(m_session, npuP0Target(), this);
    m_comparison = new Comparison(m_session, npuP0Target(), this);
    m_exports = new Exports(m_session, *m_workspace, this);
    m_experimentBar = new ExperimentBar(m_session, this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(m_start);
    m_stack->addWidget(m_workspace);
    auto* const center = new QWidget(this);
    auto* const layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_experimentBar);
    layout->addWidget(m_stack, 1);
    setCentralWidget(center);
    m_notice->layOver(*m_stack);
    m_watcher = new QFileSystemWatcher(this);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, &MainWindow::fileChanged);
    buildToolBar();
    buildStatusBar();
    MenuBuilder(*this).build();
    connectLoader();
    connectSession();
    connectExperiment();
    connectComparison();
    connectExports();
    refreshRecent();
    restoreWindow();
    updateTitle();
    updateSummary();
}

void MainWindow::buildToolBar() {
    QToolBar* const bar = addToolBar(tr("Navigation"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    buildAddress();
    buildHeat();
    m_filter = new FilterBar(m_session, this);
    m_filter->setObjectName(QStringLiteral("filter"));
    bar->addWidget(m_address); // MenuBuilder puts the buttons before it
    bar->addWidget(m_heat);
    bar->addWidget(m_filter);
}

void MainWindow::buildAddress() {
    m_address = new QLineEdit(this);
    m_address->setObjectName(QStringLiteral("address"));
    m_address->setAccessibleName(tr("Address of the selection"));
    m_address->setPlaceholderText(tr("Address, as op/7/word/12"));
    m_address->setToolTip(tr("The selection as text. Type another one to go there."));
    m_address->setMaximumWidth(240);
    connect(m_address, &QLineEdit::returnPressed, this, [this] {
        if (m_session.selectAddress(m_address->text()))
            leaveAddress();
        else
            m_address->selectAll();
    });
    auto* const leave = new QAction(m_address);
    leave->setShortcut(Qt::Key_Escape);
    leave->setShortcutContext(Qt::WidgetShortcut);
    connect(leave, &QAction::triggered, this, [this] {
        m_address->setText(m_session.address());
        leaveAddress();
    });
    m_address->addAction(leave);
}

void MainWindow::buildHeat() {
    m_heat = new QComboBox(this);
    m_heat->setObjectName(QStringLiteral("heat"));
    m_heat->setAccessibleName(tr("Colour operators by"));
    m_heat->setToolTip(tr("Colour operators by this number"));
    m_heat->addItems({tr("No heat"), tr("Cycles (estimate)"), tr("MACs"),
                      tr("DMA bytes (estimate)"), tr("Arena bytes"), tr("Mismatches")});
    connect(m_heat, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_session.setHeat(static_cast<Heat>(index)); });
    connect(&m_session, &Session::heatChanged, this,
            [this] { m_heat->setCurrentIndex(static_cast<int>(m_session.heat())); });
}

/// Gives the focus back to where the person was.
void MainWindow::leaveAddress() {
    if (m_beforeAddress != nullptr)
        m_beforeAddress->setFocus(Qt::OtherFocusReason);
    else
        m_workspace->setFocus(Qt::OtherFocusReason);
}

void MainWindow::buildStatusBar() {
    m_place = new QLabel(this);
    m_place->setAccessibleName(tr("Selection"));
    m_place->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary = new QLabel(this);
    m_summary->setAccessibleName(tr("What is open"));
    m_work = new QLabel(this);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setMaximumWidth(140);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel = new QToolButton(this);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setAccessibleName(tr("Cancel the work in the background"));
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancelWork);
    m_place->setIndent(6);
    m_place->setFont(monoFont());
    statusBar()->addWidget(m_place);
    statusBar()->addWidget(m_summary, 1);
    statusBar()->addPermanentWidget(m_work);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    showWork(false);
}

void MainWindow::showWork(bool isShown) {
    m_work->setVisible(isShown);
    m_progress->setVisible(isShown);
    m_cancel->setVisible(isShown);
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::selectionChanged, this, &MainWindow::showAddress);
    connect(&m_session, &Session::documentChanged, this, &MainWindow::updateSummary);
    connect(&m_session, &Session::filterChanged, this, &MainWindow::updateSummary);
    for (const auto signal : {&Session::refused, &Session::noticed})
        connect(&m_session, signal, this, [this](const QString& text) {
            constexpr int kShown = 8000; // milliseconds
            statusBar()->showMessage(text, kShown);
        });
}

void MainWindow::showAddress() {
    const QString address = m_session.address();
    m_place->setText(address);
    if (!m_address->hasFocus() || !address.isEmpty())
        m_address->setText(address);
}

void MainWindow::updateTitle() {
    const QString name = m_open ? safeText(m_session.document()->title) : QString();
    setWindowTitle(name.isEmpty() ? tr("Plumbline") : tr("%1 – Plumbline").arg(name));
}

void MainWindow::updateSummary() {
    if (!m_open) {
        m_summary->clear();
        return;
    }
    const Document& document = *m_session.document();
    const Lowering& lowering = *document.lowering;
    QStringList parts{safeText(document.title)};
    if (document.kind == DocumentKind::Trace)
        parts << tr("trace of %1 layers").arg(lowering.operators.size());
    else if (lowering.operators.empty())
        parts << tr("cannot be read");
    else if (!lowering.complete)
        parts << tr("refused");
    else
        parts << safeText(lowering.target).toUpper()
              << tr("%1 records").arg(lowering.records.size())
              << tr("arena %1").arg(exactBytes(lowering.arena.peakBytes));
    if (!document.inputName.empty())
        parts << tr("input: %1").arg(safeText(document.inputName));
    if (document.execution && document.execution->fault)
        parts << tr("✕ fault");
    else if (!document.referenceProblem.empty())
        parts << tr("✕ not compared");
    else if (const auto& verdicts = document.verdicts; verdicts && verdicts->compared() > 0)
        parts << (verdicts->equal() ? tr("✓ %1 layers equal (%2)").arg(verdicts->compared())
                                    : tr("✕ %1 of %2 layers differ (%3)")
                                          .arg(verdicts->unequal())
                                          .arg(verdicts->compared()))
                     .arg(safeText(verdicts->reference));
    m_summary->setText(parts.join(QStringLiteral(" · ")));
}

QString MainWindow::noticeText() const { return m_notice->text(); }

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> all;
    for (QAction* const action : findChildren<QAction*>())
        if (!action->objectName().isEmpty() && !action->text().isEmpty() &&
            action->menu() == nullptr)
            all.append(action);
    return all;
}

bool MainWindow::isIdle() const {
    if (m_loader.isBusy() || m_waiting != nullptr || m_experiment->isBusy() ||
        m_comparison->isBusy() || m_exports->isBusy())
        return false;
    for (const View* const view : m_workspace->views())
        if (view->isVisible() && view->isBusy())
            return false;
    return true;
}

void MainWindow::restoreWindow() {
    constexpr QSize kFirstSize{1280, 800};
    constexpr QSize kFrame{8, 48}; // what a desktop's decoration and panel take, roughly
    if (!restoreGeometry(m_settings.windowGeometry()))
        resize(kFirstSize.boundedTo(screen()->availableSize() - kFrame));
}

void MainWindow::arrangeOnce() {
    if (!std::exchange(m_needsLayout, false))
        return;
    m_workspace->resize(
        m_stack->size()); // as it will be; a hidden page of the stack has no size yet
    m_workspace->applyLayout(BuiltInLayout::Overview);
    const QByteArray state = m_settings.windowState();
    if (m_pendingLayout)
        m_workspace->applyLayout(*std::exchange(m_pendingLayout, {}));
    else if (!state.isEmpty())
        m_workspace->restoreState(state);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_experiment->canUndo() && !mayForgetExperiment())
        return event->ignore();
    // Before the first document the workspace has no size, and what was saved stands.
    m_settings.setWindow(saveGeometry(),
                         m_needsLayout ? m_settings.windowState() : m_workspace->saveState());
    QMainWindow::closeEvent(event);
}

} // namespace plumbline::gui
