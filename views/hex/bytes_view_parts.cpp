// SPDX-License-Identifier: GPL-3.0-or-later
// The widgets and commands of the bytes view.
#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/common/elided_label.h"
#include "views/common/empty_note.h"
#include "views/common/palette.h"
#include "views/hex/bytes_view.h"
#include "views/hex/hex_area.h"
#include "views/hex/owner_legend.h"

namespace plumbline {

void BytesView::makeBar(QBoxLayout* layout) {
    m_regions = new QComboBox(this);
    m_regions->setObjectName(QStringLiteral("bytesRegion"));
    m_regions->setAccessibleName(tr("Region"));
    m_regions->addItems({tr("Descriptors, relocated"), tr("Descriptors, template"), tr("Weights"),
                         tr("Parameters"), tr("Arena"), tr("File")});
    connect(m_regions, &QComboBox::activated, this,
            [this](int index) { setRegion(static_cast<ByteRegion>(index)); });
    m_stepLabel = new QLabel(tr("after operator"), this);
    m_stepBox = new QSpinBox(this);
    m_stepBox->setObjectName(QStringLiteral("bytesStep"));
    m_stepBox->setAccessibleName(tr("Operator after which the arena is shown"));
    m_stepBox->setKeyboardTracking(false);
    m_stepLabel->setBuddy(m_stepBox);
    connect(m_stepBox, &QSpinBox::valueChanged, this, &BytesView::takeStep);
    m_goTo = new QLineEdit(this);
    m_goTo->setObjectName(QStringLiteral("bytesGoTo"));
    m_goTo->setAccessibleName(tr("Go to offset"));
    m_goTo->setPlaceholderText(tr("Go to 0x…"));
    m_goTo->setMaximumWidth(fontMetrics().averageCharWidth() * 16);
    connect(m_goTo, &QLineEdit::returnPressed, this, [this] { goTo(m_goTo->text()); });
    m_structuredButton = new QToolButton(this);
    m_structuredButton->setDefaultAction(m_structured);
    m_structuredButton->setAutoRaise(true);
    auto* const editing = new QToolButton(this);
    editing->setDefaultAction(m_editing);
    editing->setAutoRaise(true);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 2);
    bar->setSpacing(4);
    for (QWidget* const part : std::initializer_list<QWidget*>{m_regions, m_stepLabel, m_stepBox,
                                                               m_structuredButton, editing})
        bar->addWidget(part);
    bar->addStretch();
    bar->addWidget(m_goTo);
    layout->addLayout(bar);
}

void BytesView::makeStack(QBoxLayout* layout) {
    m_note = makeEmptyNote(this);
    m_hex = new HexArea(this);
    m_hex->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_hex, &QWidget::customContextMenuRequested, this, &BytesView::showMenu);
    connect(m_hex, &HexArea::byteSelected, this, &BytesView::takeBytes);
    connect(m_hex, &HexArea::byteEdited, this, &BytesView::takeByte);
    connect(m_hex, &HexArea::editingLeft, this, [this] { setEditing(false); });
    connect(m_hex, &HexArea::byteHovered, this, [this](qint64 offset) {
        showStatus(offset < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(offset)));
    });
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("bytesTable"));
    m_table->setAccessibleName(tr("Constants of the selected operator"));
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    m_table->horizontalHeader()->setResizeContentsPrecision(32);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_note);
    m_stack->addWidget(m_hex);
    m_stack->addWidget(m_table);
    layout->addLayout(m_stack, 1);
    m_legend = new OwnerLegend(this);
    m_status = new ElidedLabel(this);
    m_status->setObjectName(QStringLiteral("bytesStatus"));
    m_status->setContentsMargins(6, 3, 6, 3);
    layout->addWidget(m_legend);
    layout->addWidget(m_status);
}

void BytesView::addCopy(const QString& name, const QString& text, const QKeySequence& shortcut,
                        ByteForm form) {
    connect(addCommand(*this, name, text, shortcut), &QAction::triggered, this, [this, form] {
        if (m_hex->selection().bytes == 0)
            return;
        QGuiApplication::clipboard()->setText(m_hex->selectedText(form));
        if (m_hex->selection().bytes > kMaxCopiedBytes)
            m_status->setText(tr("Copied the first %1 MiB.").arg(kMaxCopiedBytes >> 20));
    });
}

void BytesView::makeActions() {
    connect(addCommand(*this, QStringLiteral("bytesGoToOffset"), tr("Go to Offset"),
                       QKeySequence(Qt::CTRL | Qt::Key_G)),
            &QAction::triggered, this, &BytesView::focusGoTo);
    m_structured = addCommand(*this, QStringLiteral("bytesStructured"), tr("As Table"),
                              QKeySequence(Qt::CTRL | Qt::Key_T));
    m_structured->setCheckable(true);
    m_structured->setToolTip(
        tr("Read the selected operator's weights as [group][k][lane] and its parameters by name"));
    connect(m_structured, &QAction::toggled, this, [this] { showMarks(); });
    m_editing = addCommand(*this, QStringLiteral("bytesEdit"), tr("Edit Bytes"),
                           QKeySequence(Qt::CTRL | Qt::Key_E));
    m_editing->setCheckable(true);
    connect(m_editing, &QAction::toggled, this, &BytesView::startEditing);
    addCopy(QStringLiteral("bytesCopyHex"), tr("Copy as Hexadecimal"), QKeySequence::Copy,
            ByteForm::Hex);
    addCopy(QStringLiteral("bytesCopyC"), tr("Copy as C Array"), {}, ByteForm::CArray);
    addCopy(QStringLiteral("bytesCopyCsv"), tr("Copy as CSV"), {}, ByteForm::Csv);
    addCopy(QStringLiteral("bytesCopyDecimal"), tr("Copy as Decimal"), {}, ByteForm::Decimal);
}

void BytesView::focusGoTo() {
    m_goTo->setFocus(Qt::ShortcutFocusReason);
    m_goTo->selectAll();
}

void BytesView::showMenu(const QPoint& at) {
    QMenu menu(this);
    menu.addActions(actions());
    menu.exec(m_hex->mapToGlobal(at));
}

} // namespace plumbline
