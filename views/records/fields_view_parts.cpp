// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets and commands of the fields view.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "views/common/elided_label.h"
#include "views/records/fields_delegate.h"
#include "views/records/fields_view.h"

namespace plumbline {

void FieldsView::makeTree(QWidget* page) {
    m_tree = new QTreeView(page);
    m_tree->setObjectName(QStringLiteral("fieldsTree"));
    m_tree->setAccessibleName(tr("Words and fields of the selected record"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    auto* const delegate = new FieldsDelegate(*m_model, m_tree);
    m_tree->setItemDelegate(delegate);
    m_tree->setEditTriggers(QAbstractItemView::DoubleClicked);
    connect(delegate, &FieldsDelegate::said, this, &FieldsView::showHint);
    connect(m_model, &FieldsModel::editMade, this,
            [this](const Edit& edit) { session().requestEdits({edit}); });
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->setSectionsMovable(false);
    // In sight in a narrow dock: the value, then the rule.
    m_tree->header()->moveSection(FieldsModel::Value, FieldsModel::Raw);
    m_tree->header()->moveSection(FieldsModel::Rule, FieldsModel::Unit);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &FieldsView::showMenu);
    connect(m_tree, &QTreeView::activated, this, &FieldsView::followPointer);
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == FieldsModel::Value &&
            m_model->itemAt(index).kind == FieldsModel::Kind::FinalAddress)
            followPointer();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FieldsView::takeCurrent);
    // The current row need not be selected; choosing it then changes no current row.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (const QModelIndex current = m_tree->currentIndex();
            m_tree->selectionModel()->isSelected(current))
            takeCurrent(current);
    });
}

QWidget* FieldsView::makePage() {
    auto* const page = new QWidget(this);
    makeTree(page);
    m_hint = new ElidedLabel(page);
    m_hint->setObjectName(QStringLiteral("fieldsHint"));
    m_hint->setContentsMargins(6, 3, 6, 3);
    // Its room stays, so that the tree keeps its height and the edited row its place.
    QSizePolicy kept = m_hint->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_hint->setSizePolicy(kept);
    m_hint->hide();
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar(page));
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_hint);
    return page;
}

QWidget* FieldsView::makeBar(QWidget* page) {
    auto* const bar = new QWidget(page);
    bar->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_titleLabel = new ElidedLabel(bar);
    m_titleLabel->setObjectName(QStringLiteral("fieldsTitle"));
    m_buttons = new QWidget(bar);
    auto* const row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (QAction* const action : {m_edit, m_follow, m_hideUnused}) {
        auto* const button = new QToolButton(m_buttons);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    row->addStretch();
    m_bar = new QBoxLayout(QBoxLayout::LeftToRight, bar);
    m_bar->setContentsMargins(6, 2, 2, 2);
    m_bar->setSpacing(2);
    m_bar->addWidget(m_titleLabel, 1);
    m_bar->addWidget(m_buttons);
    return bar;
}

/// The buttons go below a title that has no room beside them.
void FieldsView::arrangeBar() {
    const int needed = m_titleLabel->fontMetrics().horizontalAdvance(m_titleLabel->text()) +
                       m_buttons->sizeHint().width() + 16; // margins and spacing
    m_bar->setDirection(needed > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void FieldsView::resizeEvent(QResizeEvent*) { arrangeBar(); }

void FieldsView::makeActions() {
    m_follow = addCommand(*this, QStringLiteral("fieldsFollow"), tr("Follow Pointer"),
                          QKeySequence(Qt::CTRL | Qt::Key_Return));
    connect(m_follow, &QAction::triggered, this, &FieldsView::followPointer);
    m_edit =
        addCommand(*this, QStringLiteral("fieldsEdit"), tr("Edit Value"), QKeySequence(Qt::Key_F2));
    m_edit->setToolTip(tr("Change the value as an experiment"));
    connect(m_edit, &QAction::triggered, this, &FieldsView::editCurrent);
    m_hideUnused = addCommand(*this, QStringLiteral("fieldsHideUnused"), tr("Hide Unused"),
                              QKeySequence(Qt::CTRL | Qt::Key_H));
    m_hideUnused->setCheckable(true);
    m_hideUnused->setToolTip(tr("Hide fields that the opcode does not use and that are 0"));
    connect(m_hideUnused, &QAction::toggled, this, [this](bool hidden) {
        {
            const QScopedValueRollback guard(m_following, true);
            m_model->setUnusedHidden(hidden);
        }
        showSelection();
    });
    makeCopyActions();
}

void FieldsView::makeCopyActions() {
    const auto copies = [this](const QString& name, const QString& text,
                               const QKeySequence& shortcut, auto make) {
        connect(addCommand(*this, name, text, shortcut), &QAction::triggered, this, [make] {
            if (const QString made = make(); !made.isEmpty())
                QGuiApplication::clipboard()->setText(made);
        });
    };
    copies(QStringLiteral("fieldsCopyDecimal"), tr("Copy Value as Decimal"), QKeySequence::Copy,
           [this] { return currentValue(Form::Decimal); });
    copies(QStringLiteral("fieldsCopyHex"), tr("Copy Value as Hexadecimal"),
           QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_X),
           [this] { return currentValue(Form::Hex); });
    copies(QStringLiteral("fieldsCopyC"), tr("Copy Value as C Initializer"), {},
           [this] { return currentValue(Form::C); });
    copies(QStringLiteral("fieldsCopyArray"), tr("Copy Record as C Array"), {},
           [this] { return m_model->facts() ? m_model->facts()->cArray() : QString(); });
    copies(QStringLiteral("fieldsCopyCsv"), tr("Copy Record as CSV"), {},
           [this] { return m_model->facts() ? m_model->facts()->csv() : QString(); });
    copies(QStringLiteral("fieldsCopyAddress"), tr("Copy Field Address"), {},
           [this] { return session().address(); });
}

} // namespace plumbline
