// SPDX-License-Identifier: GPL-3.0-or-later
// Random layers of every kind, seeded: what the vector kernels are compared with the plain ones on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <vector>

#include "core/kernels/kernels.h"

namespace plumbline::test {

class Random {
  public:
    explicit Random(std::uint64_t seed)
        : m_engine(seed) {}

    /// Within lower..upper.
    std::int64_t within(std::int64_t lower, std::int64_t upper) {
        const auto count = static_cast<std::uint64_t>(upper - lower + 1);
        return lower + static_cast<std::int64_t>(m_engine() % count);
    }
    std::int64_t oneOf(std::initializer_list<std::int64_t> values) {
        return *(values.begin() + within(0, static_cast<std::int64_t>(values.size()) - 1));
    }
    bool once(std::int64_t in) { return within(1, in) == 1; }
    std::int8_t byte() { return static_cast<std::int8_t>(within(-128, 127)); }
    std::vector<std::int8_t> bytes(std::int64_t count) {
        std::vector<std::int8_t> made(static_cast<std::size_t>(count));
        std::generate(made.begin(), made.end(), [this] { return byte(); });
        return made;
    }

    /// As lowerings make them; one in `rarely` is any that may stand in a package.
    Multiplier multiplier(std::int64_t rarely) {
        const bool isAny = once(rarely);
        const std::int64_t least = isAny ? 0 : std::int64_t{1} << 30;
        Multiplier made;
        made.multiplier = static_cast<std::int32_t>(within(least, kInt32Max));
        made.shift =
            static_cast<std::int32_t>(isAny ? within(kMinShift, kMaxShift) : within(-14, 1));
        return made;
    }
    ActivationBounds bounds() {
        if (once(2))
            return {};
        const auto a = static_cast<std::int32_t>(byte()), b = static_cast<std::int32_t>(byte());
        return {std::min(a, b), std::max(a, b)};
    }

  private:
    std::mt19937_64 m_engine;
};

/// A conv or a depthwise with its tensors; `args` point into it.
struct WeightedLayer {
    std::vector<std::int8_t> input, weights;
    std::vector<std::int32_t> bias;
    std::vector<Multiplier> multipliers;
    WeightedArguments args;

    std::int64_t fullK(bool isDepthwise) const {
        return args.window.kernelH * args.window.kernelW * (isDepthwise ? 1 : args.input.shape.c);
    }
};

/// What the parameters of a layer have in common.
enum class Style {
    Usual,   ///< right shifts and small biases, as quantizers make them
    Mixed,   ///< shifts to either side
    Any,     ///< one channel in ten may hold anything
    Extreme, ///< multipliers and shifts at their ends
    Edge,    ///< biases next to where a sum can leave int32, inputs and weights at their ends
};

inline Multiplier multiplierOf(Random& random, Style style) {
    switch (style) {
    case Style::Mixed:
        return random.multiplier(1'000'000);
    case Style::Any:
        return random.multiplier(10);
    case Style::Extreme:
        return {static_cast<std::int32_t>(random.oneOf({0, 1, 1 << 30, kInt32Max})),
                static_cast<std::int32_t>(random.oneOf({-31, -30, -1, 0, 1, 30}))};
    case Style::Usual:
    case Style::Edge:
        break;
    }
    Multiplier made = random.multiplier(1'000'000);
    made.shift = static_cast<std::int32_t>(random.within(-14, -1));
    return made;
}

/// The bias with which channel `c`, were its inputs all as far from the zero point as they can be,
/// comes within 2 of an end of int32.
inline std::int32_t edgeBias(Random& random, const WeightedLayer& layer, std::int64_t c,
                             bool isDepthwise) {
    const std::int64_t k = layer.fullK(isDepthwise);
    const std::int64_t zero = layer.args.inputZeroPoint;
    std::int64_t magnitude = 0;
    for (std::int64_t i = 0; i < k; ++i) {
        const std::int64_t at = isDepthwise ? i * layer.args.outputShape.c + c : c * k + i;
        magnitude += std::abs(int{layer.weights[static_cast<std::size_t>(at)]});
    }
    const std::int64_t edge =
        kInt32Max - std::max(127 - zero, zero + 128) * magnitude + random.within(-2, 2);
    return static_cast<std::int32_t>(random.once(2) ? edge : -edge);
}

inline std::int32_t biasOf(Random& random, const WeightedLayer& layer, std::int64_t c, Style style,
                           bool isDepthwise) {
    if (style == Style::Edge && random.once(3))
        return edgeBias(random, layer, c, isDepthwise);
    const bool isAny = style == Style::Any && random.once(10);
    return static_cast<std::int32_t>(isAny ? random.within(kInt32Min, kInt32Max)
                                           : random.within(-200'000, 200'000));
}

inline void addParameters(Random& random, WeightedLayer& layer, bool isDepthwise) {
    WeightedArguments& args = layer.args;
    const auto style = static_cast<Style>(random.within(0, 4));
    args.inputZeroPoint = random.byte();
    if (style == Style::Edge) {
        args.inputZeroPoint = static_cast<std::int32_t>(random.oneOf({-128, 0, 127}));
        for (std::int8_t& x : layer.input)
            x = static_cast<std::int8_t>(random.oneOf({-128, 127}));
        for (std::int8_t& w : layer.weights)
            w = static_cast<std::int8_t>(random.oneOf({-128, 127}));
    }
    const bool hasBias = style == Style::Edge || !random.once(4);
    for (std::int64_t c = 0; c < args.outputShape.c; ++c) {
        layer.multipliers.push_back(multiplierOf(random, style));
        if (hasBias)
            layer.bias.push_back(biasOf(random, layer, c, style, isDepthwise));
    }
    args.outputZeroPoint = random.byte();
    args.bounds = random.bounds();
    args.input.data = layer.input.data();
    args.weights = layer.weights.data();
    args.bias = layer.bias;
    args.multipliers = layer.multipliers;
    args.rows = {0, args.outputShape.h};
}

inline Window randomWindow(Random& random) {
    Window w;
    w.kernelH = random.within(1, 4), w.kernelW = random.within(1, 4);
    w.strideH = random.within(1, 3), w.strideW = random.within(1, 3);
    w.dilationH = random.oneOf({1, 1, 1, 2}), w.dilationW = random.oneOf({1, 1, 1, 2, 3});
    w.padTop = random.within(0, w.kernelH - 1), w.padLeft = random.within(0, w.kernelW - 1);
    return w;
}

/// One in three is 1x1 over all positions, of which one in three is a fully connected layer.
inline WeightedLayer randomConv(Random& random) {
    WeightedLayer layer;
    WeightedArguments& args = layer.args;
    args.outputShape = {random.within(1, 5), random.within(1, 14), random.within(1, 90)};
    args.input.shape = {random.within(1, 7), random.within(1, 9),
                        random.oneOf({1, 2, 3, 4, 5, 7, 8, 15, 16, 33})};
    if (random.once(3)) {
        if (random.once(3))
            args.outputShape = {random.within(1, 2), 1, random.within(1, 300)};
        args.input.shape = {args.outputShape.h, args.outputShape.w, random.within(1, 150)};
    } else {
        args.window = randomWindow(random);
        args.outputShape.c = random.oneOf({1, 3, 8, 15, 16, 17, 31, 32, 48, 63, 64, 66});
    }
    layer.input = random.bytes(args.input.shape.elements());
    layer.weights = random.bytes(args.outputShape.c * layer.fullK(false));
    addParameters(random, layer, false);
    return layer;
}

inline WeightedLayer randomDepthwise(Random& random) {
    WeightedLayer layer;
    WeightedArguments& args = layer.args;
    args.window = randomWindow(random);
    args.input.shape = {random.within(1, 9), random.within(1, 12), random.within(1, 150)};
    if (random.once(2))
        args.input.shape.c = random.oneOf({1, 2, 4, 8, 16, 24, 32, 64, 96, 128});
    const std::int64_t multiplier = random.oneOf({1, 1, 1, 1, 2, 3, 8});
    args.outputShape = {random.within(1, 5), random.within(1, 9), args.input.shape.c * multiplier};
    layer.input = random.bytes(args.input.shape.elements());
    layer.weights = random.bytes(args.outputShape.c * layer.fullK(true));
    addParameters(random, layer, true);
    return layer;
}

/// The weights as the target packs them: [channels / 8][k][8], the missing lanes filled with junk.
inline std::vector<std::int8_t> inLaneGroups(const WeightedLayer& layer, bool isDepthwise) {
    const std::int64_t k = layer.fullK(isDepthwise), channels = layer.args.outputShape.c;
    std::vector<std::int8_t> made(static_cast<std::size_t>((channels + 7) / 8 * 8 * k), 77);
    for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t from = isDepthwise ? i * channels + c : c * k + i;
            made[static_cast<std::size_t>((c / 8 * k + i) * 8 + c % 8)] =
                layer.weights[static_cast<std::size_t>(from)];
        }
    }
    return made;
}

} // namespace plumbline::test
