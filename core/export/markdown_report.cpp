// SPDX-License-Identifier: GPL-3.0-or-later
// The report as GitHub's Markdown.
#include <fmt/format.h>

#include "core/export/report_formats.h"

namespace plumbline {
namespace {

/// `text` as plain text on one line: what Markdown or HTML would take as markup is escaped.
std::string escaped(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_{}[]<>#|~&$!^";
    std::string safe;
    for (const char c : text) {
        if (kMarkup.find(c) != std::string_view::npos)
            safe += '\\';
        safe += c == '\n' ? ' ' : c;
    }
    return safe;
}

class MarkdownWriter {
  public:
    std::string text(const ReportContent& content) {
        m_out = fmt::format("# {}\n\n{}\n", escaped(content.title), escaped(content.subtitle));
        for (const ReportSection& section : content.sections) {
            m_out += fmt::format("\n## {}\n", escaped(section.title));
            for (const ReportBlock& block : section.blocks)
                std::visit([this](const auto& part) { write(part); }, block);
        }
        return std::move(m_out);
    }

  private:
    void write(const ReportParagraph& paragraph) {
        m_out += fmt::format("\n{}\n", escaped(paragraph.text));
    }

    void write(const ReportFacts& facts) {
        if (!facts.title.empty())
            m_out += fmt::format("\n### {}\n", escaped(facts.title));
        m_out += '\n';
        for (const ReportFacts::Fact& fact : facts.facts)
            m_out += fmt::format("- {}: {}\n", escaped(fact.term), escaped(fact.value));
    }

    void write(const ReportFigure& figure) {
        m_out += fmt::format("\nFigure: {} {}\n", escaped(figure.caption),
                             escaped(figure.drawing.description));
    }

    void write(const ReportTable& table) {
        m_out += fmt::format("\n### {}\n\n", escaped(table.title));
        if (table.rows.empty()) {
            m_out += escaped(table.empty) + "\n";
            return;
        }
        std::string rule;
        for (const ReportColumn& column : table.columns) {
            m_out += "| " + escaped(column.title) + " ";
            rule += column.isNumber ? "| ---: " : "| --- ";
        }
        m_out += "|\n" + rule + "|\n";
        for (const std::vector<ReportCell>& row : table.rows) {
            for (const ReportCell& cell : row)
                m_out += "| " + (cell.text.empty() ? "–" : escaped(cell.text)) + " ";
            m_out += "|\n";
        }
    }

    std::string m_out;
};

} // namespace

std::string markdownReport(const ReportContent& content) { return MarkdownWriter().text(content); }

} // namespace plumbline
