// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/artifacts/report_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 40; ///< beyond, a stated number is damage
constexpr std::int64_t kLargestOpcode = 0xFFFF;

std::int64_t natural(const JsonValue& value, std::int64_t most = kLargest) {
    return value.integer(0, most).value_or(0);
}

std::uint64_t size(const JsonValue& value) { return static_cast<std::uint64_t>(natural(value)); }

std::int64_t signedByte(const JsonValue& value, std::int64_t otherwise = 0) {
    return value.integer(-128, 127).value_or(otherwise);
}

std::int64_t word(const JsonValue& value) {
    return value.integer(INT32_MIN, INT32_MAX).value_or(0);
}

double scale(const JsonValue& value) {
    const double number = value.number().value_or(1);
    if (number > 0)
        return number;
    value.report(fmt::format("a scale above 0 expected, found {}.", describeJson(value.json())));
    return 1;
}

bool given(const JsonValue& value) { return value.exists() && !value.isNull(); }

void readGeometry(const JsonValue& v, OperatorGeometry& g) {
    g.h = natural(v.member("h")), g.w = natural(v.member("w"));
    g.cin = natural(v.member("cin")), g.cout = natural(v.member("cout"));
    g.oh = natural(v.member("oh")), g.ow = natural(v.member("ow"));
    g.kh = natural(v.member("kh")), g.kw = natural(v.member("kw"));
    g.strideH = natural(v.member("stride_h")), g.strideW = natural(v.member("stride_w"));
    const JsonValue pads = v.member("pads");
    const auto list = pads.integers(0, kLargest, 4);
    if (!list)
        return;
    if (list->size() == 4)
        std::copy(list->begin(), list->end(), g.pads.begin());
    else
        pads.report(fmt::format("4 pads expected, found {}.", list->size()));
}

void readQuantization(const JsonValue& v, Placement placement, OperatorQuantization& q) {
    q.inputScale = scale(v.member("input_scale"));
    q.inputZeroPoint = signedByte(v.member("input_zero_point"));
    q.outputScale = scale(v.member("output_scale"));
    q.outputZeroPoint = signedByte(v.member("output_zero_point"));
    if (placement != Placement::Npu)
        return;
    if (const JsonValue value = v.member("input1_scale"); given(value))
        q.input1Scale = scale(value);
    if (const JsonValue value = v.member("input1_zero_point"); given(value))
        q.input1ZeroPoint = signedByte(value);
    q.lower = signedByte(v.member("act_min"), q.lower);
    q.upper = signedByte(v.member("act_max"), q.upper);
}

void readSoftmax(const JsonValue& v, LoweredOperator& op) {
    op.softmax.emplace();
    op.softmax->inputMultiplier = word(v.member("input_multiplier"));
    op.softmax->inputLeftShift = word(v.member("input_left_shift"));
    op.softmax->diffMin = word(v.member("diff_min"));
}

void readTiles(const JsonValue& entry, TilePlan& tiles) {
    const JsonValue tile = entry.member("tile");
    tiles.tileH = natural(tile.member("tile_h"));
    tiles.tileW = natural(tile.member("tile_w"));
    tiles.positions = natural(tile.member("positions"));
    tiles.tiles = natural(tile.member("tiles"));
    tiles.fullK = natural(entry.member("full_k"));
    tiles.kSlice = natural(entry.member("k_slice"));
}

void readBuffers(const JsonValue& v, BufferBounds& buffers) {
    const auto limit = v.member("limit_bytes").integer(0, kLargest);
    buffers.limit = limit.value_or(0);
    const auto half = [&](std::string_view key) {
        const JsonValue value = v.member(key);
        const std::int64_t bytes = natural(value);
        if (limit && bytes > *limit)
            value.report(fmt::format("{} is {}, above limit_bytes {}.", key, bytes, *limit));
        return bytes;
    };
    buffers.rawGatherHalf = half("raw_gather_half_bytes");
    buffers.packedA = half("packed_a_bytes");
    buffers.packedW = half("packed_w_bytes");
}

void readCost(const JsonValue& v, Cost& c) {
    c.gatherReadBytes = natural(v.member("gather_read_bytes"));
    c.inputFetches = natural(v.member("input_tensor_fetches"));
    c.weightReadBytes = natural(v.member("weight_read_bytes"));
    c.weightFetches = natural(v.member("weight_tensor_fetches"));
    c.paramReadBytes = natural(v.member("param_read_bytes"));
    c.paramFetches = natural(v.member("param_tensor_fetches"));
    c.writeBytes = natural(v.member("write_bytes"));
    c.usefulMacs = natural(v.member("useful_macs"));
    c.packCycles = natural(v.member("pack_cycles"));
    c.estimatedCycles = natural(v.member("estimated_cycles"));
}

void readArena(const JsonValue& v, OperandOffsets& arena) {
    arena.input = size(v.member("input_offset"));
    if (const JsonValue value = v.member("input1_offset"); given(value))
        arena.input1 = size(value);
    arena.output = size(v.member("output_offset"));
    arena.outputBytes = size(v.member("output_bytes"));
    arena.outputLiveUntilOperator = natural(v.member("output_live_until_operator"));
}

std::optional<RegionSlice> slice(const JsonValue& v) {
    if (!given(v))
        return std::nullopt;
    return RegionSlice{size(v.member("offset")), size(v.member("bytes"))};
}

Placement placementIn(const JsonValue& value) {
    const auto text = value.text();
    for (const Placement placement : {Placement::Npu, Placement::Alias, Placement::CpuSoftmax})
        if (text == placementName(placement))
            return placement;
    if (text)
        value.report(fmt::format("no placement is called {}.", describeJson(value.json())));
    return Placement::Refused;
}

void readRecord(const JsonValue& entry, LoweredOperator& op) {
    op.record = entry.member("descriptor_index").integer(0, kLargest);
    op.opcode = static_cast<std::uint32_t>(natural(entry.member("opcode"), kLargestOpcode));
    op.opcodeName = entry.member("opcode_name").text().value_or("");
    readGeometry(entry.member("geometry"), op.geometry);
    readTiles(entry, op.tiles);
    readBuffers(entry.member("buffers"), op.buffers);
    op.weights = slice(entry.member("weights"));
    op.params = slice(entry.member("params"));
    readCost(entry.member("dma"), op.cost);
    readArena(entry.member("arena"), op.arena);
}

} // namespace

LoweredOperator readReportedOperator(const JsonValue& entry, std::int64_t index) {
    LoweredOperator op;
    op.index = index;
    op.name = entry.member("operator").text().value_or("");
    op.placement = placementIn(entry.member("placement"));
    if (op.placement == Placement::Alias) {
        if (const JsonValue note = entry.member("note"); given(note))
            op.note = note.text().value_or("");
    }
    if (op.placement == Placement::Npu || op.placement == Placement::CpuSoftmax)
        readQuantization(entry.member("quantization"), op.placement, op.quantization);
    if (op.placement == Placement::CpuSoftmax)
        readSoftmax(entry.member("pinned"), op);
    if (op.placement == Placement::Npu)
        readRecord(entry, op);
    return op;
}

} // namespace plumbline
