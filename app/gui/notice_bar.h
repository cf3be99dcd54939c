// SPDX-License-Identifier: GPL-3.0-or-later
// One line above the views that says something and offers what to do about it.
#pragma once

#include <functional>

#include <QFrame>

class QHBoxLayout;
class QLabel;

namespace plumbline::gui {

class NoticeBar : public QFrame {
    Q_OBJECT

  public:
    struct Choice {
        QString text;
        std::function<void()> action; ///< may be empty: only dismisses
    };

    explicit NoticeBar(QWidget* parent = nullptr);
    /// Replaces what is shown. The bar goes when a choice or its close button is pressed.
    void showNotice(const QString& text, const QList<Choice>& choices);
    /// The same of something that failed: it has a mark and the colour of errors.
    void showProblem(const QString& text);
    void dismiss();
    /// Lies over the upper edge of `area` instead of taking room from it.
    void layOver(QWidget& area);
    QString text() const;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void place();
    void showText(const QString& text, bool isProblem, const QList<Choice>& choices);

    QWidget* m_area = nullptr;
    QLabel* m_mark; ///< of a problem
    QLabel* m_label;
    QHBoxLayout* m_layout;
    QList<QWidget*> m_buttons;
};

} // namespace plumbline::gui
