// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text as artifacts carry it. The library's own writer does not always find the shortest
// digits of a double, so numbers are written by {fmt}, which does.
#include "core/report/p0_report.h"

#include <cmath>

#include <fmt/format.h>

namespace plumbline {
namespace {

std::string doubleText(double value) {
    std::string text = fmt::format("{}", value);
    const bool looksIntegral = text.find_first_of(".einf") == std::string::npos;
    return looksIntegral ? text + ".0" : text;
}

void write(const nlohmann::json& value, const std::string& indent, std::string& out);

void writeObject(const nlohmann::json& object, const std::string& indent, std::string& out) {
    const std::string inner = indent + "  ";
    const char* separator = "{\n";
    for (const auto& [key, value] : object.items()) {
        out += separator + inner + nlohmann::json(key).dump() + ": ";
        write(value, inner, out);
        separator = ",\n";
    }
    out += "\n" + indent + "}";
}

void writeArray(const nlohmann::json& array, const std::string& indent, std::string& out) {
    const std::string inner = indent + "  ";
    const char* separator = "[\n";
    for (const auto& value : array) {
        out += separator + inner;
        write(value, inner, out);
        separator = ",\n";
    }
    out += "\n" + indent + "]";
}

void write(const nlohmann::json& value, const std::string& indent, std::string& out) {
    if (value.is_object() && !value.empty())
        writeObject(value, indent, out);
    else if (value.is_array() && !value.empty())
        writeArray(value, indent, out);
    else if (value.is_number_float() && std::isfinite(value.get<double>()))
        out += doubleText(value.get<double>());
    else
        out += value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

std::string canonicalJson(const nlohmann::json& value) {
    std::string text;
    write(value, "", text);
    return text + "\n";
}

} // namespace plumbline
