// SPDX-License-Identifier: GPL-3.0-or-later
// A list of every command that can be typed into.
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace plumbline::gui {

/// How well `pattern`'s characters, in order, are found in `text`; below zero when they are not.
/// Starts of words and runs count more.
int fuzzyScore(const QString& pattern, const QString& text);

class CommandPalette : public QDialog {
    Q_OBJECT

  public:
    /// `actions` must outlive the dialog; disabled ones are left out.
    explicit CommandPalette(const QList<QAction*>& actions, QWidget* parent = nullptr);

    /// The action that was chosen; null when the dialog was left.
    QAction* chosen() const { return m_chosen; }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void choose();
    void filter(const QString& pattern);

    QLineEdit* m_edit;
    QListView* m_list;
    QAbstractListModel* m_model;
    QAction* m_chosen = nullptr;
};

} // namespace plumbline::gui
