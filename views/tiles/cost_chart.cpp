// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/cost_chart.h"

#include <algorithm>
#include <cmath>

#include <QChart>
#include <QLegend>
#include <QMouseEvent>
#include <QToolTip>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kBarPixels = 30; ///< least room of one bar with its label
constexpr int kMostBars = 120;
constexpr int kNamedFrom = 230; ///< height from which labels carry the opcode
constexpr int kWheelStep = 120;

} // namespace

int barsThatFit(double plotWidth) {
    return std::clamp(static_cast<int>(std::clamp(plotWidth, 0.0, 1e6) / kBarPixels), 1, kMostBars);
}

CostChart::CostChart(const CostProxy& rows, QWidget* parent)
    : QChartView(new QChart, parent)
    , m_rows(rows) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Estimated cost of every record, as stacked bars"));
    setMinimumSize(240, 130);
    m_series = new QStackedBarSeries;
    for (QBarSet*& set : m_sets) {
        set = new QBarSet(QString());
        m_series->append(set);
    }
    m_series->setBarWidth(0.72);
    m_categories = new QBarCategoryAxis;
    m_values = new QValueAxis;
    m_values->setLabelFormat(QStringLiteral("%'.0f"));
    chart()->addSeries(m_series);
    chart()->addAxis(m_categories, Qt::AlignBottom);
    chart()->addAxis(m_values, Qt::AlignLeft);
    m_series->attachAxis(m_categories);
    m_series->attachAxis(m_values);
    m_categories->setGridLineVisible(false);
    chart()->legend()->setAlignment(Qt::AlignTop);
    chart()->setMargins(QMargins(4, 0, 8, 2));
    chart()->setBackgroundRoundness(0);
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    m_mark = new QGraphicsRectItem(chart());
    m_mark->hide();
    connect(chart(), &QChart::plotAreaChanged, this, &CostChart::placeMark);
    applyPalette();
}

void CostChart::setMeasure(CostMeasure measure) {
    m_measure = measure;
    refresh();
}

void CostChart::setScalesToWindow(bool on) {
    m_scalesToWindow = on;
    refresh();
}

int CostChart::windowSize() const { return barsThatFit(width() - 90.0); }

void CostChart::takeLook(const CostChart& other) {
    m_measure = other.m_measure;
    m_scalesToWindow = other.m_scalesToWindow;
    m_first = other.m_first;
    m_marked = other.m_marked;
    refresh();
}

void CostChart::setFirst(int first) {
    if (first == m_first)
        return;
    m_first = first;
    refresh();
}

double CostChart::largest(int begin, int end) const {
    std::int64_t most = 0;
    for (int row = begin; row < end; ++row)
        most = std::max(most, m_rows.costRow(row).total(m_measure));
    return static_cast<double>(most);
}

void CostChart::refresh() {
    const int rows = m_rows.rowCount();
    m_first = std::clamp(m_first, 0, std::max(0, rows - windowSize()));
    m_shown = std::min(rows - m_first, windowSize());
    QStringList labels;
    std::array<QList<qreal>, kCostParts> values;
    for (int row = m_first; row < m_first + m_shown; ++row) {
        const CostRow& cost = m_rows.costRow(row);
        const QString number = QString::number(cost.record);
        labels += height() < kNamedFrom ? number : number + QLatin1Char(' ') + safeText(cost.name);
        for (std::size_t part = 0; part < kCostParts; ++part)
            values.at(part) += static_cast<qreal>(cost.parts(m_measure).at(part));
    }
    // A damaged package may name one record twice; categories must differ.
    for (qsizetype i = 0; i < labels.size(); ++i)
        while (labels.indexOf(labels[i]) != i)
            labels[i] += QLatin1Char('\'');
    for (std::size_t part = 0; part < kCostParts; ++part) {
        QBarSet& set = *m_sets.at(part);
        set.remove(0, set.count());
        set.append(values.at(part));
        set.setLabel(safeText(costPartName(m_measure, part)));
    }
    m_categories->setCategories(labels);
    m_categories->setLabelsAngle(height() < kNamedFrom ? 0 : -90);
    const CostAxis axis =
        costAxis(m_scalesToWindow ? largest(m_first, m_first + m_shown) : largest(0, rows));
    m_values->setRange(0, axis.end);
    m_values->setTickCount(static_cast<int>(std::lround(axis.end / axis.step)) + 1);
    m_values->setTitleText(tr("estimated %1").arg(safeText(costUnit(m_measure))));
    placeMark();
    emit windowChanged();
}

void CostChart::mark(int row) {
    m_marked = row;
    placeMark();
}

void CostChart::placeMark() {
    const int column = m_marked - m_first;
    const bool isShown = m_marked >= 0 && column >= 0 && column < m_shown;
    m_mark->setVisible(isShown);
    if (!isShown)
        return;
    const QRectF plot = chart()->plotArea();
    const double left = chart()->mapToPosition({column - 0.5, 0}, m_series).x();
    const double right = chart()->mapToPosition({column + 0.5, 0}, m_series).x();
    m_mark->setRect(QRectF(left, plot.top(), right - left, plot.height()));
    m_mark->setZValue(20);
}

std::optional<QPoint> CostChart::pixelOf(int row) const {
    const int column = row - m_first;
    if (column < 0 || column >= m_shown)
        return std::nullopt;
    const QPointF at(chart()->mapToPosition({static_cast<qreal>(column), 0}, m_series).x(),
                     chart()->plotArea().center().y());
    return mapFromScene(chart()->mapToScene(at));
}

std::optional<int> CostChart::rowAt(const QPointF& viewportPixel) const {
    const QPointF at = chart()->mapFromScene(mapToScene(viewportPixel.toPoint()));
    const QRectF plot = chart()->plotArea();
    if (m_shown == 0 || at.x() < plot.left() || at.x() > plot.right())
        return std::nullopt;
    const double column = std::floor(chart()->mapToValue(at, m_series).x() + 0.5);
    return m_first + std::clamp(static_cast<int>(column), 0, m_shown - 1);
}

void CostChart::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    refresh();
}

void CostChart::mouseMoveEvent(QMouseEvent* event) {
    const auto row = rowAt(event->position());
    QToolTip::showText(event->globalPosition().toPoint(),
                       row ? costText(m_rows.costRow(*row), m_measure) : QString(), this);
}

void CostChart::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (const auto row = rowAt(event->position()); row && event->button() == Qt::LeftButton)
        emit picked(*row);
}

void CostChart::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const int turned = delta.y() != 0 ? delta.y() : delta.x();
    const int steps = turned == 0                         ? 0
                      : std::abs(turned) < kWheelStep / 2 ? (turned > 0 ? -1 : 1)
                                                          : -3 * turned / kWheelStep;
    emit scrolled(steps);
    event->accept();
}

void CostChart::applyPalette() {
    setBackgroundBrush(palette().color(QPalette::Base));
    chart()->setBackgroundBrush(palette().color(QPalette::Base));
    const QColor text = palette().color(QPalette::Text);
    const QColor muted = toneColor(Tone::Muted, palette());
    chart()->legend()->setLabelColor(text);
    chart()->legend()->setFont(font());
    for (std::size_t part = 0; part < kCostParts; ++part) {
        const QColor fill = categoryColor(part, palette());
        m_sets.at(part)->setColor(fill);
        m_sets.at(part)->setBorderColor(fill.darker(isDark(palette()) ? 70 : 125));
    }
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLabelsColor(muted);
        axis->setLabelsFont(font());
        axis->setTitleBrush(muted);
        axis->setTitleFont(font());
        axis->setLinePenColor(toneColor(Tone::SurfaceEdge, palette()));
        axis->setGridLineColor(toneColor(Tone::Grid, palette()));
    }
    QColor accent = toneColor(Tone::Accent, palette());
    m_mark->setPen(QPen(accent, 1.5));
    accent.setAlpha(36);
    m_mark->setBrush(accent);
}

void CostChart::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    if (m_mark != nullptr &&
        (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        applyPalette();
}

} // namespace plumbline
