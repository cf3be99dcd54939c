// SPDX-License-Identifier: GPL-3.0-or-later
// The report in the part of HTML that QTextDocument understands.
#include <algorithm>

#include <fmt/format.h>

#include "core/export/html_page.h"
#include "core/export/report_formats.h"

namespace plumbline {
namespace {

using reporting::escapedHtml;

constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kShownDigits = 16;

std::string colorOfTone(Tone tone) { return toText(toneValues(tone).light); }

/// A digest is cut: a column of whole ones leaves no room for others. Facts have them whole.
std::string shortened(const std::string& text, bool isCode) {
    return isCode && text.size() == kDigestDigits ? text.substr(0, kShownDigits) + "…" : text;
}

std::string toned(std::string_view text, Tone tone) {
    const std::string safe = escapedHtml(text);
    return tone == Tone::Text
               ? safe
               : fmt::format("<font color=\"{}\">{}</font>", colorOfTone(tone), safe);
}

class PrintWriter {
  public:
    std::string text(const ReportContent& content) {
        m_out =
            fmt::format("<html><head><title>{0}</title></head><body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
                        escapedHtml(content.title), escapedHtml(content.subtitle));
        for (const ReportSection& section : content.sections)
            write(section);
        return std::move(m_out) + "</body></html>\n";
    }

  private:
    template <class... T> void add(fmt::format_string<T...> format, T&&... args) {
        fmt::format_to(std::back_inserter(m_out), format, std::forward<T>(args)...);
    }

    void write(const ReportSection& section) {
        const bool isLong = std::any_of(section.blocks.begin(), section.blocks.end(), [](auto& b) {
            const auto* const table = std::get_if<ReportTable>(&b);
            return table != nullptr && table->rows.size() > 12;
        });
        add("<h2{}>{}</h2>\n", isLong ? " style=\"page-break-before:always\"" : "",
            escapedHtml(section.title));
        for (const ReportBlock& block : section.blocks)
            std::visit([this](const auto& part) { write(part); }, block);
    }

    void write(const ReportParagraph& paragraph) {
        add("<p>{}</p>\n", toned(paragraph.text, paragraph.tone));
    }

    void write(const ReportFacts& facts) {
        if (!facts.title.empty())
            add("<h3>{}</h3>\n", escapedHtml(facts.title));
        m_out += "<table width=\"100%\" cellpadding=\"2\" cellspacing=\"0\">\n";
        for (const ReportFacts::Fact& fact : facts.facts)
            add("<tr><td width=\"30%\"><font color=\"{}\">{}</font></td><td>{}</td></tr>\n",
                colorOfTone(Tone::Muted), escapedHtml(fact.term),
                fact.isCode ? "<tt>" + escapedHtml(fact.value) + "</tt>"
                            : toned(fact.value, fact.tone));
        m_out += "</table>\n";
    }

    void write(const ReportFigure& figure) {
        add("<p><img src=\"figure:{}\"></p>\n<p>{}</p>\n", figure.id,
            toned(figure.caption, Tone::Muted));
    }

    void write(const ReportTable& table) {
        add("<h3>{}</h3>\n", escapedHtml(table.title));
        if (table.rows.empty()) {
            add("<p>{}</p>\n", escapedHtml(table.empty));
            return;
        }
        m_out += "<table width=\"100%\" cellpadding=\"2\" cellspacing=\"0\"><thead><tr>";
        for (const ReportColumn& column : table.columns)
            add("<th align=\"{}\" bgcolor=\"{}\"><font size=\"1\">{}</font></th>",
                column.isNumber ? "right" : "left", colorOfTone(Tone::Grid),
                escapedHtml(column.title));
        m_out += "</tr></thead>\n";
        for (const std::vector<ReportCell>& row : table.rows) {
            m_out += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                write(table.columns[i], row[i]);
            m_out += "</tr>\n";
        }
        m_out += "</table>\n";
    }

    void write(const ReportColumn& column, const ReportCell& cell) {
        const std::string text =
            toned(cell.text.empty() ? "–" : shortened(cell.text, column.isCode), cell.tone);
        add("<td align=\"{}\"><font size=\"1\">{}</font></td>", column.isNumber ? "right" : "left",
            column.isCode ? "<tt>" + text + "</tt>" : text);
    }

    std::string m_out;
};

} // namespace

std::string printReport(const ReportContent& content) { return PrintWriter().text(content); }

} // namespace plumbline
