// SPDX-License-Identifier: GPL-3.0-or-later
// The report as the program plumb writes it, and on paper.
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QPdfWriter>
#include <QPrinter>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QtTest>

#include "app/gui/export_dialogs.h"
#include "app/gui/exports.h"
#include "app/gui/main_window.h"
#include "app/gui/report_export.h"
#include "app/gui/report_printer.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/samples/samples.h"
#include "views/common/palette.h"

namespace plumbline::gui::test {
namespace {

constexpr int kPatience = 60000; // milliseconds

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(kPatience);
    return process.readAllStandardOutput();
}

Drawing boxes(double width, double height) {
    Drawing drawing;
    drawing.width = width;
    drawing.height = height;
    for (double y = 10; y < height; y += 40)
        drawing.shapes.push_back(DrawnLabel{
            {10, y, width - 20, 16}, "level " + std::to_string(static_cast<int>(y)), 12, {}, {}});
    return drawing;
}

/// A report with one wide and long table and a figure that no page holds.
ReportContent wideAndLong() {
    ReportTable table;
    table.id = "t";
    table.title = "Table";
    for (int column = 0; column < 18; ++column)
        table.columns.push_back(
            {"c" + std::to_string(column), "Column" + std::to_string(column), "", column > 0});
    for (int row = 0; row < 200; ++row) {
        std::vector<ReportCell> cells;
        for (int column = 0; column < 18; ++column)
            cells.push_back({std::to_string(1000000 + row * 100 + column), "", Tone::Text, ""});
        table.rows.push_back(std::move(cells));
    }
    ReportContent content;
    content.title = "wide.tflite";
    content.subtitle = "Model lowered for npu-p0";
    content.sections = {{"s", "Section", {table}},
                        {"f", "Figure", {ReportFigure{"tall", "Tall", boxes(400, 4000)}}}};
    return content;
}

} // namespace

class ReportExportTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme::Dark); // paper stays light
        const QString model = m_folder.filePath(QStringLiteral("model.tflite"));
        QVERIFY(
            writeFileAtomically(model.toStdString(), ByteView(*makeSample("every-operator", 3))));
        m_window = std::make_unique<MainWindow>(m_settings);
        m_window->show();
        QSignalSpy shown(m_window.get(), &MainWindow::documentShown);
        m_window->openPaths({model});
        QVERIFY(shown.wait(kPatience));
        QVERIFY(m_window->session().setFilter(QStringLiteral("macs > 0")));
    }

    void sameBytesAsPlumb_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("table");
        QTest::addColumn<bool>("filtered");
        QTest::addColumn<bool>("seeded");
        const auto row = [](const char* name, ReportFormat format, const char* of,
                            const char* table, bool filtered, bool seeded = true) {
            QTest::newRow(name) << static_cast<int>(format) << QString::fromLatin1(of)
                                << QString::fromLatin1(table) << filtered << seeded;
        };
        row("HTML", ReportFormat::Html, "html", "", false);
        row("HTML, filtered", ReportFormat::Html, "html", "", true);
        row("Markdown", ReportFormat::Markdown, "markdown", "", false);
        row("CSV of operators", ReportFormat::Csv, "csv", "", false);
        row("CSV of relocations, filtered", ReportFormat::Csv, "csv", "relocations", true);
        row("JSON as in npu.json", ReportFormat::Json, "json", "", false);
        row("JSON of operators", ReportFormat::Json, "json", "operators", false);
        row("HTML without --seed", ReportFormat::Html, "html", "", false, false);
        row("JSON as in npu.json without --seed", ReportFormat::Json, "json", "", false, false);
    }
    void sameBytesAsPlumb() {
        QFETCH(int, format);
        QFETCH(QString, name);
        QFETCH(QString, table);
        QFETCH(bool, filtered);
        QFETCH(bool, seeded);
        const QString theirs = m_folder.filePath(QStringLiteral("theirs"));
        QStringList arguments{
            QStringLiteral("report"),   m_folder.filePath(QStringLiteral("model.tflite")),
            QStringLiteral("--format"), name,
            QStringLiteral("-o"),       theirs};
        if (seeded)
            arguments << QStringLiteral("--seed") << QStringLiteral("1");
        if (!table.isEmpty())
            arguments << QStringLiteral("--table") << table;
        if (filtered)
            arguments << QStringLiteral("--filter") << m_window->session().filterText();
        QFile::remove(theirs);
        outputOf(QStringLiteral(PLUMB_PROGRAM), arguments);
        ReportRequest request =
            reportRequest(m_window->session(), static_cast<ReportFormat>(format), filtered);
        request.table = table.toStdString();
        const QString ours = m_folder.filePath(QStringLiteral("ours"));
        QSignalSpy finished(&exports(), &Exports::finished);
        exports().writeReport(request, ours);
        QVERIFY(finished.wait(kPatience));
        QVERIFY(!contentOf(theirs).isEmpty());
        QVERIFY(contentOf(ours) == contentOf(theirs));
        QVERIFY(m_window->noticeText().contains(ours));
    }

    void theP0ReportIsNotFiltered() {
        ReportDialog dialog(m_window->session());
        auto& format = *dialog.findChild<QComboBox*>(QStringLiteral("reportFormat"));
        auto& table = *dialog.findChild<QComboBox*>(QStringLiteral("reportTable"));
        auto& filtered = *dialog.findChild<QCheckBox*>(QStringLiteral("reportFiltered"));
        format.setCurrentIndex(format.findData(static_cast<int>(ReportFormat::Csv)));
        filtered.setChecked(true);
        QVERIFY(filtered.isEnabled());
        QVERIFY(!dialog.request().filter.empty());
        format.setCurrentIndex(format.findData(static_cast<int>(ReportFormat::Json)));
        QVERIFY(!filtered.isEnabled());
        QVERIFY(dialog.request().filter.empty());
        QVERIFY(QTest::qWaitFor([&] { return table.count() > 1; }, kPatience));
        table.setCurrentIndex(table.findData(QStringLiteral("operators")));
        QVERIFY(filtered.isEnabled());
        QCOMPARE(dialog.request().filter, std::string("macs > 0"));
    }

    void anUnknownTableIsSaid() {
        ReportRequest request = reportRequest(m_window->session(), ReportFormat::Csv, false);
        request.table = "nothing";
        QSignalSpy problem(&exports(), &Exports::problem);
        exports().writeReport(request, m_folder.filePath(QStringLiteral("none.csv")));
        QVERIFY(problem.wait(kPatience));
        QVERIFY(problem[0][0].toString().contains(QStringLiteral("nothing")));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("none.csv"))));
    }

    void aCancelledReportIsNotWritten() {
        const QString path = m_folder.filePath(QStringLiteral("cancelled.pdf"));
        QSignalSpy finished(&exports(), &Exports::finished);
        exports().writeReport(reportRequest(m_window->session(), ReportFormat::Pdf, false), path);
        QVERIFY(!m_window->isIdle());
        exports().cancel();
        QCOMPARE(finished.size(), 1);
        QVERIFY(m_window->isIdle());
        // The next one is done only after the cancelled one has left its thread.
        exports().writeReport(reportRequest(m_window->session(), ReportFormat::Html, false),
                              m_folder.filePath(QStringLiteral("next.html")));
        QVERIFY(finished.wait(kPatience));
        QVERIFY(!QFile::exists(path));
    }

    void pdfOfTheModel() {
        const QString path = m_folder.filePath(QStringLiteral("report.pdf"));
        QSignalSpy finished(&exports(), &Exports::finished);
        exports().writeReport(reportRequest(m_window->session(), ReportFormat::Pdf, false), path);
        QVERIFY(finished.wait(kPatience));
        const QByteArray pdf = contentOf(path);
        QVERIFY(pdf.startsWith("%PDF-"));
        const QString text = textOf(path);
        QVERIFY2(!text.isEmpty(), "pdftotext of poppler-utils reads the file");
        const QStringList pages = text.split(u'\f', Qt::SkipEmptyParts);
        QVERIFY(pages.size() > 1);
        for (qsizetype at = 0; at < pages.size(); ++at) {
            QVERIFY(pages[at].contains(QStringLiteral("model.tflite")));
            QVERIFY(
                pages[at].contains(QStringLiteral("Page %1 of %2").arg(at + 1).arg(pages.size())));
        }
        const Lowering& lowering = m_window->session().lowering();
        QVERIFY(text.contains(QString::fromStdString(
            groupedDigits(static_cast<std::int64_t>(lowering.arena.peakBytes)))));
        QVERIFY(text.contains(QString::number(lowering.records.size())));
    }

    void nothingIsCutOffOnPaper() {
        const QString path = m_folder.filePath(QStringLiteral("wide.pdf"));
        QVERIFY(writeFileAtomically(path.toStdString(), pdfReport(wideAndLong())));
        const QString text = textOf(path);
        QVERIFY2(!text.isEmpty(), "pdftotext of poppler-utils reads the file");
        for (int row = 0; row < 200; ++row)
            for (int column = 0; column < 18; ++column)
                QVERIFY2(text.contains(QString::number(1000000 + row * 100 + column)),
                         qPrintable(QStringLiteral("%1, %2").arg(row).arg(column)));
        for (int y = 10; y < 4000; y += 40) // the figure goes on over pages
            QVERIFY2(text.contains(QStringLiteral("level %1").arg(y)),
                     qPrintable(QString::number(y)));
        const QStringList pages = text.split(u'\f', Qt::SkipEmptyParts);
        qsizetype withTable = 0, withHead = 0;
        static const QRegularExpression kCell(QStringLiteral("\\b10\\d{5}\\b"));
        for (const QString& page : pages) {
            withTable += page.contains(kCell) ? 1 : 0;
            withHead += page.contains(kCell) && page.contains(QStringLiteral("Column17")) ? 1 : 0;
        }
        QVERIFY(withTable > 1);
        QCOMPARE(withHead, withTable); // table heads repeat
    }

    void partsOfAFigurePaintWhatIsSeenOfThem() {
        const QString path = m_folder.filePath(QStringLiteral("parts.pdf"));
        QVERIFY(writeFileAtomically(path.toStdString(), pdfReport(wideAndLong())));
        const QString text = textOf(path);
        QVERIFY2(!text.isEmpty(), "pdftotext of poppler-utils reads the file");
        for (int y = 10; y < 4000; y += 40) // one that lies at the cut is in both parts
            QVERIFY(text.count(QRegularExpression(QStringLiteral("level %1\\b").arg(y))) <= 2);
    }

    void figuresStandBesideTheirFacts_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("facts");
        QTest::newRow("broad, after many facts") << 900.0 << 14;
        QTest::newRow("as high as broad, after few facts") << 600.0 << 5;
    }
    void figuresStandBesideTheirFacts() {
        QFETCH(double, width);
        QFETCH(int, facts);
        ReportContent content = wideAndLong();
        ReportFacts block;
        for (int i = 0; i < facts; ++i)
            block.facts.push_back({"term " + std::to_string(i), "value"});
        content.sections.erase(content.sections.begin());
        content.sections[0].blocks = {block, ReportFigure{"f", "Caption", boxes(width, 600)}};
        const QString path = m_folder.filePath(QStringLiteral("beside.pdf"));
        QVERIFY(writeFileAtomically(path.toStdString(), pdfReport(content)));
        const QString text = textOf(path);
        QVERIFY2(!text.isEmpty(), "pdftotext of poppler-utils reads the file");
        for (const QString& page : text.split(u'\f', Qt::SkipEmptyParts))
            QCOMPARE(page.contains(QStringLiteral("term 0")),
                     page.contains(QStringLiteral("level 10")));
        QVERIFY(text.contains(QStringLiteral("level 570")));
    }

    void wideTablesLieAcross() {
        QCOMPARE(paperLayout(wideAndLong()).orientation(), QPageLayout::Landscape);
        ReportContent narrow = wideAndLong();
        narrow.sections.erase(narrow.sections.begin());
        QCOMPARE(paperLayout(narrow).orientation(), QPageLayout::Portrait);
    }

    /// Printing does not hold the window, and a printer that takes no pages is a problem.
    void printsInTheBackground() {
        ReportExport work;
        QSignalSpy printed(&work, &ReportExport::printed);
        QSignalSpy problems(&work, &ReportExport::problem);
        const auto printerTo = [](const QString& path) {
            auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
            printer->setOutputFormat(QPrinter::PdfFormat);
            printer->setOutputFileName(path);
            return printer;
        };
        const QString path = m_folder.filePath(QStringLiteral("printed.pdf"));
        work.print(wideAndLong(), printerTo(path));
        QVERIFY(work.isBusy());
        QVERIFY(printed.wait(kPatience));
        QCOMPARE(printed.front().front().toString(), path);
        QVERIFY(contentOf(path).startsWith("%PDF"));
        work.print(wideAndLong(), printerTo(m_folder.filePath(QStringLiteral("no/folder.pdf"))));
        QVERIFY(problems.wait(kPatience));
        QCOMPARE(printed.size(), 1);
    }

    void bothPageSizes_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("A4") << static_cast<int>(QPageSize::A4);
        QTest::newRow("Letter") << static_cast<int>(QPageSize::Letter);
    }
    void bothPageSizes() {
        QFETCH(int, size);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        {
            QPdfWriter writer(&buffer);
            writer.setPageSize(QPageSize(static_cast<QPageSize::PageSizeId>(size)));
            QVERIFY(printContent(wideAndLong(), writer));
        }
        const QString path = m_folder.filePath(QStringLiteral("size.pdf"));
        QVERIFY(writeFileAtomically(
            path.toStdString(),
            std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        const QString text = textOf(path);
        QVERIFY2(!text.isEmpty(), "pdftotext of poppler-utils reads the file");
        QVERIFY(text.contains(QStringLiteral("1019917"))); // the last cell
        QVERIFY(text.contains(QStringLiteral("level 3970")));
    }

  private:
    Exports& exports() const { return *m_window->findChild<Exports*>(); }

    /// With ligatures taken apart.
    static QString textOf(const QString& pdf) {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
        if (program.isEmpty())
            return {};
        const QStringList arguments{QStringLiteral("-layout"), pdf, QStringLiteral("-")};
        return QString::fromUtf8(outputOf(program, arguments))
            .normalized(QString::NormalizationForm_KC);
    }

    QTemporaryDir m_folder;
    Settings m_settings{m_folder.filePath(QStringLiteral("settings"))};
    std::unique_ptr<MainWindow> m_window;
};

} // namespace plumbline::gui::test

QTEST_MAIN(plumbline::gui::test::ReportExportTest)
#include "tst_report_export.moc"
