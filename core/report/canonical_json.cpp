// SPDX-License-Identifier: GPL-3.0-or-later
// JSON text as artifacts carry it. The library's own writer does not always find the shortest
// digits of a double, so numbers are written by {fmt}, which does.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/report/json_outline.h"
#include "core/report/p0_report.h"

namespace plumbline {
namespace {

using nlohmann::json;

constexpr std::size_t kPiece = 65536; ///< bytes handed to a sink at once

bool isPlain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

class CanonicalWriter {
  public:
    explicit CanonicalWriter(TextSink sink)
        : m_sink(std::move(sink)) {}

    /// Writes `value` with the lists that belong into it, and the text's last newline.
    void write(const json& value, const std::map<std::string, JsonOutline::List>& lists) {
        m_lists = &lists;
        writeValue(value);
        m_text += '\n';
        m_sink(m_text);
    }

  private:
    void writeValue(const json& value) {
        const auto list = value.is_array() ? m_lists->find(m_place) : m_lists->end();
        if (list != m_lists->end())
            writeArray(list->second.count, list->second.entry);
        else if (value.is_object() && !value.empty())
            writeObject(value);
        else if (value.is_array())
            writeArray(value.size(), [&value](std::size_t i) -> const json& { return value[i]; });
        else
            writeScalar(value);
    }

    void writeObject(const json& object) {
        char separator = '{';
        ++m_depth;
        for (const auto& [key, value] : object.items()) {
            beginLine(separator);
            writeText(key);
            m_text += ": ";
            const std::size_t size = m_place.size();
            m_place.append(1, '.').append(key);
            writeValue(value);
            m_place.resize(size);
            separator = ',';
        }
        endLines('}');
    }

    template <class Entry> void writeArray(std::size_t count, const Entry& entry) {
        if (count == 0) {
            m_text += "[]";
            return;
        }
        const std::size_t size = m_place.size();
        m_place += "[]"; // no list belongs into an entry
        ++m_depth;
        for (std::size_t i = 0; i < count; ++i) {
            beginLine(i == 0 ? '[' : ',');
            writeValue(entry(i));
        }
        endLines(']');
        m_place.resize(size);
    }

    void writeScalar(const json& value) {
        if (value.is_string())
            writeText(value.get_ref<const std::string&>());
        else if (value.is_number_float() && std::isfinite(value.get<double>()))
            writeDouble(value.get<double>());
        else if (value.is_number_unsigned())
            fmt::format_to(std::back_inserter(m_text), "{}", value.get<std::uint64_t>());
        else if (value.is_number_integer())
            fmt::format_to(std::back_inserter(m_text), "{}", value.get<std::int64_t>());
        else
            m_text += value.dump();
    }

    void writeText(const std::string& text) {
        if (std::all_of(text.begin(), text.end(), isPlain))
            m_text.append(1, '"').append(text).append(1, '"');
        else
            m_text += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    }

    void writeDouble(double value) {
        const std::size_t begin = m_text.size();
        fmt::format_to(std::back_inserter(m_text), "{}", value);
        if (m_text.find_first_of(".einf", begin) == std::string::npos)
            m_text += ".0";
    }

    void beginLine(char separator) {
        if (m_text.size() >= kPiece) {
            m_sink(m_text);
            m_text.clear();
        }
        m_text += separator;
        m_text += '\n';
        m_text.append(2 * m_depth, ' ');
    }

    void endLines(char bracket) {
        --m_depth;
        m_text += '\n';
        m_text.append(2 * m_depth, ' ');
        m_text += bracket;
    }

    TextSink m_sink;
    const std::map<std::string, JsonOutline::List>* m_lists = nullptr;
    std::string m_text;  ///< not yet handed over
    std::string m_place; ///< of the value that is written
    std::size_t m_depth = 0;
};

} // namespace

std::string canonicalJson(const json& value) {
    std::string text;
    CanonicalWriter([&text](std::string_view piece) { text += piece; }).write(value, {});
    return text;
}

void writeCanonicalJson(const JsonOutline& outline, const TextSink& sink) {
    CanonicalWriter(sink).write(outline.json, outline.lists);
}

} // namespace plumbline
