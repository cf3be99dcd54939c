// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/paper_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>

#include "views/common/drawing_painter.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr double kFullPage = 0.94;  ///< share of the page that a part of a figure takes at most
constexpr double kOnePage = 0.66;   ///< and a whole one, which leaves room for its heading
constexpr double kBroadPage = 0.54; ///< and a broad one, which is read as well when it is smaller
constexpr double kBroad = 1.25;     ///< width over height from which a figure is broad
constexpr double kPadding = 3;      ///< around the text of a cell, pixels of 96 to the inch
constexpr double kTextEms = 12;     ///< width that a column of longer texts has at least
constexpr double kTolerance = 1.02; ///< fonts differ a little from what they measure
constexpr double kLeastFont = 0.55; ///< share of its size that a table's font keeps
constexpr double kWorthOnePage = 0.45; ///< a figure is split rather than shrunk more than this

/// Widths of a column with breaks between words and without any, in device pixels.
struct ColumnNeed {
    double least = 0, most = 0;
};

/// A table in a font of one size, on a device.
struct TableFont {
    QPaintDevice& device;
    QFont plain;
};

void measure(const QTextTableCell& cell, const TableFont& font, double air, ColumnNeed& need) {
    for (auto it = cell.begin(); !it.atEnd(); ++it) {
        const QTextBlock block = it.currentBlock();
        double line = 0;
        for (auto piece = block.begin(); !piece.atEnd(); ++piece) {
            QFont face = piece.fragment().charFormat().font().resolve(font.plain);
            face.setPointSizeF(font.plain.pointSizeF());
            const QFontMetricsF metrics(face, &font.device);
            const QString text = piece.fragment().text();
            line += metrics.horizontalAdvance(text);
            for (const QString& word : text.split(QLatin1Char(' ')))
                need.least = std::max(need.least, metrics.horizontalAdvance(word) + air);
        }
        need.most = std::max(need.most, line + air);
    }
}

/// Texts of a size relative to the document's keep that over any other, so they lose it.
void setFontSize(QTextTable& table, double points) {
    std::vector<QTextFragment> pieces;
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            const QTextTableCell cell = table.cellAt(row, column);
            for (auto it = cell.begin(); !it.atEnd(); ++it)
                for (auto piece = it.currentBlock().begin(); !piece.atEnd(); ++piece)
                    pieces.push_back(piece.fragment());
        }
    QTextCursor cursor(table.document());
    for (const QTextFragment& piece : pieces) {
        QTextCharFormat format = piece.charFormat();
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        format.setFontPointSize(points);
        cursor.setPosition(piece.position());
        cursor.setPosition(piece.position() + piece.length(), QTextCursor::KeepAnchor);
        cursor.setCharFormat(format);
    }
}

/// What each column gets of `width`: the least, and of what is left as much as it takes, those
/// that take little first.
QList<QTextLength> shared(const std::vector<ColumnNeed>& needs, double width) {
    double left = width;
    std::vector<std::size_t> order(needs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const ColumnNeed& need : needs)
        left -= need.least;
    const double less = left < 0 ? width / (width - left) : 1;
    const auto more = [&needs](std::size_t i) { return needs[i].most - needs[i].least; };
    std::sort(order.begin(), order.end(),
              [&more](std::size_t a, std::size_t b) { return more(a) < more(b); });
    QList<QTextLength> lengths(static_cast<qsizetype>(needs.size()));
    left = std::max(left, 0.0);
    for (std::size_t done = 0; done < order.size(); ++done) {
        const double given =
            std::min(more(order[done]), left / static_cast<double>(order.size() - done));
        lengths[static_cast<qsizetype>(order[done])] =
            QTextLength(QTextLength::FixedLength, needs[order[done]].least * less + given);
        left -= given;
    }
    return lengths;
}

struct Span {
    double top = 0, bottom = 0;
};

/// Heights between which a shape paints.
Span spanOf(const Shape& shape) {
    constexpr double kBeyond = 12; // arrows, thick edges and curves reach beyond their points
    GraphRect box;
    if (const auto* const drawn = std::get_if<DrawnBox>(&shape)) {
        box = drawn->box;
    } else if (const auto* const label = std::get_if<DrawnLabel>(&shape)) {
        box = label->box;
    } else if (const auto& points = std::get<DrawnLine>(shape).points; !points.empty()) {
        const auto [least, most] =
            std::minmax_element(points.begin(), points.end(),
                                [](const GraphPoint& a, const GraphPoint& b) { return a.y < b.y; });
        box.y = least->y;
        box.height = most->y - least->y;
    }
    return {box.y - kBeyond, box.y + box.height + kBeyond};
}

/// What is seen of `drawing` between `top` and `bottom`: a figure of many parts costs no more than
/// one of one.
Drawing cut(const Drawing& drawing, double top, double bottom) {
    Drawing part;
    part.width = drawing.width;
    part.height = drawing.height;
    std::copy_if(drawing.shapes.begin(), drawing.shapes.end(), std::back_inserter(part.shapes),
                 [&](const Shape& shape) {
                     const Span span = spanOf(shape);
                     return span.bottom >= top && span.top <= bottom;
                 });
    return part;
}

double fitTable(QTextTable& table, const TableFont& font, double width) {
    // Lengths of formats count in pixels of 96 to the inch, whatever the device has.
    const double ratio = font.device.logicalDpiX() / 96.0;
    QTextTableFormat format = table.format();
    format.setCellPadding(kPadding);
    format.setCellSpacing(0);
    const double air = (2 * kPadding + 1) * ratio;
    const double text = kTextEms * QFontMetricsF(font.plain, &font.device).height();
    std::vector<ColumnNeed> needs(static_cast<std::size_t>(table.columns()));
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column)
            measure(table.cellAt(row, column), font, air, needs[static_cast<std::size_t>(column)]);
    double least = 0;
    for (ColumnNeed& need : needs) {
        need = {std::max(need.least, std::min(need.most, text)) * kTolerance,
                need.most * kTolerance};
        least += need.least;
    }
    const double share = std::clamp(width / std::max(least, 1.0), kLeastFont, 1.0);
    setFontSize(table, font.plain.pointSizeF() * share);
    for (ColumnNeed& need : needs)
        need = {need.least * share / ratio, need.most * share / ratio};
    format.setColumnWidthConstraints(shared(needs, width / ratio));
    table.setFormat(format);
    return share;
}

} // namespace

PaperFigures::PaperFigures(const ReportContent& content, const QSizeF& page, double unit)
    : m_content(content)
    , m_page(page * kFullPage)
    , m_unit(unit) {}

PaperFigures::Part PaperFigures::partOf(const QString& name) const {
    static const QRegularExpression kName(QStringLiteral("^figure:([^#]*)(?:#(\\d+)/\\d+)?$"));
    const QRegularExpressionMatch match = kName.match(name);
    const ReportFigure* const figure = m_content.figure(match.captured(1).toStdString());
    if (figure == nullptr || figure->drawing.empty())
        return {};
    const Drawing& drawing = figure->drawing;
    Part part;
    part.drawing = &drawing;
    part.index = match.captured(2).toInt();
    part.scale = std::min(m_unit, m_page.width() / drawing.width);
    part.height = drawing.height;
    const double most = drawing.width >= kBroad * drawing.height ? kBroadPage : kOnePage;
    const double whole = m_page.height() * most / kFullPage / drawing.height;
    if (whole >= part.scale * kWorthOnePage) {
        part.scale = std::min(part.scale, whole);
    } else {
        part.height = m_page.height() / part.scale;
        part.count = static_cast<int>(std::ceil(drawing.height / part.height));
    }
    return part;
}

void PaperFigures::split(QTextDocument& document) const {
    std::vector<std::pair<int, QString>> tall; // position and name
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto piece = block.begin(); !piece.atEnd(); ++piece)
            if (const QTextCharFormat format = piece.fragment().charFormat();
                format.isImageFormat() && partOf(format.toImageFormat().name()).count > 1)
                tall.emplace_back(piece.fragment().position(), format.toImageFormat().name());
    for (auto found = tall.rbegin(); found != tall.rend(); ++found) {
        const int count = partOf(found->second).count;
        QTextCursor cursor(&document);
        cursor.setPosition(found->first);
        cursor.deleteChar();
        for (int part = 0; part < count; ++part) {
            QTextImageFormat format;
            format.setName(QStringLiteral("%1#%2/%3").arg(found->second).arg(part).arg(count));
            cursor.insertImage(format);
            if (part + 1 < count)
                cursor.insertText(QString(QChar(QChar::LineSeparator)));
        }
    }
}

QSizeF PaperFigures::intrinsicSize(QTextDocument* /*document*/, int /*position*/,
                                   const QTextFormat& format) {
    const Part part = partOf(format.toImageFormat().name());
    if (part.drawing == nullptr)
        return {0, 0};
    const double left = part.drawing->height - part.index * part.height;
    return {part.drawing->width * part.scale, std::min(part.height, left) * part.scale};
}

void PaperFigures::drawObject(QPainter* painter, const QRectF& rect, QTextDocument* /*document*/,
                              int /*position*/, const QTextFormat& format) {
    const Part part = partOf(format.toImageFormat().name());
    // A page draws every line of a paragraph, also those on other pages.
    if (part.drawing == nullptr || !painter->clipBoundingRect().intersects(rect))
        return;
    painter->save();
    painter->setClipRect(rect, Qt::IntersectClip);
    painter->translate(rect.left(), rect.top() - part.index * part.height * part.scale);
    painter->scale(part.scale, part.scale);
    const double top = part.index * part.height;
    paintDrawing(*painter, cut(*part.drawing, top, top + part.height), themePalette(false));
    painter->restore();
}

double fitTables(QTextDocument& document, QPaintDevice& device, double width, double points) {
    TableFont font{device, document.defaultFont()};
    font.plain.setPointSizeF(points);
    double smallest = 1;
    QTextCursor edit(&document);
    edit.beginEditBlock();
    for (QTextFrame* const frame : document.rootFrame()->childFrames())
        if (auto* const table = qobject_cast<QTextTable*>(frame))
            smallest = std::min(smallest, fitTable(*table, font, width));
    edit.endEditBlock();
    return smallest;
}

} // namespace plumbline::gui
