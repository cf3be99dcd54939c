// SPDX-License-Identifier: GPL-3.0-or-later
// plumb diff of models and packages, each as a lowering; two packages also by what npu.json says
// beyond that.
#include <algorithm>

#include "app/cli/diagnostic_json.h"
#include "app/cli/diff.h"
#include "app/cli/filter_option.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/compare/diff.h"
#include "core/compare/lowering_diff.h"
#include "core/document/package_lowering.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

/// One side of the comparison.
struct Side {
    std::optional<Package> package;
    LoweringPtr lowering;
};

Side openSide(const std::string& path, Console& console) {
    Side side;
    if (isPackagePath(path)) {
        side.package = openForDiff(path, console);
        side.lowering = loweringOfPackage(*side.package, npuP0Target());
    } else {
        side.lowering = lowerModel(openModel(path, console), path, console);
    }
    return side;
}

/// Everything that differs and is asked for.
struct Differences {
    std::vector<LoweringChange> changes;
    std::vector<PackageDifference> inManifest;
    std::size_t addressShifts = 0; ///< shown or not

    std::size_t count() const { return changes.size() + inManifest.size(); }
};

bool contains(const std::vector<bool>& chosen, const std::optional<std::int64_t>& index) {
    return index && chosen[static_cast<std::size_t>(*index)];
}

Differences differencesOf(const Side& first, const Side& second, const DiffOptions& options) {
    LoweringDiff diff = diffLowerings(*first.lowering, *second.lowering);
    Differences found;
    if (first.package && second.package)
        found.inManifest = diffPackages(*first.package, *second.package, diff);
    found.changes = std::move(diff.changes);
    if (!options.filter.empty()) {
        const Filter filter = filterOption(options.filter);
        const std::vector<bool> ours = chosenOperators(filter, *first.lowering);
        const std::vector<bool> theirs = chosenOperators(filter, *second.lowering);
        std::erase_if(found.changes, [&](const LoweringChange& c) {
            return !contains(ours, c.firstOperator) && !contains(theirs, c.secondOperator);
        });
        std::erase_if(found.inManifest,
                      [&](const PackageDifference& d) { return !contains(ours, d.operatorIndex); });
    }
    const auto isShift = [](const LoweringChange& c) { return c.isAddressShift; };
    found.addressShifts = static_cast<std::size_t>(
        std::count_if(found.changes.begin(), found.changes.end(), isShift));
    if (options.hideShifts)
        std::erase_if(found.changes, isShift);
    return found;
}

/// A relocation has a kind of its own here; the engine counts it among the addresses.
std::string kindText(const LoweringChange& c) {
    return c.key.starts_with("relocations") ? "relocation" : std::string(changeKindName(c.kind));
}

Json differenceJson(const LoweringChange& c) {
    return {{"kind", kindText(c)},
            {"operator", orNull(c.firstOperator)},
            {"record", orNull(c.firstRecord)},
            {"word", orNull(c.word)},
            {"key", c.key},
            {"ours", c.first},
            {"theirs", c.second},
            {"operator_theirs", orNull(c.secondOperator)},
            {"record_theirs", orNull(c.secondRecord)},
            {"offset", orNull(c.firstOffset)},
            {"offset_theirs", orNull(c.secondOffset)},
            {"consequence", c.consequence},
            {"address_shift", c.isAddressShift}};
}

Json differenceJson(const PackageDifference& d) {
    LoweringChange bare;
    bare.firstOperator = bare.secondOperator = d.operatorIndex;
    bare.key = d.key;
    bare.first = d.ours;
    bare.second = d.theirs;
    Json made = differenceJson(bare);
    made["kind"] = d.kind;
    return made;
}

/// The start of a long value: a table is for looking, --json has all of it.
std::string startOf(const std::string& text) {
    constexpr std::size_t kShown = 40;
    const std::string safe = printable(text);
    if (safe.size() <= kShown)
        return safe;
    std::size_t end = kShown;
    while (end > 0 && (safe[end] & 0xC0) == 0x80) // not inside a UTF-8 sequence
        --end;
    return safe.substr(0, end) + "...";
}

/// "3", or "3 > 4" where the numbers of both sides differ.
std::string numbersText(const std::optional<std::int64_t>& first,
                        const std::optional<std::int64_t>& second) {
    return first == second ? numberText(first) : numberText(first) + " > " + numberText(second);
}

std::string tableText(const Differences& found) {
    Table table({{"Kind"},
                 {"Operator", Table::Align::Right},
                 {"Record", Table::Align::Right},
                 {"Word", Table::Align::Right},
                 {"Key"},
                 {"First"},
                 {"Second"},
                 {"Consequence"}});
    for (const LoweringChange& c : found.changes) {
        const std::string place =
            c.firstOffset ? fmt::format("{} at 0x{:x}", c.key, *c.firstOffset) : c.key;
        table.add({kindText(c), numbersText(c.firstOperator, c.secondOperator),
                   numbersText(c.firstRecord, c.secondRecord), numberText(c.word), startOf(place),
                   startOf(c.first), startOf(c.second), c.consequence});
    }
    for (const PackageDifference& d : found.inManifest)
        table.add({d.kind, numberText(d.operatorIndex), "-", "-", startOf(d.key), startOf(d.ours),
                   startOf(d.theirs), ""});
    return table.empty() ? "" : table.text() + "\n";
}

void printText(const Differences& found, const DiffOptions& options, bool arePackages,
               Console& console) {
    if (found.count() > 0)
        console.print("{}{}\n", tableText(found), counted(found.count(), "difference"));
    else if (options.filter.empty())
        console.print("The {} are equal.\n", arePackages ? "packages" : "lowerings");
    else
        console.write("What the filter takes is equal.\n");
    if (found.addressShifts > 0)
        console.print("{}{}\n", counted(found.addressShifts, "address shift"),
                      options.hideShifts ? " hidden" : " among them");
}

} // namespace

ExitCode diffAsLowerings(const DiffOptions& options, Console& console) {
    const Side first = openSide(options.first, console);
    const Side second = openSide(options.second, console);
    const bool arePackages = first.package && second.package;
    const Differences found = differencesOf(first, second, options);
    if (console.json) {
        Json differences = Json::array();
        for (const LoweringChange& c : found.changes)
            differences.push_back(differenceJson(c));
        for (const PackageDifference& d : found.inManifest)
            differences.push_back(differenceJson(d));
        console.writeJson({{"ok", true},
                           {"kind", arePackages ? "packages" : "lowerings"},
                           {"equal", found.count() == 0},
                           {"address_shifts", found.addressShifts},
                           {"differences", std::move(differences)}});
    } else {
        printText(found, options, arePackages, console);
    }
    return found.count() == 0 ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace plumbline::cli
