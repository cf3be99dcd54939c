// SPDX-License-Identifier: GPL-3.0-or-later
// A report in the formats that it is written in. The same content gives the same bytes.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/document/document.h"
#include "core/export/content.h"

namespace plumbline {

/// One self-contained page; nothing is loaded from elsewhere, and no script is needed to read it.
std::string htmlReport(const ReportContent& content);

/// The part of HTML that QTextDocument understands, for paper: figures as <img src="figure:ID">.
std::string printReport(const ReportContent& content);

/// GitHub's Markdown: tables, figures as their descriptions.
std::string markdownReport(const ReportContent& content);

/// Quoted as RFC 4180 says, but lines end in a line feed alone; the first has the columns' keys.
std::string csvTable(const ReportTable& table);

/// An array with an object per row, keys as the columns'; numbers where the column is one.
nlohmann::json jsonTable(const ReportTable& table);

/// The P0 report (spec section 11): what npu.json of the compiled model holds, and of a package
/// what its npu.json does hold. `withDigests` adds the reference kernels' layers on the document's
/// input. Errors: Usage for a trace; the diagnostics of a refused model; BadManifest for an
/// npu.json without a report; those of the kernels; Cancelled.
Result<nlohmann::json> p0Report(const Document& document, bool withDigests,
                                const JobContext& context = {});

} // namespace plumbline
