// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a document says.
#pragma once

#include <functional>

#include "core/document/document.h"
#include "core/export/content.h"

namespace plumbline {

struct ReportOptions {
    std::string filter; ///< as the person wrote it; the report says so. Empty: everything
    /// Operators that pass it; empty: all. Their rows are left out of tables, not of figures,
    /// totals and bounds.
    std::function<bool(std::int64_t operatorIndex)> passes;
};

/// Sections: summary, identity, graph, operators, arena, buffers, tiles, dma, relocations,
/// verdicts, diagnostics, glossary. A part that the document does not have (a refused model has no
/// arena) says so and why. Names files, never folders, so that the same job gives the same report
/// anywhere.
ReportContent reportContent(const Document& document, const ReportOptions& options = {});

} // namespace plumbline
