// SPDX-License-Identifier: GPL-3.0-or-later
// The line in which the session's filter is written.
#pragma once

#include <memory>

#include <QLineEdit>
#include <QPointer>
#include <QTimer>

#include "core/filter/completion.h"
#include "views/common/session.h"

class QCompleter;
class QLabel;
class QTreeView;

namespace plumbline {

class CompletionModel;

/// Enter applies, Escape takes back what was typed and then clears, Ctrl+Space and Down offer
/// completions, of which Tab takes the first. What is typed is checked after a pause: the wrong
/// part is underlined, and a note below the line says why; at the right end stands how many
/// operators pass.
class FilterEdit : public QLineEdit {
    Q_OBJECT

  public:
    static constexpr int kPauseMs = 150; ///< from the last key to the check

    explicit FilterEdit(Session& session, QWidget* parent = nullptr);
    ~FilterEdit() override;

    /// Why the text is no filter; empty when it is one.
    const QString& problem() const { return m_problem; }
    /// "9 of 31"; "invalid" for what is no filter; empty for an empty text.
    QString countText() const;
    CompletionModel* completions() const { return m_model; }
    QWidget* popup() const;

    /// Checks the text now instead of after the pause.
    void check();
    /// Makes the text the session's filter, if it is one.
    bool apply();
    void clearFilter();

  signals:
    void checked(); ///< problem() and countText() are those of the text

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void makePopup();
    void documentChanged();
    void followSession();
    void textWasEdited();
    bool handlePopupKey(QKeyEvent* event);
    void offerCompletions();
    void insertCompletion(const QModelIndex& index);
    void markError(qsizetype begin, qsizetype length);
    void showProblem();
    void layoutCount();

    Session& m_session;
    QTimer m_pause;
    QString m_problem;
    QLabel* m_count;
    QPointer<QLabel> m_note; ///< child of the window, so that it can lie below the line
    CompletionModel* m_model;
    QCompleter* m_completer;
    QTreeView* m_popup;
    FilterSchema m_schema;
    std::unique_ptr<FilterSource> m_source; ///< of m_document
    DocumentPtr m_document;
    bool m_isMarking = false;
};

} // namespace plumbline
