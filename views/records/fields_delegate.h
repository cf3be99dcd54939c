// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the field tree and the editors of their values.
#pragma once

#include <QStyledItemDelegate>

#include "views/records/fields_model.h"

namespace plumbline {

/// A region is chosen from a list, everything else is typed. What is typed is checked with every
/// key; Enter refuses a text that is no value, Escape and leaving take it back.
class FieldsDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    explicit FieldsDelegate(const FieldsModel& model, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model,
                      const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
    void destroyEditor(QWidget* editor, const QModelIndex& index) const override;

  signals:
    /// What can be typed or what is wrong with what is; empty when nothing is edited any more.
    void said(const QString& text, bool isProblem) const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* makeList(QWidget* parent, const QModelIndex& index) const;
    QWidget* makeLine(QWidget* parent, const QModelIndex& index) const;
    bool check(const QModelIndex& index, const QString& text) const;

    const FieldsModel& m_model;
    mutable QPersistentModelIndex m_edited; ///< createEditor() is const in Qt
};

} // namespace plumbline
