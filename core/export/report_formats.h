// SPDX-License-Identifier: GPL-3.0-or-later
// A report in the formats that it is written in. The same content gives the same bytes.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/export/content.h"

namespace plumbline {

/// One self-contained page; nothing is loaded from elsewhere, and no script is needed to read it.
std::string htmlReport(const ReportContent& content);

/// The part of HTML that QTextDocument understands, for paper: figures as <img src="figure:ID">.
std::string printReport(const ReportContent& content);

/// GitHub's Markdown: tables, figures as their descriptions.
std::string markdownReport(const ReportContent& content);

/// RFC 4180, with a header line of the columns' keys.
std::string csvTable(const ReportTable& table);

/// An array with an object per row, keys as the columns'; numbers where the column is one.
nlohmann::json jsonTable(const ReportTable& table);

} // namespace plumbline
