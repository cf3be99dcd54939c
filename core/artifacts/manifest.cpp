// SPDX-License-Identifier: GPL-3.0-or-later
// npu.json and the package directory, written.
#include <algorithm>

#include "core/artifacts/edited_package.h"
#include "core/artifacts/json_reader.h"
#include "core/artifacts/package.h"
#include "core/artifacts/package_format.h"
#include "core/base/file.h"
#include "core/base/output_directory.h"
#include "core/base/sha256.h"
#include "core/report/p0_report.h"

namespace plumbline {
namespace {

using nlohmann::json;

json fileJson(ByteView bytes) { return {{"bytes", bytes.size()}, {"sha256", sha256Hex(bytes)}}; }

JsonOutline::List relocationList(const std::vector<Relocation>& relocations) {
    return {relocations.size(), [&relocations](std::size_t i) -> json {
                const Relocation& r = relocations[i];
                return {{"descriptor_index", r.record},
                        {"word_index", r.word},
                        {"region", r.region},
                        {"offset", r.offset}};
            }};
}

json filesJson(ByteView descriptors, ByteView weights, ByteView params) {
    return {{kDescriptorsFile, fileJson(descriptors)},
            {kWeightsFile, fileJson(weights)},
            {kParamsFile, fileJson(params)}};
}

json stepJson(const Step& step) {
    if (step.kind == "npu")
        return {
            {"kind", step.kind}, {"first_descriptor", *step.firstRecord}, {"count", *step.count}};
    return {{"kind", step.kind},
            {"op", step.op},
            {"source_descriptor", *step.sourceRecord},
            {"note", step.note},
            {"input_multiplier", *step.inputMultiplier},
            {"input_left_shift", *step.inputLeftShift},
            {"diff_min", *step.diffMin}};
}

JsonOutline tensorsOutline(const Lowering& lowering) {
    const LoweredOperator& last = lowering.operators.back();
    JsonOutline outline;
    outline.json = {
        {"input", inputJson(lowering)},
        {"output", last.placement == Placement::Alias ? json(nullptr) : quantizationJson(last)}};
    outline.addList("layers", {lowering.records.size(), [&lowering](std::size_t i) -> json {
                                   const auto owner =
                                       static_cast<std::size_t>(lowering.records[i].operatorIndex);
                                   const LoweredOperator& op = lowering.operators[owner];
                                   return {{"descriptor_index", i},
                                           {"output_scale", op.quantization.outputScale},
                                           {"output_zero_point", op.quantization.outputZeroPoint}};
                               }});
    return outline;
}

std::uint32_t opcodeMask(const Lowering& lowering) {
    std::uint32_t mask = 0;
    for (const LoweredOperator& op : lowering.operators) {
        if (op.record)
            mask |= std::uint32_t{1} << op.opcode;
    }
    return mask;
}

/// A directory of exactly a package's files whose manifest names a contract: Plumbline wrote it.
bool isOurPackage(const std::filesystem::path& directory) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
        const std::string name = entry.path().filename().string();
        if (name != kManifestName &&
            std::find(kBinaryFiles.begin(), kBinaryFiles.end(), name) == kBinaryFiles.end())
            return false;
    }
    const auto text = readFile(directory / kManifestName, kMaxManifestBytes);
    if (error || !text)
        return false;
    const auto compiler = parseMember(*text, "compiler");
    return compiler && compiler->is_object() && compiler->contains("contract") &&
           (*compiler)["contract"].is_string();
}

Status writeParts(const std::filesystem::path& directory, const JsonOutline& manifest,
                  const Bytes& descriptors, const Bytes& weights, const Bytes& params) {
    const auto writeManifest = [&manifest](const ContentSink& sink) {
        writeCanonicalJson(manifest, [&sink](std::string_view text) {
            sink({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        });
    };
    const std::vector<OutputFile> files{{std::string(kDescriptorsFile), descriptors},
                                        {std::string(kWeightsFile), weights},
                                        {std::string(kParamsFile), params},
                                        {std::string(kManifestName), {}, writeManifest}};
    return writeDirectoryAtomically(directory, files, isOurPackage);
}

JsonOutline manifestOutline(const Lowering& lowering, const std::string& workload,
                            const Trace* reference) {
    int capabilityMask = 0;
    json capabilityNames = json::array();
    for (const Capability& capability : kCapabilities) {
        capabilityMask |= 1 << capability.bit;
        capabilityNames.push_back(capability.name);
    }
    json steps = json::array();
    for (const Step& step : lowering.steps)
        steps.push_back(stepJson(step));
    JsonOutline outline;
    outline.json = {
        {"schema", kSchemaVersion},
        {"workload", workload},
        {"source_model_sha256", lowering.model->sha256},
        {"compiler", compilerJson(lowering.contract)},
        {"numeric_profile", kNumericProfile},
        {"required_capability_mask", capabilityMask},
        {"required_capability_bits", std::move(capabilityNames)},
        {"required_opcode_mask", opcodeMask(lowering)},
        {"files", filesJson(lowering.descriptorBytes(), lowering.weights, lowering.params)},
        {"arena_bytes", lowering.arena.peakBytes},
        {"input_offset", lowering.input.offset},
        {"steps", std::move(steps)}};
    outline.addList("relocations", relocationList(lowering.relocations));
    outline.add("tensors", tensorsOutline(lowering));
    outline.add("report", reportOutline(lowering, workload, reference));
    return outline;
}

} // namespace

json manifestJson(const Lowering& lowering, const std::string& workload, const Trace* reference) {
    return manifestOutline(lowering, workload, reference).expanded();
}

Status writePackage(const std::filesystem::path& directory, const Lowering& lowering,
                    const std::string& workload, const Trace* reference) {
    return writeParts(directory, manifestOutline(lowering, workload, reference),
                      lowering.descriptorBytes(), lowering.weights, lowering.params);
}

Status writeEditedPackage(const std::filesystem::path& directory, const json& manifest,
                          const Job& changed) {
    JsonOutline edited;
    edited.json = manifest;
    edited.json["files"] = filesJson(changed.descriptors, changed.weights, changed.params);
    edited.addList("relocations", relocationList(changed.relocations));
    return writeParts(directory, edited, changed.descriptors, changed.weights, changed.params);
}

} // namespace plumbline
