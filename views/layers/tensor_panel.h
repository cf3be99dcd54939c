// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside a tensor's picture: legend, the element in words, differences, findings.
#pragma once

#include <QScrollArea>

#include "views/common/view.h"
#include "views/layers/difference_histogram.h"
#include "views/layers/slice_raster.h"
#include "views/layers/tensor_values.h"

class QLabel;

namespace plumbline {

class ScaleLegend;

class TensorPanel : public QScrollArea {
    Q_OBJECT

  public:
    explicit TensorPanel(QWidget* parent = nullptr);

    /// `missing` says why another side is shown than the chosen one; empty where none is.
    void setTensor(const QString& title, const LayerTensor& tensor, TensorSide side,
                   const TensorColors& colors, const QString& missing);
    void setElementText(const QString& text);
    /// The histogram; nothing where there are no differences.
    std::optional<ViewPicture> picture();

  signals:
    void firstMismatchAsked(); ///< a finding was activated

  private:
    DifferenceHistogram* m_histogram = nullptr;
    ScaleLegend* m_legend = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_missing = nullptr;
    QLabel* m_element = nullptr;
    QLabel* m_findings = nullptr;
};

/// What there is to say of a comparison, one paragraph each, as rich text; a sentence about
/// mismatches is a link. `comparison` may be null.
QString findingsHtml(const TensorComparison* comparison);

} // namespace plumbline
