// SPDX-License-Identifier: GPL-3.0-or-later
// plumb diff of traces.
#include "core/compare/diff.h"

#include "app/cli/diagnostic_json.h"
#include "app/cli/diff.h"
#include "app/cli/run.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/artifacts/trace_io.h"

namespace plumbline::cli {
namespace {

Trace openTrace(const std::string& path) {
    Result<Trace> trace = loadTrace(path);
    if (!trace)
        throw Failure(inFile(std::move(trace).diagnostics(), path));
    return *std::move(trace);
}

/// The trace directory's trace, or the reference digests of a package.
Trace traceAt(const std::string& path, Console& console) {
    if (!isPackagePath(path))
        return openTrace(path);
    Trace reference = referenceTrace(openForDiff(path, console));
    if (reference.layers.empty())
        throw Failure(inFile(
            {makeError(Code::BadTrace, "The package has no reference digests; compile it with "
                                       "--input or --seed.")},
            path));
    return reference;
}

Json differenceJson(const LayerDifference& d) {
    Json first = nullptr;
    if (d.first)
        first = {{"h", d.first->h},         {"w", d.first->w},       {"c", d.first->c},
                 {"index", d.first->index}, {"ours", d.first->ours}, {"theirs", d.first->theirs}};
    const auto digest = [](const std::string& text) {
        return text.empty() ? Json(nullptr) : Json(text);
    };
    return {{"operator", d.operatorIndex},
            {"name", d.name},
            {"what", d.what},
            {"ours_sha256", digest(d.oursSha256)},
            {"theirs_sha256", digest(d.theirsSha256)},
            {"mismatches", orNull(d.mismatches)},
            {"first", std::move(first)},
            {"max_abs", orNull(d.maxAbs)}};
}

std::string firstText(const LayerDifference& d) {
    if (!d.first)
        return "-";
    return fmt::format("[{},{},{}] {} / {}", d.first->h, d.first->w, d.first->c, d.first->ours,
                       d.first->theirs);
}

std::string traceDiffText(const TraceDiff& diff) {
    if (diff.equal())
        return fmt::format("The traces are equal in {}.\n",
                           counted(static_cast<std::uint64_t>(diff.compared), "layer"));
    Table table({{"Operator", Table::Align::Right},
                 {"Name"},
                 {"What"},
                 {"Elements", Table::Align::Right},
                 {"Max", Table::Align::Right},
                 {"First element"},
                 {"First"},
                 {"Second"}});
    for (const LayerDifference& d : diff.layers)
        table.add({std::to_string(d.operatorIndex), d.name, d.what, numberText(d.mismatches),
                   numberText(d.maxAbs), firstText(d), shortDigest(d.oursSha256),
                   shortDigest(d.theirsSha256)});
    return table.text() + fmt::format("\n{} with a difference, {} compared\n",
                                      counted(diff.layers.size(), "layer"), diff.compared);
}

} // namespace

ExitCode diffAsTraces(const DiffOptions& options, Console& console) {
    const Trace first = traceAt(options.first, console);
    const Trace second = traceAt(options.second, console);
    const TraceDiff diff = diffTraces(first, second);
    if (console.json) {
        Json differences = Json::array();
        for (const LayerDifference& d : diff.layers)
            differences.push_back(differenceJson(d));
        console.writeJson({{"ok", true},
                           {"kind", "traces"},
                           {"equal", diff.equal()},
                           {"compared", diff.compared},
                           {"differences", std::move(differences)}});
    } else {
        console.write(traceDiffText(diff));
    }
    return diff.equal() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace plumbline::cli
