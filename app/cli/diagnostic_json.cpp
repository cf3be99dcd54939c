// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diagnostic_json.h"

namespace plumbline::cli {
namespace {

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

} // namespace

Json diagnosticJson(const Diagnostic& diagnostic) {
    const CodeInfo& info = codeInfo(diagnostic.code);
    const Location& where = diagnostic.where;
    return {{"severity", severityName(diagnostic.severity)},
            {"code", info.id},
            {"name", info.name},
            {"message", diagnostic.message},
            {"hint", textOrNull(diagnostic.hint)},
            {"operator", orNull(where.operatorIndex)},
            {"record", orNull(where.record)},
            {"word", orNull(where.word)},
            {"relocation", orNull(where.relocation)},
            {"tensor", orNull(where.tensor)},
            {"byte", orNull(where.byte)},
            {"file", textOrNull(where.file)},
            {"part", textOrNull(where.part)}};
}

Json diagnosticsJson(const Diagnostics& diagnostics) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : diagnostics)
        list.push_back(diagnosticJson(diagnostic));
    return list;
}

Json failureJson(const Diagnostics& diagnostics) {
    return {{"ok", false}, {"diagnostics", diagnosticsJson(diagnostics)}};
}

Json faultJson(const std::optional<Fault>& fault) {
    if (!fault)
        return nullptr;
    return {{"code", static_cast<int>(fault->code)},   {"stage", fault->stage},
            {"record", orNull(fault->record)},         {"word", orNull(fault->word)},
            {"relocation", orNull(fault->relocation)}, {"reason", fault->reason}};
}

} // namespace plumbline::cli
