// SPDX-License-Identifier: GPL-3.0-or-later
// plumb diff: two packages, or two traces, or a trace against a package's reference digests.
#include "core/compare/diff.h"

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/run.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/artifacts/trace_io.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct DiffOptions {
    std::string first;
    std::string second;
};

Trace openTrace(const std::string& path) {
    Result<Trace> trace = loadTrace(path);
    if (!trace)
        throw Failure(inFile(std::move(trace).diagnostics(), path));
    return *std::move(trace);
}

/// A damaged package can still be compared: what is wrong with it goes to standard error.
Package openForDiff(const std::string& path, Console& console) {
    Package package = openPackage(path);
    console.report(inFile(package.diagnostics, path));
    return package;
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

Json differenceJson(const PackageDifference& d) {
    return {{"kind", d.kind},
            {"operator", orNull(d.operatorIndex)},
            {"record", orNull(d.record)},
            {"word", orNull(d.word)},
            {"key", d.key},
            {"ours", d.ours},
            {"theirs", d.theirs}};
}

/// The start of a long value: a table is for looking, --json has all of it.
std::string startOf(const std::string& text) {
    constexpr std::size_t kShown = 40;
    if (text.size() <= kShown)
        return text;
    std::size_t end = kShown;
    while (end > 0 && (text[end] & 0xC0) == 0x80) // not inside a UTF-8 sequence
        --end;
    return text.substr(0, end) + "...";
}

std::string numberText(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : "-";
}

ExitCode diffAsPackages(const DiffOptions& options, Console& console) {
    const Package first = openForDiff(options.first, console);
    const Package second = openForDiff(options.second, console);
    const std::vector<PackageDifference> found =
        diffPackages(first, second, npuP0Target().fields());
    if (console.json) {
        Json differences = Json::array();
        for (const PackageDifference& d : found)
            differences.push_back(differenceJson(d));
        console.writeJson({{"ok", true},
                           {"kind", "packages"},
                           {"equal", found.empty()},
                           {"differences", std::move(differences)}});
    } else if (found.empty()) {
        console.write("The packages are equal.\n");
    } else {
        Table table({{"Kind"},
                     {"Operator", Table::Align::Right},
                     {"Record", Table::Align::Right},
                     {"Word", Table::Align::Right},
                     {"Key"},
                     {"First"},
                     {"Second"}});
        for (const PackageDifference& d : found)
            table.add({d.kind, numberText(d.operatorIndex), numberText(d.record),
                       numberText(d.word), startOf(d.key), startOf(d.ours), startOf(d.theirs)});
        console.write(table.text());
        console.print("\n{}\n", counted(found.size(), "difference"));
    }
    return found.empty() ? ExitCode::Ok : ExitCode::Mismatch;
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

ExitCode runDiff(const DiffOptions& options, Console& console) {
    const bool packages = isPackagePath(options.first) && isPackagePath(options.second);
    return packages ? diffAsPackages(options, console) : diffAsTraces(options, console);
}

} // namespace

void addDiff(Program& program) {
    Command command(program, "diff",
                    "Compare two packages, two traces, or a trace with a package's reference",
                    "plumb diff layers model.p0");
    auto options = std::make_shared<DiffOptions>();
    command.positional("A", options->first, "A package or trace directory");
    command.positional("B", options->second, "A package or trace directory");
    command.action(std::move(options), runDiff);
}

} // namespace plumbline::cli
