// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/artifacts/json_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace plumbline {
namespace {

/// Accepts any document and remembers where one stops being JSON.
struct ErrorFinder : nlohmann::json_sax<nlohmann::json> {
    std::size_t position = 0;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t at, const std::string&,
                     const nlohmann::detail::exception&) override {
        position = at;
        return false;
    }
};

struct Extent {
    std::size_t depth = 0;  ///< deepest nesting of brackets outside strings
    std::size_t values = 1; ///< upper bound of values and keys
};

/// Measures the brackets and separators of `text`, whether or not it is JSON.
Extent measure(ByteView text) {
    Extent extent;
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = static_cast<char>(text[i]);
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\' ? 1 : 0;
        else if (c == '[' || c == '{') {
            extent.depth = std::max(extent.depth, ++depth);
            ++extent.values;
        } else if (c == ']' || c == '}')
            depth -= depth > 0 ? 1 : 0;
        else if (c == ',' || c == ':')
            ++extent.values;
    }
    return extent;
}

bool isLowerHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

} // namespace

Result<nlohmann::json> parseJson(ByteView text, const std::string& file, Code code,
                                 std::size_t maxDepth) {
    Location where;
    where.file = file;
    const Extent extent = measure(text);
    if (extent.depth > maxDepth) {
        return makeError(code,
                         fmt::format("The JSON text is nested {} levels deep; {} are allowed.",
                                     extent.depth, maxDepth),
                         where);
    }
    if (extent.values > kMaxJsonValues) {
        return makeError(code,
                         fmt::format("The JSON text holds about {} values; {} are allowed.",
                                     extent.values, kMaxJsonValues),
                         where);
    }
    nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (!value.is_discarded())
        return value;
    ErrorFinder finder;
    nlohmann::json::sax_parse(text.begin(), text.end(), &finder);
    where.byte = finder.position == 0 ? 0 : finder.position - 1; // the parser counts from one
    return makeError(code, "The file is not valid JSON.", std::move(where));
}

std::optional<nlohmann::json> parseMember(ByteView text, std::string_view key) {
    const Extent extent = measure(text);
    if (extent.depth > kMaxJsonDepth || extent.values > kMaxJsonValues)
        return std::nullopt;
    const auto isKept = [key](int depth, nlohmann::json::parse_event_t event,
                              const nlohmann::json& parsed) {
        return event != nlohmann::json::parse_event_t::key || depth != 1 || parsed == key;
    };
    const auto object = nlohmann::json::parse(text.begin(), text.end(), isKept, false);
    if (!object.is_object() || !object.contains(key))
        return std::nullopt;
    return object[std::string(key)];
}

std::string describeJson(const nlohmann::json& value) {
    if (value.is_array())
        return fmt::format("an array of {}", value.size());
    if (value.is_object())
        return "an object";
    constexpr std::size_t kLongest = 60;
    if (value.is_string() && value.get_ref<const std::string&>().size() > kLongest) {
        const std::string start = value.get_ref<const std::string&>().substr(0, kLongest);
        return describeJson(nlohmann::json(start)) + "...";
    }
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

JsonValue JsonValue::member(std::string_view key) const {
    JsonValue found = optionalMember(key);
    if (m_value && m_value->is_object() && !found.exists())
        found.report(m_report->missingKey, fmt::format("The key \"{}\" is missing.", key));
    return found;
}

JsonValue JsonValue::optionalMember(std::string_view key) const {
    std::string place = m_place.empty() ? std::string(key) : fmt::format("{}.{}", m_place, key);
    const nlohmann::json* found = nullptr;
    if (m_value && !m_value->is_object()) {
        expected("an object");
    } else if (m_value) {
        const auto member = m_value->find(std::string(key));
        found = member == m_value->end() ? nullptr : &*member;
    }
    return {found, std::move(place), m_report};
}

std::optional<std::vector<JsonValue>> JsonValue::items(std::size_t maxCount) const {
    if (!m_value)
        return std::nullopt;
    if (!m_value->is_array() || m_value->size() > maxCount) {
        expected(maxCount < kMaxJsonValues ? fmt::format("an array of at most {}", maxCount)
                                           : "an array");
        return std::nullopt;
    }
    std::vector<JsonValue> values;
    values.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i)
        values.push_back({&(*m_value)[i], fmt::format("{}[{}]", m_place, i), m_report});
    return values;
}

void JsonValue::allowOnly(std::span<const std::string_view> keys) const {
    if (!m_value || !m_value->is_object())
        return;
    for (const auto& [key, value] : m_value->items()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            optionalMember(key).report(m_report->unknownKey,
                                       fmt::format("The key {} is unknown; its value is {}.",
                                                   describeJson(nlohmann::json(key)),
                                                   describeJson(value)));
    }
}

std::optional<std::int64_t> JsonValue::integer(std::int64_t least, std::int64_t most) const {
    if (!m_value)
        return std::nullopt;
    constexpr std::uint64_t kLargest = INT64_MAX;
    const bool fits = m_value->is_number_integer() &&
                      (!m_value->is_number_unsigned() || m_value->get<std::uint64_t>() <= kLargest);
    if (fits && m_value->get<std::int64_t>() >= least && m_value->get<std::int64_t>() <= most)
        return m_value->get<std::int64_t>();
    expected(fmt::format("an integer within {}..{}", least, most));
    return std::nullopt;
}

std::optional<double> JsonValue::number() const {
    if (!m_value)
        return std::nullopt;
    if (m_value->is_number() && std::isfinite(m_value->get<double>()))
        return m_value->get<double>();
    expected("a number");
    return std::nullopt;
}

std::optional<bool> JsonValue::boolean() const {
    if (m_value && m_value->is_boolean())
        return m_value->get<bool>();
    expected("true or false");
    return std::nullopt;
}

std::optional<std::string> JsonValue::text() const {
    if (m_value && m_value->is_string())
        return m_value->get<std::string>();
    expected("a string");
    return std::nullopt;
}

std::optional<std::string> JsonValue::sha256() const {
    if (m_value && m_value->is_string()) {
        const auto& digits = m_value->get_ref<const std::string&>();
        if (digits.size() == 64 && std::all_of(digits.begin(), digits.end(), isLowerHex))
            return digits;
    }
    expected("64 lower-case hexadecimal digits");
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> JsonValue::integers(std::int64_t least, std::int64_t most,
                                                             std::size_t maxCount) const {
    const auto values = items(maxCount);
    if (!values)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const JsonValue& value : *values) {
        if (const auto number = value.integer(least, most))
            numbers.push_back(*number);
    }
    if (numbers.size() != values->size())
        return std::nullopt;
    return numbers;
}

void JsonValue::report(std::string message) const {
    report(m_report->badValue, std::move(message));
}

void JsonValue::report(Code code, std::string message) const {
    if (m_report->diagnostics.size() >= kMaxJsonDiagnostics)
        return;
    Location where;
    where.file = m_report->file;
    where.part = m_place;
    m_report->diagnostics.push_back(makeError(code, std::move(message), std::move(where)));
}

void JsonValue::expected(std::string_view what) const {
    if (m_value)
        report(fmt::format("{} expected, found {}.", what, describeJson(*m_value)));
}

} // namespace plumbline
