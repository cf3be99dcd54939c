// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours and the mark of a tensor's picture mean.
#pragma once

#include <QWidget>

#include "views/layers/slice_raster.h"

namespace plumbline {

class ScaleLegend : public QWidget {
    Q_OBJECT

  public:
    explicit ScaleLegend(QWidget* parent = nullptr);
    void setScale(TensorSide side, const TensorColors& colors, bool hasMarks);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString endText(int value) const;

    TensorSide m_side = TensorSide::Ours;
    TensorColors m_colors;
    bool m_hasMarks = false;
};

} // namespace plumbline
