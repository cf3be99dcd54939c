// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a document as a file, made and written in the background.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>

#include "core/export/report_content.h"
#include "views/common/newest_job.h"
#include "views/common/session.h"

class QPrinter;

namespace plumbline::gui {

enum class ReportFormat : std::uint8_t { Html, Markdown, Csv, Json, Pdf };

/// What is written, taken from the session when it is asked for.
struct ReportRequest {
    DocumentPtr document;
    ReportFormat format = ReportFormat::Html;
    std::string table;  ///< of CSV and JSON: its id; empty: the operators, the P0 report
    std::string filter; ///< whose operators are kept; empty: all of them
};

/// The request for what `session` shows; with `filtered`, of the operators that pass its filter.
ReportRequest reportRequest(const Session& session, ReportFormat format, bool filtered);

/// The report that is asked for.
ReportContent contentOf(const ReportRequest& request);

/// The file's bytes, those of `plumb report` with the document's input. Errors: Usage for a table
/// that there is not, those of p0Report().
Result<std::string> reportBytes(const ReportRequest& request, const std::stop_token& stop = {});

/// What went wrong in sentences: the message and its hint.
QString problemText(const Diagnostic& diagnostic);

/// The newest request wins.
class ReportExport : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// Makes the file and writes it whole; a cancelled one is not written.
    void write(ReportRequest request, const std::filesystem::path& path);
    /// Makes the report for paper; made() brings it.
    void make(ReportRequest request);
    /// Prints it; printed() follows. A cancelled one is taken back from the printer.
    void print(ReportContent content, std::shared_ptr<QPrinter> printer);
    void cancel();
    bool isBusy() const { return m_job.isBusy(); }

  signals:
    void started();
    void finished(); ///< once nothing runs, also after cancel()
    void written(const QString& path);
    void made(const plumbline::ReportContent& content);
    /// `path` is of the file that was printed to, empty for a printer.
    void printed(const QString& path);
    void problem(const QString& what);

  private:
    NewestJob m_job;
};

} // namespace plumbline::gui
