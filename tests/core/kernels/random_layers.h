// SPDX-License-Identifier: GPL-3.0-or-later
// Random layers of every kind, seeded: what the vector kernels are compared with the plain ones on.
#pragma once

#include <algorithm>
#include <cstdint>
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

inline void addParameters(Random& random, WeightedLayer& layer) {
    WeightedArguments& args = layer.args;
    const std::int64_t rarely = random.oneOf({20, 1000, 1000});
    const bool hasBias = !random.once(4);
    for (std::int64_t c = 0; c < args.outputShape.c; ++c) {
        layer.multipliers.push_back(random.multiplier(rarely * 10));
        if (hasBias)
            layer.bias.push_back(static_cast<std::int32_t>(random.once(rarely * 10)
                                                               ? random.within(kInt32Min, kInt32Max)
                                                               : random.within(-200'000, 200'000)));
    }
    args.inputZeroPoint = random.byte();
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
            args.outputShape.w = args.outputShape.h = 1;
        args.input.shape = {args.outputShape.h, args.outputShape.w, random.within(1, 150)};
    } else {
        args.window = randomWindow(random);
        args.outputShape.c = random.oneOf({1, 3, 8, 15, 16, 17, 31, 32, 48, 63, 64, 66});
    }
    layer.input = random.bytes(args.input.shape.elements());
    layer.weights = random.bytes(args.outputShape.c * layer.fullK(false));
    addParameters(random, layer);
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
    addParameters(random, layer);
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
