// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/diagnostic.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr CodeInfo kCodes[] = {
#define PLUMBLINE_CODE(name, id, rule, hint) {Code::name, #name, id, rule, hint},
#include "core/base/diagnostic_codes.def"
#undef PLUMBLINE_CODE
};

Diagnostic make(Severity severity, Code code, std::string message, Location where) {
    return {severity, code, std::move(message), std::string(codeInfo(code).hint), std::move(where)};
}

} // namespace

std::span<const CodeInfo> allCodes() { return kCodes; }

const CodeInfo& codeInfo(Code code) { return kCodes[static_cast<std::size_t>(code)]; }

Diagnostic makeError(Code code, std::string message, Location where) {
    return make(Severity::Error, code, std::move(message), std::move(where));
}

Diagnostic makeWarning(Code code, std::string message, Location where) {
    return make(Severity::Warning, code, std::move(message), std::move(where));
}

Diagnostic makeNote(Code code, std::string message, Location where) {
    return make(Severity::Note, code, std::move(message), std::move(where));
}

bool hasErrors(std::span<const Diagnostic> diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

std::string_view severityName(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "";
}

std::string placeText(const Location& where) {
    std::vector<std::string> parts;
    const auto add = [&parts](std::string_view what, const auto& index) {
        if (index)
            parts.push_back(fmt::format("{} {}", what, *index));
    };
    if (!where.part.empty())
        parts.push_back(where.part);
    add("operator", where.operatorIndex);
    add("tensor", where.tensor);
    add("record", where.record);
    add("word", where.word);
    add("relocation", where.relocation);
    add("byte", where.byte);
    const std::string inside = fmt::format("{}", fmt::join(parts, ", "));
    if (where.file.empty())
        return inside;
    return inside.empty() ? where.file : where.file + ": " + inside;
}

std::string toText(const Diagnostic& diagnostic) {
    const std::string place = placeText(diagnostic.where);
    std::string text = fmt::format("{} {}{}{}: {}", severityName(diagnostic.severity),
                                   codeInfo(diagnostic.code).id, place.empty() ? "" : " at ", place,
                                   diagnostic.message);
    if (!diagnostic.hint.empty())
        text += "\n  hint: " + diagnostic.hint;
    return text;
}

} // namespace plumbline
