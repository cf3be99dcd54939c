// SPDX-License-Identifier: GPL-3.0-or-later
// The strip that says that an experiment is shown, and what came of it.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace plumbline {

class Session;

/// Can be seen only while the session's document is an experiment or an undone one can be redone.
/// It runs nothing: the window answers its signals.
class ExperimentBar : public QWidget {
    Q_OBJECT

  public:
    explicit ExperimentBar(Session& session, QWidget* parent = nullptr);

    /// What Undo and Redo can do.
    void setHistory(bool canUndo, bool canRedo);
    QString text() const;

  signals:
    void undoRequested();
    void redoRequested();
    void discardRequested();
    void exportRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QToolButton* addButton(const QString& name, const QString& text, const QString& tip,
                           void (ExperimentBar::*signal)());
    void showState();

    Session& m_session;
    QLabel* m_label;
    QToolButton* m_undo;
    QToolButton* m_redo;
    QToolButton* m_discard;
    QToolButton* m_export;
};

} // namespace plumbline
