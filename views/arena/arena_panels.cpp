// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_panels.h"

#include <bit>

#include <QFormLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/quiet_focus.h"

namespace plumbline {
namespace {

void makeCompact(QTableView* table) {
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setMinimumSectionSize(24);
}

} // namespace

ArenaStepPanel::ArenaStepPanel(BufferModel* buffers, QWidget* parent)
    : QWidget(parent) {
    auto* const form = new QFormLayout;
    form->setContentsMargins(8, 6, 8, 2);
    form->setHorizontalSpacing(10);
    form->setVerticalSpacing(1);
    const std::array<QString, FactCount> names{tr("Operator"), tr("Live"),         tr("Padding"),
                                               tr("Holes"),    tr("Largest hole"), tr("High water"),
                                               tr("Minimum"),  tr("Peak")};
    for (std::size_t i = 0; i < FactCount; ++i) {
        m_facts.at(i) = new QLabel(this);
        m_facts.at(i)->setTextFormat(Qt::PlainText);
        m_facts.at(i)->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_facts.at(i)->setAccessibleName(names.at(i));
        m_facts.at(i)->setFont(i == OperatorFact ? font() : monoFont());
        auto* const name = new QLabel(names.at(i), this);
        name->setForegroundRole(QPalette::PlaceholderText);
        form->addRow(name, m_facts.at(i));
    }
    m_facts.at(MinimumFact)
        ->setToolTip(
            tr("Most bytes that live at once, rounded to the alignment: no plan can need less"));
    m_table = new QTableView(this);
    buildTable(buffers);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(form);
    layout->addWidget(m_table, 1);
}

void ArenaStepPanel::buildTable(BufferModel* buffers) {
    m_live = new LiveBuffersProxy(this);
    m_live->setSourceModel(buffers);
    m_table->setModel(m_live);
    QuietFocus::install(m_table);
    makeCompact(m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(BufferModel::BytesColumn, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Buffers that are live at the operator"));
    for (const int column :
         {BufferModel::IndexColumn, BufferModel::SizeColumn, BufferModel::MembersColumn})
        m_table->hideColumn(column);
    QHeaderView* const header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(BufferModel::NameColumn, QHeaderView::Stretch);
    const QFontMetrics metrics(monoFont());
    header->resizeSection(BufferModel::OffsetColumn,
                          metrics.horizontalAdvance(QStringLiteral("0x0000000")) + 12);
    header->resizeSection(BufferModel::BytesColumn,
                          metrics.horizontalAdvance(QStringLiteral("000,000,0")) + 12);
    for (const int column : {BufferModel::FirstColumn, BufferModel::LastColumn})
        header->resizeSection(column, metrics.horizontalAdvance(QStringLiteral("input")) + 14);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && m_step)
                    emit picked(*m_step, m_live->mapToSource(current).row());
            });
}

void ArenaStepPanel::showStep(const ArenaScene& scene, std::optional<std::int64_t> step) {
    const QSignalBlocker quiet(m_table->selectionModel());
    m_step = step;
    m_live->setStep(step);
    const ArenaStep* const facts = scene.stepFacts(step);
    for (QLabel* label : m_facts)
        label->setText(QStringLiteral("—"));
    if (!scene.plan)
        return;
    const ArenaPlan& plan = *scene.plan;
    const auto set = [this](Fact fact, const QString& text) { m_facts.at(fact)->setText(text); };
    set(MinimumFact, exactBytes(plan.minimumBytes));
    set(PeakFact,
        tr("%1, %2 over the minimum")
            .arg(exactBytes(plan.peakBytes), percentAgainst(plan.peakBytes, plan.minimumBytes)));
    if (facts == nullptr)
        return;
    set(OperatorFact, stepName(*scene.lowering, *step) +
                          (*step == plan.peakOperator ? tr(" (peak)") : QString()));
    set(LiveFact, exactBytes(facts->liveBytes));
    set(PaddingFact, exactBytes(facts->paddingBytes));
    set(HolesFact, tr("%1 in %2").arg(exactBytes(facts->holeBytes)).arg(facts->holes));
    set(LargestHoleFact, exactBytes(facts->largestHole));
    set(HighWaterFact, QStringLiteral("%1 = %2").arg(hexNumber(facts->highWater, 5),
                                                     exactBytes(facts->highWater)));
}

void ArenaStepPanel::markBuffer(std::optional<std::size_t> buffer) {
    const QSignalBlocker quiet(m_table->selectionModel());
    const QModelIndex source =
        buffer ? m_live->sourceModel()->index(static_cast<int>(*buffer), 0) : QModelIndex();
    const QModelIndex row = m_live->mapFromSource(source);
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    if (row.isValid()) {
        m_table->selectRow(row.row());
        m_table->scrollTo(row);
    }
    m_table->viewport()->update();
}

AlignmentBox::AlignmentBox(QWidget* parent)
    : QSpinBox(parent) {
    setRange(1, static_cast<int>(kMaxArenaAlignment));
    setValue(64);
    setSuffix(tr(" bytes"));
    setKeyboardTracking(false);
    setAccessibleName(tr("Alignment"));
}

void AlignmentBox::stepBy(int steps) {
    auto value = static_cast<unsigned>(this->value());
    for (; steps > 0 && value < kMaxArenaAlignment; --steps)
        value = std::bit_ceil(value + 1);
    for (; steps < 0 && value > 1; ++steps)
        value = std::bit_floor(value - 1);
    setValue(static_cast<int>(value));
}

WhatIfPanel::WhatIfPanel(QWidget* parent)
    : QWidget(parent) {
    m_strategies = new StrategyModel(this);
    m_table = new QTableView(this);
    m_table->setModel(m_strategies);
    QuietFocus::install(m_table);
    makeCompact(m_table);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(StrategyModel::StrategyColumn,
                                                      QHeaderView::Stretch);
    m_table->setAccessibleName(tr("Strategies and their peaks"));
    m_alignment = new AlignmentBox(this);
    m_note = new QLabel(this);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    auto* const form = new QFormLayout;
    form->setContentsMargins(8, 6, 8, 2);
    form->addRow(tr("&Alignment"), m_alignment);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->setSpacing(4);
    layout->addLayout(form);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_note);
    m_note->setContentsMargins(8, 0, 8, 0);
    connect(m_alignment, &QSpinBox::valueChanged, this, &WhatIfPanel::plan);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { choose(current.row()); });
}

void WhatIfPanel::setLowering(const LoweringPtr& lowering) {
    m_job.cancel();
    m_lowering = lowering;
    m_chosen.reset();
    {
        const QSignalBlocker quiet(m_alignment);
        m_alignment->setValue(static_cast<int>(
            std::min<std::uint64_t>(lowering->arena.alignment, kMaxArenaAlignment)));
    }
    m_strategies->setOutcomes({}, 0);
    m_isStale = true;
    if (isVisible())
        plan();
}

void WhatIfPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale && m_lowering)
        plan();
}

void WhatIfPanel::plan() {
    if (!m_lowering)
        return;
    m_isStale = false;
    m_note->setText(tr("Planning…"));
    m_job.start(
        [requests = requestsOf(m_lowering->arena),
         count = static_cast<std::int64_t>(m_lowering->arena.steps.size()),
         alignment = static_cast<std::uint64_t>(m_alignment->value())](
            const std::stop_token& stop) { return planAll(requests, count, alignment, stop); },
        [this](std::vector<StrategyOutcome> outcomes) { showOutcomes(std::move(outcomes)); });
}

void WhatIfPanel::showOutcomes(std::vector<StrategyOutcome> outcomes) {
    {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_strategies->setOutcomes(std::move(outcomes), m_lowering->arena.peakBytes);
    }
    m_note->setText(tr("Experiments: choosing one shows its plan in the chart. Nothing is written "
                       "back; the package keeps the compiled plan."));
    if (m_chosen && m_strategies->rowOf(*m_chosen) >= 0) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->selectRow(m_strategies->rowOf(*m_chosen));
        choose(m_strategies->rowOf(*m_chosen));
    }
}

void WhatIfPanel::choose(int row) {
    const StrategyOutcome* const outcome = m_strategies->outcome(row);
    if (outcome == nullptr || !outcome->plan)
        return;
    m_chosen = outcome->strategy;
    emit planChosen(
        outcome->plan,
        tr("%1, alignment %2").arg(strategyName(outcome->strategy)).arg(outcome->plan->alignment));
}

void WhatIfPanel::leaveExperiment() {
    m_chosen.reset();
    m_table->clearSelection();
    m_table->setCurrentIndex({});
    emit planChosen(nullptr, {});
}

} // namespace plumbline
