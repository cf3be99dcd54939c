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

json relocationsJson(const std::vector<Relocation>& relocations) {
    json list = json::array();
    for (const Relocation& r : relocations)
        list.push_back({{"descriptor_index", r.record},
                        {"word_index", r.word},
                        {"region", r.region},
                        {"offset", r.offset}});
    return list;
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

json tensorsJson(const Lowering& lowering) {
    json layers = json::array();
    for (const LoweredOperator& op : lowering.operators) {
        if (op.record)
            layers.push_back({{"descriptor_index", *op.record},
                              {"output_scale", op.quantization.outputScale},
                              {"output_zero_point", op.quantization.outputZeroPoint}});
    }
    const LoweredOperator& last = lowering.operators.back();
    return {
        {"input", inputJson(lowering)},
        {"layers", std::move(layers)},
        {"output", last.placement == Placement::Alias ? json(nullptr) : quantizationJson(last)}};
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
    const auto path = directory / kManifestName;
    const auto text = readFile(path, kMaxManifestBytes);
    if (error || !text)
        return false;
    const auto manifest = parseJson(*text, path.string(), Code::BadManifest);
    if (!manifest || !manifest->is_object())
        return false;
    const auto compiler = manifest->find("compiler");
    return compiler != manifest->end() && compiler->is_object() && compiler->contains("contract") &&
           (*compiler)["contract"].is_string();
}

Status writeParts(const std::filesystem::path& directory, const json& manifest,
                  const Bytes& descriptors, const Bytes& weights, const Bytes& params) {
    const std::string text = canonicalJson(manifest);
    const std::vector<OutputFile> files{
        {std::string(kDescriptorsFile), descriptors},
        {std::string(kWeightsFile), weights},
        {std::string(kParamsFile), params},
        {std::string(kManifestName), Bytes(text.begin(), text.end())}};
    return writeDirectoryAtomically(directory, files, isOurPackage);
}

} // namespace

json manifestJson(const Lowering& lowering, const std::string& workload, const Trace* reference) {
    int capabilityMask = 0;
    json capabilityNames = json::array();
    for (const Capability& capability : kCapabilities) {
        capabilityMask |= 1 << capability.bit;
        capabilityNames.push_back(capability.name);
    }
    json steps = json::array();
    for (const Step& step : lowering.steps)
        steps.push_back(stepJson(step));
    return {{"schema", kSchemaVersion},
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
            {"steps", std::move(steps)},
            {"relocations", relocationsJson(lowering.relocations)},
            {"tensors", tensorsJson(lowering)},
            {"report", reportJson(lowering, workload, reference)}};
}

Status writePackage(const std::filesystem::path& directory, const Lowering& lowering,
                    const std::string& workload, const Trace* reference) {
    return writeParts(directory, manifestJson(lowering, workload, reference),
                      lowering.descriptorBytes(), lowering.weights, lowering.params);
}

Status writeEditedPackage(const std::filesystem::path& directory, const json& manifest,
                          const Job& changed) {
    json edited = manifest;
    edited["files"] = filesJson(changed.descriptors, changed.weights, changed.params);
    edited["relocations"] = relocationsJson(changed.relocations);
    return writeParts(directory, edited, changed.descriptors, changed.weights, changed.params);
}

} // namespace plumbline
