// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/difference_histogram.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kMargin = 8;     ///< pixels at the left and the right
constexpr double kWidestBar = 48; ///< pixels
constexpr double kLeastBar = 2;   ///< pixels of height
constexpr double kGap = 1;        ///< pixels between bars that are wide enough

QString barText(const std::pair<int, std::int64_t>& bar) {
    const QString count = groupedNumber(bar.second);
    return bar.first == 0 ? DifferenceHistogram::tr("equal: %1 elements").arg(count)
                          : DifferenceHistogram::tr("difference %1: %2 elements")
                                .arg(signedNumber(bar.first), count);
}

} // namespace

HistogramGeometry::HistogramGeometry(const Bars& bars, const QRectF& area)
    : m_area(area) {
    std::int64_t most = 1;
    for (const auto& [difference, count] : bars) {
        m_first = std::min(m_first, difference);
        m_last = std::max(m_last, difference);
        most = std::max(most, count);
    }
    const double bins = m_last - m_first + 1;
    m_step = std::min(kWidestBar, area.width() / bins);
    const double unused = area.width() - m_step * bins;
    m_area.adjust(unused / 2, 0, -unused / 2, 0);
    m_logMost = std::log10(static_cast<double>(most) + 1);
}

double HistogramGeometry::xOf(int difference) const {
    return m_area.left() + m_step * (difference - m_first);
}

double HistogramGeometry::heightOf(std::int64_t count) const {
    if (count <= 0)
        return 0;
    const double share = std::log10(static_cast<double>(count) + 1) / m_logMost;
    return std::max(kLeastBar, m_area.height() * share);
}

QRectF HistogramGeometry::rectOf(int difference, std::int64_t count) const {
    const double height = heightOf(count);
    const double gap = m_step > 3 * kGap ? kGap : 0;
    return {xOf(difference), m_area.bottom() - height, std::max(1.0, m_step - gap), height};
}

int HistogramGeometry::barAt(const Bars& bars, const QPointF& pixel) const {
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double left = xOf(bars[i].first);
        if (pixel.x() >= left && pixel.x() < left + std::max(1.0, m_step))
            return static_cast<int>(i);
    }
    return -1;
}

DifferenceHistogram::DifferenceHistogram(QWidget* parent)
    : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Histogram of differences"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
}

QSize DifferenceHistogram::sizeHint() const { return {240, 6 * fontMetrics().height() + 8}; }

QSize DifferenceHistogram::minimumSizeHint() const { return {120, 4 * fontMetrics().height() + 8}; }

void DifferenceHistogram::setBars(HistogramGeometry::Bars bars) {
    m_bars = std::move(bars);
    QStringList lines;
    for (const auto& bar : m_bars)
        lines += barText(bar);
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    update();
}

QRectF DifferenceHistogram::plotArea() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(kMargin, line + 4, -kMargin, -line - 5);
}

HistogramGeometry DifferenceHistogram::histogramGeometry() const { return {m_bars, plotArea()}; }

void DifferenceHistogram::paintEvent(QPaintEvent* /*event*/) {
    if (m_bars.empty())
        return;
    QPainter painter(this);
    const HistogramGeometry geometry = histogramGeometry();
    paintBars(painter, geometry);
    paintCounts(painter, geometry);
    paintAxis(painter, geometry);
}

void DifferenceHistogram::paintBars(QPainter& painter, const HistogramGeometry& geometry) const {
    for (const auto& [difference, count] : m_bars)
        painter.fillRect(geometry.rectOf(difference, count),
                         difference == 0 ? toneColor(Tone::SurfaceEdge, palette())
                                         : divergingColor(difference < 0 ? -0.8 : 0.8, palette()));
}

void DifferenceHistogram::paintCounts(QPainter& painter, const HistogramGeometry& geometry) const {
    HistogramGeometry::Bars largestFirst = m_bars;
    std::stable_sort(largestFirst.begin(), largestFirst.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    const QFontMetricsF metrics(font());
    std::vector<QRectF> taken;
    painter.setPen(palette().color(QPalette::WindowText));
    for (const auto& [difference, count] : largestFirst) {
        const QRectF bar = geometry.rectOf(difference, count);
        const QString text = shortCount(count);
        const double textWidth = metrics.horizontalAdvance(text);
        const double left =
            std::clamp(bar.center().x() - textWidth / 2, 0.0, std::max(0.0, width() - textWidth));
        const QRectF place(left - 2, bar.top() - metrics.height(), textWidth + 4, metrics.height());
        if (std::any_of(taken.begin(), taken.end(),
                        [&place](const QRectF& other) { return other.intersects(place); }))
            continue;
        taken.push_back(place);
        painter.drawText(QPointF(left, bar.top() - metrics.descent() - 1), text);
    }
}

void DifferenceHistogram::paintAxis(QPainter& painter, const HistogramGeometry& geometry) const {
    const QRectF area = plotArea();
    const QFontMetricsF metrics(font());
    painter.setPen(toneColor(Tone::SurfaceEdge, palette()));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(toneColor(Tone::Muted, palette()));
    const double needed = metrics.horizontalAdvance(signedNumber(geometry.first())) + 10;
    int step = 1;
    for (int i = 0; step * geometry.barWidth() < needed; ++i)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    for (int at = geometry.first() / step * step; at <= geometry.last(); at += step) {
        if (at < geometry.first())
            continue;
        const QString text = signedNumber(at);
        const double middle = geometry.xOf(at) + geometry.barWidth() / 2;
        painter.drawText(QPointF(middle - metrics.horizontalAdvance(text) / 2,
                                 area.bottom() + metrics.ascent() + 2),
                         text);
    }
}

void DifferenceHistogram::mouseMoveEvent(QMouseEvent* event) {
    const int bar = histogramGeometry().barAt(m_bars, event->position());
    QToolTip::showText(event->globalPosition().toPoint(),
                       bar < 0 ? QString() : barText(m_bars[static_cast<std::size_t>(bar)]), this);
}

} // namespace plumbline
