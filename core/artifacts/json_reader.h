// SPDX-License-Identifier: GPL-3.0-or-later
// Reading JSON that may be hostile: bounded parsing, and typed access that reports key and value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace plumbline {

inline constexpr std::size_t kMaxJsonDepth = 32;
/// Upper bound of values (keys included) in one document: about 400 MB of memory at worst.
inline constexpr std::size_t kMaxJsonValues = 4'000'000;

/// A report takes no more than this many diagnostics; one bad file cannot fill the memory with
/// them.
inline constexpr std::size_t kMaxJsonDiagnostics = 1000;

/// What a JsonValue reports with.
struct JsonReport {
    std::string file;                    ///< for Location::file
    Code missingKey = Code::BadManifest; ///< a key of the schema is absent
    Code unknownKey = Code::BadManifest; ///< a key is not of the schema
    Code badValue = Code::BadManifest;   ///< a value has the wrong type or range
    Diagnostics diagnostics;
};

/// Parses UTF-8 JSON text. Nesting and the number of values are bounded before anything is built.
/// An error carries `code`, `file`, and the byte offset where the text stops being JSON.
Result<nlohmann::json> parseJson(ByteView text, const std::string& file, Code code,
                                 std::size_t maxDepth = kMaxJsonDepth);

/// The member `key` of the JSON object that `text` is; the others are read but not kept. Nothing
/// where parseJson gives nothing, or no object with such a member.
std::optional<nlohmann::json> parseMember(ByteView text, std::string_view key);

/// A value at a place of a parsed document, or the absence of one.
///
/// Every getter returns nothing and adds one error to the report (code, file, place, what was
/// expected and what was found) when the value is not as asked; on an absent value, which was
/// reported when it was looked up, it returns nothing silently. The document and the report must
/// outlive it.
class JsonValue {
  public:
    JsonValue(const nlohmann::json& root, JsonReport& report)
        : m_value(&root)
        , m_report(&report) {}

    bool exists() const { return m_value != nullptr; }
    bool isNull() const { return m_value && m_value->is_null(); }
    /// "layers[3].sha256"; empty for the root.
    const std::string& place() const { return m_place; }
    /// The raw value; exists() must hold.
    const nlohmann::json& json() const { return *m_value; }

    /// The member `key` of this object. Reports when this is no object or has no such member.
    JsonValue member(std::string_view key) const;
    /// As member(), but a missing member is not reported.
    JsonValue optionalMember(std::string_view key) const;
    /// The elements of this array; nothing when it is none or has more than `maxCount`.
    std::optional<std::vector<JsonValue>> items(std::size_t maxCount = kMaxJsonValues) const;
    /// Reports every key of this object that is not in `keys`.
    void allowOnly(std::span<const std::string_view> keys) const;

    std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most) const;
    std::optional<double> number() const; ///< finite; integers count
    std::optional<bool> boolean() const;
    std::optional<std::string> text() const;
    std::optional<std::string> sha256() const; ///< 64 lower-case hexadecimal digits
    /// An array of integers, each within least..most.
    std::optional<std::vector<std::int64_t>> integers(std::int64_t least, std::int64_t most,
                                                      std::size_t maxCount) const;

    /// Adds an error of the report's badValue code at this place.
    void report(std::string message) const;
    /// The same with another code.
    void report(Code code, std::string message) const;

  private:
    JsonValue(const nlohmann::json* value, std::string place, JsonReport* report)
        : m_value(value)
        , m_place(std::move(place))
        , m_report(report) {}
    void expected(std::string_view what) const;

    const nlohmann::json* m_value;
    std::string m_place;
    JsonReport* m_report;
};

/// A value for a message: scalars as JSON text cut to 60 characters, "an array of 3", "an object".
std::string describeJson(const nlohmann::json& value);

} // namespace plumbline
