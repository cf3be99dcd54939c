// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/pack.h"

namespace plumbline::npu_p0 {
namespace {

RegionSlice grow(Bytes& region, std::size_t bytes) {
    const std::size_t offset =
        (region.size() + kRegionAlignment - 1) / kRegionAlignment * kRegionAlignment;
    region.resize(offset + bytes);
    return {offset, bytes};
}

void appendMultiplier(Bytes& blob, const Multiplier& m) {
    appendU32(blob, static_cast<std::uint32_t>(m.multiplier));
    appendU32(blob, static_cast<std::uint32_t>(m.shift));
}

/// Dense file order [Cout][K]: channel c's value k goes to group c / 8, row k, lane c % 8.
void packDense(ByteView from, std::size_t channels, std::size_t k, std::uint8_t* to) {
    for (std::size_t c = 0; c < channels; ++c) {
        const std::uint8_t* source = from.data() + c * k;
        std::uint8_t* lane = to + c / kLanes * k * kLanes + c % kLanes;
        for (std::size_t i = 0; i < k; ++i)
            lane[i * kLanes] = source[i];
    }
}

/// Depthwise file order [K][C]: the groups' rows are contiguous in both.
void packDepthwise(ByteView from, std::size_t channels, std::size_t k, std::uint8_t* to) {
    for (std::size_t i = 0; i < k; ++i) {
        for (std::size_t c = 0; c < channels; ++c)
            to[(c / kLanes * k + i) * kLanes + c % kLanes] = from[i * channels + c];
    }
}

} // namespace

RegionSlice appendWeights(const OperatorPlan& plan, Bytes& region) {
    const auto channels = static_cast<std::size_t>(plan.lowered.geometry.cout);
    const auto k = static_cast<std::size_t>(plan.lowered.tiles.fullK);
    const std::size_t groups = (channels + kLanes - 1) / kLanes;
    const RegionSlice slice = grow(region, groups * k * kLanes);
    std::uint8_t* to = region.data() + slice.offset;
    if (plan.opcode == Opcode::Depthwise3x3)
        packDepthwise(plan.weights, channels, k, to);
    else
        packDense(plan.weights, channels, k, to);
    return slice;
}

RegionSlice appendParameters(const OperatorPlan& plan, Bytes& region) {
    const bool isAdd = plan.opcode == Opcode::Add;
    const std::size_t bytes = isAdd ? kAddParamBytes : plan.multipliers.size() * kParamRecordBytes;
    const RegionSlice slice = grow(region, 0);
    if (isAdd) {
        appendU32(region, kAddLeftShift);
        appendMultiplier(region, plan.add.input0);
        appendMultiplier(region, plan.add.input1);
        appendMultiplier(region, plan.add.output);
        appendU32(region, 0);
    } else {
        for (std::size_t c = 0; c < plan.multipliers.size(); ++c) {
            appendU32(region, loadU32(plan.bias, c * 4));
            appendMultiplier(region, plan.multipliers[c]);
            appendU32(region, 0);
        }
    }
    return {slice.offset, bytes};
}

} // namespace plumbline::npu_p0
