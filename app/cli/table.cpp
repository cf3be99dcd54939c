// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include <algorithm>

#include "app/cli/console.h"

namespace plumbline::cli {
namespace {

/// Code points: continuation bytes of UTF-8 take no room of their own.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string singleLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return printable(text);
}

} // namespace

void Table::add(std::vector<std::string> cells) {
    cells.resize(m_columns.size());
    for (std::string& cell : cells)
        cell = singleLine(std::move(cell));
    m_rows.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - std::min(widths[i], widthOf(cells[i])), ' ');
        out += i == 0 ? "" : "  ";
        out += m_columns[i].align == Align::Right ? padding + cells[i] : cells[i] + padding;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string Table::text() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (const Column& column : m_columns) {
        titles.push_back(column.title);
        widths.push_back(widthOf(column.title));
    }
    for (const auto& row : m_rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    }
    std::string out = line(titles, widths);
    for (const auto& row : m_rows)
        out += line(row, widths);
    return out;
}

void LabelledLines::add(std::string label, std::string value) {
    m_lines.emplace_back(std::move(label), singleLine(std::move(value)));
}

std::string LabelledLines::text() const {
    std::size_t width = 0;
    for (const auto& [label, value] : m_lines)
        width = std::max(width, widthOf(label));
    std::string out;
    for (const auto& [label, value] : m_lines)
        out += label + std::string(width - widthOf(label) + 2, ' ') + value + "\n";
    return out;
}

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string grouped(std::int64_t value) {
    return value < 0 ? "-" + grouped(std::uint64_t{0} - static_cast<std::uint64_t>(value))
                     : grouped(static_cast<std::uint64_t>(value));
}

} // namespace plumbline::cli
