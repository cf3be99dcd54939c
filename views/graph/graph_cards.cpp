// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes themselves: cards with everything, cards with a name, inputs and outputs, marks.
#include <algorithm>

#include <QFontMetricsF>
#include <QPainterPath>

#include "views/common/format.h"
#include "views/graph/graph_painter.h"

namespace plumbline {
namespace {

constexpr double kRadius = 5;
constexpr double kStripe = 5;
constexpr double kPadding = 12; ///< from the card's left side to its text
constexpr double kMark = 13;

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

/// What fits of `text`; measuring is dear, so short texts pass unmeasured.
QString fitted(const QString& text, const QFont& font, double width) {
    const QFontMetricsF metrics(font);
    if (static_cast<double>(text.size()) * metrics.maxWidth() < width)
        return text;
    return metrics.elidedText(text, Qt::ElideRight, width);
}

void drawCross(QPainter& painter, const QRectF& box) {
    const QRectF inner = box.adjusted(box.width() * 0.3, box.height() * 0.3, -box.width() * 0.3,
                                      -box.height() * 0.3);
    painter.drawLine(inner.topLeft(), inner.bottomRight());
    painter.drawLine(inner.topRight(), inner.bottomLeft());
}

void drawBang(QPainter& painter, const QRectF& box) {
    const double x = box.center().x();
    painter.drawLine(QPointF(x, box.top() + box.height() * 0.38),
                     QPointF(x, box.top() + box.height() * 0.64));
    painter.drawPoint(QPointF(x, box.top() + box.height() * 0.82));
}

void drawUnequal(QPainter& painter, const QRectF& box) {
    const double left = box.left() + box.width() * 0.28;
    const double right = box.right() - box.width() * 0.28;
    for (const double share : {0.42, 0.6})
        painter.drawLine(QPointF(left, box.top() + box.height() * share),
                         QPointF(right, box.top() + box.height() * share));
    painter.drawLine(QPointF(box.left() + box.width() * 0.4, box.top() + box.height() * 0.76),
                     QPointF(box.left() + box.width() * 0.6, box.top() + box.height() * 0.26));
}

} // namespace

void GraphPainter::paintLabels(QPainter& painter, const std::vector<std::int32_t>& nodes) const {
    const GraphLayout& layout = m_facts.layout();
    painter.setFont(m_textFont);
    const QFontMetricsF metrics(m_textFont);
    for (const std::int32_t node : nodes) {
        const GraphNode& at = layout.nodes[asSize(node)];
        if (at.out.empty())
            continue;
        std::int32_t others = 0;
        const std::int32_t tensor = layout.edges[asSize(at.out.front())].tensor;
        for (const std::int32_t edge : at.out)
            others += layout.edges[asSize(edge)].tensor == tensor ? 0 : 1;
        QString label = m_facts.edgeLabel(tensor);
        if (others > 0)
            label += QStringLiteral("  +%1").arg(others);
        const double width = metrics.horizontalAdvance(label) + 8;
        const double bandBottom = at.box.bottom() + (layout.sizes.nodeHeight - at.box.height) / 2;
        const QRectF box(at.box.centre() - width / 2, bandBottom + 7, width, metrics.height());
        if (label.isEmpty() || width > layout.sizes.nodeWidth)
            continue; // the tip has it
        painter.fillRect(box, m_look.palette.color(QPalette::Base));
        painter.setPen(towardsWindow(tone(Tone::Muted), isFaded(node)));
        painter.drawText(box, Qt::AlignCenter, label);
    }
}

void GraphPainter::paintCard(QPainter& painter, std::int32_t node) const {
    const QRectF box = toRect(m_facts.layout().nodes[asSize(node)].box);
    const LoweredOperator* const op = m_facts.operatorOf(node);
    const QColor fill = fillOf(node);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen edge(towardsWindow(tone(Tone::SurfaceEdge), isFaded(node)), 1);
    if (op != nullptr && op->placement == Placement::Alias)
        edge.setStyle(Qt::DashLine);
    if (m_facts.marksOf(node).alarming())
        edge = QPen(towardsWindow(tone(Tone::Error), isFaded(node)), 1.6);
    painter.setPen(edge);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, kRadius, kRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(
        QRectF(box.left() + 1.5, box.top() + kRadius, kStripe - 1.5, box.height() - 2 * kRadius),
        stripeOf(node));
    paintCardText(painter, node, fill);
    paintMarks(painter, node, box);
}

void GraphPainter::paintCardText(QPainter& painter, std::int32_t node, const QColor& fill) const {
    const QRectF box = toRect(m_facts.layout().nodes[asSize(node)].box);
    const GraphNodeText& text = m_facts.textOf(node);
    const LoweredOperator* const op = m_facts.operatorOf(node);
    const bool heated = op != nullptr && m_look.heat != Heat::None;
    const QColor strong =
        towardsWindow(heated ? textOn(fill) : m_look.palette.color(QPalette::Text), isFaded(node));
    const QColor muted = heated ? strong : towardsWindow(tone(Tone::Muted), isFaded(node));
    const double left = box.left() + kPadding;
    const double width = box.width() - kPadding - 9;
    const double line = (box.height() - 8) / 3;
    const auto row = [&](int index) {
        return QRectF(left, box.top() + 4 + line * index, width, line);
    };
    constexpr int kLeft = Qt::AlignLeft | Qt::AlignVCenter;
    constexpr int kRight = Qt::AlignRight | Qt::AlignVCenter;
    painter.setFont(m_textFont);
    painter.setPen(muted);
    const double recordWidth =
        text.record.isEmpty() ? 0 : 8 + QFontMetricsF(m_textFont).horizontalAdvance(text.record);
    painter.drawText(row(0), kRight, text.record);
    double heatWidth = 0;
    if (heated) {
        const std::int64_t value = heatValue(m_facts.document(), *op, m_look.heat);
        const bool bytes = m_look.heat == Heat::DmaBytes || m_look.heat == Heat::ArenaBytes;
        const QString number =
            bytes ? shortBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)))
                  : shortCount(value);
        QFont bold = m_textFont;
        bold.setBold(true);
        heatWidth = 8 + QFontMetricsF(bold).horizontalAdvance(number);
        painter.setFont(bold);
        painter.setPen(strong);
        painter.drawText(row(1), kRight, number);
        painter.setFont(m_textFont);
    }
    painter.setPen(strong);
    painter.drawText(row(1), kLeft, fitted(text.shape, m_textFont, width - heatWidth));
    painter.setPen(muted);
    painter.drawText(row(2), kLeft, fitted(text.detail, m_textFont, width - 2 * kMark));
    painter.setFont(m_nameFont);
    painter.setPen(strong);
    painter.drawText(row(0), kLeft, fitted(text.name, m_nameFont, width - recordWidth));
}

namespace {

/// The sign of the culprit, as in the table of layers.
QPolygonF diamondIn(const QRectF& box) {
    const QPointF c = box.center();
    return QPolygonF({QPointF(c.x(), box.top()), QPointF(box.right(), c.y()),
                      QPointF(c.x(), box.bottom()), QPointF(box.left(), c.y())});
}

} // namespace

void GraphPainter::paintMarks(QPainter& painter, std::int32_t node, const QRectF& box) const {
    const GraphMarks& marks = m_facts.marksOf(node);
    const bool faded = isFaded(node);
    // On a heat colour a mark needs more than its own.
    const bool heated = m_look.heat != Heat::None && m_facts.operatorOf(node) != nullptr;
    const QColor contrast = textOn(fillOf(node));
    QRectF at(box.right() - 8 - kMark, box.bottom() - 6 - kMark, kMark, kMark);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto sign = [&](const QColor& color) {
        painter.setPen(heated ? QPen(contrast, 1) : QPen(Qt::NoPen));
        painter.setBrush(towardsWindow(color, faded));
    };
    const auto ink = [&](const QColor& on) {
        painter.setPen(QPen(textOn(on), 1.6, Qt::SolidLine, Qt::RoundCap));
    };
    const auto next = [&at] { at.translate(-kMark - 3, 0); };
    if (marks.verdict == GraphVerdict::Differs) {
        sign(tone(Tone::Error));
        painter.drawRoundedRect(at, 2, 2);
        ink(tone(Tone::Error));
        drawUnequal(painter, at);
        next();
        if (marks.culprit) {
            sign(tone(Tone::Error));
            painter.drawPolygon(diamondIn(at));
            next();
        }
    } else if (marks.verdict == GraphVerdict::Equal && !marks.diagnostic) {
        painter.setPen(QPen(heated ? contrast : towardsWindow(tone(Tone::Ok), faded), 1.8,
                            Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(at.topLeft() + QPointF(3, 7), at.topLeft() + QPointF(5.5, 9.5));
        painter.drawLine(at.topLeft() + QPointF(5.5, 9.5), at.topLeft() + QPointF(10.5, 3.5));
    }
    if (marks.refused || marks.diagnostic == Severity::Error) {
        sign(tone(Tone::Error));
        painter.drawEllipse(at);
        ink(tone(Tone::Error));
        drawCross(painter, at);
    } else if (marks.diagnostic == Severity::Warning) {
        sign(tone(Tone::Warning));
        const QPointF triangle[] = {QPointF(at.center().x(), at.top()), at.bottomRight(),
                                    at.bottomLeft()};
        painter.drawConvexPolygon(triangle, 3);
        ink(tone(Tone::Warning));
        drawBang(painter, at);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void GraphPainter::paintPort(QPainter& painter, std::int32_t node) const {
    const QRectF box = toRect(m_facts.layout().nodes[asSize(node)].box);
    const GraphNodeText& text = m_facts.textOf(node);
    const bool faded = isFaded(node);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(towardsWindow(tone(Tone::SurfaceEdge), faded), 1));
    painter.setBrush(fillOf(node));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(m_textFont);
    const QString line = text.name + QStringLiteral("  ") + text.shape;
    painter.setPen(towardsWindow(m_look.palette.color(QPalette::Text), faded));
    painter.drawText(box, Qt::AlignCenter, fitted(line, m_textFont, box.width() - 20));
}

void GraphPainter::paintNamed(QPainter& painter, std::int32_t node) {
    const QRectF box = windowRect(node);
    const GraphNode& at = m_facts.layout().nodes[asSize(node)];
    const QColor fill = fillOf(node);
    const bool alarming = m_facts.marksOf(node).alarming();
    painter.setPen(
        QPen(towardsWindow(tone(alarming ? Tone::Error : Tone::SurfaceEdge), isFaded(node)), 1));
    painter.setBrush(fill);
    painter.drawRect(box);
    if (at.kind == GraphNodeKind::Operator)
        painter.fillRect(QRectF(box.left() + 1, box.top() + 1, 3, box.height() - 1),
                         stripeOf(node));
    const double room = box.width() - (alarming ? 22 : 10);
    const QString& name = m_facts.textOf(node).name;
    const QString key = name + QChar(alarming ? 1 : 0) + QChar(static_cast<int>(at.kind));
    QFont font = m_textFont;
    font.setPixelSize(std::clamp(static_cast<int>(box.height() * 0.5), 8, 12));
    auto shortName = m_shortNames.constFind(key);
    if (shortName == m_shortNames.constEnd())
        shortName = m_shortNames.insert(key, fitted(name, font, room));
    painter.setFont(font);
    const bool heated = m_look.heat != Heat::None && m_facts.operatorOf(node) != nullptr;
    painter.setPen(
        towardsWindow(heated ? textOn(fill) : m_look.palette.color(QPalette::Text), isFaded(node)));
    painter.drawText(box.adjusted(6, 0, alarming ? -16 : -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     *shortName);
    if (alarming) {
        const QRectF sign(box.right() - 14, box.center().y() - 5, 10, 10);
        painter.setBrush(tone(Tone::Error));
        painter.setPen(Qt::NoPen);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawEllipse(sign);
        painter.setPen(QPen(textOn(tone(Tone::Error)), 1.2));
        drawCross(painter, sign);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

} // namespace plumbline
