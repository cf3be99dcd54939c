// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_layers.h"

#include <algorithm>
#include <cmath>

#include "core/chart/arena_labels.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr double kGapFrom = 5;       ///< blocks this wide are separated by a gap, pixels
constexpr double kLegibleColumn = 6; ///< narrower columns show accesses only at the cursor
constexpr double kCursorColumn = 10; ///< width of those
constexpr double kFindingRadius = 5;

double textSize(const QFont& font) { return QFontInfo(font).pixelSize(); }

} // namespace

QRectF ArenaLayer::pixels(double left, double right, double bottom, double top) const {
    constexpr double kBeyond = 1; // outlines are cut off; SVG files do not clip
    const QRect clip = clipRect();
    const auto across = [&](double value) {
        return std::clamp(x(value), clip.left() - kBeyond, clip.right() + kBeyond);
    };
    const auto upward = [&](double value) {
        return std::clamp(y(value), clip.top() - kBeyond, clip.bottom() + kBeyond);
    };
    return {QPointF(across(left), upward(top)), QPointF(across(right), upward(bottom))};
}

QRectF ArenaLayer::blockPixels(const ArenaBlock& block) const {
    QRectF rect = pixels(block.left, block.right, block.bottom, block.top);
    if (rect.width() > kGapFrom)
        rect.adjust(1, 0, -1, 0);
    rect.setWidth(std::max(rect.width(), 1.0));
    rect.setHeight(std::max(rect.height(), 1.0));
    return rect;
}

void ArenaLayer::forEachBlock(
    const std::function<void(const ArenaBlock&, const Allocation&)>& visit) const {
    const QCPRange steps = mKeyAxis->range(), bytes = mValueAxis->range();
    scene().geometry.forEachVisible(
        steps.lower, steps.upper, bytes.lower, bytes.upper, [&](const ArenaBlock& block) {
            if (const Allocation* allocation = scene().allocation(block.buffer))
                visit(block, *allocation);
        });
}

void ArenaBlocksLayer::draw(QCPPainter* painter) {
    if (!scene().plan)
        return;
    painter->setAntialiasing(false);
    forEachBlock([&](const ArenaBlock& block, const Allocation& allocation) {
        drawBlock(painter, block, allocation);
    });
}

void ArenaBlocksLayer::drawBlock(QCPPainter* painter, const ArenaBlock& block,
                                 const Allocation& allocation) const {
    const QPalette palette = mParentPlot->palette();
    const QRectF rect = blockPixels(block);
    QColor fill = categoryColor(block.buffer, palette);
    if (scene().isDimmed(block.buffer))
        fill.setAlpha(55);
    painter->fillRect(rect, fill);
    if (scene().isExperiment)
        painter->fillRect(rect, QBrush(toneColor(Tone::Edge, palette), Qt::FDiagPattern));
    if (allocation.size > allocation.bytes) {
        const QRectF padding =
            pixels(block.left, block.right, block.top,
                   static_cast<double>(allocation.offset) + static_cast<double>(allocation.size));
        if (padding.height() >= 1.5)
            painter->fillRect(padding, QBrush(fill.darker(115), Qt::Dense5Pattern));
    }
    if (rect.width() > kGapFrom && rect.height() > 3) {
        painter->setPen(QPen(fill.darker(isDark(palette) ? 70 : 125), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(rect.adjusted(0, 0, -1, -1));
    }
}

void ArenaLabelsLayer::draw(QCPPainter* painter) {
    if (!scene().plan || (scene().showsBounds && !scene().isExperiment))
        return;
    painter->setAntialiasing(false);
    forEachBlock([&](const ArenaBlock& block, const Allocation& allocation) {
        if (!scene().isDimmed(block.buffer))
            drawLabel(painter, blockPixels(block), allocation,
                      categoryColor(block.buffer, mParentPlot->palette()));
    });
}

void ArenaLabelsLayer::drawLabel(QCPPainter* painter, const QRectF& rect,
                                 const Allocation& allocation, const QColor& fill) const {
    const QRectF visible = rect.intersected(clipRect());
    QStringList lines;
    for (const std::string& line :
         arenaLabel(allocation, visible.width(), visible.height(), textSize(mParentPlot->font())))
        lines += QString::fromStdString(line);
    if (lines.isEmpty())
        return;
    const QString text = lines.join(QLatin1Char('\n'));
    painter->setFont(mParentPlot->font());
    painter->fillRect(painter->boundingRect(visible, Qt::AlignCenter, text) & visible, fill);
    painter->setPen(textOn(fill));
    painter->drawText(visible, Qt::AlignCenter, text);
}

void ArenaAccessLayer::draw(QCPPainter* painter) {
    if (!scene().showsBounds || scene().isExperiment)
        return;
    painter->setAntialiasing(false);
    const QCPRange steps = mKeyAxis->range();
    const double column = std::abs(x(1) - x(0));
    const bool isLegible = column >= kLegibleColumn;
    for (const OperandAccess& access : scene().accesses) {
        const auto step = static_cast<double>(access.operatorIndex);
        if (step + 0.5 < steps.lower || step - 0.5 > steps.upper)
            continue;
        if (isLegible || scene().step == access.operatorIndex)
            drawAccess(painter, access, std::max(column, isLegible ? column : kCursorColumn));
    }
}

void ArenaAccessLayer::drawAccess(QCPPainter* painter, const OperandAccess& access,
                                  double columnPixels) const {
    const QPalette palette = mParentPlot->palette();
    const double half = std::min(columnPixels / 2 - 2, 14.0);
    const double center = x(static_cast<double>(access.operatorIndex));
    const double left = access.isWrite ? center + 1 : center - 1 - half;
    const auto declared = static_cast<double>(access.declaredBegin);
    QRectF span = pixels(0, 1, declared, declared + static_cast<double>(access.declaredBytes));
    QRectF used = pixels(0, 1, static_cast<double>(access.touchedBegin),
                         static_cast<double>(access.touchedEnd));
    span = QRectF(left, span.top(), half, std::max(span.height(), 2.0));
    used = QRectF(left + half * 0.25, used.top(), half * 0.5, std::max(used.height(), 1.0));
    const bool isOutside = access.touchedBegin < access.declaredBegin ||
                           access.touchedEnd - access.declaredBegin > access.declaredBytes;
    const QColor tone = toneColor(isOutside        ? Tone::Error
                                  : access.isWrite ? Tone::Warning
                                                   : Tone::Ok,
                                  palette);
    const bool isSparse = access.touchedBytes < access.touchedEnd - access.touchedBegin;
    painter->fillRect(span, QColor(toneColor(Tone::Surface, palette)));
    painter->fillRect(used, QBrush(tone, isSparse ? Qt::Dense4Pattern : Qt::SolidPattern));
    painter->setPen(QPen(tone, isOutside ? 2 : 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(span.adjusted(0, 0, -1, -1));
    const QFontMetricsF metrics(mParentPlot->font());
    if (half < metrics.height() * 0.8 || span.height() < 2 * metrics.height())
        return;
    painter->setFont(mParentPlot->font());
    painter->setPen(toneColor(Tone::Muted, palette));
    const QRectF label(span.left(), span.top() + 1, half, metrics.height());
    painter->fillRect(label.adjusted(1, 0, -1, 0), toneColor(Tone::Surface, palette));
    painter->drawText(label, Qt::AlignCenter,
                      access.isWrite ? QStringLiteral("W") : QStringLiteral("R"));
}

void ArenaLinesLayer::draw(QCPPainter* painter) {
    if (!scene().plan || scene().plan->steps.empty())
        return;
    drawCursor(painter);
    const ArenaPlan& plan = *scene().plan;
    const QPalette palette = mParentPlot->palette();
    const QPen peak(toneColor(Tone::Error, palette), 1, Qt::DashLine);
    painter->setAntialiasing(false);
    drawLevel(painter, static_cast<double>(plan.minimumBytes),
              QPen(toneColor(Tone::Ok, palette), 1, Qt::DotLine));
    drawLevel(painter, static_cast<double>(plan.peakBytes), peak);
    const double at = x(static_cast<double>(plan.peakOperator));
    const QRect clip = clipRect();
    if (at < clip.left() || at > clip.right())
        return;
    painter->setPen(peak);
    painter->drawLine(QPointF(at, clip.top()), QPointF(at, clip.bottom()));
}

void ArenaLinesLayer::drawLevel(QCPPainter* painter, double bytes, const QPen& pen) const {
    const double level = y(bytes);
    const QRect clip = clipRect();
    if (level < clip.top() || level > clip.bottom())
        return;
    painter->setPen(pen);
    painter->drawLine(QPointF(clip.left(), level), QPointF(clip.right(), level));
}

void ArenaMarksLayer::draw(QCPPainter* painter) {
    if (!scene().plan || scene().plan->steps.empty())
        return;
    drawMinimum(painter);
    drawPeak(painter);
    if (scene().showsFindings && !scene().isExperiment)
        drawFindings(painter);
}

void ArenaLinesLayer::drawCursor(QCPPainter* painter) const {
    const QPalette palette = mParentPlot->palette();
    const QColor accent = toneColor(Tone::Accent, palette);
    painter->setAntialiasing(false);
    if (scene().step) {
        const auto step = static_cast<double>(*scene().step);
        QRectF band(QPointF(x(step - 0.5), clipRect().top()),
                    QPointF(x(step + 0.5), clipRect().bottom()));
        band.setWidth(std::max(band.width(), 2.0));
        QColor fill = accent;
        fill.setAlpha(band.width() > 3 ? 38 : 160);
        painter->fillRect(band, fill);
        painter->setPen(QPen(accent, 1));
        painter->drawLine(band.topLeft(), band.bottomLeft());
        painter->drawLine(band.topRight(), band.bottomRight());
    }
    const ArenaBlock* const block =
        scene().buffer ? scene().geometry.blockOf(*scene().buffer) : nullptr;
    if (block == nullptr)
        return;
    QRectF rect = pixels(block->left, block->right, block->bottom, block->top);
    rect.setWidth(std::max(rect.width(), 3.0));
    rect.setHeight(std::max(rect.height(), 3.0));
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(toneColor(Tone::Surface, palette), 4));
    painter->drawRect(rect);
    painter->setPen(QPen(accent, 2));
    painter->drawRect(rect);
}

void ArenaMarksLayer::drawText(QCPPainter* painter, const QPointF& at, const std::string& text,
                               const QColor& color) const {
    const QRect clip = clipRect();
    const GraphRect place = arenaMarkBox(
        {at.x(), at.y()}, text, textSize(mParentPlot->font()),
        {double(clip.x()), double(clip.y()), double(clip.width()), double(clip.height())});
    const QRectF box(place.x, place.y, place.width, place.height);
    QColor back = mParentPlot->palette().color(QPalette::Base);
    back.setAlpha(220);
    painter->fillRect(box, back);
    painter->setFont(mParentPlot->font());
    painter->setPen(color);
    painter->drawText(box, Qt::AlignCenter, QString::fromStdString(text));
}

void ArenaMarksLayer::drawPeak(QCPPainter* painter) const {
    const ArenaPlan& plan = *scene().plan;
    const QColor color = toneColor(Tone::Error, mParentPlot->palette());
    const double level = y(static_cast<double>(plan.peakBytes));
    const double at = x(static_cast<double>(plan.peakOperator));
    const QRect clip = clipRect();
    const double lineHeight = arenaLineHeight(textSize(mParentPlot->font()));
    if (level >= clip.top() && level <= clip.bottom())
        drawText(painter, {clip.left() + 4.0, level - lineHeight - 1},
                 highWaterText(plan, addressText(static_cast<double>(plan.peakBytes), m_base)),
                 color);
    if (at >= clip.left() && at <= clip.right())
        drawText(painter, {at + 4, clip.bottom() - lineHeight - 2},
                 peakText(*scene().lowering, plan), color);
}

void ArenaMarksLayer::drawMinimum(QCPPainter* painter) const {
    const ArenaPlan& plan = *scene().plan;
    const double level = y(static_cast<double>(plan.minimumBytes));
    const QRect clip = clipRect();
    if (level < clip.top() || level > clip.bottom())
        return;
    const QColor color = toneColor(Tone::Ok, mParentPlot->palette());
    // Past the right edge: the box moves in.
    drawText(painter,
             {clip.right() + 1.0, level - arenaLineHeight(textSize(mParentPlot->font())) - 1},
             minimumText(plan), color);
}

void ArenaMarksLayer::drawFindings(QCPPainter* painter) const {
    const QPalette palette = mParentPlot->palette();
    painter->setAntialiasing(true);
    painter->setPen(QPen(toneColor(Tone::Surface, palette), 1.5));
    painter->setBrush(toneColor(Tone::Error, palette));
    const QRectF clip(clipRect());
    for (const ArenaFinding& finding : scene().findings) {
        const QPointF at(x(static_cast<double>(finding.step)),
                         y(static_cast<double>(finding.offset)));
        if (!clip.contains(at))
            continue;
        const QPointF corners[4] = {
            at + QPointF(0, -kFindingRadius), at + QPointF(kFindingRadius, 0),
            at + QPointF(0, kFindingRadius), at + QPointF(-kFindingRadius, 0)};
        painter->drawConvexPolygon(corners, 4);
    }
}

} // namespace plumbline
