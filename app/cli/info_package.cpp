// SPDX-License-Identifier: GPL-3.0-or-later
// What a package holds. The manifest of a damaged one may lack anything.
#include "app/cli/diagnostic_json.h"
#include "app/cli/dump.h"
#include "app/cli/filter_option.h"
#include "app/cli/info.h"
#include "app/cli/table.h"
#include "core/compare/diff.h"
#include "core/document/package_lowering.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

/// The member as text; "unknown" where it is missing or has no plain value.
std::string memberText(const nlohmann::json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || found->is_null() || found->is_structured())
        return "unknown";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string portText(const PortSummary& port) {
    return fmt::format("tensor {}, {} INT8, {}", port.tensor, toText(port.shape),
                       counted(port.bytes, "byte"));
}

std::string geometryText(const DumpSource& source, std::int64_t record, const char* h,
                         const char* w, const char* c) {
    return fmt::format("[{},{},{}]", source.field(record, h), source.field(record, w),
                       source.field(record, c));
}

std::string opcodeText(const DumpSource& source, std::int64_t record) {
    const FieldTable& table = npuP0Target().fields();
    return std::string(table.opcodeName(opcodeOf(source.record(record), table)));
}

std::string recordTable(const DumpSource& source, const std::vector<bool>& chosen) {
    Table table({{"Record", Table::Align::Right},
                 {"Operator", Table::Align::Right},
                 {"Name"},
                 {"Opcode"},
                 {"Input"},
                 {"Output"},
                 {"Verdict"}});
    for (std::int64_t i = 0; i < source.records(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!chosen[at])
            continue;
        const bool known = at < source.job().layers.size();
        table.add({std::to_string(i),
                   known ? std::to_string(source.job().layers[at].operatorIndex) : "-",
                   known ? source.job().layers[at].name : "-", opcodeText(source, i),
                   geometryText(source, i, "INPUT_H", "INPUT_W", "INPUT_C"),
                   geometryText(source, i, "OUTPUT_H", "OUTPUT_W", "OUTPUT_C"), source.verdict(i)});
    }
    return table.text();
}

std::string packageText(const Package& package, const std::string& path, const Filter& filter,
                        const std::vector<bool>& chosen) {
    const nlohmann::json& manifest = package.manifest;
    LabelledLines lines;
    lines.add("Package", path);
    lines.add("Workload", package.workload);
    lines.add("Model", "sha256 " + memberText(manifest, "source_model_sha256"));
    if (const auto compiler = manifest.find("compiler"); compiler != manifest.end())
        lines.add("Contract", memberText(*compiler, "contract"));
    if (const auto files = manifest.find("files"); files != manifest.end() && files->is_object()) {
        for (const auto& [name, file] : files->items())
            lines.add("File", fmt::format("{}, {} bytes, sha256 {}", name,
                                          memberText(file, "bytes"), memberText(file, "sha256")));
    }
    lines.add("Arena", counted(package.job.arenaBytes, "byte"));
    lines.add("Input", portText(package.input));
    lines.add("Output", portText(package.output));
    for (const Step& step : package.job.steps)
        lines.add("Step", step.kind == "npu"
                              ? fmt::format("npu: {} from record {}", step.count.value_or(0),
                                            step.firstRecord.value_or(0))
                              : step.kind + ": " + step.op);
    lines.add("Reference", counted(referenceTrace(package).layers.size(), "layer digest"));
    lines.add("State", package.damaged ? "damaged" : "its parts agree");
    if (!filter.isEmpty())
        lines.add("Filter", chosenText(chosen, "record") + ": " + toText(filter));
    return lines.text() + "\n" + recordTable(DumpSource(package.job), chosen);
}

Json portJson(const PortSummary& port) {
    return {{"tensor", port.tensor},
            {"shape", {port.shape.h, port.shape.w, port.shape.c}},
            {"scale", port.scale},
            {"zero_point", port.zeroPoint},
            {"bytes", port.bytes}};
}

Json packageJson(const Package& package, const std::string& path, const std::vector<bool>& chosen) {
    const DumpSource source(package.job);
    Json records = Json::array();
    for (std::int64_t i = 0; i < source.records(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!chosen[at])
            continue;
        const bool known = at < package.job.layers.size();
        records.push_back(
            {{"record", i},
             {"operator", known ? Json(package.job.layers[at].operatorIndex) : Json(nullptr)},
             {"name", known ? Json(package.job.layers[at].name) : Json(nullptr)},
             {"opcode", opcodeText(source, i)},
             {"valid", source.isValid(i)}});
    }
    const auto member = [&package](const char* key) {
        const auto found = package.manifest.find(key);
        return found == package.manifest.end() ? Json(nullptr) : Json(*found);
    };
    return {{"ok", true},
            {"kind", "package"},
            {"directory", path},
            {"workload", package.workload},
            {"source_model_sha256", member("source_model_sha256")},
            {"compiler", member("compiler")},
            {"files", member("files")},
            {"arena_bytes", package.job.arenaBytes},
            {"input", portJson(package.input)},
            {"output", portJson(package.output)},
            {"steps", member("steps")},
            {"relocations", package.job.relocations.size()},
            {"reference_layers", referenceTrace(package).layers.size()},
            {"records", std::move(records)},
            {"damaged", package.damaged},
            {"diagnostics", diagnosticsJson(package.diagnostics)}};
}

} // namespace

void printPackageInfo(const Package& package, const std::string& path, const Filter& filter,
                      Console& console) {
    console.report(package.diagnostics);
    const LoweringPtr lowering = loweringOfPackage(package, npuP0Target());
    const std::vector<bool> chosen = chosenRecords(filter, *lowering);
    if (console.json)
        console.writeJson(packageJson(package, path, chosen));
    else
        console.write(packageText(package, path, filter, chosen));
}

} // namespace plumbline::cli
