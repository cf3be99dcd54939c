// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/scale_legend.h"

#include <algorithm>

#include <QPainter>

#include "views/common/format.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kMargin = 8;
constexpr int kBarHeight = 10;
constexpr int kWidestBar = 180;

} // namespace

ScaleLegend::ScaleLegend(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ScaleLegend::sizeHint() const { return {260, fontMetrics().height() + 8}; }

QSize ScaleLegend::minimumSizeHint() const { return {120, sizeHint().height()}; }

QString ScaleLegend::endText(int value) const {
    return m_side == TensorSide::Difference ? signedNumber(value) : QString::number(value);
}

void ScaleLegend::setScale(TensorSide side, const TensorColors& colors, bool hasMarks) {
    m_side = side;
    m_colors = colors;
    m_hasMarks = hasMarks;
    setAccessibleName(
        tr("Colours from %1 to %2").arg(endText(colors.low()), endText(colors.high())));
    update();
}

void ScaleLegend::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const QFontMetrics metrics(font());
    const QString low = endText(m_colors.low());
    const QString high = endText(m_colors.high());
    const QString mark = m_hasMarks ? tr("differs") : QString();
    const int markWidth = m_hasMarks ? metrics.horizontalAdvance(mark) + 28 : 0;
    const int free = width() - 2 * kMargin - markWidth - 12 - metrics.horizontalAdvance(low) -
                     metrics.horizontalAdvance(high);
    const int bar = std::clamp(free, 20, kWidestBar);
    const int middle = height() / 2;
    const int baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    int x = kMargin;
    painter.setPen(toneColor(Tone::Muted, palette()));
    painter.drawText(x, baseline, low);
    x += metrics.horizontalAdvance(low) + 6;
    for (int i = 0; i < bar; ++i) {
        const int value = m_colors.low() + (m_colors.high() - m_colors.low()) * i / (bar - 1);
        painter.fillRect(x + i, middle - kBarHeight / 2, 1, kBarHeight, QColor(m_colors.of(value)));
    }
    x += bar + 6;
    painter.drawText(x, baseline, high);
    if (!m_hasMarks)
        return;
    x += metrics.horizontalAdvance(high) + 16;
    const QColor ink = palette().color(QPalette::WindowText);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(QPolygon({{x, middle - 4}, {x + 8, middle - 4}, {x + 8, middle + 4}}));
    painter.setPen(ink);
    painter.drawText(x + 13, baseline, mark);
}

} // namespace plumbline
