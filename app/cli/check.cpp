// SPDX-License-Identifier: GPL-3.0-or-later
// plumb check: a package, or single records, against every rule of the contract.
#include <algorithm>
#include <fstream>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct CheckOptions {
    std::string package;
    std::string records;
};

ExitCode checkDirectory(const std::string& path, Console& console) {
    const Package package = openPackage(path);
    const Diagnostics found = checkPackage(package, npuP0Target());
    const auto findings =
        static_cast<std::size_t>(std::count_if(found.begin(), found.end(), [](const Diagnostic& d) {
            // A stated number that a record contradicts misleads people, not the executor.
            return d.severity != Severity::Note && d.code != Code::RecordDiffers;
        }));
    console.report(found);
    if (findings > 0) {
        if (console.json)
            console.writeJson(failureJson(found));
        else
            console.print("{}: {}\n", printable(path), counted(findings, "finding"));
        return ExitCode::Mismatch;
    }
    const std::size_t records = package.job.descriptors.size() / npuP0Target().fields().recordBytes;
    if (console.json)
        console.writeJson({{"ok", true},
                           {"workload", package.workload},
                           {"records", records},
                           {"relocations", package.job.relocations.size()},
                           {"diagnostics", diagnosticsJson(found)}});
    else
        console.print("{}: clean; {}, {}\n", printable(path), counted(records, "record"),
                      counted(package.job.relocations.size(), "relocation"));
    return ExitCode::Ok;
}

/// One line of a record file.
struct RecordLine {
    Bytes record;
    std::optional<AddressRange> descriptorArray;
};

/// The largest line that is read, and the largest address or size in one: sums of two stay exact.
constexpr std::size_t kMaxLine = std::size_t{1} << 20;
constexpr std::uint64_t kMaxAddress = std::uint64_t{1} << 53;

std::optional<std::uint64_t> addressIn(const nlohmann::json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMaxAddress)
        return std::nullopt;
    return value.get<std::uint64_t>();
}

/// What is wrong with the line; empty when `line` was filled.
std::string parseRecordLine(const std::string& text, RecordLine& line) {
    const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    if (!value.is_object())
        return "it is no JSON object";
    const std::size_t digits = npuP0Target().fields().recordBytes * 2;
    const auto hex = value.find("hex");
    if (hex == value.end() || !hex->is_string() ||
        hex->get_ref<const std::string&>().size() != digits)
        return fmt::format("\"hex\" is no text of {} digits", digits);
    std::optional<Bytes> record = fromHex(hex->get_ref<const std::string&>());
    if (!record)
        return "\"hex\" holds something else than hexadecimal digits";
    line.record = *std::move(record);
    line.descriptorArray.reset();
    const auto region = value.find("region");
    if (region == value.end() || region->is_null())
        return "";
    const char* const expected = "\"region\" is neither null nor [base, bytes]";
    if (!region->is_array() || region->size() != 2)
        return expected;
    const auto base = addressIn((*region)[0]);
    const auto bytes = addressIn((*region)[1]);
    if (!base || !bytes)
        return expected;
    line.descriptorArray = AddressRange{*base, *bytes};
    return "";
}

Json verdictJson(const std::optional<RecordViolation>& violation) {
    if (!violation)
        return {{"ok", true}};
    return {{"ok", false},
            {"code", static_cast<int>(violation->code)},
            {"word", orNull(violation->word)},
            {"message", violation->message}};
}

/// The next line; false at the end of the file.
bool nextLine(std::istream& in, std::string& line) {
    line.clear();
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        if (c == '\n')
            return true;
        if (line.size() <= kMaxLine)
            line.push_back(static_cast<char>(c));
    }
    return !line.empty();
}

ExitCode checkRecords(std::istream& in, const std::string& name, Console& console) {
    ExitCode code = ExitCode::Ok;
    std::string text;
    RecordLine line;
    for (std::uint64_t number = 1; nextLine(in, text); ++number) {
        if (console.stopRequested())
            failCancelled();
        std::string problem = text.size() > kMaxLine ? fmt::format("it is longer than {}", kMaxLine)
                                                     : parseRecordLine(text, line);
        if (!problem.empty()) {
            Location where;
            where.file = name;
            where.part = fmt::format("line {}", number);
            throw Failure(makeError(Code::BadRecordLine,
                                    fmt::format("The line cannot be checked: {}.", problem),
                                    where));
        }
        const auto violation = npuP0Target().checkRecord(line.record, line.descriptorArray);
        if (violation)
            code = ExitCode::Mismatch;
        console.writeJson(verdictJson(violation));
    }
    if (in.bad())
        throw Failure(inFile({makeError(Code::FileUnreadable, "Reading failed.")}, name));
    return code;
}

ExitCode runCheck(const CheckOptions& options, Console& console) {
    if (options.package.empty() == options.records.empty())
        failUsage("Give either a package directory or --records FILE.");
    if (!options.package.empty())
        return checkDirectory(options.package, console);
    if (options.records == "-")
        return checkRecords(std::cin, "standard input", console);
    std::ifstream in(options.records, std::ios::binary);
    if (!in || std::filesystem::is_directory(options.records))
        throw Failure(inFile({makeError(Code::FileUnreadable, "The file cannot be opened.")},
                             options.records));
    return checkRecords(in, options.records, console);
}

} // namespace

void addCheck(Program& program) {
    Command command(program, "check", "Check a package, or single records, against the contract",
                    "plumb check model.p0");
    auto options = std::make_shared<CheckOptions>();
    command.positional("DIR", options->package, "A package directory", Presence::Optional);
    command.text("--records", options->records, "FILE",
                 "Validate one record per line, {\"hex\": 256 digits, \"region\": [base, bytes] or "
                 "null}; - is standard input");
    command.action(std::move(options), runCheck);
}

} // namespace plumbline::cli
