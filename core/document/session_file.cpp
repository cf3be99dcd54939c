// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions as JSON files.
#include "core/artifacts/json_reader.h"
#include "core/base/file.h"
#include "core/document/open_request.h"

namespace plumbline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxSessionBytes = std::uint64_t{1} << 20;
constexpr int kSessionVersion = 1;
constexpr std::string_view kKeys[] = {
    "plumbline_session", "path",   "sample", "input", "seed", "reference", "sha256",
    "selection",         "filter", "heat",   "edits"};

json pathJson(const fs::path& path, const fs::path& folder) {
    if (path.empty())
        return nullptr;
    std::error_code error;
    const fs::path relative = fs::relative(fs::absolute(path, error), folder, error);
    return error || relative.empty() ? path.string() : relative.generic_string();
}

json textJson(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

std::string text(const JsonValue& root, std::string_view key) {
    const JsonValue value = root.member(key);
    return value.exists() && !value.isNull() ? value.text().value_or("") : "";
}

fs::path path(const JsonValue& root, std::string_view key, const fs::path& folder) {
    const std::string relative = text(root, key);
    return relative.empty() ? fs::path() : (folder / relative).lexically_normal();
}

/// A session from before experiments has none.
void takeEdits(const JsonValue& root, SessionFile& session) {
    const JsonValue edits = root.optionalMember("edits");
    if (!edits.exists() || edits.isNull())
        return;
    for (const JsonValue& edit : edits.items().value_or(std::vector<JsonValue>{}))
        session.edits.push_back(edit.text().value_or(""));
}

} // namespace

Status writeSession(const fs::path& file, const SessionFile& session) {
    std::error_code error;
    const fs::path folder = fs::absolute(file, error).parent_path();
    const OpenRequest& request = session.request;
    const json made{{"plumbline_session", kSessionVersion},
                    {"path", pathJson(request.path, folder)},
                    {"sample", textJson(request.sample)},
                    {"input", pathJson(request.input, folder)},
                    {"seed", request.seed},
                    {"reference", pathJson(request.reference, folder)},
                    {"sha256", textJson(session.modelSha256)},
                    {"selection", textJson(session.selection)},
                    {"filter", textJson(session.filter)},
                    {"heat", textJson(session.heat)},
                    {"edits", session.edits}};
    // Paths may hold any bytes; what is not UTF-8 cannot stand in JSON.
    return writeFileAtomically(file,
                               made.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

Result<SessionFile> readSession(const fs::path& file) {
    const Result<Bytes> bytes = readFile(file, kMaxSessionBytes);
    if (!bytes)
        return bytes.diagnostics();
    const Result<json> parsed = parseJson(*bytes, file.string(), Code::BadSession);
    if (!parsed)
        return parsed.diagnostics();
    JsonReport report;
    report.file = file.string();
    report.missingKey = report.unknownKey = report.badValue = Code::BadSession;
    const JsonValue root(*parsed, report);
    root.allowOnly(kKeys);
    const fs::path folder = fs::absolute(file).parent_path();
    SessionFile session;
    const auto version = root.member("plumbline_session").integer(1, kSessionVersion);
    session.request.path = path(root, "path", folder);
    session.request.sample = text(root, "sample");
    session.request.input = path(root, "input", folder);
    session.request.reference = path(root, "reference", folder);
    const JsonValue seed = root.member("seed");
    if (seed.exists() && seed.json().is_number_unsigned())
        session.request.seed = seed.json().get<std::uint64_t>();
    else if (seed.exists())
        seed.report("The seed is a natural number.");
    session.modelSha256 = text(root, "sha256");
    session.selection = text(root, "selection");
    session.filter = text(root, "filter");
    session.heat = text(root, "heat");
    takeEdits(root, session);
    if (version && session.request.path.empty() == session.request.sample.empty())
        root.report("A session names either a path or a sample.");
    if (hasErrors(report.diagnostics))
        return std::move(report.diagnostics);
    return session;
}

} // namespace plumbline
