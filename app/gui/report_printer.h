// SPDX-License-Identifier: GPL-3.0-or-later
// The report on paper: pages with a head and a foot, figures as vectors.
#pragma once

#include <stop_token>
#include <string>

#include <QPageLayout>

#include "core/export/content.h"

class QPagedPaintDevice;

namespace plumbline::gui {

/// Prints on the pages of `device`, in the colours of the light theme. What is wider than a page is
/// set smaller, a figure that is higher is continued on the next. Ends early when asked to. False
/// where the device cannot be painted on. May run on any thread.
bool printContent(const ReportContent& content, QPagedPaintDevice& device,
                  const std::stop_token& stop = {});

/// The report as a PDF file on paperLayout().
std::string pdfReport(const ReportContent& content, const std::stop_token& stop = {});

/// A4, or Letter where the locale uses that; landscape where a table is too wide for an upright
/// page.
QPageLayout paperLayout(const ReportContent& content);

} // namespace plumbline::gui
