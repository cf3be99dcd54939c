// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_overview.h"

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>

#include "views/common/palette.h"
#include "views/graph/graph_painter.h"

namespace plumbline {
namespace {

constexpr double kPadding = 5; ///< pixels
constexpr QSizeF kLargest(190, 150);
constexpr QSizeF kSmallest(44, 44);
constexpr int kFromCorner = 10;

} // namespace

GraphOverview::GraphOverview(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Overview of the graph"));
    setToolTip(tr("Drag to move through the graph"));
    setCursor(Qt::OpenHandCursor);
}

void GraphOverview::setSource(GraphPainter* painter, const QSizeF& content) {
    m_painter = painter;
    m_content = content;
    place(m_window);
    invalidate();
}

void GraphOverview::setShown(const QRectF& scene) {
    m_shown = scene;
    update();
}

void GraphOverview::invalidate() {
    m_picture = {};
    update();
}

void GraphOverview::place(const QRect& window) {
    m_window = window;
    const QSizeF room = kLargest.boundedTo(QSizeF(window.size()) / 2.5);
    const QSizeF wanted = m_content.scaled(room, Qt::KeepAspectRatio).expandedTo(kSmallest) +
                          QSizeF(2 * kPadding, 2 * kPadding);
    const QSize made = wanted.toSize();
    if (made != size())
        m_picture = {};
    setGeometry(window.right() - made.width() - kFromCorner,
                window.bottom() - made.height() - kFromCorner, made.width(), made.height());
}

double GraphOverview::scale() const {
    return std::min((width() - 2 * kPadding) / m_content.width(),
                    (height() - 2 * kPadding) / m_content.height());
}

QPointF GraphOverview::corner() const {
    const QSizeF drawn = m_content * scale();
    return {(width() - drawn.width()) / 2, (height() - drawn.height()) / 2};
}

void GraphOverview::paintEvent(QPaintEvent* /*event*/) {
    if (m_painter == nullptr)
        return;
    if (m_picture.isNull()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        m_picture.fill(toneColor(Tone::Surface, palette()));
        QPainter painter(&m_picture);
        m_painter->paint(painter, QRectF(QPointF(), m_content), -corner() / scale(), scale());
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    QRectF frame(corner() + m_shown.topLeft() * scale(), m_shown.size() * scale());
    const QRectF whole = QRectF(rect()).adjusted(1, 1, -2, -2);
    frame = frame.intersected(whole);
    frame.setSize(frame.size().expandedTo(QSizeF(4, 4)));
    QColor wash = toneColor(Tone::Accent, palette());
    wash.setAlpha(36);
    painter.fillRect(frame, wash);
    painter.setPen(QPen(toneColor(Tone::Accent, palette()), 1));
    painter.drawRect(frame);
    painter.setPen(toneColor(Tone::SurfaceEdge, palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void GraphOverview::ask(const QPointF& at) { emit moved((at - corner()) / scale()); }

void GraphOverview::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        ask(event->position());
}

void GraphOverview::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        ask(event->position());
}

} // namespace plumbline
