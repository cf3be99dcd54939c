// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a document says.
#pragma once

#include <functional>
#include <string_view>

#include "core/document/document.h"
#include "core/export/content.h"
#include "core/filter/filter.h"

namespace plumbline {

struct ReportOptions {
    std::string filter; ///< as the person wrote it; the report says so. Empty: everything
    /// Operators that pass it; empty: all. Their rows are left out of tables, not of figures,
    /// totals and bounds.
    std::function<bool(std::int64_t operatorIndex)> passes;
};

/// What shows only the operators that `filter` takes; mismatches and diagnostics that it asks for
/// are the document's.
ReportOptions filteredReport(const Document& document, const Filter& filter);

/// Sections: summary, identity, graph, operators, arena, buffers, tiles, dma, relocations,
/// verdicts, diagnostics, glossary. A part that the document does not have (a refused model has no
/// arena) says so and why. Names files, never folders, so that the same job gives the same report
/// anywhere.
ReportContent reportContent(const Document& document, const ReportOptions& options = {});

/// What a report comes to; of several, the first that holds.
enum class ReportVerdict : std::uint8_t {
    Refused,  ///< the model does not lower, or is none; the trace is damaged or has no layer
    Damaged,  ///< the package's parts disagree
    Violates, ///< a record, relocation or access breaks a rule
    Fault,    ///< the run ends in a fault
    Differs,  ///< a layer differs from the reference
    Equal,    ///< every compared layer is equal
    NotCompared,
};
ReportVerdict reportVerdict(const Document& document);
/// "refused", "damaged", "violates", "fault", "differs", "equal" or "not compared".
std::string_view reportVerdictName(ReportVerdict verdict);

} // namespace plumbline
