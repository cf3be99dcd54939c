// SPDX-License-Identifier: GPL-3.0-or-later
// plumb dump: what stands in a package (or in what a model lowers to).
#include "app/cli/dump.h"

#include "app/cli/commands.h"
#include "app/cli/filter_option.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/document/package_lowering.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct DumpOptions {
    std::string subject;
    std::optional<std::uint64_t> record;
    std::string region;
    std::string range;
    std::string filter;
};

/// "A:B", half-open; a missing A is 0, a missing B the region's end.
ByteRange parseRange(const std::string& text, std::uint64_t size) {
    ByteRange range{0, size};
    const std::size_t colon = text.find(':');
    if (text.empty())
        return range;
    const auto part = [&text](std::string_view digits, std::uint64_t missing) {
        const auto value = digits.empty() ? std::optional(missing) : parseNumber(digits);
        if (!value)
            failUsage(fmt::format("--range '{}' is not A:B.", text));
        return *value;
    };
    if (colon == std::string::npos)
        failUsage(fmt::format("--range '{}' is not A:B.", text));
    range.begin = part(std::string_view(text).substr(0, colon), 0);
    range.end = part(std::string_view(text).substr(colon + 1), size);
    if (range.begin > range.end || range.end > size)
        failUsage(fmt::format("--range {} does not lie inside the region's 0:{}.", text, size));
    return range;
}

/// What is dumped: the job of a package, damaged or not, or of a model's lowering.
struct Opened {
    Job job;
    LoweringPtr lowering;
};

Opened openJob(const std::string& path, Console& console) {
    const Subject subject = openSubject(path, console);
    if (!subject.package) {
        LoweringPtr lowering = lowerModel(subject.model, path, console);
        return {jobOf(*lowering), lowering};
    }
    console.report(inFile(subject.package->diagnostics, path));
    return {subject.package->job, loweringOfPackage(*subject.package, npuP0Target())};
}

std::int64_t checkedRecord(const DumpSource& source, std::uint64_t record) {
    const auto count = static_cast<std::uint64_t>(source.records());
    if (record >= count)
        failUsage(fmt::format("There is no record {}: the job has {}.", record, count));
    return static_cast<std::int64_t>(record);
}

void dumpRegion(const DumpSource& source, const DumpOptions& options, Console& console) {
    const ByteView region = regionBytes(source.job(), options.region);
    const ByteRange range = parseRange(options.range, region.size());
    const auto count = static_cast<std::size_t>(range.end - range.begin);
    if (console.json)
        console.writeJson(
            {{"ok", true},
             {"region", options.region},
             {"range", {range.begin, range.end}},
             {"hex", toHex(region.subspan(static_cast<std::size_t>(range.begin), count))}});
    else
        console.write(hexText(region, range));
}

/// One record's part of a region.
void dumpPart(const DumpSource& source, const DumpOptions& options, std::int64_t record,
              Console& console) {
    const bool weights = options.region == "weights";
    if (!weights && options.region != "params")
        failUsage("With --record, --region is weights or params.");
    if (!options.range.empty())
        failUsage("--range selects bytes of a whole region; it does not go with --record.");
    if (console.json)
        console.writeJson(weights ? packedWeightsJson(source, record) : paramsJson(source, record));
    else
        console.write(weights ? packedWeightsText(source, record) : paramsText(source, record));
}

void dumpRecords(const DumpSource& source, const std::vector<std::int64_t>& indices,
                 Console& console) {
    Json records = Json::array();
    for (const std::int64_t i : indices) {
        if (console.stopRequested())
            failCancelled();
        if (console.json)
            records.push_back(recordJson(source, i));
        else
            console.write((i > indices.front() ? "\n" : "") + recordText(source, i));
    }
    if (console.json)
        console.writeJson({{"ok", true},
                           {"table", npuP0Target().fields().name},
                           {"records", std::move(records)}});
}

/// The records that the filter takes, in order.
std::vector<std::int64_t> chosenIndices(const Filter& filter, const Lowering& lowering) {
    const std::vector<bool> chosen = chosenRecords(filter, lowering);
    std::vector<std::int64_t> indices;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i])
            indices.push_back(static_cast<std::int64_t>(i));
    }
    return indices;
}

ExitCode runDump(const DumpOptions& options, Console& console) {
    if (!options.range.empty() && options.region.empty())
        failUsage("--range needs --region.");
    if (!options.filter.empty() && (options.record || !options.region.empty()))
        failUsage(
            "--filter chooses among all records; it goes with neither --record nor --region.");
    const Filter filter = filterOption(options.filter);
    const Opened opened = openJob(options.subject, console);
    const DumpSource source(opened.job);
    if (!options.record && !options.region.empty()) {
        dumpRegion(source, options, console);
        return ExitCode::Ok;
    }
    if (!options.record) {
        dumpRecords(source, chosenIndices(filter, *opened.lowering), console);
        return ExitCode::Ok;
    }
    const std::int64_t record = checkedRecord(source, *options.record);
    if (options.region.empty())
        dumpRecords(source, {record}, console);
    else
        dumpPart(source, options, record, console);
    return ExitCode::Ok;
}

} // namespace

void addDump(Program& program) {
    Command command(program, "dump", "Show records by field, or bytes of a region",
                    "plumb dump model.p0 --record 3 --region weights");
    auto options = std::make_shared<DumpOptions>();
    command.positional("DIR|MODEL", options->subject, "A package directory or a TFLite model");
    command.number("--record", options->record, "Only this record (default: all)");
    command.text(
        "--region", options->region, "descriptors|weights|params",
        "Bytes of descriptors, weights or params; with --record the record's packed weights "
        "or parameters");
    command.text("--range", options->range, "A:B",
                 "Only these bytes of the region: first, and one past the last");
    addFilterOption(command, options->filter);
    command.action(std::move(options), runDump);
}

} // namespace plumbline::cli
