// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_formats.h"

namespace plumbline {

std::string htmlReport(const ReportContent& content) { return content.title; }
std::string printReport(const ReportContent& content) { return content.title; }
std::string markdownReport(const ReportContent& content) { return content.title; }
std::string csvTable(const ReportTable& table) { return table.id; }
nlohmann::json jsonTable(const ReportTable& table) { return table.id; }

} // namespace plumbline
