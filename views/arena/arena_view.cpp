// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_view.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kSideWidth = 430;

/// The lowering's own plan, kept alive by the lowering.
std::shared_ptr<const ArenaPlan> planOf(const LoweringPtr& lowering) {
    return {lowering, &lowering->arena};
}

} // namespace

ArenaView::ArenaView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("arena"), tr("Arena timeline"), parent) {
    m_buffers = new BufferModel(this);
    m_plot = new ArenaPlot(this);
    m_plot->installEventFilter(this);
    buildActions();
    auto* const splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_plot);
    splitter->addWidget(buildSide());
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({3 * kSideWidth, kSideWidth});
    m_empty = makeEmptyNote(this);
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(splitter);
    m_stack->addWidget(m_empty);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildToolBar());
    layout->addWidget(m_banner);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_plot);
    connect(m_plot, &ArenaPlot::picked, this, [this](qlonglong step, qlonglong buffer) {
        pick(step, buffer < 0 ? std::nullopt
                              : std::optional<std::size_t>(static_cast<std::size_t>(buffer)));
    });
    connect(m_plot, &ArenaPlot::pickedFinding, this, [this](qlonglong diagnostic) {
        Selection selection;
        selection.diagnostic = diagnostic;
        this->session().select(selection);
    });
}

QAction* ArenaView::newAction(const QString& name, const QString& text,
                              const QKeySequence& shortcut) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(shortcut.isEmpty()
                           ? text
                           : tr("%1 (%2)").arg(text, shortcut.toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
}

void ArenaView::buildActions() {
    m_hexAction =
        newAction(QStringLiteral("arenaHex"), tr("Hexadecimal Addresses"), QKeySequence(Qt::Key_X));
    m_boundsAction = newAction(QStringLiteral("arenaBounds"), tr("Declared and Touched Bytes"),
                               QKeySequence(Qt::Key_B));
    m_findingsAction =
        newAction(QStringLiteral("arenaFindings"), tr("Sanitizer Findings"), QKeySequence());
    m_peakAction =
        newAction(QStringLiteral("arenaPeak"), tr("Go to the Peak"), QKeySequence(Qt::Key_P));
    m_resetAction =
        newAction(QStringLiteral("arenaReset"), tr("Show Everything"), QKeySequence(Qt::Key_0));
    for (QAction* toggle : {m_hexAction, m_boundsAction, m_findingsAction})
        toggle->setCheckable(true);
    m_hexAction->setChecked(true);
    m_findingsAction->setChecked(true);
    connect(m_hexAction, &QAction::toggled, m_plot, [this](bool on) {
        m_plot->setBase(on ? AddressBase::Hexadecimal : AddressBase::Decimal);
    });
    connect(m_boundsAction, &QAction::toggled, this, &ArenaView::showBounds);
    connect(m_findingsAction, &QAction::toggled, this, [this](bool on) {
        m_plot->update([on](ArenaScene& scene) { scene.showsFindings = on; });
    });
    connect(m_peakAction, &QAction::triggered, this, [this] { handleKey(Qt::Key_P); });
    connect(m_resetAction, &QAction::triggered, m_plot, &ArenaPlot::resetZoom);
}

QWidget* ArenaView::buildToolBar() {
    auto* const bar = new QToolBar(this);
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const auto add = [bar](QAction* action, const QString& text) {
        action->setIconText(text);
        bar->addAction(action);
    };
    add(m_hexAction, tr("Hex"));
    add(m_boundsAction, tr("Bounds"));
    add(m_findingsAction, tr("Findings"));
    bar->addSeparator();
    add(m_peakAction, tr("Peak"));
    add(m_resetAction, tr("Fit"));
    m_banner = new QWidget(this);
    m_banner->setAutoFillBackground(true);
    m_bannerText = new QLabel(m_banner);
    m_bannerText->setTextFormat(Qt::PlainText);
    m_bannerText->setWordWrap(true);
    auto* const back = new QToolButton(m_banner);
    back->setText(tr("Back to the Compiled Plan"));
    connect(back, &QToolButton::clicked, this, [this] { m_whatIf->leaveExperiment(); });
    auto* const layout = new QHBoxLayout(m_banner);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->addWidget(m_bannerText, 1);
    layout->addWidget(back);
    m_banner->hide();
    return bar;
}

QWidget* ArenaView::buildSide() {
    m_side = new QTabWidget(this);
    m_side->setDocumentMode(true);
    m_stepPanel = new ArenaStepPanel(m_buffers, m_side);
    m_peakPanel = new ArenaStepPanel(m_buffers, m_side);
    m_whatIf = new WhatIfPanel(m_side);
    m_side->addTab(m_stepPanel, tr("At the Operator"));
    m_side->addTab(m_peakPanel, tr("At the Peak"));
    m_side->addTab(m_whatIf, tr("What If"));
    m_side->setMinimumWidth(280);
    for (ArenaStepPanel* panel : {m_stepPanel, m_peakPanel})
        connect(panel, &ArenaStepPanel::picked, this, [this](qlonglong step, qlonglong buffer) {
            pick(step, static_cast<std::size_t>(buffer));
        });
    connect(m_whatIf, &WhatIfPanel::planChosen, this, &ArenaView::showPlan);
    return m_side;
}

void ArenaView::showDocument() {
    m_bounds.cancel();
    m_hasBounds = false;
    m_whatIf->setLowering(document().lowering);
    showPlan(nullptr, {});
    if (m_boundsAction->isChecked())
        loadBounds();
    showEmptyNote();
}

void ArenaView::showEmptyNote() {
    const bool isEmpty = lowering().arena.steps.empty() || lowering().arena.allocations.empty();
    m_stack->setCurrentIndex(isEmpty ? 1 : 0);
    for (QAction* action : {m_peakAction, m_resetAction})
        action->setEnabled(!isEmpty);
    if (!isEmpty)
        return;
    m_empty->setText(emptyReason(document(), tr("Open a model or a package to see its arena.")));
}

std::vector<ViewPicture> ArenaView::pictures() {
    if (m_plot->scene().geometry.blocks().empty())
        return {};
    return {{QStringLiteral("arena"), tr("Arena over time"), m_plot->size(),
             [this](QPaintDevice& device, QSize size) { m_plot->paintOn(device, size); },
             m_plot->minimumSize()}};
}

void ArenaView::showPlan(std::shared_ptr<const ArenaPlan> plan, const QString& experiment) {
    ArenaScene scene = m_plot->scene();
    const std::uint64_t compiled = lowering().arena.peakBytes;
    scene.lowering = document().lowering;
    scene.isExperiment = plan != nullptr;
    scene.plan = plan ? std::move(plan) : planOf(document().lowering);
    scene.geometry = ArenaGeometry(*scene.plan);
    scene.findings = findingsOf(document());
    if (!m_hasBounds)
        scene.accesses.clear();
    m_banner->setVisible(scene.isExperiment);
    if (scene.isExperiment)
        m_bannerText->setText(
            tr("Experiment, not written back: %1. Peak %2, %3 against the compiled plan.")
                .arg(experiment, exactBytes(scene.plan->peakBytes),
                     percentAgainst(scene.plan->peakBytes, compiled)));
    QPalette colors = palette();
    colors.setColor(QPalette::Window, toneColor(Tone::AccentFill, palette()));
    m_banner->setPalette(colors);
    m_buffers->setPlan(scene.lowering, scene.plan);
    m_plot->setScene(std::move(scene));
    showFilter();
    showSelection();
}

void ArenaView::showSelection() {
    const Place& place = session().place();
    const ArenaPlan& plan = *m_plot->scene().plan;
    std::optional<std::int64_t> step = place.step ? place.step : place.operatorIndex;
    if (step && (*step < 0 || *step >= static_cast<std::int64_t>(plan.steps.size())))
        step.reset();
    std::optional<std::size_t> buffer;
    if (place.buffer && *place.buffer >= 0 &&
        static_cast<std::size_t>(*place.buffer) < plan.allocations.size())
        buffer = static_cast<std::size_t>(*place.buffer);
    m_plot->update([&](ArenaScene& scene) {
        scene.step = step;
        scene.buffer = buffer;
    });
    m_stepPanel->showStep(m_plot->scene(), step);
    m_peakPanel->showStep(m_plot->scene(),
                          plan.steps.empty() ? std::nullopt : std::optional(plan.peakOperator));
    m_stepPanel->markBuffer(buffer);
    m_peakPanel->markBuffer(buffer);
    m_plot->reveal(step, buffer);
}

std::vector<bool> ArenaView::dimmedBuffers() const {
    const auto& allocations = m_plot->scene().plan->allocations;
    std::vector<bool> dimmed(allocations.size(), false);
    if (session().filterText().isEmpty())
        return dimmed;
    for (std::size_t i = 0; i < allocations.size(); ++i) {
        const Allocation& a = allocations[i];
        dimmed[i] =
            !session().passesFilter(a.firstOperator >= 0 ? a.firstOperator : a.lastOperator);
    }
    return dimmed;
}

void ArenaView::showFilter() {
    if (m_plot->scene().plan)
        m_plot->update([this](ArenaScene& scene) { scene.dimmed = dimmedBuffers(); });
}

void ArenaView::showBounds(bool on) {
    if (on && !m_hasBounds)
        loadBounds();
    m_plot->update([on](ArenaScene& scene) { scene.showsBounds = on; });
}

void ArenaView::loadBounds() {
    const DocumentPtr shown = session().document();
    if (shown->target == nullptr || !shown->job)
        return;
    m_bounds.start(
        [shown](const std::stop_token& /*stop*/) {
            std::vector<OperandAccess> accesses = shown->target->accesses(*shown->job);
            std::stable_sort(accesses.begin(), accesses.end(),
                             [](const OperandAccess& a, const OperandAccess& b) {
                                 return a.operatorIndex < b.operatorIndex;
                             });
            return accesses;
        },
        [this](std::vector<OperandAccess> accesses) {
            m_hasBounds = true;
            m_plot->update(
                [&accesses](ArenaScene& scene) { scene.accesses = std::move(accesses); });
        });
}

std::optional<std::int64_t> ArenaView::shownOperator() const { return m_plot->scene().step; }

bool ArenaView::pickOperator(std::int64_t index) {
    const auto& scene = m_plot->scene();
    if (scene.stepFacts(index) == nullptr)
        return false;
    for (const ArenaBlock& block : scene.geometry.blocks())
        if (scene.plan->allocations[block.buffer].firstOperator == index)
            return pick(index, block.buffer);
    return pick(index, std::nullopt);
}

bool ArenaView::pick(std::int64_t step, std::optional<std::size_t> buffer) {
    // Bytes are named as the compiled plan has them, also while an experiment is shown.
    const auto& allocations = lowering().arena.allocations;
    const Allocation* const a =
        buffer && *buffer < allocations.size() ? &allocations[*buffer] : nullptr;
    if (a == nullptr || a->bytes == 0 || !a->isLiveAt(step))
        return session().select(selectOperator(step));
    return session().select(selectSpan("arena", a->offset, a->bytes, step));
}

bool ArenaView::moveStep(std::int64_t step) {
    const ArenaScene& scene = m_plot->scene();
    const std::int64_t last = scene.geometry.stepCount() - 1;
    if (last < 0)
        return false;
    step = std::clamp<std::int64_t>(step, 0, last);
    const Allocation* const a = scene.allocation(scene.buffer);
    if (a != nullptr && a->isLiveAt(step))
        return pick(step, scene.buffer);
    return pickOperator(step);
}

bool ArenaView::moveBuffer(int direction) {
    const ArenaScene& scene = m_plot->scene();
    const std::int64_t step = scene.step.value_or(0);
    const auto next = scene.geometry.neighbour(step, scene.buffer, direction);
    return next && pick(step, next);
}

bool ArenaView::handleKey(int key) {
    const ArenaScene& scene = m_plot->scene();
    if (!scene.plan || scene.plan->steps.empty())
        return false;
    switch (key) {
    case Qt::Key_Left:
        moveStep(scene.step.value_or(1) - 1);
        return true;
    case Qt::Key_Right:
        moveStep(scene.step.value_or(-1) + 1);
        return true;
    case Qt::Key_Up:
        moveBuffer(1);
        return true;
    case Qt::Key_Down:
        moveBuffer(-1);
        return true;
    case Qt::Key_Home:
        moveStep(0);
        return true;
    case Qt::Key_End:
        moveStep(scene.geometry.stepCount() - 1);
        return true;
    case Qt::Key_P:
        pickOperator(scene.plan->peakOperator);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_plot->zoomBy(0.8);
        return true;
    case Qt::Key_Minus:
        m_plot->zoomBy(1.25);
        return true;
    default:
        return false;
    }
}

void ArenaView::keyPressEvent(QKeyEvent* event) {
    if (!handleKey(event->key()))
        View::keyPressEvent(event);
}

bool ArenaView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::KeyPress &&
        handleKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    return View::eventFilter(watched, event);
}

} // namespace plumbline
