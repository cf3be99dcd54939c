// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes themselves: the shapes of a card, and cards with a name only.
#include <algorithm>

#include "core/base/text.h"
#include "views/graph/graph_painter.h"

namespace plumbline {
namespace {

QString shown(const std::string& text) { return QString::fromStdString(text); }

Qt::Alignment alignmentOf(DrawnLabel::Align align) {
    switch (align) {
    case DrawnLabel::Align::Left:
        return Qt::AlignLeft | Qt::AlignVCenter;
    case DrawnLabel::Align::Centre:
        return Qt::AlignCenter;
    case DrawnLabel::Align::Right:
        return Qt::AlignRight | Qt::AlignVCenter;
    }
    return {};
}

} // namespace

QColor GraphPainter::inkOf(const Ink& ink, bool faded) const {
    return towardsWindow(inkColor(ink, m_look.palette), faded);
}

std::optional<double> GraphPainter::heatShareOf(std::int32_t node) const {
    const LoweredOperator* const op = m_facts.operatorOf(node);
    if (op == nullptr || m_look.heat == Heat::None)
        return std::nullopt;
    return m_look.heatMaximum <= 0
               ? 0
               : static_cast<double>(heatValue(m_facts.document(), *op, m_look.heat)) /
                     static_cast<double>(m_look.heatMaximum);
}

std::optional<GraphHeat> GraphPainter::heatOf(std::int32_t node) const {
    const std::optional<double> share = heatShareOf(node);
    if (!share)
        return std::nullopt;
    const std::int64_t value =
        heatValue(m_facts.document(), *m_facts.operatorOf(node), m_look.heat);
    const bool bytes = m_look.heat == Heat::DmaBytes || m_look.heat == Heat::ArenaBytes;
    return GraphHeat{
        *share, bytes ? shortBytesText(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)))
                      : shortCountText(value)};
}

void GraphPainter::paintShape(QPainter& painter, const DrawnBox& box, bool faded) const {
    const QRectF rect = toRect(box.box);
    if (box.edge.kind == Ink::Kind::None && box.radius <= 0) {
        painter.fillRect(rect, inkOf(box.fill, faded));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(box.edge.kind == Ink::Kind::None
                       ? QPen(Qt::NoPen)
                       : QPen(inkOf(box.edge, faded), box.edgeWidth,
                              box.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(inkOf(box.fill, faded));
    painter.drawRoundedRect(rect, box.radius, box.radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void GraphPainter::paintShape(QPainter& painter, const DrawnLine& line, bool faded) const {
    QPolygonF points;
    for (const GraphPoint& point : line.points)
        points << toPoint(point);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(
        line.ink.kind == Ink::Kind::None
            ? QPen(Qt::NoPen)
            : QPen(inkOf(line.ink, faded), line.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (line.closed) {
        painter.setBrush(inkOf(line.fill, faded));
        painter.drawPolygon(points);
    } else {
        painter.drawPolyline(points);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void GraphPainter::paintShape(QPainter& painter, const DrawnLabel& label, bool faded) const {
    painter.setFont(label.bold ? m_nameFont : m_textFont);
    painter.setPen(inkOf(label.ink, faded));
    painter.drawText(toRect(label.box),
                     static_cast<int>(alignmentOf(label.align)) | Qt::TextDontClip,
                     shown(label.text));
}

void GraphPainter::paintShapes(QPainter& painter, const std::vector<Shape>& shapes,
                               bool faded) const {
    for (const Shape& shape : shapes)
        std::visit([&](const auto& drawn) { paintShape(painter, drawn, faded); }, shape);
}

void GraphPainter::paintNamed(QPainter& painter, std::int32_t node) const {
    const QRectF box = windowRect(node);
    const GraphNode& at = m_facts.layout().nodes[static_cast<std::size_t>(node)];
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
    const int size = std::clamp(static_cast<int>(box.height() * 0.5), 8, 12);
    QFont font = m_textFont;
    font.setPixelSize(size);
    painter.setFont(font);
    const bool heated = m_look.heat != Heat::None && m_facts.operatorOf(node) != nullptr;
    painter.setPen(
        towardsWindow(heated ? textOn(fill) : m_look.palette.color(QPalette::Text), isFaded(node)));
    painter.drawText(box.adjusted(6, 0, alarming ? -16 : -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     shown(fittedText(m_facts.cards().textOf(node).name, room, size)));
    if (alarming) {
        const QRectF sign(box.right() - 14, box.center().y() - 5, 10, 10);
        painter.setBrush(tone(Tone::Error));
        painter.setPen(Qt::NoPen);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.drawEllipse(sign);
        painter.setPen(QPen(textOn(tone(Tone::Error)), 1.2));
        const QRectF cross = sign.adjusted(3, 3, -3, -3);
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.topRight(), cross.bottomLeft());
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

} // namespace plumbline
