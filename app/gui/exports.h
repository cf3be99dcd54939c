// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that leaves the window as a file or on paper.
#pragma once

#include <QObject>

#include "app/gui/report_export.h"
#include "views/common/picture_export.h"

namespace plumbline {
struct ExportTable;
class View;
} // namespace plumbline

namespace plumbline::gui {

class Workspace;

class Exports : public QObject {
    Q_OBJECT

  public:
    /// Adds "Export Table as CSV…" to every view of `workspace`.
    Exports(Session& session, Workspace& workspace, QWidget* window);

    void exportTable();   ///< the focused one, else the one that is chosen
    void exportPicture(); ///< the focused view's at first
    void exportReport();
    void exportPdf();
    void print();
    void printPreview();

    /// Writes it whole; written() or problem() follows.
    void writeTable(const ExportTable& table, const QString& path);
    void writePicture(const ViewPicture& picture, const PictureOptions& options,
                      const QString& path);
    void writeReport(ReportRequest request, const QString& path);

    /// "vww-report.html" of the model vww.tflite; without a suffix "vww-report".
    QString fileName(const QString& part, const QString& suffix) const;

    void cancel() { m_report.cancel(); }
    bool isBusy() const { return m_report.isBusy(); }

  signals:
    void started(const QString& what);
    void finished();
    void written(const QString& path);
    void problem(const QString& what);

  private:
    void exportTableOf(View& view);
    void save(const std::vector<ExportTable>& tables);
    void write(const QString& path, const QByteArray& content);
    void takeMade(const ReportContent& content);
    void showPreview(const ReportContent& content);
    void printOnPaper(const ReportContent& content);

    Session& m_session;
    Workspace& m_workspace;
    QWidget* m_window;
    ReportExport m_report;
    bool m_wantsPreview = false; ///< of what is being made
};

} // namespace plumbline::gui
