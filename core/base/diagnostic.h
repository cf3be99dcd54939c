// SPDX-License-Identifier: GPL-3.0-or-later
// One thing that the core has to say about a file, a model, a record or a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

enum class Severity { Note, Warning, Error };

/// Stable diagnostic codes. The rows (enumerator, id, rule, hint) stand in diagnostic_codes.def.
enum class Code : std::uint16_t {
#define PLUMBLINE_CODE(name, id, rule, hint) name,
#include "core/base/diagnostic_codes.def"
#undef PLUMBLINE_CODE
};

struct CodeInfo {
    Code code;
    std::string_view name; ///< the enumerator, "Stride"
    std::string_view id;   ///< what users see and may filter by, "P0-L017"
    std::string_view rule; ///< the rule that is broken, one sentence
    std::string_view hint; ///< what usually helps; may be empty
};

/// Every code, in the order of the enumeration.
std::span<const CodeInfo> allCodes();
const CodeInfo& codeInfo(Code code);

/// Where a diagnostic points; every part is optional.
struct Location {
    std::string file;                          ///< a path as the user gave it
    std::string part;                          ///< place inside the file, "subgraphs[0].tensors[3]"
    std::optional<std::uint64_t> byte;         ///< byte offset in the file or region
    std::optional<std::int64_t> operatorIndex; ///< index in the main graph, zero-based
    std::optional<std::int64_t> tensor;        ///< index in the main graph, zero-based
    std::optional<std::int64_t> record;        ///< descriptor index, zero-based
    std::optional<std::int64_t> word;          ///< word of the record, zero-based
    std::optional<std::int64_t> relocation;    ///< index in the relocation list, zero-based
    bool operator==(const Location&) const = default;
};

struct Diagnostic {
    Severity severity = Severity::Error;
    Code code{};
    std::string message; ///< one sentence with the values in it, no trailing newline
    std::string hint;    ///< may be empty
    Location where;
    bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// An error of `code` with the code's own hint.
Diagnostic makeError(Code code, std::string message, Location where = {});
Diagnostic makeWarning(Code code, std::string message, Location where = {});
Diagnostic makeNote(Code code, std::string message, Location where = {});

bool hasErrors(std::span<const Diagnostic> diagnostics);

/// "error", "warning" or "note".
std::string_view severityName(Severity severity);

/// The place as text, "model.tflite: operator 3, record 2, word 12"; empty when nothing is known.
std::string placeText(const Location& where);

/// One diagnostic for a terminal: `error P0-L017 at operator 3: message` and, on a line of its own,
/// the hint.
std::string toText(const Diagnostic& diagnostic);

} // namespace plumbline
