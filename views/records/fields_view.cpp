// SPDX-License-Identifier: GPL-3.0-or-later
// What the view shows and how it follows the selection; fields_view_parts.cpp builds its widgets.
#include "views/records/fields_view.h"

#include <algorithm>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QTreeView>

#include "views/common/elided_label.h"
#include "views/common/empty_note.h"
#include "views/common/format.h"
#include "views/common/palette.h"

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

void FieldsView::showDocument() {
    m_isStale = true; // showSelection follows
}

void FieldsView::showSelection() {
    const QScopedValueRollback guard(m_following, true);
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
    if (shown)
        showCurrent(row);
    showTitle();
}

/// Selects `row`. Where it is none, nothing is selected, and the keyboard stays where it is or
/// begins at the first row.
void FieldsView::showCurrent(const QModelIndex& row) {
    const QModelIndex current = m_tree->currentIndex();
    if (!row.isValid()) {
        m_tree->selectionModel()->clearSelection();
        if (!current.isValid())
            m_tree->selectionModel()->setCurrentIndex(m_model->index(0, 0),
                                                      QItemSelectionModel::NoUpdate);
        return;
    }
    // What stands behind an address belongs to the same selection as its word.
    const bool inside = current.isValid() && FieldsModel::isDetail(m_model->itemAt(current).kind) &&
                        current.siblingAtColumn(0).parent() == row;
    const bool stays = inside || row == current.siblingAtColumn(0);
    if (!stays || !m_tree->selectionModel()->isSelected(current))
        m_tree->setCurrentIndex(stays ? current : row);
    m_tree->scrollTo(m_tree->currentIndex());
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

/// The current row, or the first field of its word; invalid where the row follows from others.
QModelIndex FieldsView::rowToEdit() const {
    const QModelIndex current = m_tree->currentIndex().siblingAtColumn(0);
    if (m_model->isEditable(current) || !current.isValid())
        return current;
    const QModelIndex first = m_model->index(0, 0, current);
    return m_model->isEditable(first) ? first : QModelIndex();
}

void FieldsView::editCurrent() {
    if (m_model->facts() == nullptr)
        return emit session().noticed(emptyReason());
    const QModelIndex row = rowToEdit();
    if (!row.isValid())
        return emit session().noticed(
            tr("This follows from the address and its relocation. Change those."));
    m_tree->setCurrentIndex(row);
    m_tree->edit(row.siblingAtColumn(FieldsModel::Value));
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
    m_edit->setEnabled(document().job && document().target != nullptr);
    if (facts == nullptr)
        return;
    QString text = facts->title();
    if (facts->violation())
        text += QStringLiteral(" · ✗ ") + safeText(facts->violation()->message);
    else if (!document().violations.empty())
        text += tr(" · ✓ valid");
    m_titleLabel->setText(text);
    arrangeBar();
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
