// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/records/fields_delegate.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kEditorChars = 22; ///< least width of an editor

} // namespace

FieldsDelegate::FieldsDelegate(const FieldsModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model) {}

/// Marks where the keyboard is on a row that is not selected.
void FieldsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto* const view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (view == nullptr || !view->hasFocus() || (option.state & QStyle::State_Selected) != 0 ||
        view->currentIndex().siblingAtColumn(index.column()) != index)
        return;
    painter->setPen(toneColor(Tone::Accent, option.palette));
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

QSize FieldsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(6, 4); // a little air
}

QWidget* FieldsDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                      const QModelIndex& index) const {
    m_edited = index;
    emit said(m_model.valueHint(index), false);
    return m_model.itemAt(index).kind == FieldsModel::Kind::RelocationEntry
               ? makeList(parent, index)
               : makeLine(parent, index);
}

QWidget* FieldsDelegate::makeList(QWidget* parent, const QModelIndex& index) const {
    auto* const list = new QComboBox(parent);
    list->setObjectName(QStringLiteral("fieldsRegionEditor"));
    list->setAccessibleName(m_model.valueHint(index));
    list->addItems(m_model.choices(index));
    auto* const self = const_cast<FieldsDelegate*>(this);
    connect(list, &QComboBox::activated, self, [self, list] {
        emit self->commitData(list);
        emit self->closeEditor(list);
    });
    return list;
}

QWidget* FieldsDelegate::makeLine(QWidget* parent, const QModelIndex& index) const {
    auto* const line = new QLineEdit(parent);
    line->setObjectName(QStringLiteral("fieldsValueEditor"));
    line->setAccessibleName(m_model.valueHint(index));
    line->setFont(monoFont());
    if (const QStringList names = m_model.choices(index); !names.isEmpty()) {
        auto* const completer = new QCompleter(names, line);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        line->setCompleter(completer);
    }
    connect(line, &QLineEdit::textEdited, this,
            [this](const QString& text) { check(m_edited, text); });
    return line;
}

/// Says what the text means. False when it is no value.
bool FieldsDelegate::check(const QModelIndex& index, const QString& text) const {
    if (!index.isValid())
        return true;
    const FieldsModel::Typed made = m_model.typed(index, text);
    if (!made.edit) {
        emit said(made.problem, true);
        return false;
    }
    emit said(made.warning.isEmpty()
                  ? m_model.valueHint(index)
                  : tr("breaks its rule: %1 · %2").arg(made.warning, m_model.valueHint(index)),
              false);
    return true;
}

void FieldsDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString text = index.data(Qt::EditRole).toString();
    if (auto* const list = qobject_cast<QComboBox*>(editor)) {
        if (list->findText(text) < 0)
            list->addItem(text);
        list->setCurrentText(text);
    } else if (auto* const line = qobject_cast<QLineEdit*>(editor); !line->isModified()) {
        line->setText(text);
        line->selectAll();
    }
}

void FieldsDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                  const QModelIndex& index) const {
    const auto* const list = qobject_cast<QComboBox*>(editor);
    const auto* const line = qobject_cast<QLineEdit*>(editor);
    if (list != nullptr)
        model->setData(index, list->currentText(), Qt::EditRole);
    else if (line != nullptr && line->isModified())
        model->setData(index, line->text(), Qt::EditRole);
}

void FieldsDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex& index) const {
    QStyledItemDelegate::updateEditorGeometry(editor, option, index);
    QRect cell = option.rect;
    cell.setWidth(std::max(cell.width(), editor->fontMetrics().averageCharWidth() * kEditorChars));
    editor->setGeometry(cell);
}

void FieldsDelegate::destroyEditor(QWidget* editor, const QModelIndex& index) const {
    emit said({}, false);
    m_edited = QPersistentModelIndex();
    QStyledItemDelegate::destroyEditor(editor, index);
}

bool FieldsDelegate::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const auto* const line = qobject_cast<QLineEdit*>(watched);
        const bool ends = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab ||
                          key == Qt::Key_Backtab;
        if (line != nullptr && ends && !check(m_edited, line->text()))
            return true;
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

} // namespace plumbline
