// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets of the hypotheses panel.
#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/quiet_focus.h"
#include "views/provenance/hypotheses_panel.h"

namespace plumbline {
namespace {

constexpr int kProgressMs = 60;
constexpr int kWidestChoice = 260;
constexpr int kSideBySide = 560; ///< pixels from which table and map lie side by side

} // namespace

HypothesesPanel::HypothesesPanel(SiteStore& sites, QWidget* parent)
    : QWidget(parent)
    , m_sites(sites) {
    m_find = newAction(QStringLiteral("whyFind"), tr("Find the Mistake"), QKeySequence(Qt::Key_F));
    m_cancel = newAction(QStringLiteral("whyCancel"), tr("Stop Looking"), {});
    m_load = newAction(QStringLiteral("whyLoadDump"), tr("Load Observed Dump…"), {});
    m_load->setIconText(tr("Load Dump…"));
    m_showMe = newAction(QStringLiteral("whyShowMe"), tr("Show Me Which Elements"),
                         QKeySequence(Qt::Key_M));
    m_showMe->setToolTip(tr("Show which elements the chosen mistake explains (M)"));
    m_showMe->setIconText(tr("Hide the Map"));
    m_showMe->setCheckable(true);
    m_showMe->setChecked(true);
    m_cancel->setEnabled(false);
    m_status = new QLabel(this);
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setContentsMargins(8, 2, 8, 4);
    m_status->setAccessibleName(tr("What was found"));
    buildTable();
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(buildMap());
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_markTable = new MarkTableModel(this);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_status);
    layout->addWidget(m_splitter, 1);
    layout->addStretch(0);
    connect(m_find, &QAction::triggered, this, &HypothesesPanel::find);
    connect(m_cancel, &QAction::triggered, this, &HypothesesPanel::cancel);
    connect(m_load, &QAction::triggered, this, &HypothesesPanel::chooseDump);
    connect(m_showMe, &QAction::toggled, this, [this](bool on) {
        m_showMe->setIconText(on ? tr("Hide the Map") : tr("Show the Map"));
        showMarks();
    });
    connect(m_whose, &QComboBox::currentIndexChanged, this, &HypothesesPanel::showObservation);
    m_progressTimer.setInterval(kProgressMs);
    connect(&m_progressTimer, &QTimer::timeout, this,
            [this] { m_progress->setValue(m_done->load()); });
    fillChoices(true);
    setBusy(false);
    clearRanking({});
}

QAction* HypothesesPanel::newAction(const QString& name, const QString& text,
                                    const QKeySequence& shortcut) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    return action;
}

QWidget* HypothesesPanel::buildBar() {
    auto* const bar = new QWidget(this);
    auto* const row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 2);
    row->setSpacing(4);
    m_whose = new QComboBox(bar);
    m_whose->setAccessibleName(tr("Whose bytes are observed"));
    m_whose->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_whose->setMinimumContentsLength(14);
    m_whose->setMaximumWidth(kWidestChoice);
    row->addWidget(m_whose, 3);
    const auto addButton = [bar, row](QAction* action) {
        auto* const button = new QToolButton(bar);
        button->setDefaultAction(action);
        row->addWidget(button);
        return button;
    };
    m_findButton = addButton(m_find);
    m_progress = new QProgressBar(bar);
    m_progress->setRange(0, 1000);
    m_progress->setMinimumWidth(40);
    m_progress->setMaximumWidth(120);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("How far the search is"));
    row->addWidget(m_progress);
    m_cancelButton = addButton(m_cancel);
    row->addStretch(1);
    m_showMeButton = addButton(m_showMe);
    addButton(m_load);
    return bar;
}

void HypothesesPanel::buildTable() {
    m_model = new HypothesisModel(this);
    m_table = new QTableView(this);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Mistakes that explain the observed bytes, best first"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setMinimumSize(160, 60);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setItemDelegateForColumn(HypothesisModel::Explains, new ShareDelegate(m_table));
    m_table->setColumnWidth(HypothesisModel::Exact, 64);
    QuietFocus::install(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &HypothesesPanel::showMarks);
}

QWidget* HypothesesPanel::buildMap() {
    m_mapSide = new QWidget(this);
    auto* const layout = new QVBoxLayout(m_mapSide);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_channel = new QSpinBox(m_mapSide);
    m_channel->setMinimum(-1);
    m_channel->setSpecialValueText(tr("All channels"));
    m_channel->setValue(-1);
    m_channel->setPrefix(tr("Channel "));
    m_channel->setAccessibleName(tr("Channel that the map shows"));
    m_map = new ElementMap(m_mapSide);
    layout->addWidget(m_channel, 0, Qt::AlignLeft);
    layout->addWidget(m_map, 1);
    connect(m_channel, &QSpinBox::valueChanged, this, [this](int value) {
        m_map->setChannel(value < 0 ? std::nullopt : std::optional<std::int64_t>(value));
    });
    connect(m_map, &ElementMap::elementPicked, this, &HypothesesPanel::elementPicked);
    return m_mapSide;
}

void HypothesesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_splitter->setOrientation(width() >= kSideBySide || height() < width() ? Qt::Horizontal
                                                                            : Qt::Vertical);
}

} // namespace plumbline
