// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/drawing_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include "core/base/text.h"
#include "core/chart/shape_geometry.h"
#include "views/common/palette.h"

namespace plumbline {
namespace {

constexpr int kFontPixels = 100; ///< text is laid out at this size and scaled to its own

QPointF toPoint(const GraphPoint& point) { return {point.x, point.y}; }

QRectF toRect(const GraphRect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

class ShapePainter {
  public:
    ShapePainter(QPainter& painter, const QPalette& palette)
        : m_painter(painter)
        , m_palette(palette) {}

    void operator()(const DrawnBox& box) const;
    void operator()(const DrawnLine& line) const;
    void operator()(const DrawnLabel& label) const;

  private:
    QPen pen(const Ink& ink, double width, bool dashed) const;
    QBrush brush(const Ink& ink) const;

    QPainter& m_painter;
    const QPalette& m_palette;
};

QPen ShapePainter::pen(const Ink& ink, double width, bool dashed) const {
    if (ink.kind == Ink::Kind::None)
        return Qt::NoPen;
    QPen pen(inkColor(ink, m_palette), width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (dashed && width > 0)
        pen.setDashPattern({kDashes[0] / width, kDashes[1] / width});
    return pen;
}

QBrush ShapePainter::brush(const Ink& ink) const {
    return ink.kind == Ink::Kind::None ? QBrush(Qt::NoBrush) : QBrush(inkColor(ink, m_palette));
}

void ShapePainter::operator()(const DrawnBox& box) const {
    m_painter.setPen(pen(box.edge, box.edgeWidth, box.dashed));
    m_painter.setBrush(brush(box.fill));
    if (box.radius > 0)
        m_painter.drawRoundedRect(toRect(box.box), box.radius, box.radius);
    else
        m_painter.drawRect(toRect(box.box));
    if (!box.hatched)
        return;
    m_painter.setPen(pen(box.edge, 1, false));
    for (const auto& [from, to] : hatchLines(box.box))
        m_painter.drawLine(toPoint(from), toPoint(to));
}

void ShapePainter::operator()(const DrawnLine& line) const {
    if (line.points.size() < 2)
        return;
    QPainterPath path(toPoint(line.points.front()));
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const QPointF from = toPoint(line.points[i - 1]), to = toPoint(line.points[i]);
        const double middle = (from.y() + to.y()) / 2;
        if (isBent(line, i))
            path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
        else
            path.lineTo(to);
    }
    if (line.closed)
        path.closeSubpath();
    m_painter.setPen(pen(line.ink, line.width, line.dashed));
    m_painter.setBrush(line.closed ? brush(line.fill) : QBrush(Qt::NoBrush));
    m_painter.drawPath(path);
    if (!line.arrow)
        return;
    QPolygonF head;
    for (const GraphPoint& point : arrowHead(line))
        head += toPoint(point);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(brush(line.ink));
    m_painter.drawPolygon(head);
}

void ShapePainter::operator()(const DrawnLabel& label) const {
    if (label.ink.kind == Ink::Kind::None || label.text.empty())
        return;
    QFont font = label.face == Face::Mono ? monoFont() : QFont();
    font.setPixelSize(kFontPixels);
    font.setBold(label.bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    const QString text = QString::fromStdString(printable(label.text));
    const double advance = QFontMetricsF(font).horizontalAdvance(text);
    const double before = label.align == DrawnLabel::Align::Left     ? 0
                          : label.align == DrawnLabel::Align::Centre ? advance / 2
                                                                     : advance;
    m_painter.save();
    m_painter.translate(toPoint(labelAnchor(label)));
    if (label.turned)
        m_painter.rotate(-90);
    m_painter.scale(label.size / kFontPixels, label.size / kFontPixels);
    m_painter.setFont(font);
    m_painter.setPen(inkColor(label.ink, m_palette));
    m_painter.drawText(QPointF(-before, 0), text);
    m_painter.restore();
}

} // namespace

void paintDrawing(QPainter& painter, const Drawing& drawing, const QPalette& palette) {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    const ShapePainter paint(painter, palette);
    for (const Shape& shape : drawing.shapes)
        std::visit(paint, shape);
    painter.restore();
}

} // namespace plumbline
