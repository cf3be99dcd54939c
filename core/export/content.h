// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a value: sections of paragraphs, facts, tables and figures. HTML, Markdown, CSV, JSON
// and print are loops over it.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/chart/drawing.h"

namespace plumbline {

/// All texts are printable UTF-8 (printable()), not escaped for any format.
struct ReportCell {
    std::string text;
    /// As CSV, JSON and sorting take it: a number without grouping and marks. Empty: `text`.
    std::string plain;
    Tone tone = Tone::Text; ///< the text says the same in words or with a mark
    std::string target;     ///< id of a section, figure or row that it leads to; may be empty
};

struct ReportColumn {
    std::string key;     ///< in CSV and JSON: "estimated_cycles"
    std::string title;   ///< in the table's head
    std::string meaning; ///< one sentence, with the unit; may be empty
    bool isNumber = false;
    bool isCode = false; ///< hashes, addresses: monospaced
};

/// The first column names the row. Every row has as many cells as there are columns.
struct ReportTable {
    std::string id;
    std::string title;
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
    std::vector<std::string> rowIds; ///< targets of links; empty or one per row
    std::string empty;               ///< what to say where there are no rows
};

struct ReportFigure {
    std::string id;
    std::string caption;
    Drawing drawing;
};

struct ReportParagraph {
    std::string text;
    Tone tone = Tone::Text;
};

/// Terms with their values or meanings.
struct ReportFacts {
    struct Fact {
        std::string term, value;
        bool isCode = false; ///< hashes, addresses
        Tone tone = Tone::Text;
    };
    std::string id;
    std::string title; ///< may be empty
    std::vector<Fact> facts;
};

using ReportBlock = std::variant<ReportParagraph, ReportFacts, ReportTable, ReportFigure>;

struct ReportSection {
    std::string id; ///< "arena"; unique in the report
    std::string title;
    std::vector<ReportBlock> blocks;
};

struct ReportContent {
    std::string title; ///< "vww.tflite"
    std::string subtitle;
    std::vector<ReportSection> sections;

    /// The table called `id`; null where there is none.
    const ReportTable* table(std::string_view id) const;
    /// Ids of all tables, in order.
    std::vector<std::string> tableIds() const;
    const ReportFigure* figure(std::string_view id) const;
};

} // namespace plumbline
