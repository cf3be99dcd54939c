// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that never asks for room.
#pragma once

#include <QLabel>

namespace plumbline {

/// One line of plain text, elided at its end where it does not fit; the tool tip has all of it.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Hides QLabel's, to set the tool tip as well.
    void setText(const QString& text);
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace plumbline
