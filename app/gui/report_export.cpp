// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/report_export.h"

#include <QPrinter>

#include "app/gui/report_printer.h"
#include "core/base/file.h"
#include "core/export/report_formats.h"
#include "core/filter/source.h"
#include "core/report/p0_report.h"
#include "views/common/format.h"

namespace plumbline::gui {
namespace {

Result<std::string> tableBytes(const ReportRequest& request, const std::stop_token& stop) {
    const bool isCsv = request.format == ReportFormat::Csv;
    if (!isCsv && request.table.empty()) {
        const Document& document = *request.document;
        const auto report = p0Report(document, !document.input.empty(), {stop, {}});
        return report ? Result<std::string>(canonicalJson(*report)) : report.diagnostics();
    }
    const ReportContent content = contentOf(request);
    const ReportTable* const table =
        content.table(request.table.empty() ? "operators" : request.table);
    if (table == nullptr)
        return makeError(Code::Usage, "The report has no table \"" + request.table + "\".");
    return isCsv ? csvTable(*table) : canonicalJson(jsonTable(*table));
}

} // namespace

QString problemText(const Diagnostic& diagnostic) {
    QString message = safeText(diagnostic.message);
    if (!diagnostic.where.file.empty())
        message.prepend(safeText(diagnostic.where.file) + QStringLiteral(": "));
    return diagnostic.hint.empty() ? message
                                   : message + QLatin1Char(' ') + safeText(diagnostic.hint);
}

ReportRequest reportRequest(const Session& session, ReportFormat format, bool filtered) {
    return {session.document(), format, {}, filtered ? session.filterText().toStdString() : ""};
}

ReportContent contentOf(const ReportRequest& request) {
    const Document& document = *request.document;
    const Result<Filter> filter = parseFilter(request.filter, schemaOf(document.lowering->fields));
    return reportContent(document, filter ? filteredReport(document, *filter) : ReportOptions());
}

Result<std::string> reportBytes(const ReportRequest& request, const std::stop_token& stop) {
    switch (request.format) {
    case ReportFormat::Html:
        return htmlReport(contentOf(request));
    case ReportFormat::Markdown:
        return markdownReport(contentOf(request));
    case ReportFormat::Csv:
    case ReportFormat::Json:
        return tableBytes(request, stop);
    case ReportFormat::Pdf:
        return pdfReport(contentOf(request), stop);
    }
    return makeError(Code::Usage, "There is no such format.");
}

void ReportExport::write(ReportRequest request, const std::filesystem::path& path) {
    const auto work = [request = std::move(request), path](const std::stop_token& stop) -> Status {
        const Result<std::string> bytes = reportBytes(request, stop);
        if (!bytes)
            return bytes.diagnostics();
        return stop.stop_requested() ? Status(Done{}) : writeFileAtomically(path, *bytes);
    };
    emit started();
    m_job.start(work, [this, path](const Status& done) {
        if (done)
            emit written(QString::fromStdString(path.string()));
        else
            emit problem(problemText(done.diagnostics().front()));
        emit finished();
    });
}

void ReportExport::make(ReportRequest request) {
    const auto work = [request = std::move(request)](const std::stop_token&) {
        return contentOf(request);
    };
    emit started();
    m_job.start(work, [this](const ReportContent& content) {
        emit finished();
        emit made(content);
    });
}

void ReportExport::print(ReportContent content, std::shared_ptr<QPrinter> printer) {
    const auto work = [content = std::move(content), printer](const std::stop_token& stop) {
        const bool isPrinted = printContent(content, *printer, stop);
        if (stop.stop_requested())
            printer->abort();
        return isPrinted;
    };
    emit started();
    m_job.start(work, [this, printer](bool isPrinted) {
        emit finished();
        if (isPrinted)
            emit printed(printer->outputFileName());
        else
            emit problem(tr("The printer %1 takes no pages.").arg(printer->printerName()));
    });
}

void ReportExport::cancel() {
    if (!m_job.isBusy())
        return;
    m_job.cancel();
    emit finished();
}

} // namespace plumbline::gui
