// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets and commands of the comparison.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyleOptionHeader>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/quiet_focus.h"
#include "views/compare/compare_view.h"

namespace plumbline {
namespace {

/// One line of text; where there is not enough room its middle is left out.
class TitlesLabel : public QLabel {
  public:
    using QLabel::QLabel;

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width()));
    }
};

/// Elides titles that do not fit.
class ElidingHeader : public QHeaderView {
  public:
    using QHeaderView::QHeaderView;

  protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
        QHeaderView::initStyleOptionForIndex(option, section);
        const int edge = style()->pixelMetric(QStyle::PM_HeaderMargin, option, this) +
                         style()->pixelMetric(QStyle::PM_HeaderGripMargin, option, this);
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight,
                                                      sectionSize(section) - 2 * edge);
    }
};

} // namespace

CompareView::CompareView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("compare"), tr("Compare"), parent)
    , m_model(new CompareModel(this))
    , m_proxy(new CompareProxy(session, *m_model, this)) {
    makeActions();
    m_note = makeEmptyNote(this);
    m_note->setObjectName(QStringLiteral("compareNote"));
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makePage());
    setFocusProxy(m_table);
}

QWidget* CompareView::makePage() {
    auto* const page = new QWidget(this);
    makeTable(page);
    m_details = new QTextBrowser(page);
    m_details->setObjectName(QStringLiteral("compareDetails"));
    m_details->setAccessibleName(tr("Both sides of the selected change"));
    m_details->setOpenLinks(false);
    m_details->setTabChangesFocus(true);
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->setMinimumWidth(fontMetrics().averageCharWidth() * 24);
    m_splitter = new QSplitter(page);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_details);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setChildrenCollapsible(false);
    const int wanted = QFontMetrics(m_details->font()).averageCharWidth() * 50; // 32 bits and air
    m_splitter->setSizes({wanted * 2, wanted});
    m_summary = new QLabel(page);
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(6, 3, 6, 3);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(makeBar(page));
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_summary);
    return page;
}

QLayout* CompareView::makeBar(QWidget* page) {
    m_titles = new TitlesLabel(page);
    m_titles->setObjectName(QStringLiteral("compareTitles"));
    m_titles->setTextFormat(Qt::PlainText);
    m_titles->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_search = new QLineEdit(page);
    m_search->setObjectName(QStringLiteral("compareSearch"));
    m_search->setPlaceholderText(tr("Search changes"));
    m_search->setAccessibleName(tr("Search in changes"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(fontMetrics().averageCharWidth() * 32);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_proxy->setText(text);
        narrow();
    });
    auto* const shifts = new QToolButton(page);
    shifts->setDefaultAction(m_hideShifts);
    shifts->setAutoRaise(true);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 4, 2);
    bar->addWidget(m_titles, 1);
    bar->addWidget(shifts);
    bar->addWidget(m_search, 1);
    return bar;
}

void CompareView::makeTable(QWidget* page) {
    m_table = new QTableView(page);
    m_table->setObjectName(QStringLiteral("compareTable"));
    m_table->setAccessibleName(tr("Changes between the two lowerings"));
    m_table->setHorizontalHeader(new ElidingHeader(Qt::Horizontal, m_table));
    m_table->horizontalHeader()->setSectionsClickable(true);
    m_table->setModel(m_proxy);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // in the order of operators
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    // What differs comes first; the record is said by operator and place.
    m_table->horizontalHeader()->moveSection(CompareModel::RecordColumn, CompareModel::Second);
    m_table->viewport()->installEventFilter(this);
    QuietFocus::install(m_table);
    connect(m_table, &QWidget::customContextMenuRequested, this, &CompareView::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CompareView::takeCurrent);
}

QAction* CompareView::addCommand(const QString& name, const QString& text) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    return action;
}

void CompareView::makeActions() {
    m_hideShifts = addCommand(QStringLiteral("compareHideShifts"), tr("Hide Address Shifts"));
    m_hideShifts->setCheckable(true);
    m_hideShifts->setToolTip(
        tr("Hide changes that are nothing but another place of the same bytes"));
    connect(m_hideShifts, &QAction::toggled, this, [this](bool hidden) {
        m_proxy->setShiftsHidden(hidden);
        narrow();
    });
    const auto copy = [this](QAction* action, auto make) {
        connect(action, &QAction::triggered, this,
                [make] { QGuiApplication::clipboard()->setText(make()); });
    };
    QAction* const rows = addCommand(QStringLiteral("compareCopyCsv"), tr("Copy Rows as CSV"));
    rows->setShortcut(QKeySequence::Copy);
    copy(rows, [this] { return csv(true); });
    copy(addCommand(QStringLiteral("compareCopyAllCsv"), tr("Copy All Shown as CSV")),
         [this] { return csv(false); });
    m_copyFirst = addCommand(QStringLiteral("compareCopyFirst"), tr("Copy Address in the First"));
    copy(m_copyFirst, [this] {
        const LoweringChange* const change = currentChange();
        return change == nullptr ? QString() : safeText(change->firstAddress);
    });
}

void CompareView::showMenu(const QPoint& at) {
    if (const QModelIndex index = m_table->indexAt(at); index.isValid())
        m_table->setCurrentIndex(index);
    QMenu menu(this);
    menu.addActions(actions());
    menu.exec(m_table->viewport()->mapToGlobal(at));
}

} // namespace plumbline
