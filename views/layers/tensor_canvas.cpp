// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers/tensor_canvas.h"

#include <algorithm>
#include <cmath>

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleHints>

#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kRevealMargin = 12; ///< pixels around what is scrolled to

int asPixels(double value) { return static_cast<int>(std::ceil(value)); }

/// Where a scroll bar at `value` has to go so that `begin`..`end` of the content shows in `page`.
int scrolledTo(int value, double begin, double end, int page) {
    if (end > value + page)
        value = asPixels(end) - page;
    return begin < value ? static_cast<int>(begin) : value;
}

} // namespace

TensorCanvas::TensorCanvas(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Tensor as a heat map"));
    setMinimumSize(120, 80);
}

void TensorCanvas::setTensor(std::shared_ptr<const TensorValues> values) {
    m_values = std::move(values);
    m_picture.content = {m_values.get(), TensorSide::Ours, 0};
    m_picture.current.reset();
    m_picture.comparison = nullptr;
    m_grid = hasTensor() ? SliceGrid(m_values->shape()) : SliceGrid();
    fit();
}

void TensorCanvas::setSide(TensorSide side, const TensorColors& colors,
                           const TensorComparison* comparison) {
    m_picture.content.side = side;
    m_picture.colors = colors;
    m_picture.comparison = comparison;
    viewport()->update();
}

void TensorCanvas::setMode(Mode mode) {
    m_mode = mode;
    updateScrollBars();
    revealChannel();
    viewport()->update();
}

void TensorCanvas::setChannel(std::int64_t channel) {
    m_picture.content.channel = channel;
    revealChannel();
    viewport()->update();
}

void TensorCanvas::setCurrent(const std::optional<ElementIndex>& element) {
    m_picture.current = element;
    if (element && hasTensor() && m_values->contains(*element)) {
        m_picture.content.channel = m_grid.isVector() ? 0 : element->c;
        reveal(*element);
    }
    viewport()->update();
}

QRectF TensorCanvas::sliceArea(const QSize& size) const {
    const QSize ruler = rulerSize(m_grid, font());
    return QRectF(QPointF(), size).adjusted(ruler.width(), ruler.height(), -1, -1);
}

SliceGeometry TensorCanvas::sliceGeometry() const {
    return sliceGeometry(viewport()->size(), m_zoom);
}

SliceGeometry TensorCanvas::sliceGeometry(const QSize& size, double zoom) const {
    SliceGeometry geometry{m_grid, zoom, {}};
    const QRectF area = sliceArea(size);
    const QSizeF free = area.size() - geometry.size();
    geometry.origin = area.topLeft() +
                      QPointF(std::max(0.0, free.width() / 2), std::max(0.0, free.height() / 2)) -
                      QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
    return geometry;
}

SheetGeometry TensorCanvas::sheetGeometry() const {
    return {m_values->shape(), static_cast<double>(viewport()->width()), captionHeight(font())};
}

void TensorCanvas::updateScrollBars() {
    const bool isSheet = m_mode == Mode::Sheet && hasTensor();
    QSize content;
    QSize page = viewport()->size();
    if (isSheet) {
        content = QSize(0, asPixels(sheetGeometry().height()));
    } else if (hasTensor()) {
        const QSizeF size = SliceGeometry{m_grid, m_zoom, {}}.size();
        content = QSize(asPixels(size.width()), asPixels(size.height()));
        page = sliceArea().size().toSize();
    }
    horizontalScrollBar()->setRange(0, std::max(0, content.width() - page.width()));
    verticalScrollBar()->setRange(0, std::max(0, content.height() - page.height()));
    horizontalScrollBar()->setPageStep(page.width());
    verticalScrollBar()->setPageStep(page.height());
    verticalScrollBar()->setSingleStep(isSheet ? asPixels(sheetGeometry().rowHeight()) / 3 : 20);
    horizontalScrollBar()->setSingleStep(20);
}

void TensorCanvas::zoomTo(double zoom, const QPointF& about) {
    if (!hasTensor() || m_mode == Mode::Sheet)
        return;
    const SliceGeometry before = sliceGeometry();
    const QPointF cells = (about - before.origin) / before.zoom;
    m_zoom = std::clamp(zoom, SliceGeometry::kLeastZoom, SliceGeometry::kMostZoom);
    updateScrollBars();
    const QPointF wanted = cells * m_zoom - (about - sliceArea().topLeft());
    horizontalScrollBar()->setValue(static_cast<int>(std::lround(wanted.x())));
    verticalScrollBar()->setValue(static_cast<int>(std::lround(wanted.y())));
    viewport()->update();
}

void TensorCanvas::zoomBy(double factor) {
    m_isFitted = false;
    zoomTo(m_zoom * factor, sliceArea().center());
}

void TensorCanvas::fit() {
    m_isFitted = true;
    m_zoom = SliceGeometry::fitZoom(m_grid, sliceArea().size());
    updateScrollBars();
    viewport()->update();
}

void TensorCanvas::reveal(const ElementIndex& element) {
    if (m_mode == Mode::Sheet) {
        revealChannel();
        return;
    }
    const QRectF cell = SliceGeometry{m_grid, m_zoom, {}}
                            .rectOf(m_grid.cellOf(element))
                            .adjusted(-kRevealMargin, -kRevealMargin, kRevealMargin, kRevealMargin);
    QScrollBar* const across = horizontalScrollBar();
    QScrollBar* const down = verticalScrollBar();
    across->setValue(scrolledTo(across->value(), cell.left(), cell.right(), across->pageStep()));
    down->setValue(scrolledTo(down->value(), cell.top(), cell.bottom(), down->pageStep()));
}

void TensorCanvas::revealChannel() {
    if (m_mode != Mode::Sheet || !hasTensor())
        return;
    const SheetGeometry sheet = sheetGeometry();
    const QRectF shown = sheet.pictureOf(channel()).united(sheet.captionOf(channel()));
    QScrollBar* const down = verticalScrollBar();
    down->setValue(scrolledTo(down->value(), shown.top() - kRevealMargin,
                              shown.bottom() + kRevealMargin, down->pageStep()));
}

void TensorCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    if (m_isFitted)
        m_zoom = SliceGeometry::fitZoom(m_grid, sliceArea().size());
    updateScrollBars();
}

void TensorCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        viewport()->update();
}

ViewPicture TensorCanvas::picture() {
    return {QStringLiteral("tensor"), tr("Tensor"), viewport()->size(),
            [this](QPaintDevice& device, QSize size) {
                QPainter painter(&device);
                paint(painter, size);
            }};
}

void TensorCanvas::paint(QPainter& painter, const QSize& size) {
    const QColor background = palette().color(QPalette::Base);
    painter.fillRect(QRect(QPoint(), size), background);
    if (!hasTensor() || !m_values->has(m_picture.content.side))
        return;
    m_picture.palette = palette();
    m_picture.font = font();
    TensorPainter parts(painter, m_picture);
    if (m_mode == Mode::Sheet) {
        const SheetGeometry sheet(m_values->shape(), size.width(), captionHeight(font()));
        parts.paintSheet(sheet, verticalScrollBar()->value(), size.height());
        return;
    }
    const QRectF area = sliceArea(size);
    const double zoom = m_isFitted ? SliceGeometry::fitZoom(m_grid, area.size()) : m_zoom;
    const SliceGeometry geometry = sliceGeometry(size, zoom);
    parts.paintSlice(geometry, area);
    // An SVG file has no clipping: cells that begin before the area lie under the rulers.
    painter.fillRect(QRectF(0, 0, size.width(), area.top()), background);
    painter.fillRect(QRectF(0, 0, area.left(), size.height()), background);
    parts.paintRulers(geometry, area);
}

void TensorCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    paint(painter, viewport()->size());
    if (!hasFocus() || !hasTensor())
        return;
    painter.setPen(QPen(toneColor(Tone::Accent, palette()), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void TensorCanvas::step(std::int64_t down, std::int64_t across) {
    if (m_mode == Mode::Sheet) {
        goToChannel(channel() + down * sheetGeometry().perRow() + across);
        return;
    }
    const ElementIndex from =
        m_picture.current.value_or(ElementIndex{0, 0, m_grid.isVector() ? 0 : channel()});
    emit elementPicked(m_picture.current ? m_grid.moved(from, down, across) : from);
}

void TensorCanvas::goToChannel(std::int64_t channel) {
    const std::int64_t last = m_grid.isVector() ? 0 : m_values->shape().c - 1;
    const std::int64_t wanted = std::clamp<std::int64_t>(channel, 0, last);
    if (wanted == this->channel())
        return;
    if (m_picture.current && m_mode == Mode::Slice)
        emit elementPicked({m_picture.current->h, m_picture.current->w, wanted});
    else
        emit channelPicked(wanted);
}

bool TensorCanvas::handleKey(int key) {
    const Hwc shape = m_values->shape();
    switch (key) {
    case Qt::Key_Left:
        step(0, -1);
        return true;
    case Qt::Key_Right:
        step(0, 1);
        return true;
    case Qt::Key_Up:
        step(-1, 0);
        return true;
    case Qt::Key_Down:
        step(1, 0);
        return true;
    case Qt::Key_PageUp:
        goToChannel(channel() - 1);
        return true;
    case Qt::Key_PageDown:
        goToChannel(channel() + 1);
        return true;
    case Qt::Key_Home:
        emit elementPicked({0, 0, m_grid.isVector() ? 0 : channel()});
        return true;
    case Qt::Key_End:
        emit elementPicked({shape.h - 1, shape.w - 1, m_grid.isVector() ? shape.c - 1 : channel()});
        return true;
    default:
        return handleZoomKey(key);
    }
}

bool TensorCanvas::handleZoomKey(int key) {
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        zoomBy(kZoomStep);
    else if (key == Qt::Key_Minus)
        zoomBy(1 / kZoomStep);
    else if (key == Qt::Key_0)
        fit();
    else
        return false;
    return true;
}

void TensorCanvas::keyPressEvent(QKeyEvent* event) {
    const auto others = event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
    if (!hasTensor() || others != Qt::NoModifier || !handleKey(event->key()))
        QWidget::keyPressEvent(event);
}

std::optional<ElementIndex> TensorCanvas::elementAt(const QPointF& pixel) const {
    if (!hasTensor() || m_mode == Mode::Sheet || !sliceArea().contains(pixel))
        return std::nullopt;
    const auto cell = sliceGeometry().cellAt(pixel);
    return cell ? m_grid.elementAt(*cell, channel()) : std::nullopt;
}

void TensorCanvas::pickAt(const QPointF& pixel) {
    if (m_mode == Mode::Slice) {
        if (const auto element = elementAt(pixel))
            emit elementPicked(*element);
        return;
    }
    if (const auto channel =
            sheetGeometry().channelAt(pixel + QPointF(0, verticalScrollBar()->value())))
        emit channelPicked(*channel);
}

void TensorCanvas::mousePressEvent(QMouseEvent* event) {
    if (!hasTensor() || event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    m_scrollAtPress = {horizontalScrollBar()->value(), verticalScrollBar()->value()};
    m_isPanning = false;
}

void TensorCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed) {
        const QPointF moved = event->position() - *m_pressed;
        m_isPanning = m_isPanning ||
                      moved.manhattanLength() >= QGuiApplication::styleHints()->startDragDistance();
        if (m_isPanning) {
            horizontalScrollBar()->setValue(m_scrollAtPress.x() - static_cast<int>(moved.x()));
            verticalScrollBar()->setValue(m_scrollAtPress.y() - static_cast<int>(moved.y()));
        }
        return;
    }
    const auto element = elementAt(event->position());
    emit elementHovered(element ? m_values->indexOf(*element) : -1);
}

void TensorCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (m_pressed && !m_isPanning)
        pickAt(event->position());
    m_pressed.reset();
}

void TensorCanvas::wheelEvent(QWheelEvent* event) {
    if (m_mode == Mode::Sheet) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    m_isFitted = false;
    zoomTo(m_zoom * std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

bool TensorCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        emit elementHovered(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace plumbline
