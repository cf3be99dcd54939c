// SPDX-License-Identifier: GPL-3.0-or-later
// What the sections of a report share: cells, columns, addresses, and what is left out by a filter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/report_content.h"

namespace plumbline::reporting {

/// What a report is made of.
struct Source {
    const Document& document;
    const ReportOptions& options;

    const Lowering& lowering() const { return *document.lowering; }
    /// Whether rows of this operator are shown.
    bool shows(std::int64_t operatorIndex) const {
        return !options.passes || options.passes(operatorIndex);
    }
    /// The operator of that index; null where there is none.
    const LoweredOperator* operatorAt(std::int64_t index) const;
    /// The operator that `record` belongs to; nothing where none claims it.
    std::optional<std::int64_t> operatorOf(std::int64_t record) const;
};

// Cells. An empty one says that there is no value.
ReportCell textCell(std::string_view text, Tone tone = Tone::Text);
ReportCell countCell(std::int64_t value, Tone tone = Tone::Text);
ReportCell countCell(const std::optional<std::int64_t>& value);
ReportCell bytesCell(std::uint64_t value);
/// The shortest text that reads back as the same number.
ReportCell realCell(double value);
ReportCell realCell(const std::optional<double>& value);
/// "0x00018C00"; the plain number is decimal.
ReportCell hexCell(std::uint64_t value);
/// "98.4 %" of a fraction; the plain number is the fraction.
ReportCell shareCell(double fraction, Tone tone = Tone::Text);
ReportCell linked(ReportCell cell, std::string target);
/// "op/7", plainly 7, leading to the operator's row where there is one.
ReportCell operatorCell(const Source& source, std::int64_t index);
/// The first cell of an operator's row: "op/7".
ReportCell operatorTitle(std::int64_t index);

ReportColumn textColumn(std::string key, std::string title, std::string meaning = {});
ReportColumn numberColumn(std::string key, std::string title, std::string meaning = {});
ReportColumn addressColumn(std::string key, std::string title, std::string meaning = {});
ReportColumn digestColumn(std::string key, std::string title, std::string meaning = {});

// Targets of links.
std::string operatorRow(std::int64_t index);  ///< "op-7"
std::string relocationRow(std::size_t index); ///< "rel-12"
std::string diagnosticRow(std::size_t index); ///< "diag-3"
std::string bufferRow(std::size_t index);     ///< "buffer-3"
std::string tileFigure(std::size_t index);    ///< "figure-tiles-3"

/// Adds the figure unless its drawing is empty.
void addFigure(ReportSection& section, std::string id, std::string caption, Drawing drawing);
/// Adds `table`; with a filter its title says how many of `all` rows there are.
void addTable(ReportSection& section, ReportTable table, std::size_t all, const Source& source);
void addParagraph(ReportSection& section, std::string_view text, Tone tone = Tone::Text);
void addFact(ReportFacts& facts, std::string_view term, std::string_view value,
             Tone tone = Tone::Text);
void addCode(ReportFacts& facts, std::string_view term, std::string_view value);

/// "op/3, op/7, op/9 and 12 more"
std::string operatorList(const std::vector<std::int64_t>& indices, std::size_t most = 12);
/// Why the document has no records, a sentence; empty where it has some.
std::string whyNoRecords(const Document& document);

/// The estimated totals of all records, descriptors included. Source: spec section 11.
struct Totals {
    std::int64_t records = 0, descriptorBytes = 0;
    std::int64_t weightsBytes = 0, paramsBytes = 0;
    std::int64_t macs = 0, readBytes = 0, writeBytes = 0, cycles = 0;
};
Totals totalsOf(const Lowering& lowering);

/// How many K slices there are; a damaged package may state any numbers.
std::int64_t sliceCount(const TilePlan& plan);
/// Per distinct combination of geometry and plan, the operators that share it, in order.
std::vector<std::vector<std::int64_t>> tileGroups(const Lowering& lowering);
/// Most figures of tiles in one report.
inline constexpr std::size_t kMaxTileFigures = 48;

ReportSection summarySection(const Source& source);
ReportSection identitySection(const Source& source);
ReportSection graphSection(const Source& source);
ReportSection operatorsSection(const Source& source);
ReportSection arenaSection(const Source& source);
ReportSection buffersSection(const Source& source);
ReportSection tilesSection(const Source& source);
ReportSection dmaSection(const Source& source);
ReportSection relocationsSection(const Source& source);
ReportSection verdictsSection(const Source& source);
ReportSection diagnosticsSection(const Source& source);
ReportSection glossarySection(const Source& source);

} // namespace plumbline::reporting
