// SPDX-License-Identifier: GPL-3.0-or-later
// The report as one page. Cells are numbers, aligned right, unless their class says otherwise.
#include <algorithm>

#include <fmt/format.h>

#include "core/chart/svg.h"
#include "core/export/html_page.h"
#include "core/export/report_formats.h"

namespace plumbline {
namespace {

using reporting::escapedHtml;
using reporting::toneClass;

constexpr std::size_t kLongValue = 44;    ///< bytes from which facts are a list and a cell wraps
constexpr std::size_t kLongSection = 100; ///< rows from which a part is laid out when seen

constexpr double kBroadFigure = 640; ///< width from which it scrolls on a narrow window
constexpr double kTallFigure = 700;  ///< height from which it scrolls
constexpr double kHugeFigure = 1400; ///< width from which it is not made smaller to fit

class HtmlWriter {
  public:
    std::string page(const ReportContent& content) {
        m_out = reporting::pageHead(content.title);
        m_out += "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n";
        add("<header><p class=\"kind\">{}</p><h1>{}</h1></header>\n", escapedHtml(content.subtitle),
            escapedHtml(content.title));
        m_out += "<nav aria-label=\"Contents\"><ul>\n";
        for (const ReportSection& section : content.sections)
            add("<li><a href=\"#{}\">{}</a></li>\n", section.id, escapedHtml(section.title));
        m_out += "</ul></nav>\n<main id=\"main\" tabindex=\"-1\">\n";
        for (const ReportSection& section : content.sections)
            write(section);
        m_out += "</main>\n" + reporting::pageEnd();
        return std::move(m_out);
    }

  private:
    template <class... T> void add(fmt::format_string<T...> format, T&&... args) {
        fmt::format_to(std::back_inserter(m_out), format, std::forward<T>(args)...);
    }

    static bool isLong(const ReportSection& section) {
        std::size_t rows = 0;
        for (const ReportBlock& block : section.blocks) {
            if (const auto* const table = std::get_if<ReportTable>(&block))
                rows += table->rows.size();
            if (std::holds_alternative<ReportFigure>(block))
                rows += kLongSection;
        }
        return rows >= kLongSection;
    }

    void write(const ReportSection& section) {
        add("<section id=\"{0}\" aria-labelledby=\"{0}-title\"{1}>\n<h2 "
            "id=\"{0}-title\">{2}</h2>\n",
            section.id, isLong(section) ? " class=\"long\"" : "", escapedHtml(section.title));
        for (std::size_t i = 0; i < section.blocks.size(); ++i) {
            const bool isFigure = isSmallFigure(section, i);
            if (isFigure && !isSmallFigure(section, i - 1))
                m_out += "<div class=\"figures\">\n";
            std::visit([this](const auto& part) { write(part); }, section.blocks[i]);
            if (isFigure && !isSmallFigure(section, i + 1))
                m_out += "</div>\n";
        }
        m_out += "</section>\n";
    }

    /// Whether block `index`, which need not exist, is a figure that others can stand beside.
    static bool isSmallFigure(const ReportSection& section, std::size_t index) {
        const auto* const figure = index < section.blocks.size()
                                       ? std::get_if<ReportFigure>(&section.blocks[index])
                                       : nullptr;
        return figure != nullptr && figure->drawing.width < kBroadFigure;
    }

    void write(const ReportParagraph& paragraph) {
        const std::string_view tone = toneClass(paragraph.tone);
        if (tone.empty() || paragraph.tone == Tone::Muted)
            add("<p{}>{}</p>\n", tone.empty() ? "" : " class=\"muted\"",
                escapedHtml(paragraph.text));
        else
            add("<p class=\"say {}\">{}</p>\n", tone, escapedHtml(paragraph.text));
    }

    void write(const ReportFacts& facts) {
        if (!facts.title.empty())
            add("<h3>{}</h3>\n", escapedHtml(facts.title));
        const bool isList = std::any_of(facts.facts.begin(), facts.facts.end(),
                                        [](const auto& f) { return f.value.size() > kLongValue; });
        add("<dl class=\"{}\" id=\"{}\">\n", isList ? "list" : "cards", facts.id);
        for (const ReportFacts::Fact& fact : facts.facts) {
            const std::string_view tone = toneClass(fact.tone);
            const std::string value = escapedHtml(fact.value);
            add("<div><dt>{}</dt><dd{}>{}</dd></div>\n", escapedHtml(fact.term),
                tone.empty() ? "" : fmt::format(" class=\"{}\"", tone),
                fact.isCode ? "<code>" + value + "</code>" : value);
        }
        m_out += "</dl>\n";
    }

    void write(const ReportFigure& figure) {
        const bool isTall = figure.drawing.height > kTallFigure;
        const bool isHuge = figure.drawing.width > kHugeFigure;
        add("<figure id=\"{}\"{}>\n<section class=\"scroll detail{}\" tabindex=\"0\" "
            "aria-label=\"{}\">",
            figure.id,
            isHuge   ? " class=\"tall huge\""
            : isTall ? " class=\"tall\""
                     : "",
            fmt::format("{}{}", figure.drawing.width < kBroadFigure ? "" : " broad",
                        isTall ? " lazy" : ""),
            escapedHtml("Figure: " + figure.caption));
        m_out += svgElement(figure.drawing, figure.id);
        add("</section>\n<figcaption>{}</figcaption>\n</figure>\n", escapedHtml(figure.caption));
    }

    void write(const ReportTable& table) {
        if (table.rows.empty()) {
            add("<h3>{}</h3>\n<p class=\"muted\">{}</p>\n", escapedHtml(table.title),
                escapedHtml(table.empty.empty() ? "There are no rows." : table.empty));
            return;
        }
        add("<section class=\"scroll{2}\" tabindex=\"0\" aria-labelledby=\"table-{0}-caption\">\n"
            "<table id=\"table-{0}\"><caption id=\"table-{0}-caption\">{1}</caption>\n<thead><tr>",
            table.id, escapedHtml(table.title), table.rows.size() < kLongSection ? "" : " lazy");
        const std::vector<std::size_t> columns = filledColumns(table);
        for (const std::size_t i : columns)
            add("<th scope=\"col\"{}>{}</th>", table.columns[i].isNumber ? "" : " class=\"t\"",
                escapedHtml(table.columns[i].title));
        m_out += "</tr></thead>\n<tbody>\n";
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            write(table, columns, row);
        m_out += "</tbody></table>\n</section>\n";
        writeMeanings(table);
    }

    /// The columns that say something in some row, and the first.
    static std::vector<std::size_t> filledColumns(const ReportTable& table) {
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (i == 0 || std::any_of(table.rows.begin(), table.rows.end(),
                                      [i](const auto& row) { return !row[i].text.empty(); }))
                columns.push_back(i);
        return columns;
    }

    void write(const ReportTable& table, const std::vector<std::size_t>& columns, std::size_t row) {
        m_out += "<tr";
        if (!table.rowIds.empty())
            add(" id=\"{}\"", table.rowIds[row]);
        m_out += '>';
        const std::vector<ReportCell>& cells = table.rows[row];
        for (const std::size_t i : columns) {
            m_out += i == 0 ? "<th scope=\"row\"" : "<td";
            writeClass(table.columns[i], cells[i]);
            m_out += '>';
            writeText(cells[i]);
            m_out += i == 0 ? "</th>" : "</td>";
        }
        m_out += "</tr>";
    }

    void writeClass(const ReportColumn& column, const ReportCell& cell) {
        std::string classes;
        const auto have = [&classes](std::string_view name) {
            classes += classes.empty() || name.empty() ? "" : " ";
            classes += name;
        };
        if (!column.isNumber)
            have("t");
        if (column.isCode)
            have("c");
        else if (cell.text.size() > kLongValue)
            have("w");
        have(toneClass(cell.tone));
        if (!classes.empty())
            add(" class=\"{}\"", classes);
    }

    void writeText(const ReportCell& cell) {
        if (cell.target.empty())
            m_out += escapedHtml(cell.text);
        else
            add("<a href=\"#{}\">{}</a>", cell.target, escapedHtml(cell.text));
    }

    void writeMeanings(const ReportTable& table) {
        if (std::all_of(table.columns.begin(), table.columns.end(),
                        [](const ReportColumn& column) { return column.meaning.empty(); }))
            return;
        m_out += "<details><summary>About the columns</summary><dl>";
        for (const ReportColumn& column : table.columns)
            if (!column.meaning.empty())
                add("<dt>{}</dt><dd>{}</dd>", escapedHtml(column.title),
                    escapedHtml(column.meaning));
        m_out += "</dl></details>\n";
    }

    std::string m_out;
};

} // namespace

std::string htmlReport(const ReportContent& content) { return HtmlWriter().page(content); }

} // namespace plumbline
