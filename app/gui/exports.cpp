// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/exports.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QInputDialog>
#include <QPrintDialog>
#include <QPrintPreviewDialog>
#include <QPrinter>

#include "app/gui/export_dialogs.h"
#include "app/gui/report_printer.h"
#include "app/gui/workspace.h"
#include "core/base/file.h"
#include "views/common/format.h"
#include "views/common/table_export.h"
#include "views/common/view.h"

namespace plumbline::gui {
namespace {

/// The table that holds the focus, else the only one that is seen; nothing where it is not clear.
const ExportTable* meant(const std::vector<ExportTable>& tables) {
    const ExportTable* seen = nullptr;
    int count = 0;
    for (const ExportTable& table : tables) {
        const QWidget* const shown = table.shown;
        if (shown != nullptr && shown->isAncestorOf(QApplication::focusWidget()))
            return &table;
        if (shown == nullptr || shown->isVisible()) {
            seen = &table;
            ++count;
        }
    }
    return count == 1 ? seen : nullptr;
}

std::size_t rowsOf(const ReportContent& content) {
    std::size_t rows = 0;
    for (const std::string& id : content.tableIds())
        rows += content.table(id)->rows.size();
    return rows;
}

} // namespace

Exports::Exports(Session& session, Workspace& workspace, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_workspace(workspace)
    , m_window(window) {
    for (View* const view : workspace.views()) {
        QAction* const action = addCommand(*view, view->id() + QStringLiteral(".exportTable"),
                                           tr("E&xport Table as CSV…"));
        action->setStatusTip(tr("Write the table as it is shown to a file"));
        connect(action, &QAction::triggered, this, [this, view] { exportTableOf(*view); });
    }
    connect(&m_report, &ReportExport::started, this,
            [this] { emit started(tr("Making the report")); });
    connect(&m_report, &ReportExport::finished, this, &Exports::finished);
    connect(&m_report, &ReportExport::written, this, &Exports::written);
    connect(&m_report, &ReportExport::problem, this, &Exports::problem);
    connect(&m_report, &ReportExport::made, this, &Exports::takeMade);
    connect(&m_report, &ReportExport::printed, this, [this](const QString& path) {
        if (!path.isEmpty())
            emit written(path);
    });
}

QString Exports::fileName(const QString& part, const QString& suffix) const {
    QString title = safeText(m_session.document()->title);
    title.replace(QLatin1Char('/'), QLatin1Char('_'));
    const QLatin1StringView model(".tflite");
    if (title.size() > model.size() && title.endsWith(model, Qt::CaseInsensitive))
        title.chop(model.size());
    const QString name = title + QLatin1Char('-') + part;
    return suffix.isEmpty() ? name : name + QLatin1Char('.') + suffix;
}

void Exports::exportTable() {
    if (View* const view = m_workspace.focusedView())
        return exportTableOf(*view);
    std::vector<ExportTable> all;
    for (View* const view : m_workspace.views())
        for (ExportTable& table : exportTables(*view)) {
            table.title = table.title == view->title()
                              ? view->title()
                              : tr("%1: %2").arg(view->title(), table.title);
            all.push_back(std::move(table));
        }
    save(all);
}

void Exports::exportTableOf(View& view) {
    const std::vector<ExportTable> tables = exportTables(view);
    const ExportTable* const one = meant(tables);
    save(one ? std::vector{*one} : tables);
}

void Exports::save(const std::vector<ExportTable>& tables) {
    std::size_t chosen = 0;
    if (tables.size() > 1) {
        QStringList titles;
        for (const ExportTable& table : tables)
            titles.append(table.title);
        bool ok = false;
        const QString title = QInputDialog::getItem(m_window, tr("Export Table as CSV"),
                                                    tr("&Table:"), titles, 0, false, &ok);
        if (!ok)
            return;
        chosen = static_cast<std::size_t>(titles.indexOf(title));
    }
    const ExportTable& table = tables.at(chosen);
    const QString path =
        askForPath(m_window, tr("Export Table as CSV"), fileName(table.name, QStringLiteral("csv")),
                   tr("CSV tables (*.csv)"), QStringLiteral("csv"));
    if (!path.isEmpty())
        writeTable(table, path);
}

void Exports::writeTable(const ExportTable& table, const QString& path) {
    QApplication::setOverrideCursor(Qt::WaitCursor);
    const QByteArray csv = table.csv();
    QApplication::restoreOverrideCursor();
    write(path, csv);
}

void Exports::exportPicture() {
    std::vector<PictureDialog::Offer> offers;
    std::size_t first = 0;
    const View* const focused = m_workspace.focusedView();
    for (View* const view : m_workspace.views()) {
        view->bringUpToDate();
        if (view == focused)
            first = offers.size();
        for (ViewPicture& picture : view->pictures())
            offers.push_back({view->title(), std::move(picture)});
    }
    if (offers.empty())
        return emit problem(tr("No view paints a picture of what is open."));
    first = std::min(first, offers.size() - 1);
    PictureDialog dialog(std::move(offers), first, m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const bool isPng = dialog.options().format == PictureOptions::Format::Png;
    const QString suffix = isPng ? QStringLiteral("png") : QStringLiteral("svg");
    const QString path =
        askForPath(m_window, tr("Export Picture"), fileName(dialog.picture().name, suffix),
                   isPng ? tr("PNG pictures (*.png)") : tr("SVG pictures (*.svg)"), suffix);
    if (!path.isEmpty())
        writePicture(dialog.picture(), dialog.options(), path);
}

void Exports::writePicture(const ViewPicture& picture, const PictureOptions& options,
                           const QString& path) {
    const Result<QByteArray> content = pictureFile(picture, options);
    if (content)
        write(path, *content);
    else
        emit problem(problemText(content.diagnostics().front()));
}

void Exports::write(const QString& path, const QByteArray& content) {
    const Status done = writeFileAtomically(
        std::filesystem::path(path.toStdString()),
        std::string_view(content.constData(), static_cast<std::size_t>(content.size())));
    if (done)
        emit written(path);
    else
        emit problem(problemText(done.diagnostics().front()));
}

void Exports::exportReport() {
    ReportDialog dialog(m_session, m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const ReportRequest request = dialog.request();
    const FormatName name = nameOf(request.format);
    const QString part =
        request.table.empty() ? QStringLiteral("report") : QString::fromStdString(request.table);
    const QString path = askForPath(m_window, tr("Export Report"), fileName(part, name.suffix),
                                    tr("%1 (*.%2)").arg(name.name, name.suffix), name.suffix);
    if (!path.isEmpty())
        writeReport(request, path);
}

void Exports::exportPdf() {
    const QString path = askForPath(m_window, tr("Export Report as PDF"),
                                    fileName(QStringLiteral("report"), QStringLiteral("pdf")),
                                    tr("PDF (*.pdf)"), QStringLiteral("pdf"));
    if (!path.isEmpty())
        writeReport(reportRequest(m_session, ReportFormat::Pdf, false), path);
}

void Exports::writeReport(ReportRequest request, const QString& path) {
    m_report.write(std::move(request), path.toStdString());
}

void Exports::print() {
    m_wantsPreview = false;
    m_report.make(reportRequest(m_session, ReportFormat::Pdf, false));
}

void Exports::printPreview() {
    m_wantsPreview = true;
    m_report.make(reportRequest(m_session, ReportFormat::Pdf, false));
}

void Exports::takeMade(const ReportContent& content) {
    if (m_wantsPreview)
        showPreview(content);
    else
        printOnPaper(content);
}

void Exports::showPreview(const ReportContent& content) {
    constexpr std::size_t kMostRows = 3000; // more are not laid out while a person waits
    if (rowsOf(content) > kMostRows) {
        emit problem(tr("This report is too long for a preview. Export Report as PDF makes it in "
                        "the background."));
        return;
    }
    QPrinter printer(QPrinter::HighResolution);
    printer.setDocName(fileName(QStringLiteral("report"), {}));
    printer.setPageLayout(paperLayout(content));
    QPrintPreviewDialog dialog(&printer, m_window);
    dialog.resize(m_window->size() * 9 / 10);
    connect(&dialog, &QPrintPreviewDialog::paintRequested, this,
            [&content](QPrinter* paper) { printContent(content, *paper); });
    dialog.exec();
}

void Exports::printOnPaper(const ReportContent& content) {
    const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setDocName(fileName(QStringLiteral("report"), {}));
    printer->setPageLayout(paperLayout(content));
    QPrintDialog dialog(printer.get(), m_window);
    if (dialog.exec() == QDialog::Accepted)
        m_report.print(content, printer);
}

} // namespace plumbline::gui
