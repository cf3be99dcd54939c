// SPDX-License-Identifier: GPL-3.0-or-later
// plumb report: everything that is known of a model, package or trace, as a page or as data.
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/ranges.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/filter_option.h"
#include "app/cli/table.h"
#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/export/report_content.h"
#include "core/export/report_formats.h"
#include "core/lowering/target.h"
#include "core/report/p0_report.h"

namespace plumbline::cli {
namespace {

enum class Format : std::uint8_t { Html, Json, Csv, Markdown };

struct NamedFormat {
    Format format;
    std::string_view name;
    std::array<std::string_view, 2> extensions; ///< in small letters
};
constexpr std::array kFormats{NamedFormat{Format::Html, "html", {".html", ".htm"}},
                              NamedFormat{Format::Json, "json", {".json", ".json"}},
                              NamedFormat{Format::Csv, "csv", {".csv", ".csv"}},
                              NamedFormat{Format::Markdown, "markdown", {".md", ".markdown"}}};

struct ReportCommand {
    std::string subject;
    InputChoice input;
    std::string reference;
    std::string filter;
    std::string format;
    std::string table;
    std::string output;
};

const NamedFormat& namedFormat(std::string_view name) {
    for (const NamedFormat& format : kFormats)
        if (format.name == name)
            return format;
    failUsage(fmt::format("--format '{}' is neither html, json, csv nor markdown.", name));
}

const NamedFormat& formatOf(const ReportCommand& options) {
    if (!options.format.empty())
        return namedFormat(options.format);
    if (options.output.empty())
        return kFormats.front();
    std::string extension = std::filesystem::path(options.output).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (const NamedFormat& format : kFormats)
        for (const std::string_view known : format.extensions)
            if (extension == known)
                return format;
    failUsage(fmt::format("The extension of '{}' says no format; give --format html, json, csv or "
                          "markdown.",
                          options.output));
}

/// The P0 report is asked for, not a table.
bool isP0Report(const ReportCommand& options, Format format) {
    return format == Format::Json && options.table.empty();
}

void checkOptions(const ReportCommand& options, const NamedFormat& format, const Console& console) {
    checkInputChoice(options.input, false);
    if (isP0Report(options, format.format) && !options.filter.empty())
        failUsage(
            "--filter goes with html, markdown and tables; the P0 report has every operator.");
    const bool isPage = format.format == Format::Html || format.format == Format::Markdown;
    if (isPage && !options.table.empty())
        failUsage("--table goes with --format csv or json.");
    if (!options.output.empty())
        return;
    if (console.json)
        failUsage("--json tells about the file that was written; give -o FILE.");
    if (isPage && ::isatty(STDOUT_FILENO) == 1)
        failUsage("A page is not for a terminal; give -o FILE.");
}

OpenRequest requestOf(const ReportCommand& options) {
    OpenRequest request;
    // The title is the last part of the path, also of "." and "..".
    std::error_code error;
    request.path = std::filesystem::absolute(options.subject, error).lexically_normal();
    if (error) // of an empty path, or in a folder that is gone
        request.path = options.subject;
    request.input = options.input.file;
    request.seed = options.input.seed.value_or(1);
    request.reference = options.reference;
    return request;
}

/// Whether the file `output` is `path`, or one of those that are read when `path` is named: a
/// package's, a trace's, or tensors in a folder.
bool isReadWith(const std::filesystem::path& output, const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path written = std::filesystem::canonical(output, error);
    if (error) // there is none yet
        return false;
    const std::filesystem::path read = std::filesystem::canonical(path, error);
    if (error)
        return false;
    if (std::filesystem::equivalent(written, read, error))
        return true;
    const auto isIndex = [](const std::filesystem::path& name) {
        return name == "npu.json" || name == "trace.json";
    };
    const bool isOfFolder = isIndex(written.filename()) || written.extension() == ".bin" ||
                            written.extension() == ".npy";
    const std::filesystem::path folder = isIndex(read.filename()) ? read.parent_path() : read;
    return isOfFolder && written.parent_path() == folder;
}

void checkOutput(const ReportCommand& options) {
    if (options.output.empty())
        return;
    for (const std::string& path : {options.subject, options.input.file, options.reference})
        if (isReadWith(options.output, path))
            throw Failure(inFile(
                {makeError(Code::ForeignDirectory,
                           "The report would replace a file that it is made from; nothing was "
                           "written.")},
                options.output));
}

/// Options that do not go with what was opened.
void checkSubject(const ReportCommand& options, Format format, const Document& document) {
    if (document.kind == DocumentKind::Trace &&
        (options.input.given() || !options.reference.empty()))
        failUsage("A trace is neither run nor compared; --input, --seed and --reference go with a "
                  "model or a package.");
    if (document.kind == DocumentKind::Package && isP0Report(options, format) &&
        options.input.given())
        failUsage("A package's P0 report is the one that it holds; --input and --seed go with a "
                  "model, or with html, markdown and tables.");
}

/// What was asked for and cannot be had is a failure, not a gap in the report.
void checkInputs(const ReportCommand& options, const Document& document) {
    Diagnostics failures;
    const bool hasInput = options.input.file.empty() || !document.input.empty();
    for (const Diagnostic& d : document.diagnostics) {
        const bool isOfInput =
            !hasInput && d.where.file.ends_with(document.inputName) && !document.inputName.empty();
        const bool isOfReference =
            !options.reference.empty() && d.message == document.referenceProblem;
        if (d.severity == Severity::Error && (isOfInput || isOfReference))
            failures.push_back(d);
    }
    if (!failures.empty())
        throw Failure(std::move(failures));
}

/// With the digests of the run's input, as the window writes it.
std::string p0Text(const Document& document, Console& console) {
    return canonicalJson(valueOf(p0Report(document, !document.input.empty(), console.context())));
}

std::string textOf(const ReportCommand& options, Format format, const Filter& filter,
                   const Document& document, Console& console) {
    if (isP0Report(options, format))
        return p0Text(document, console);
    const ReportContent content = reportContent(document, filteredReport(document, filter));
    if (format == Format::Html)
        return htmlReport(content);
    if (format == Format::Markdown)
        return markdownReport(content);
    const std::string name = options.table.empty() ? "operators" : options.table;
    const ReportTable* const table = content.table(name);
    if (table == nullptr)
        failUsage(fmt::format("The report has no table '{}'; it has {}.", name,
                              fmt::join(content.tableIds(), ", ")));
    return format == Format::Csv ? csvTable(*table) : canonicalJson(jsonTable(*table));
}

/// Its npu.json cannot be understood, which is a bad input to every command.
bool isUnreadablePackage(const Document& document) {
    return document.kind == DocumentKind::Package && document.file == nullptr;
}

ExitCode exitCodeOf(const Document& document) {
    if (isUnreadablePackage(document))
        return ExitCode::BadInput;
    switch (reportVerdict(document)) {
    case ReportVerdict::Refused:
        return ExitCode::BadInput;
    case ReportVerdict::Damaged:
    case ReportVerdict::Violates:
    case ReportVerdict::Fault:
    case ReportVerdict::Differs:
        return ExitCode::Mismatch;
    case ReportVerdict::Equal:
    case ReportVerdict::NotCompared:
        break;
    }
    return ExitCode::Ok;
}

void tell(const ReportCommand& options, const NamedFormat& format, const Document& document,
          const std::string& text, Console& console) {
    const ReportVerdict verdict = reportVerdict(document);
    if (!console.json) {
        console.print("{}: {} report, {}; {}\n", printable(options.output), format.name,
                      counted(text.size(), "byte"), reportVerdictName(verdict));
        return;
    }
    const auto* const data = reinterpret_cast<const std::uint8_t*>(text.data());
    console.writeJson({{"ok", exitCodeOf(document) == ExitCode::Ok},
                       {"path", options.output},
                       {"format", format.name},
                       {"table", options.table.empty() ? Json(nullptr) : Json(options.table)},
                       {"bytes", text.size()},
                       {"sha256", sha256Hex(ByteView(data, text.size()))},
                       {"verdict", reportVerdictName(verdict)},
                       {"diagnostics", diagnosticsJson(document.diagnostics)}});
}

ExitCode runReport(const ReportCommand& options, Console& console) {
    const NamedFormat& format = formatOf(options);
    checkOptions(options, format, console);
    const Filter filter = filterOption(options.filter);
    checkOutput(options);
    const DocumentPtr document =
        valueOf(openDocument(requestOf(options), npuP0Target(), console.context()));
    checkSubject(options, format.format, *document);
    checkInputs(options, *document);
    const std::string text = textOf(options, format.format, filter, *document, console);
    if (console.stopRequested())
        failCancelled();
    console.report(document->diagnostics);
    if (options.output.empty()) {
        console.write(text);
    } else {
        if (const Status written = writeFileAtomically(options.output, text); !written)
            throw Failure(inFile(written.diagnostics(), options.output));
        tell(options, format, *document, text, console);
    }
    return exitCodeOf(*document);
}

} // namespace

void addReport(Program& program) {
    Command command(program, "report",
                    "Write the report of a model, package or trace as a page or as data",
                    "plumb report model.tflite --seed 1 -o report.html");
    auto options = std::make_shared<ReportCommand>();
    command.positional("MODEL|DIR", options->subject,
                       "A TFLite model, a package or a trace directory");
    command.input(options->input);
    command.text("--reference", options->reference, "REF",
                 "What to compare with, as in run (default: the reference kernels, or the digests "
                 "of a package)");
    addFilterOption(command, options->filter);
    command.text("--format", options->format, "html|json|csv|markdown",
                 "Default: what the extension of FILE says; html for standard output");
    command.text("--table", options->table, "NAME",
                 "For csv (default operators) and json (default: the whole P0 report)");
    command.text("-o,--output", options->output, "FILE",
                 "The file to write (default: standard output)");
    command.action(std::move(options), runReport);
}

} // namespace plumbline::cli
