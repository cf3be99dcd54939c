// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for programs: CSV and JSON.
#include "core/base/text.h"
#include "core/export/report_formats.h"

namespace plumbline {
namespace {

const std::string& plainOf(const ReportCell& cell) {
    return cell.plain.empty() ? cell.text : cell.plain;
}

nlohmann::json jsonOf(const ReportColumn& column, const ReportCell& cell) {
    const std::string& plain = plainOf(cell);
    if (!column.isNumber)
        return plain;
    nlohmann::json number = nlohmann::json::parse(plain, nullptr, false);
    return number.is_number() ? number : nlohmann::json(nullptr);
}

} // namespace

std::string csvTable(const ReportTable& table) {
    std::vector<std::string> cells;
    for (const ReportColumn& column : table.columns)
        cells.push_back(column.key);
    std::string text = csvRow(cells);
    for (const std::vector<ReportCell>& row : table.rows) {
        cells.clear();
        for (const ReportCell& cell : row)
            cells.push_back(plainOf(cell));
        text += csvRow(cells);
    }
    return text;
}

nlohmann::json jsonTable(const ReportTable& table) {
    nlohmann::json rows = nlohmann::json::array();
    for (const std::vector<ReportCell>& row : table.rows) {
        nlohmann::json object = nlohmann::json::object();
        for (std::size_t i = 0; i < row.size(); ++i)
            object[table.columns[i].key] = jsonOf(table.columns[i], row[i]);
        rows.push_back(std::move(object));
    }
    return rows;
}

} // namespace plumbline
