// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "views/common/format.h"
#include "views/common/picture_export.h"
#include "views/layers/layer_rows.h"
#include "views/layers/scale_legend.h"

namespace plumbline {
namespace {

QString link(const QString& sentence) {
    return QStringLiteral("<p style='margin:0 0 4px 0'><a href='first'>%1</a></p>")
        .arg(sentence.toHtmlEscaped());
}

QString plain(const QString& sentence) {
    return QStringLiteral("<p style='margin:0 0 4px 0'>%1</p>").arg(sentence.toHtmlEscaped());
}

} // namespace

QString findingsHtml(const TensorComparison* comparison) {
    if (comparison == nullptr)
        return plain(TensorPanel::tr("Not compared with a reference."));
    if (!comparison->mismatches)
        return plain(TensorPanel::tr("%1, so the elements that differ are not known.")
                         .arg(capitalised(safeText(comparison->note))));
    if (comparison->equal)
        return plain(TensorPanel::tr("All %1 elements equal the reference's.")
                         .arg(groupedNumber(comparison->elements)));
    QString html =
        link(TensorPanel::tr("%1 of %2 elements differ, by %3 at most.")
                 .arg(groupedNumber(*comparison->mismatches), groupedNumber(comparison->elements),
                      groupedNumber(comparison->maxAbs)));
    for (const std::string& finding : findingsOf(*comparison))
        html += link(safeText(finding));
    return html;
}

TensorPanel::TensorPanel(QWidget* parent)
    : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* const page = new QWidget(this);
    auto* const layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->setSpacing(2);
    m_title = new QLabel(page);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_missing = new QLabel(page);
    m_missing->setObjectName(QStringLiteral("tensorMissing"));
    m_missing->setTextFormat(Qt::PlainText);
    m_missing->setWordWrap(true);
    m_element = new QLabel(page);
    m_element->setObjectName(QStringLiteral("tensorElement"));
    m_element->setAccessibleName(tr("The element in words"));
    m_element->setTextFormat(Qt::PlainText);
    m_element->setWordWrap(true);
    m_element->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_element->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_element->setMinimumHeight(2 * fontMetrics().height() + 4);
    m_findings = new QLabel(page);
    m_findings->setObjectName(QStringLiteral("tensorFindings"));
    m_findings->setAccessibleName(tr("What the mismatches have in common"));
    m_findings->setTextFormat(Qt::RichText);
    m_findings->setWordWrap(true);
    m_findings->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_legend = new ScaleLegend(page);
    m_histogram = new DifferenceHistogram(page);
    for (QLabel* const label : {m_title, m_missing, m_element, m_findings})
        label->setContentsMargins(8, 2, 8, 2);
    for (QWidget* const part : std::initializer_list<QWidget*>{m_title, m_missing, m_legend,
                                                               m_element, m_findings, m_histogram})
        layout->addWidget(part);
    layout->addStretch(1);
    setWidget(page);
    connect(m_findings, &QLabel::linkActivated, this, &TensorPanel::firstMismatchAsked);
}

void TensorPanel::setTensor(const QString& title, const LayerTensor& tensor, TensorSide side,
                            const TensorColors& colors, const QString& missing) {
    const TensorComparison* const comparison = tensor.comparison(side);
    m_title->setText(title);
    m_missing->setText(missing);
    m_missing->setVisible(!missing.isEmpty());
    m_legend->setScale(side, colors, comparison && comparison->mismatches.value_or(0) > 0);
    const bool hasBars = comparison && !comparison->equal && !comparison->histogram.empty();
    m_histogram->setVisible(hasBars);
    m_histogram->setBars(hasBars ? comparison->histogram : HistogramGeometry::Bars{});
    m_findings->setText(findingsHtml(comparison));
}

std::optional<ViewPicture> TensorPanel::picture() {
    if (m_histogram->isHidden())
        return std::nullopt;
    return widgetPicture(*m_histogram, QStringLiteral("differences"),
                         tr("Histogram of differences"));
}

void TensorPanel::setElementText(const QString& text) { m_element->setText(text); }

} // namespace plumbline
