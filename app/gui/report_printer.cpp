// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/report_printer.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>

#include "app/gui/paper_layout.h"
#include "core/export/report_formats.h"
#include "views/common/palette.h"

namespace plumbline::gui {
namespace {

constexpr int kResolution = 600;       ///< of a PDF, pixels to the inch
constexpr double kMarginMm = 15;       ///< on all sides
constexpr double kTablePoints = 7.5;   ///< of its tables, where they fit
constexpr double kTextPoints = 9;      ///< of the report's text
constexpr double kBandPoints = 18;     ///< height of head and foot
constexpr double kUprightShare = 0.85; ///< tables that need a smaller font want a wider page

QString tr(const char* text) {
    return QCoreApplication::translate("plumbline::gui::ReportPrinter", text);
}

QPageLayout pageLayout(QPageLayout::Orientation orientation) {
    const bool isMetric = QLocale::system().measurementSystem() != QLocale::ImperialUSSystem;
    return {QPageSize(isMetric ? QPageSize::A4 : QPageSize::Letter), orientation,
            QMarginsF(kMarginMm, kMarginMm, kMarginMm, kMarginMm), QPageLayout::Millimeter};
}

/// The beginnings of the report's tables, which say how wide they are.
ReportContent beginnings(const ReportContent& content) {
    constexpr std::size_t kRows = 64;
    ReportContent sample = content;
    for (ReportSection& section : sample.sections)
        for (ReportBlock& block : section.blocks)
            if (auto* const table = std::get_if<ReportTable>(&block);
                table && table->rows.size() > kRows)
                table->rows.resize(kRows);
    return sample;
}

/// The report laid out for a device.
class Paper {
  public:
    Paper(const ReportContent& content, QPaintDevice& device, const QSizeF& page)
        : m_page(page)
        , m_figures(content, page, device.logicalDpiX() / 96.0) {
        QAbstractTextDocumentLayout& layout = *m_document.documentLayout();
        layout.setPaintDevice(&device);
        layout.registerHandler(QTextFormat::ImageObject, &m_figures);
        QFont font(QStringLiteral("sans-serif"));
        font.setPointSizeF(kTextPoints);
        m_document.setDefaultFont(font);
        m_document.setDocumentMargin(0);
        m_document.setUndoRedoEnabled(false);
        m_document.setDefaultTextOption(wrapping());
        m_document.setHtml(QString::fromStdString(printReport(content)));
        m_figures.split(m_document);
        m_fontShare = fitTables(m_document, device, page.width(), kTablePoints);
        m_document.setPageSize(page);
    }

    int pageCount() const { return m_document.pageCount(); }
    double fontShare() const { return m_fontShare; }

    void paint(QPainter& painter, int page) const {
        const QRectF area(QPointF(0, page * m_page.height()), m_page);
        painter.save();
        painter.translate(-area.topLeft());
        painter.setClipRect(area);
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = area;
        context.palette = themePalette(false);
        m_document.documentLayout()->draw(&painter, context);
        painter.restore();
    }

  private:
    /// A word that is wider than its column is broken rather than cut off.
    static QTextOption wrapping() {
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        return option;
    }

    QSizeF m_page;
    PaperFigures m_figures;
    QTextDocument m_document;
    double m_fontShare = 1;
};

void paintBands(QPainter& painter, const ReportContent& content, const QRectF& page, double band,
                int number, int count) {
    const QPalette colors = themePalette(false);
    QFont font(QStringLiteral("sans-serif"));
    font.setPointSizeF(kTextPoints - 1);
    painter.setFont(font);
    painter.setPen(toneColor(Tone::Muted, colors));
    const QRectF head(page.left(), page.top(), page.width(), band);
    const QRectF foot(page.left(), page.bottom() - band, page.width(), band);
    const QString subtitle = QString::fromStdString(content.subtitle);
    const double room = page.width() - painter.fontMetrics().horizontalAdvance(subtitle) - band;
    const QString title = painter.fontMetrics().elidedText(QString::fromStdString(content.title),
                                                           Qt::ElideMiddle, static_cast<int>(room));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignTop, title);
    painter.drawText(head, Qt::AlignRight | Qt::AlignTop, subtitle);
    painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom,
                     tr("Page %1 of %2").arg(number).arg(count));
    painter.setPen(QPen(toneColor(Tone::Grid, colors), band / 36));
    const double below = page.top() + band * 0.75;
    painter.drawLine(QPointF(page.left(), below), QPointF(page.right(), below));
}

} // namespace

bool printContent(const ReportContent& content, QPagedPaintDevice& device,
                  const std::stop_token& stop) {
    QPainter painter;
    if (!painter.begin(&device))
        return false;
    const QRectF page(0, 0, device.width(), device.height());
    const double band = kBandPoints * device.logicalDpiY() / 72.0;
    const QRectF body = page.adjusted(0, band, 0, -band);
    const Paper paper(content, device, body.size());
    const int count = paper.pageCount();
    for (int number = 0; number < count && !stop.stop_requested(); ++number) {
        if (number > 0)
            device.newPage();
        paintBands(painter, content, page, band, number + 1, count);
        painter.save();
        painter.translate(body.topLeft());
        paper.paint(painter, number);
        painter.restore();
    }
    return true;
}

std::string pdfReport(const ReportContent& content, const std::stop_token& stop) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kResolution);
        writer.setTitle(QString::fromStdString(content.title));
        writer.setCreator(QStringLiteral("Plumbline"));
        writer.setPageLayout(paperLayout(content));
        printContent(content, writer, stop);
    }
    return bytes.toStdString();
}

QPageLayout paperLayout(const ReportContent& content) {
    const QPageLayout upright = pageLayout(QPageLayout::Portrait);
    QByteArray nothing;
    QBuffer buffer(&nothing);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kResolution);
    writer.setPageLayout(upright);
    const ReportContent sample = beginnings(content);
    const Paper paper(sample, writer, QSizeF(writer.width(), writer.height()));
    return paper.fontShare() < kUprightShare ? pageLayout(QPageLayout::Landscape) : upright;
}

} // namespace plumbline::gui
