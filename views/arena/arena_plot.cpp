// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_plot.h"

#include <algorithm>
#include <cmath>

#include <QToolTip>

#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kLeastSteps = 2;          ///< smallest zoom, columns
constexpr double kLeastBytes = 64;         ///< smallest zoom, bytes
constexpr std::size_t kCurvePoints = 1500; ///< beyond, neighbours share one
constexpr int kClickSlack = 4;             ///< pixels that a click may move
constexpr int kCurveHeight = 58;
constexpr double kFindingReach = 8; ///< pixels

/// Whole steps only, however far the zoom goes.
class StepTicker : public QCPAxisTickerFixed {
  public:
    StepTicker() {
        setTickStep(1);
        setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    }

  protected:
    int getSubTickCount(double /*tickStep*/) override { return 0; }
    QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*formatChar*/,
                         int /*precision*/) override {
        const auto step = std::llround(tick);
        return step < 0 ? ArenaPlot::tr("in") : QString::number(step);
    }
};

} // namespace

ArenaPlot::ArenaPlot(QWidget* parent)
    : QCustomPlot(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Arena chart: buffers over operators and addresses"));
    setMinimumSize(220, 140);
    buildAxes();
    applyPalette();
}

void ArenaPlot::buildAxes() {
    plotLayout()->clear();
    m_curveRect = new QCPAxisRect(this);
    m_map = new QCPAxisRect(this);
    plotLayout()->addElement(0, 0, m_curveRect);
    plotLayout()->addElement(1, 0, m_map);
    plotLayout()->setRowSpacing(2);
    m_curveRect->setMinimumSize(0, kCurveHeight);
    m_curveRect->setMaximumSize(QWIDGETSIZE_MAX, kCurveHeight);
    auto* const margins = new QCPMarginGroup(this);
    m_curveRect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_map->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_curveRect->setAutoMargins(QCP::msLeft | QCP::msRight);
    m_curveRect->setMargins(QMargins(0, 6, 0, 4));
    m_map->setAutoMargins(QCP::msLeft | QCP::msRight | QCP::msBottom);
    m_map->setMargins(QMargins(0, 4, 0, 0));
    m_curveRect->setRangeZoomAxes(nullptr, nullptr);
    m_steps = m_map->axis(QCPAxis::atBottom);
    m_addresses = m_map->axis(QCPAxis::atLeft);
    m_steps->setTicker(QSharedPointer<StepTicker>::create());
    m_steps->setLabel(tr("operator"));
    m_curveRect->axis(QCPAxis::atBottom)->setTickLabels(false);
    m_curveRect->axis(QCPAxis::atBottom)->setTicker(m_steps->ticker());
    const auto bytes = QSharedPointer<ShortBytesTicker>::create();
    bytes->setTickCount(2);
    m_curveRect->axis(QCPAxis::atLeft)->setTicker(bytes);
    setInteractions(QCP::iRangeZoom | QCP::iRangeDrag);
    m_highWater =
        addGraph(m_curveRect->axis(QCPAxis::atBottom), m_curveRect->axis(QCPAxis::atLeft));
    m_live = addGraph(m_curveRect->axis(QCPAxis::atBottom), m_curveRect->axis(QCPAxis::atLeft));
    m_live->setLineStyle(QCPGraph::lsStepLeft);
    m_highWater->setLineStyle(QCPGraph::lsStepLeft);
    new ArenaBlocksLayer(m_steps, m_addresses, m_scene);
    new ArenaAccessLayer(m_steps, m_addresses, m_scene);
    new ArenaLinesLayer(m_steps, m_addresses, m_scene);
    new ArenaLabelsLayer(m_steps, m_addresses, m_scene);
    m_marks = new ArenaMarksLayer(m_steps, m_addresses, m_scene);
    for (QCPAxisRect* rect : {m_curveRect, m_map})
        for (QCPAxis* axis : rect->axes())
            axis->grid()->setLayer(QStringLiteral("grid"));
    setBase(m_base);
    const auto changed = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
    connect(m_steps, changed, this, [this](const QCPRange& range) {
        m_curveRect->axis(QCPAxis::atBottom)->setRange(range);
        keepInside(m_steps, m_scene.geometry.left(), m_scene.geometry.right(), kLeastSteps);
        showCurve();
    });
    connect(m_addresses, changed, this,
            [this] { keepInside(m_addresses, 0, highestByte(), kLeastBytes); });
}

void ArenaPlot::setBase(AddressBase base) {
    m_base = base;
    m_addresses->setTicker(QSharedPointer<AddressTicker>::create(base));
    m_addresses->setLabel(base == AddressBase::Hexadecimal ? tr("arena offset (hex)")
                                                           : tr("arena offset (bytes)"));
    m_marks->setBase(base);
    redraw();
}

void ArenaPlot::applyAxisPalette(QCPAxis* axis) {
    const QPen line(toneColor(Tone::SurfaceEdge, palette()), 1);
    const QColor text = toneColor(Tone::Muted, palette());
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(line);
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setLabelFont(font());
    axis->setTickLabelFont(monoFont());
    axis->grid()->setPen(QPen(toneColor(Tone::Grid, palette()), 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    axis->setLabelPadding(3);
    axis->setTickLabelPadding(4);
}

void ArenaPlot::applyPalette() {
    setBackground(palette().color(QPalette::Base));
    for (QCPAxisRect* rect : {m_curveRect, m_map})
        for (QCPAxis* axis : rect->axes())
            applyAxisPalette(axis);
    m_curveRect->axis(QCPAxis::atBottom)->grid()->setPen(Qt::NoPen);
    m_curveRect->axis(QCPAxis::atLeft)->setTickLabelFont(font());
    const QColor live = toneColor(Tone::Note, palette());
    QColor fill = live;
    fill.setAlpha(60);
    m_live->setPen(QPen(live, 1)); // wider lines of thousands of steps are slow
    m_live->setAntialiased(false);
    m_live->setAntialiasedFill(false);
    m_highWater->setAntialiased(false);
    m_live->setBrush(fill);
    m_highWater->setPen(QPen(toneColor(Tone::Error, palette()), 1, Qt::DashLine));
    redraw();
}

double ArenaPlot::highestByte() const {
    return m_scene.plan ? arenaHighestByte(*m_scene.plan, m_scene.geometry) : 1;
}

void ArenaPlot::setScene(ArenaScene scene) {
    const double right = m_scene.geometry.right(), top = highestByte();
    m_scene = std::move(scene);
    m_curveRect->axis(QCPAxis::atLeft)
        ->setRange(0, m_scene.plan ? arenaHighestLevel(*m_scene.plan, m_scene.geometry) : 1);
    showCurve();
    if (right != m_scene.geometry.right() || top != highestByte())
        resetZoom();
    redraw();
}

void ArenaPlot::showCurve() {
    const QCPRange range = m_steps->range();
    const ArenaCurve curve = m_scene.plan
                                 ? arenaCurve(*m_scene.plan, range.lower, range.upper, kCurvePoints)
                                 : ArenaCurve();
    const auto values = [](const std::vector<double>& from) {
        return QVector<double>(from.begin(), from.end());
    };
    QVector<double> at = values(curve.at);
    for (double& step : at) // SVG files do not clip
        step = std::clamp(step, range.lower, range.upper);
    m_live->setData(at, values(curve.live), true);
    m_highWater->setData(at, values(curve.highWater), true);
}

void ArenaPlot::resetZoom() {
    m_steps->setRange(m_scene.geometry.left(), m_scene.geometry.right());
    m_addresses->setRange(0, highestByte());
    redraw();
}

void ArenaPlot::zoomBy(double factor) {
    m_steps->scaleRange(factor);
    m_addresses->scaleRange(factor);
    redraw();
}

bool ArenaPlot::isZoomed() const {
    return m_steps->range().size() + 1e-6 < m_scene.geometry.right() - m_scene.geometry.left() ||
           m_addresses->range().size() + 1e-6 < highestByte();
}

void ArenaPlot::keepInside(QCPAxis* axis, double lower, double upper, double least) {
    if (m_isInside)
        return;
    m_isInside = true;
    const double whole = upper - lower;
    QCPRange range = axis->range();
    const double size = std::clamp(range.size(), std::min(least, whole), whole);
    const double center = range.center();
    range.lower = std::clamp(center - size / 2, lower, upper - size);
    range.upper = range.lower + size;
    axis->setRange(range);
    if (axis == m_steps)
        m_curveRect->axis(QCPAxis::atBottom)->setRange(range);
    m_isInside = false;
}

void ArenaPlot::reveal(std::optional<std::int64_t> step, std::optional<std::size_t> buffer) {
    const auto show = [](QCPAxis* axis, double low, double high) {
        const QCPRange range = axis->range();
        if (low < range.lower)
            axis->moveRange(low - range.lower);
        else if (high > range.upper)
            axis->moveRange(std::min(high - range.upper, low - range.lower));
    };
    if (step)
        show(m_steps, static_cast<double>(*step) - 0.5, static_cast<double>(*step) + 0.5);
    if (const ArenaBlock* block = buffer ? m_scene.geometry.blockOf(*buffer) : nullptr)
        if (block->bottom > m_addresses->range().upper || block->top < m_addresses->range().lower)
            show(m_addresses, block->bottom, block->top);
    redraw();
}

QPoint ArenaPlot::pixelOf(double step, double address) const {
    return QPointF(m_steps->coordToPixel(step), m_addresses->coordToPixel(address)).toPoint();
}

void ArenaPlot::paintOn(QPaintDevice& device, const QSize& size) {
    QCPPainter painter(&device);
    painter.setMode(QCPPainter::pmVectorized);
    toPainter(&painter, size.width(), size.height());
    redraw(); // its layout is the picture's
}

const ArenaFinding* ArenaPlot::findingAt(const QPointF& pixel) const {
    if (!m_scene.showsFindings || m_scene.isExperiment)
        return nullptr;
    for (const ArenaFinding& finding : m_scene.findings) {
        const QPointF at(m_steps->coordToPixel(static_cast<double>(finding.step)),
                         m_addresses->coordToPixel(static_cast<double>(finding.offset)));
        if (QLineF(at, pixel).length() <= kFindingReach)
            return &finding;
    }
    return nullptr;
}

void ArenaPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    const bool isMoving = event->modifiers().testFlag(Qt::ShiftModifier);
    setSelectionRectMode(isMoving || !m_map->rect().contains(event->pos()) ? QCP::srmNone
                                                                           : QCP::srmZoom);
    QCustomPlot::mousePressEvent(event);
}

void ArenaPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    const bool isClick = event->button() == Qt::LeftButton &&
                         (event->pos() - m_pressed).manhattanLength() <= kClickSlack;
    if (!isClick || !m_scene.plan)
        return;
    const bool isInMap = m_map->rect().contains(event->pos());
    if (!isInMap && !m_curveRect->rect().contains(event->pos()))
        return;
    const ArenaFinding* const finding = isInMap ? findingAt(event->position()) : nullptr;
    if (finding != nullptr && finding->diagnostic >= 0) {
        emit pickedFinding(finding->diagnostic);
        return;
    }
    const double across = m_steps->pixelToCoord(event->position().x());
    const double upward = m_addresses->pixelToCoord(event->position().y());
    const auto step = m_scene.geometry.stepAt(across);
    const auto buffer = isInMap ? m_scene.geometry.bufferAt(across, upward) : std::nullopt;
    if (step)
        emit picked(*step, buffer ? static_cast<qlonglong>(*buffer) : -1);
}

void ArenaPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton)
        return;
    QString text;
    if (m_map->rect().contains(event->pos()))
        text = sceneText(m_scene, m_steps->pixelToCoord(event->position().x()),
                         m_addresses->pixelToCoord(event->position().y()));
    else if (const auto step =
                 m_scene.geometry.stepAt(m_steps->pixelToCoord(event->position().x()));
             step && m_curveRect->rect().contains(event->pos()))
        text = stepText(m_scene, *step);
    QToolTip::showText(event->globalPosition().toPoint(),
                       text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")),
                       this);
}

void ArenaPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    QCustomPlot::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton && m_scene.plan)
        resetZoom();
}

void ArenaPlot::wheelEvent(QWheelEvent* event) {
    Qt::Orientations zoomed = Qt::Horizontal | Qt::Vertical;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        zoomed = Qt::Horizontal;
    else if (event->modifiers().testFlag(Qt::ShiftModifier))
        zoomed = Qt::Vertical;
    m_map->setRangeZoom(zoomed);
    QCustomPlot::wheelEvent(event);
    m_map->setRangeZoom(Qt::Horizontal | Qt::Vertical);
}

void ArenaPlot::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (m_marks != nullptr &&
        (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange))
        applyPalette();
}

} // namespace plumbline
