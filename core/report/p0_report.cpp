// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/p0_report.h"

#include <algorithm>

#include "core/base/build_info.h"

namespace plumbline {
namespace {

using nlohmann::json;

constexpr std::int64_t kLanes = 8;

template <class T> json orNull(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

json shapeJson(const Hwc& shape) { return json::array({shape.h, shape.w, shape.c}); }

json geometryJson(const OperatorGeometry& g) {
    return {{"h", g.h},
            {"w", g.w},
            {"cin", g.cin},
            {"cout", g.cout},
            {"oh", g.oh},
            {"ow", g.ow},
            {"kh", g.kh},
            {"kw", g.kw},
            {"stride_h", g.strideH},
            {"stride_w", g.strideW},
            {"pads", g.pads}};
}

json dmaJson(const Cost& c) {
    return {{"gather_read_bytes", c.gatherReadBytes},
            {"input_tensor_fetches", c.inputFetches},
            {"weight_read_bytes", c.weightReadBytes},
            {"weight_tensor_fetches", c.weightFetches},
            {"param_read_bytes", c.paramReadBytes},
            {"param_tensor_fetches", c.paramFetches},
            {"read_bytes", c.readBytes()},
            {"write_bytes", c.writeBytes},
            {"useful_macs", c.usefulMacs},
            {"pack_cycles", c.packCycles},
            {"estimated_cycles", c.estimatedCycles}};
}

json sliceJson(const std::optional<RegionSlice>& slice) {
    return slice ? json{{"bytes", slice->bytes}, {"offset", slice->offset}} : json(nullptr);
}

void addTiles(json& entry, const LoweredOperator& op) {
    const OperatorGeometry& g = op.geometry;
    const TilePlan& t = op.tiles;
    const std::vector<std::int64_t> sizes = t.sliceSizes();
    const auto slices = static_cast<std::int64_t>(sizes.size());
    const std::int64_t groups = (g.cout + kLanes - 1) / kLanes;
    entry["full_k"] = t.fullK;
    entry["k_slice"] = t.kSlice;
    entry["k_slices"] = {{"count", slices}, {"sizes", sizes}};
    entry["single_slice"] = slices == 1;
    entry["tile"] = {
        {"tile_h", t.tileH}, {"tile_w", t.tileW}, {"positions", t.positions}, {"tiles", t.tiles}};
    entry["lane_tails"] = {{"cout_mod8", g.cout % kLanes},
                           {"oh_mod_tile", g.oh % t.tileH},
                           {"ow_mod_tile", g.ow % t.tileW}};
    const auto positions = static_cast<double>(std::min(kLanes, g.oh * g.ow));
    entry["tail_utilization"] = {
        {"output_channels", static_cast<double>(g.cout) / static_cast<double>(kLanes * groups)},
        {"tile_positions", positions / static_cast<double>(kLanes)}};
    entry["reloads"] = {{"input_k_slice", std::max<std::int64_t>(0, slices - 1) * t.tiles},
                        {"input_tensors", op.cost.inputFetches},
                        {"weight_groups", groups * op.cost.weightFetches},
                        {"weight_tensors", op.cost.weightFetches},
                        {"param_tensors", op.cost.paramFetches}};
}

void addRecord(json& entry, const LoweredOperator& op) {
    entry["opcode"] = op.opcode;
    entry["opcode_name"] = op.opcodeName;
    entry["geometry"] = geometryJson(op.geometry);
    entry["quantization"] = quantizationJson(op);
    addTiles(entry, op);
    entry["buffers"] = {{"raw_gather_half_bytes", op.buffers.rawGatherHalf},
                        {"packed_a_bytes", op.buffers.packedA},
                        {"packed_w_bytes", op.buffers.packedW},
                        {"limit_bytes", op.buffers.limit}};
    entry["weights"] = sliceJson(op.weights);
    entry["params"] = sliceJson(op.params);
    entry["dma"] = dmaJson(op.cost);
    entry["useful_macs"] = op.cost.usefulMacs;
    entry["pack_cycles"] = op.cost.packCycles;
    entry["estimated_cycles"] = op.cost.estimatedCycles;
    entry["arena"] = {{"input_offset", op.arena.input},
                      {"input1_offset", orNull(op.arena.input1)},
                      {"output_offset", op.arena.output},
                      {"output_bytes", op.arena.outputBytes},
                      {"output_live_until_operator", op.arena.outputLiveUntilOperator}};
}

json operatorJson(const LoweredOperator& op, const Trace* reference) {
    json entry{{"index", op.index},
               {"operator", op.name},
               {"descriptor_index", orNull(op.record)},
               {"placement", placementName(op.placement)}};
    if (op.placement == Placement::Alias) {
        entry["note"] = op.note;
        return entry;
    }
    if (op.softmax) {
        entry["pinned"] = {{"input_multiplier", op.softmax->inputMultiplier},
                           {"input_left_shift", op.softmax->inputLeftShift},
                           {"diff_min", op.softmax->diffMin},
                           {"output_scale", op.quantization.outputScale},
                           {"output_zero_point", op.quantization.outputZeroPoint}};
        entry["quantization"] = quantizationJson(op);
    } else {
        addRecord(entry, op);
    }
    if (const TraceLayer* layer = reference ? reference->layerOf(op.index) : nullptr) {
        entry["reference_sha256"] = layer->sha256;
        entry["reference_shape"] = layer->shape;
    }
    return entry;
}

json outputJson(const PortSummary& output) {
    return {{"tensor_index", output.tensor},
            {"shape", shapeJson(output.shape)},
            {"bytes", output.bytes},
            {"placement", placementName(output.placement)},
            {"source_descriptor", orNull(output.sourceRecord)},
            {"source_offset", output.offset}};
}

json totalsJson(const Lowering& lowering) {
    const auto records = static_cast<std::int64_t>(lowering.records.size());
    const std::int64_t descriptorBytes =
        records * static_cast<std::int64_t>(lowering.fields->recordBytes);
    std::int64_t macs = 0, reads = descriptorBytes, writes = 0;
    std::int64_t cycles = (descriptorBytes + kLanes - 1) / kLanes;
    for (const LoweredOperator& op : lowering.operators) {
        macs += op.cost.usefulMacs;
        reads += op.cost.readBytes();
        writes += op.cost.writeBytes;
        cycles += op.cost.estimatedCycles;
    }
    return {{"descriptors", records},
            {"descriptor_read_bytes", descriptorBytes},
            {"weights_bytes", lowering.weights.size()},
            {"params_bytes", lowering.params.size()},
            {"useful_macs", macs},
            {"dma_read_bytes", reads},
            {"dma_write_bytes", writes},
            {"estimated_cycles", cycles}};
}

} // namespace

json quantizationJson(const LoweredOperator& op) {
    const OperatorQuantization& q = op.quantization;
    json entry{{"input_scale", q.inputScale},
               {"input_zero_point", q.inputZeroPoint},
               {"output_scale", q.outputScale},
               {"output_zero_point", q.outputZeroPoint}};
    if (op.placement != Placement::Npu)
        return entry;
    entry["input1_scale"] = orNull(q.input1Scale);
    entry["input1_zero_point"] = orNull(q.input1ZeroPoint);
    entry["act_min"] = q.lower;
    entry["act_max"] = q.upper;
    return entry;
}

json inputJson(const Lowering& lowering) {
    const PortSummary& in = lowering.input;
    return {{"tensor_index", in.tensor}, {"shape", shapeJson(in.shape)},
            {"scale", in.scale},         {"zero_point", in.zeroPoint},
            {"bytes", in.bytes},         {"offset", in.offset}};
}

json compilerJson(const std::string& contract) {
    return {{"contract", contract},
            {"git_revision", orNull(buildInfo().gitRevision)},
            {"git_dirty", orNull(buildInfo().gitDirty)}};
}

JsonOutline reportOutline(const Lowering& lowering, const std::string& workload,
                          const Trace* reference) {
    JsonOutline outline;
    outline.json = {
        {"workload", workload},
        {"source_model_sha256", lowering.model->sha256},
        {"numeric_profile", 1},
        {"compiler", compilerJson(lowering.contract)},
        {"input", inputJson(lowering)},
        {"arena_bytes", lowering.arena.peakBytes},
        {"arena_note", "First fit in address order, 64-byte blocks; the peak is the highest "
                       "high-water mark, and the graph input stays live for the whole job."},
        {"cycle_model", "Cycles are estimated for eight multiply-accumulates per cycle, without "
                        "credit for overlapping transfers. They are not measurements."},
        {"output", outputJson(lowering.output)},
        {"totals", totalsJson(lowering)}};
    outline.addList("operators", {lowering.operators.size(), [&lowering, reference](std::size_t i) {
                                      return operatorJson(lowering.operators[i], reference);
                                  }});
    return outline;
}

json reportJson(const Lowering& lowering, const std::string& workload, const Trace* reference) {
    return reportOutline(lowering, workload, reference).expanded();
}

} // namespace plumbline
