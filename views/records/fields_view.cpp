// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/fields_view.h"

#include <algorithm>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/quiet_focus.h"
#include "views/records/fields_delegate.h"

namespace plumbline {
FieldsView::FieldsView(Session& session, QWidget* parent)
    : View(session, QStringLiteral("fields"), tr("Fields"), parent)
    , m_model(new FieldsModel(this)) {
    m_note = makeEmptyNote(this);
    m_note->setObjectName(QStringLiteral("fieldsNote"));
    makeActions();
    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_note);
    m_stack->addWidget(makePage());
    setFocusProxy(m_tree);
}

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
    m_tree->header()->moveSection(FieldsModel::Rule,
                                  FieldsModel::Unit); // in sight in a narrow dock
    connect(m_tree, &QWidget::customContextMenuRequested, this, &FieldsView::showMenu);
    connect(m_tree, &QTreeView::activated, this, &FieldsView::followPointer);
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == FieldsModel::Value &&
            m_model->itemAt(index).kind == FieldsModel::Kind::FinalAddress)
            followPointer();
    });
    QuietFocus::install(m_tree);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FieldsView::takeCurrent);
}

QWidget* FieldsView::makePage() {
    auto* const page = new QWidget(this);
    m_titleLabel = new QLabel(page);
    m_titleLabel->setObjectName(QStringLiteral("fieldsTitle"));
    m_titleLabel->setTextFormat(Qt::PlainText);
    m_titleLabel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    makeTree(page);
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(6, 2, 2, 2);
    bar->addWidget(m_titleLabel, 1);
    for (QAction* const action : {m_edit, m_follow, m_hideUnused}) {
        auto* const button = new QToolButton(page);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        bar->addWidget(button);
    }
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_tree);
    m_hint = new QLabel(page);
    m_hint->setObjectName(QStringLiteral("fieldsHint"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(6, 3, 6, 3);
    m_hint->hide();
    layout->addWidget(m_hint);
    return page;
}

QAction* FieldsView::addCommand(const QString& name, const QString& text,
                                const QKeySequence& shortcut) {
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    return action;
}

void FieldsView::makeActions() {
    m_follow = addCommand(QStringLiteral("fieldsFollow"), tr("Follow Pointer"),
                          QKeySequence(Qt::CTRL | Qt::Key_Return));
    connect(m_follow, &QAction::triggered, this, &FieldsView::followPointer);
    m_edit = addCommand(QStringLiteral("fieldsEdit"), tr("Edit Value"), QKeySequence(Qt::Key_F2));
    m_edit->setToolTip(tr("Change the value as an experiment"));
    connect(m_edit, &QAction::triggered, this, &FieldsView::editCurrent);
    m_hideUnused = addCommand(QStringLiteral("fieldsHideUnused"), tr("Hide Unused"),
                              QKeySequence(Qt::CTRL | Qt::Key_H));
    m_hideUnused->setCheckable(true);
    m_hideUnused->setToolTip(tr("Hide fields that the opcode does not use and that are 0"));
    connect(m_hideUnused, &QAction::toggled, this, [this](bool hidden) {
        m_following = true;
        m_model->setUnusedHidden(hidden);
        m_following = false;
        showSelection();
    });
    const auto copies = [this](const QString& name, const QString& text,
                               const QKeySequence& shortcut, auto make) {
        connect(addCommand(name, text, shortcut), &QAction::triggered, this, [make] {
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

void FieldsView::showDocument() {
    m_isStale = true; // showSelection follows
}

void FieldsView::showSelection() {
    m_following = true;
    const Place& place = session().place();
    m_operator = place.operatorIndex;
    if (std::exchange(m_isStale, false) || m_model->facts() == nullptr ||
        place.record != m_model->facts()->index())
        m_model->setRecord(session().document(), place.record);
    const bool shown = m_model->facts() != nullptr;
    m_stack->setCurrentIndex(shown ? 1 : 0);
    m_note->setText(emptyReason());
    if (shown)
        sizeColumns();
    QModelIndex row;
    if (shown && place.word)
        row = m_model->find(static_cast<std::size_t>(*place.word), place.field);
    const QModelIndex current = m_tree->currentIndex();
    // What stands behind an address belongs to the same selection as its word.
    const bool inside = row.isValid() && current.isValid() &&
                        FieldsModel::isDetail(m_model->itemAt(current).kind) &&
                        current.siblingAtColumn(0).parent() == row;
    if (!row.isValid())
        m_tree->selectionModel()->clear();
    else if (row != current.siblingAtColumn(0) && !inside)
        m_tree->setCurrentIndex(row);
    if (row.isValid())
        m_tree->scrollTo(m_tree->currentIndex());
    m_following = false;
    showTitle();
}

void FieldsView::sizeColumns() {
    if (m_sized) {
        const int width = m_tree->columnWidth(FieldsModel::Value);
        m_tree->resizeColumnToContents(FieldsModel::Value); // what it was needs room
        m_tree->setColumnWidth(FieldsModel::Value,
                               std::max(width, m_tree->columnWidth(FieldsModel::Value)));
        return;
    }
    m_tree->expandAll();
    for (int column = 0; column < FieldsModel::ColumnCount; ++column)
        m_tree->resizeColumnToContents(column);
    const int most = fontMetrics().averageCharWidth() * 24; // of prose; the rest is a tip
    for (const int column : {FieldsModel::Meaning, FieldsModel::Rule})
        m_tree->setColumnWidth(column, std::min(m_tree->columnWidth(column), most));
    m_tree->collapseAll();
    m_sized = true;
}

void FieldsView::editCurrent() {
    const QModelIndex value = m_tree->currentIndex().siblingAtColumn(FieldsModel::Value);
    if (m_model->isEditable(value))
        m_tree->edit(value);
}

void FieldsView::showHint(const QString& text, bool isProblem) {
    QPalette colors = palette();
    if (isProblem)
        colors.setColor(QPalette::WindowText, toneColor(Tone::Error, colors));
    m_hint->setPalette(colors);
    m_hint->setText(isProblem ? QStringLiteral("✗ ") + text : text);
    m_hint->setVisible(!text.isEmpty());
}

void FieldsView::showTitle() {
    const RecordFacts* const facts = m_model->facts();
    const auto pointer = m_model->pointerAt(m_tree->currentIndex());
    m_follow->setEnabled(pointer && pointer->relocation);
    m_edit->setEnabled(m_model->isEditable(m_tree->currentIndex()));
    if (facts == nullptr)
        return;
    QString text = facts->title();
    QString why;
    if (facts->violation()) {
        why = safeText(facts->violation()->message);
        text += QStringLiteral(" · ✗ ") + why;
    } else if (!document().violations.empty()) {
        text += tr(" · ✓ valid");
    }
    m_titleLabel->setText(text);
    m_titleLabel->setToolTip(why);
}

QString FieldsView::refusalText(const LoweredOperator& op) const {
    QString text = tr("%1 (operator %2) is refused, so it has no record.")
                       .arg(safeText(op.name))
                       .arg(op.index);
    for (const Diagnostic& diagnostic : document().diagnostics)
        if (diagnostic.where.operatorIndex == op.index && diagnostic.severity == Severity::Error)
            text += QStringLiteral("\n\n%1 %2\n%3")
                        .arg(safeText(codeInfo(diagnostic.code).id), safeText(diagnostic.message),
                             safeText(diagnostic.hint));
    return text.trimmed();
}

QString FieldsView::emptyReason() const {
    if (m_model->facts() != nullptr)
        return {};
    const auto& operators = lowering().operators;
    if (operators.empty() && lowering().records.empty())
        return plumbline::emptyReason(
            document(), tr("Open a model or a package to see the fields of its records."));
    if (document().kind == DocumentKind::Trace)
        return plumbline::emptyReason(document(), {});
    const auto index = session().place().operatorIndex;
    if (!index || *index < 0 || static_cast<std::size_t>(*index) >= operators.size())
        return tr("Select a record or an operator to see its fields.");
    const LoweredOperator& op = operators[static_cast<std::size_t>(*index)];
    const QString name = tr("%1 (operator %2)").arg(safeText(op.name)).arg(op.index);
    switch (op.placement) {
    case Placement::Alias:
        return tr("%1 has no record: its output shares the storage of its input, so nothing runs.")
            .arg(name);
    case Placement::CpuSoftmax:
        return tr("%1 has no record: it runs on the CPU, after the last record.").arg(name);
    case Placement::Refused:
        return refusalText(op);
    case Placement::Npu:
        return lowering().complete
                   ? tr("The package holds no whole record for %1.").arg(name)
                   : tr("%1 could run on the accelerator, but records are made only when no "
                        "operator of the model is refused. The diagnostics say which one is.")
                         .arg(name);
    }
    return {};
}

void FieldsView::takeCurrent(const QModelIndex& current) {
    showTitle();
    if (m_following || !current.isValid() || m_model->facts() == nullptr)
        return;
    const FieldsModel::Item& item = m_model->itemAt(current);
    const auto& fields = m_model->facts()->table().fields;
    session().select(selectRecord(m_model->facts()->index(), static_cast<std::int64_t>(item.word),
                                  item.field ? fields[*item.field].name : std::string_view()));
}

void FieldsView::followPointer() {
    const QModelIndex current = m_tree->currentIndex();
    const auto pointer = m_model->pointerAt(current);
    if (!pointer || !pointer->relocation) {
        if (current.isValid())
            m_tree->setExpanded(current.siblingAtColumn(0), !m_tree->isExpanded(current));
        return;
    }
    const std::string& region = lowering().relocations[*pointer->relocation].region;
    std::optional<std::int64_t> step;
    if (region == kArenaRegion)
        step = m_operator;
    const std::uint64_t offset = pointer->templateOffset;
    const std::uint64_t size =
        region == kArenaRegion ? lowering().arena.peakBytes : regionOf(document(), region).size();
    const std::uint64_t inside = offset < size ? size - offset : 1; // else the session says why
    session().select(
        selectSpan(region, offset, std::clamp<std::uint64_t>(pointer->length, 1, inside), step));
}

QString FieldsView::currentValue(Form form) const {
    const QModelIndex current = m_tree->currentIndex();
    const RecordFacts* const facts = m_model->facts();
    if (!current.isValid() || facts == nullptr)
        return {};
    const FieldsModel::Item& item = m_model->itemAt(current);
    const auto& fields = facts->table().fields;
    QString name;
    std::int64_t value = facts->word(item.word);
    QString hex = hexNumber(facts->word(item.word));
    if (item.field) {
        const FieldSpec& spec = fields[*item.field];
        name = safeText(spec.name);
        value = fieldValue(facts->bytes(), spec);
        hex = facts->rawText(spec);
    } else {
        for (const FieldSpec& spec : fields)
            if (spec.word == item.word)
                name = safeText(spec.wordName);
    }
    if (item.kind == FieldsModel::Kind::RegionBase ||
        item.kind == FieldsModel::Kind::FinalAddress) {
        const auto pointer = facts->pointer(*item.field);
        const bool isBase = item.kind == FieldsModel::Kind::RegionBase;
        value = static_cast<std::int64_t>(isBase ? pointer->base.value_or(0)
                                                 : pointer->finalAddress.value_or(0));
        hex = hexNumber(static_cast<std::uint64_t>(value));
    }
    switch (form) {
    case Form::Decimal:
        return QString::number(value);
    case Form::Hex:
        return hex;
    case Form::C:
        return QStringLiteral(".%1 = %2u").arg(name, hex);
    }
    return {};
}

void FieldsView::showMenu(const QPoint& at) {
    if (const QModelIndex index = m_tree->indexAt(at); index.isValid())
        m_tree->setCurrentIndex(index);
    QMenu menu(this);
    menu.addActions(actions());
    menu.exec(m_tree->viewport()->mapToGlobal(at));
}

std::optional<std::int64_t> FieldsView::shownOperator() const { return m_operator; }

bool FieldsView::pickOperator(std::int64_t index) {
    if (m_operator != index || m_model->facts() == nullptr || m_model->rowCount() == 0)
        return false;
    m_tree->setCurrentIndex(m_model->index(0, 0));
    return true;
}

} // namespace plumbline
