// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/constants_layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {
namespace {

bool hasOpcode(std::uint32_t opcodes, std::uint32_t opcode) {
    return opcode < 32 && (opcodes >> opcode & 1) != 0;
}

/// The slice as bytes of `region`.
Result<ByteView> partOf(const RegionSlice& slice, ByteView region, std::string_view name) {
    if (slice.offset > region.size() || slice.bytes > region.size() - slice.offset)
        return makeError(Code::ManifestInconsistent,
                         fmt::format("{} bytes at {} leave the {} region of {} bytes.", slice.bytes,
                                     slice.offset, name, region.size()));
    return region.subspan(static_cast<std::size_t>(slice.offset),
                          static_cast<std::size_t>(slice.bytes));
}

Diagnostic noForm(std::size_t bytes, std::string_view what) {
    return makeError(Code::ManifestInconsistent,
                     fmt::format("{} bytes are no {} of this record.", bytes, what));
}

/// The axes of the record's k; none when they do not make up `depth`.
std::vector<PackedWeights::Axis> axesOf(ByteView record, const FieldTable& table,
                                        std::size_t depth) {
    const std::uint32_t opcode = opcodeOf(record, table);
    std::vector<PackedWeights::Axis> axes;
    std::size_t product = 1;
    for (const ReductionAxis& axis : table.constants->axes) {
        if (!hasOpcode(axis.opcodes, opcode))
            continue;
        const std::size_t extent = rawField(record, table.fields[axis.field]);
        axes.push_back({axis.name, extent});
        if (extent == 0 || __builtin_mul_overflow(product, extent, &product) || product > depth)
            return {};
    }
    return product == depth ? axes : std::vector<PackedWeights::Axis>{};
}

} // namespace

RegionSlice constantsSlice(ByteView record, const FieldTable& table, std::string_view region) {
    for (const FieldSpec& field : table.fields) {
        if (field.kind != FieldKind::Address || field.region != region)
            continue;
        const auto length = findField(table, field.lengthField);
        return {rawField(record, field), length ? rawField(record, table.fields[*length]) : 0};
    }
    return {};
}

std::size_t PackedWeights::axisIndex(std::size_t k, std::size_t axis) const {
    for (std::size_t inner = axes.size() - 1; inner > axis; --inner)
        k /= axes[inner].extent;
    return k % axes[axis].extent;
}

Result<PackedWeights> packedWeights(ByteView record, const FieldTable& table, ByteView weights) {
    const RegionSlice slice = constantsSlice(record, table, kWeightsRegion);
    Result<ByteView> part = partOf(slice, weights, kWeightsRegion);
    if (!part)
        return std::move(part).diagnostics();
    PackedWeights made;
    made.offset = slice.offset;
    made.bytes = *part;
    if (table.constants != nullptr) {
        made.lanes = table.constants->lanes;
        made.channels = rawField(record, table.fields[table.constants->channels]);
        made.groups = (made.channels + made.lanes - 1) / made.lanes;
    }
    const std::size_t perStep = made.groups * made.lanes;
    if (perStep == 0 || made.bytes.size() % perStep != 0)
        return noForm(made.bytes.size(), "packed weights [group][k][lane]");
    made.depth = made.bytes.size() / perStep;
    made.axes = axesOf(record, table, made.depth);
    return made;
}

std::int64_t ParameterRecords::at(std::size_t record, std::size_t field) const {
    const std::size_t index = indexOf(record, field);
    return layout->fields[field].isSigned ? std::int64_t{loadI32(bytes, index)}
                                          : std::int64_t{loadU32(bytes, index)};
}

Result<ParameterRecords> parameterRecords(ByteView record, const FieldTable& table,
                                          ByteView params) {
    const RegionSlice slice = constantsSlice(record, table, kParamsRegion);
    Result<ByteView> part = partOf(slice, params, kParamsRegion);
    if (!part)
        return std::move(part).diagnostics();
    ParameterRecords made{slice.offset, *part, nullptr};
    if (table.constants != nullptr) {
        const std::uint32_t opcode = opcodeOf(record, table);
        const auto& layouts = table.constants->parameters;
        const auto found =
            std::find_if(layouts.begin(), layouts.end(), [opcode](const ParameterLayout& layout) {
                return hasOpcode(layout.opcodes, opcode);
            });
        made.layout = found == layouts.end() ? nullptr : &*found;
    }
    const std::size_t size = made.bytes.size();
    if (made.layout == nullptr || (made.layout->perChannel ? size % made.layout->recordBytes() != 0
                                                           : size != made.layout->recordBytes()))
        return noForm(size, "parameters");
    return made;
}

} // namespace plumbline
