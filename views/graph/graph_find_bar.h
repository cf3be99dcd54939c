// SPDX-License-Identifier: GPL-3.0-or-later
// The line for finding operators: text, count, next and previous.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace plumbline {

class GraphFindBar : public QWidget {
    Q_OBJECT

  public:
    explicit GraphFindBar(QWidget* parent = nullptr);

    QString text() const;
    void open(); ///< shows it with the text selected
    /// `at` counts from 1; 0 of 0 says that nothing was found.
    void setCount(std::size_t at, std::size_t count);

  signals:
    void textChanged(const QString& text);
    void nextAsked();
    void previousAsked();
    void closed();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QToolButton* addButton(Qt::ArrowType arrow, const QString& text);

    QLineEdit* m_edit;
    QLabel* m_count;
};

} // namespace plumbline
