// SPDX-License-Identifier: GPL-3.0-or-later
// The table of operator fields. What a placement lacks is zero in a LoweredOperator; here it is
// unknown. External interface: operatorFields.
#include "core/filter/fields.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/filter/source.h"

namespace plumbline {
namespace {

using Subject = FilterSubject;
using Value = FilterValue;

const Value kUnknown;

Value whole(std::uint64_t value) {
    constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
    return value > static_cast<std::uint64_t>(kLargest) ? kLargest
                                                        : static_cast<std::int64_t>(value);
}

Value knownIf(bool known, std::int64_t value) { return known ? Value(value) : kUnknown; }
Value unlessZero(std::int64_t value) { return knownIf(value != 0, value); }
Value textOrUnknown(std::string_view text) {
    return text.empty() ? kUnknown : Value(std::string(text));
}

/// Sums of counts that a package states may leave 64 bits.
std::int64_t saturated(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? std::numeric_limits<std::int64_t>::min()
                 : std::numeric_limits<std::int64_t>::max();
}

const Tensor* inputTensor(const Subject& s) {
    return s.modelOperator ? s.tensor(s.modelOperator->inputs, 0) : nullptr;
}

const Tensor* outputTensor(const Subject& s) {
    return s.modelOperator ? s.tensor(s.modelOperator->outputs, 0) : nullptr;
}

/// An extent of the plan; of an operator without one, that of the model's tensor.
Value extent(std::int64_t planned, const Tensor* tensor, std::int64_t Hwc::*axis) {
    if (planned != 0)
        return planned;
    const std::optional<Hwc> shape = tensor ? tensor->batchOneShape() : std::nullopt;
    return shape ? Value((*shape).*axis) : kUnknown;
}

template <std::size_t Side> Value pad(const Subject& s) {
    return knownIf(s.op.geometry.kh != 0, s.op.geometry.pads[Side]);
}

bool hasTiles(const Subject& s) { return s.op.tiles.tiles != 0; }
bool hasCost(const Subject& s) { return s.op.cost.estimatedCycles != 0; }
bool hasBuffers(const Subject& s) { return s.op.buffers.limit != 0; }
bool hasQuantization(const Subject& s) {
    return s.op.quantization.inputScale != 0 || s.op.quantization.outputScale != 0;
}

Value real(double value) { return std::isfinite(value) && value != 0 ? Value(value) : kUnknown; }

Value slices(const Subject& s) {
    const TilePlan& tiles = s.op.tiles;
    if (tiles.kSlice <= 0 || tiles.fullK <= 0)
        return kUnknown;
    return (tiles.fullK - 1) / tiles.kSlice + 1;
}

std::int64_t readBytes(const Subject& s) {
    const Cost& cost = s.op.cost;
    return saturated(saturated(cost.gatherReadBytes, cost.weightReadBytes), cost.paramReadBytes);
}

Value sliceBytes(const Subject& s, const std::optional<RegionSlice>& slice) {
    if (slice)
        return whole(slice->bytes);
    return knownIf(s.op.record.has_value(), 0);
}

Value arenaBytes(const Subject& s) {
    if (s.op.record)
        return whole(s.op.arena.outputBytes);
    if (s.output)
        return whole(s.output->bytes);
    return unlessZero(s.op.cost.writeBytes);
}

Value arenaOffset(const Subject& s) {
    if (s.op.record)
        return whole(s.op.arena.output);
    return s.output ? whole(s.output->offset) : kUnknown;
}

Value worstSeverity(const Subject& s) {
    return std::string(s.worst ? severityName(*s.worst) : "none");
}

Value mismatches(const Subject& s) {
    if (!s.context || !s.context->mismatches || s.op.index < 0)
        return kUnknown;
    const std::optional<std::int64_t> count = s.context->mismatches(s.op.index);
    return count ? Value(*count) : kUnknown;
}

struct Row {
    std::string_view name;
    FilterType type;
    std::string_view unit;
    std::string_view meaning;
    FilterGetter getter;
};

constexpr auto kInteger = FilterType::Integer;
constexpr auto kReal = FilterType::Real;
constexpr auto kText = FilterType::Text;
constexpr auto kName = FilterType::Name;
constexpr std::string_view kElements = "elements";
constexpr std::string_view kBytes = "bytes";

constexpr std::array kIdentity{
    Row{"index", kInteger, "", "Index in the main graph, from 0",
        [](const Subject& s) { return knownIf(s.op.index >= 0, s.op.index); }},
    Row{"name", kText, "", "The operator's TFLite name, such as CONV_2D",
        [](const Subject& s) { return textOrUnknown(s.op.name); }},
    Row{"custom", kText, "", "Code of a custom operator",
        [](const Subject& s) {
            return s.modelOperator ? textOrUnknown(s.modelOperator->customCode) : kUnknown;
        }},
    Row{"tensor", kText, "", "Name of the output tensor",
        [](const Subject& s) {
            const Tensor* tensor = outputTensor(s);
            if (tensor)
                return textOrUnknown(tensor->name);
            return s.output ? textOrUnknown(s.output->name) : kUnknown;
        }},
    Row{"type", kText, "", "Element type of the output, such as INT8",
        [](const Subject& s) -> Value {
            const Tensor* tensor = outputTensor(s);
            return tensor ? Value(elementTypeName(tensor->type)) : kUnknown;
        }},
    Row{"placement", kName, "", "Where it runs; none shares its input's storage",
        [](const Subject& s) -> Value { return std::string(placementName(s.op.placement)); }},
    Row{kOpcodeField, kText, "", "The target's operation, such as CONV2D",
        [](const Subject& s) { return textOrUnknown(s.op.opcodeName); }},
    Row{"record", kInteger, "", "Index of its record, from 0",
        [](const Subject& s) -> Value { return s.op.record ? Value(*s.op.record) : kUnknown; }},
    Row{"note", kText, "", "What the lowering says about it",
        [](const Subject& s) { return textOrUnknown(s.op.note); }},
    Row{"diagnostics", kInteger, "", "How many diagnostics point at it",
        [](const Subject& s) -> Value { return s.diagnostics; }},
    Row{"severity", kName, "", "The worst of its diagnostics", worstSeverity},
    Row{"mismatches", kInteger, kElements,
        "Output elements that differ from the reference; unknown where nothing was compared",
        mismatches},
};

constexpr std::array kGeometry{
    Row{"h", kInteger, kElements, "Input height",
        [](const Subject& s) { return extent(s.op.geometry.h, inputTensor(s), &Hwc::h); }},
    Row{"w", kInteger, kElements, "Input width",
        [](const Subject& s) { return extent(s.op.geometry.w, inputTensor(s), &Hwc::w); }},
    Row{"cin", kInteger, kElements, "Input channels",
        [](const Subject& s) { return extent(s.op.geometry.cin, inputTensor(s), &Hwc::c); }},
    Row{"oh", kInteger, kElements, "Output height",
        [](const Subject& s) { return extent(s.op.geometry.oh, outputTensor(s), &Hwc::h); }},
    Row{"ow", kInteger, kElements, "Output width",
        [](const Subject& s) { return extent(s.op.geometry.ow, outputTensor(s), &Hwc::w); }},
    Row{"cout", kInteger, kElements, "Output channels",
        [](const Subject& s) { return extent(s.op.geometry.cout, outputTensor(s), &Hwc::c); }},
    Row{"kh", kInteger, kElements, "Kernel height",
        [](const Subject& s) { return unlessZero(s.op.geometry.kh); }},
    Row{"kw", kInteger, kElements, "Kernel width",
        [](const Subject& s) { return unlessZero(s.op.geometry.kw); }},
    Row{"stride.h", kInteger, kElements, "Vertical stride",
        [](const Subject& s) { return unlessZero(s.op.geometry.strideH); }},
    Row{"stride.w", kInteger, kElements, "Horizontal stride",
        [](const Subject& s) { return unlessZero(s.op.geometry.strideW); }},
    Row{"pad.top", kInteger, kElements, "Padding rows above the input", pad<0>},
    Row{"pad.bottom", kInteger, kElements, "Padding rows below the input", pad<1>},
    Row{"pad.left", kInteger, kElements, "Padding columns left of the input", pad<2>},
    Row{"pad.right", kInteger, kElements, "Padding columns right of the input", pad<3>},
};

constexpr std::array kTiles{
    Row{"tile.h", kInteger, kElements, "Tile height",
        [](const Subject& s) { return unlessZero(s.op.tiles.tileH); }},
    Row{"tile.w", kInteger, kElements, "Tile width",
        [](const Subject& s) { return unlessZero(s.op.tiles.tileW); }},
    Row{"tiles", kInteger, "", "Number of tiles",
        [](const Subject& s) { return unlessZero(s.op.tiles.tiles); }},
    Row{"positions", kInteger, "", "Output positions of a whole tile",
        [](const Subject& s) { return knownIf(hasTiles(s), s.op.tiles.positions); }},
    Row{"passes", kInteger, "", "Passes over all tiles (estimate)",
        [](const Subject& s) { return knownIf(hasTiles(s), s.op.tiles.passes); }},
    Row{"k", kInteger, kElements, "Length of the whole reduction",
        [](const Subject& s) { return unlessZero(s.op.tiles.fullK); }},
    Row{"k.slice", kInteger, kElements, "Reduction elements per K slice",
        [](const Subject& s) { return unlessZero(s.op.tiles.kSlice); }},
    Row{"k.slices", kInteger, "", "Number of K slices", slices},
    Row{"buffer.gather", kInteger, kBytes, "Raw gather half buffer in use",
        [](const Subject& s) { return knownIf(hasBuffers(s), s.op.buffers.rawGatherHalf); }},
    Row{"buffer.a", kInteger, kBytes, "Packed A half buffer in use",
        [](const Subject& s) { return knownIf(hasBuffers(s), s.op.buffers.packedA); }},
    Row{"buffer.w", kInteger, kBytes, "Packed W half buffer in use",
        [](const Subject& s) { return knownIf(hasBuffers(s), s.op.buffers.packedW); }},
};

constexpr std::array kCosts{
    Row{"cycles", kInteger, "cycles", "Estimated cycles",
        [](const Subject& s) { return unlessZero(s.op.cost.estimatedCycles); }},
    Row{"pack.cycles", kInteger, "cycles", "Estimated cycles of packing",
        [](const Subject& s) { return knownIf(hasCost(s), s.op.cost.packCycles); }},
    Row{"macs", kInteger, "", "Useful multiply-accumulates",
        [](const Subject& s) { return knownIf(hasCost(s), s.op.cost.usefulMacs); }},
    Row{"dma.read", kInteger, kBytes, "Bytes read from memory (estimate)",
        [](const Subject& s) { return knownIf(hasCost(s), readBytes(s)); }},
    Row{"dma.write", kInteger, kBytes, "Bytes written to memory (estimate)",
        [](const Subject& s) { return knownIf(hasCost(s), s.op.cost.writeBytes); }},
    Row{"dma.bytes", kInteger, kBytes, "Bytes read and written (estimate)",
        [](const Subject& s) {
            return knownIf(hasCost(s), saturated(readBytes(s), s.op.cost.writeBytes));
        }},
    Row{"weights.bytes", kInteger, kBytes, "Packed weights of the record",
        [](const Subject& s) { return sliceBytes(s, s.op.weights); }},
    Row{"weights.offset", kInteger, kBytes, "Where they begin in the weights region",
        [](const Subject& s) { return s.op.weights ? whole(s.op.weights->offset) : kUnknown; }},
    Row{"params.bytes", kInteger, kBytes, "Parameters of the record",
        [](const Subject& s) { return sliceBytes(s, s.op.params); }},
    Row{"params.offset", kInteger, kBytes, "Where they begin in the params region",
        [](const Subject& s) { return s.op.params ? whole(s.op.params->offset) : kUnknown; }},
};

constexpr std::array kArena{
    Row{"arena.bytes", kInteger, kBytes, "Size of the output in the arena", arenaBytes},
    Row{"arena.offset", kInteger, kBytes, "Where the output begins in the arena", arenaOffset},
    Row{"arena.input", kInteger, kBytes, "Where the input begins in the arena",
        [](const Subject& s) { return s.op.record ? whole(s.op.arena.input) : kUnknown; }},
    Row{"arena.live", kInteger, kBytes, "Live bytes of the arena while it runs",
        [](const Subject& s) { return s.step ? whole(s.step->liveBytes) : kUnknown; }},
    Row{"arena.holes", kInteger, kBytes, "Free bytes below the high-water mark while it runs",
        [](const Subject& s) { return s.step ? whole(s.step->holeBytes) : kUnknown; }},
};

constexpr std::array kQuantization{
    Row{"input.scale", kReal, "", "Scale of the input",
        [](const Subject& s) { return real(s.op.quantization.inputScale); }},
    Row{"input.zero", kInteger, "", "Zero point of the input",
        [](const Subject& s) {
            return knownIf(hasQuantization(s), s.op.quantization.inputZeroPoint);
        }},
    Row{"input1.scale", kReal, "", "Scale of the second input of ADD",
        [](const Subject& s) { return real(s.op.quantization.input1Scale.value_or(0)); }},
    Row{"input1.zero", kInteger, "", "Zero point of the second input of ADD",
        [](const Subject& s) {
            const auto& zero = s.op.quantization.input1ZeroPoint;
            return knownIf(zero.has_value(), zero.value_or(0));
        }},
    Row{"output.scale", kReal, "", "Scale of the output",
        [](const Subject& s) { return real(s.op.quantization.outputScale); }},
    Row{"output.zero", kInteger, "", "Zero point of the output",
        [](const Subject& s) {
            return knownIf(hasQuantization(s), s.op.quantization.outputZeroPoint);
        }},
    Row{"clamp.min", kInteger, "", "Lower clamp bound",
        [](const Subject& s) { return knownIf(hasQuantization(s), s.op.quantization.lower); }},
    Row{"clamp.max", kInteger, "", "Upper clamp bound",
        [](const Subject& s) { return knownIf(hasQuantization(s), s.op.quantization.upper); }},
};

FilterField fieldOf(const Row& row) {
    FilterField field;
    field.name = row.name;
    field.type = row.type;
    field.unit = row.unit;
    field.meaning = row.meaning;
    field.getter = row.getter;
    if (row.name == "severity") {
        field.isOrdered = true;
        field.names.emplace_back("none");
        for (const Severity severity : {Severity::Note, Severity::Warning, Severity::Error})
            field.names.emplace_back(severityName(severity));
    }
    if (row.name == "placement") {
        for (const Placement placement :
             {Placement::Npu, Placement::Alias, Placement::CpuSoftmax, Placement::Refused})
            field.names.emplace_back(placementName(placement));
    }
    return field;
}

} // namespace

std::vector<FilterField> operatorFields() {
    std::vector<FilterField> fields;
    const auto add = [&fields](const auto& rows) {
        for (const Row& row : rows)
            fields.push_back(fieldOf(row));
    };
    add(kIdentity);
    add(kGeometry);
    add(kTiles);
    add(kCosts);
    add(kArena);
    add(kQuantization);
    return fields;
}

} // namespace plumbline
