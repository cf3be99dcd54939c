// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/cost.h"

#include <algorithm>

#include "core/npu_p0/constants.h"
#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {
namespace {

constexpr std::int64_t kWeightCacheBytes = 16384; ///< weights up to this are fetched once
constexpr std::int64_t kParamCacheBytes = 8192;   ///< parameters up to this are fetched once
constexpr std::int64_t kMaxPositions = 8;         ///< of a tile

std::int64_t ceilDivide(std::int64_t value, std::int64_t divisor) {
    return (value + divisor - 1) / divisor;
}

std::int64_t ceil8(std::int64_t value) { return ceilDivide(value, 8); }

std::int64_t fullK(Opcode opcode, const OperatorGeometry& g) {
    switch (opcode) {
    case Opcode::Conv2D:
        return g.kh * g.kw * g.cin;
    case Opcode::Depthwise3x3:
        return 9;
    case Opcode::FullyConnected:
        return g.cin;
    case Opcode::MaxPool:
    case Opcode::AveragePool:
        return g.kh * g.kw;
    case Opcode::GlobalAveragePool:
        return g.h * g.w;
    case Opcode::Add:
    case Opcode::Clamp:
        return 1;
    }
    return 0;
}

/// Sum over all tiles of ceil(positions / capacity); edge tiles are smaller.
std::int64_t countPasses(const OperatorGeometry& g, const TilePlan& t) {
    std::int64_t passes = 0;
    const auto add = [&](std::int64_t count, std::int64_t positions) {
        passes += count * ceilDivide(positions, t.capacity);
    };
    const std::int64_t wholeH = g.oh / t.tileH, restH = g.oh % t.tileH;
    const std::int64_t wholeW = g.ow / t.tileW, restW = g.ow % t.tileW;
    add(wholeH * wholeW, t.tileH * t.tileW);
    add(wholeH, t.tileH * restW);
    add(wholeW, restH * t.tileW);
    add(1, restH * restW);
    return passes;
}

/// In-range kernel positions along one axis, summed over all outputs.
std::int64_t inRange(std::int64_t extent, std::int64_t output, std::int64_t kernel,
                     std::int64_t stride, std::int64_t before) {
    std::int64_t count = 0;
    for (std::int64_t o = 0; o < output; ++o) {
        const std::int64_t first = o * stride - before;
        count += std::max<std::int64_t>(0, std::min(first + kernel, extent) -
                                               std::max<std::int64_t>(first, 0));
    }
    return count;
}

std::int64_t gatherBytes(Opcode opcode, const OperatorGeometry& g) {
    switch (opcode) {
    case Opcode::Conv2D:
    case Opcode::Depthwise3x3:
    case Opcode::MaxPool:
    case Opcode::AveragePool:
        return inRange(g.h, g.oh, g.kh, g.strideH, g.pads[0]) *
               inRange(g.w, g.ow, g.kw, g.strideW, g.pads[2]) * g.cin;
    case Opcode::GlobalAveragePool:
    case Opcode::Clamp:
        return g.h * g.w * g.cin;
    case Opcode::Add:
        return 2 * g.h * g.w * g.cin;
    case Opcode::FullyConnected:
        return g.cin;
    }
    return 0;
}

std::int64_t usefulMacs(Opcode opcode, const OperatorGeometry& g, std::int64_t k) {
    if (isOneOf(opcode, bitOf(Opcode::Conv2D) | bitOf(Opcode::FullyConnected)))
        return g.oh * g.ow * k * g.cout;
    return opcode == Opcode::Depthwise3x3 ? g.oh * g.ow * 9 * g.cin : 0;
}

std::int64_t fetches(std::int64_t bytes, std::int64_t cacheBytes, std::int64_t passes) {
    if (bytes > cacheBytes)
        return passes;
    return bytes > 0 ? 1 : 0;
}

} // namespace

TilePlan tilePlan(Opcode opcode, const OperatorGeometry& g) {
    TilePlan t;
    t.tileH = std::min<std::int64_t>(2, g.oh);
    t.tileW = std::min<std::int64_t>(4, g.ow);
    t.positions = t.tileH * t.tileW;
    t.tiles = ceilDivide(g.oh, t.tileH) * ceilDivide(g.ow, t.tileW);
    t.fullK = fullK(opcode, g);
    t.kSlice = std::min(kMaxSlice, t.fullK);
    const std::int64_t slot = ceilDivide(g.cout, 4) * 4;
    t.capacity = std::min<std::int64_t>(8, kHalfBufferBytes / slot);
    t.passes = countPasses(g, t);
    t.facts = tileFacts(opcode);
    return t;
}

TileFacts tileFacts(Opcode opcode) {
    if (isOneOf(opcode, bitOf(Opcode::Conv2D) | bitOf(Opcode::FullyConnected)))
        return {kLanes, kMaxPositions, Reduction::WindowChannels};
    if (isOneOf(opcode, bitOf(Opcode::Depthwise3x3) | kPools | bitOf(Opcode::GlobalAveragePool)))
        return {kLanes, kMaxPositions, Reduction::Window};
    return {kLanes, kMaxPositions, Reduction::None};
}

void splitCycles(Cost& c) {
    c.computeCycles = ceil8(c.usefulMacs);
    c.loadCycles = ceil8(c.weightReadBytes + c.paramReadBytes);
    c.storeCycles = ceil8(c.writeBytes);
}

BufferBounds bufferBounds(Opcode opcode, const OperatorGeometry& g, const TilePlan& t) {
    const std::int64_t lanes =
        std::max<std::int64_t>(1, t.kSlice) * std::min<std::int64_t>(g.cin, 8);
    switch (opcode) {
    case Opcode::Conv2D:
    case Opcode::FullyConnected:
        return {t.positions * t.kSlice, t.kSlice * 8, t.kSlice * 8, kHalfBufferBytes};
    case Opcode::Depthwise3x3:
        return {t.positions * 72, t.positions * 72, 72, kHalfBufferBytes};
    case Opcode::GlobalAveragePool:
        return {t.positions * t.kSlice * 8, t.kSlice * 8, 0, kHalfBufferBytes};
    case Opcode::MaxPool:
    case Opcode::AveragePool:
        return {lanes, 0, 0, kHalfBufferBytes};
    case Opcode::Add:
    case Opcode::Clamp:
        return {t.positions * lanes, 0, 0, kHalfBufferBytes};
    }
    return {};
}

std::int64_t packedWeightBytes(Opcode opcode, const OperatorGeometry& g, const TilePlan& t) {
    return isOneOf(opcode, kWeighted) ? ceil8(g.cout) * t.fullK * 8 : 0;
}

std::int64_t parameterBytes(Opcode opcode, const OperatorGeometry& g) {
    if (isOneOf(opcode, kWeighted))
        return 16 * g.cout;
    return opcode == Opcode::Add ? 32 : 0;
}

Cost estimateCost(Opcode opcode, const OperatorGeometry& g, const TilePlan& t) {
    Cost c;
    const std::int64_t weightBytes = packedWeightBytes(opcode, g, t);
    const std::int64_t paramBytes = parameterBytes(opcode, g);
    c.weightFetches = fetches(weightBytes, kWeightCacheBytes, t.passes);
    c.paramFetches = fetches(paramBytes, kParamCacheBytes, t.passes);
    c.weightReadBytes = weightBytes * c.weightFetches;
    c.paramReadBytes = paramBytes * c.paramFetches;
    const bool sliced = isOneOf(opcode, bitOf(Opcode::Conv2D) | bitOf(Opcode::FullyConnected)) &&
                        t.fullK > kMaxSlice;
    c.inputFetches = sliced ? ceil8(g.cout) : 1;
    c.gatherReadBytes = gatherBytes(opcode, g) * c.inputFetches;
    c.usefulMacs = usefulMacs(opcode, g, t.fullK);
    c.writeBytes = g.oh * g.ow * g.cout;
    c.packCycles = ceil8(c.gatherReadBytes);
    splitCycles(c);
    c.estimatedCycles = c.computeCycles + c.packCycles + c.loadCycles + c.storeCycles;
    return c;
}

} // namespace plumbline::npu_p0
