// SPDX-License-Identifier: GPL-3.0-or-later
// Aligned columns of text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/text.h" // counted()

namespace plumbline::cli {

class Table {
  public:
    enum class Align : std::uint8_t { Left, Right };
    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit Table(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}

    /// One cell per column.
    void add(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }
    /// Title line and rows, each ended by a newline, columns two spaces apart.
    std::string text() const;

  private:
    std::string line(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Lines "LABEL   value" with the values aligned.
class LabelledLines {
  public:
    void add(std::string label, std::string value);
    std::string text() const;

  private:
    std::vector<std::pair<std::string, std::string>> m_lines;
};

/// "1,234,567"
std::string grouped(std::uint64_t value);
std::string grouped(std::int64_t value);

} // namespace plumbline::cli
