// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of the selected record.
#pragma once

#include "views/common/view.h"
#include "views/records/fields_model.h"

class QBoxLayout;
class QLabel;
class QStackedLayout;
class QTreeView;

namespace plumbline {

class ElidedLabel;

class FieldsView : public View {
    Q_OBJECT

  public:
    explicit FieldsView(Session& session, QWidget* parent = nullptr);

    std::optional<std::int64_t> shownOperator() const override;
    bool pickOperator(std::int64_t index) override;

    QTreeView* tree() const { return m_tree; }
    /// Why there is no record, as the view says it; empty when there is one.
    QString emptyReason() const;
    /// The current row's value in a form: "12", "0x0C", ".INPUT_H = 0x0Cu".
    enum class Form { Decimal, Hex, C };
    QString currentValue(Form form) const;

  protected:
    void showDocument() override;
    void showSelection() override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* makePage();
    void makeTree(QWidget* page);
    QWidget* makeBar(QWidget* page);
    void arrangeBar();
    void makeActions();
    void makeCopyActions();
    void takeCurrent(const QModelIndex& current);
    void showCurrent(const QModelIndex& row);
    void followPointer();
    void editCurrent();
    QModelIndex rowToEdit() const;
    void sizeColumns();
    void showHint(const QString& text, bool isProblem);
    void showMenu(const QPoint& at);
    void showTitle();
    QString refusalText(const LoweredOperator& op) const;

    FieldsModel* m_model;
    QTreeView* m_tree = nullptr;
    QBoxLayout* m_bar = nullptr; ///< title and buttons, beside or above each other
    QWidget* m_buttons = nullptr;
    ElidedLabel* m_titleLabel = nullptr;
    ElidedLabel* m_hint = nullptr; ///< what can be typed, while a value is edited
    QLabel* m_note = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_follow = nullptr;
    QAction* m_edit = nullptr;
    QAction* m_hideUnused = nullptr;
    std::optional<std::int64_t> m_operator; ///< that is shown, with or without a record
    bool m_following = false;               ///< the current row is being set from the session
    bool m_isStale = false;                 ///< the document is another one
    bool m_sized = false;
};

} // namespace plumbline
