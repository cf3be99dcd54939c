// SPDX-License-Identifier: GPL-3.0-or-later
// The vector kernels against the plain ones: 10,000 random layers of every operator, on every
// instruction set of this machine.
#include <gtest/gtest.h>

#include "tests/core/kernels/random_layers.h"

namespace plumbline {
namespace {

using test::Random;
using test::WeightedLayer;

constexpr int kLayers = 10'000;

struct Made {
    KernelStatus status{};
    std::vector<std::int8_t> output; ///< empty where the layer is not done
    bool operator==(const Made&) const = default;
};

template <class Arguments>
Made runWhole(Arguments args, std::int64_t elements, KernelStatus (*kernel)(const Arguments&)) {
    Made made;
    made.output.assign(static_cast<std::size_t>(elements), 99);
    args.output = made.output.data();
    made.status = kernel(args);
    if (made.status != KernelStatus::Done)
        made.output.clear();
    return made;
}

/// The same in two calls, the later rows first.
template <class Arguments>
Made runInParts(Random& random, Arguments args, KernelStatus (*kernel)(const Arguments&)) {
    Made made;
    made.output.assign(static_cast<std::size_t>(args.outputShape.elements()), 99);
    args.output = made.output.data();
    const std::int64_t middle = random.within(0, args.outputShape.h);
    args.rows = {middle, args.outputShape.h};
    const KernelStatus later = kernel(args);
    args.rows = {0, middle};
    made.status = kernel(args);
    if (later != KernelStatus::Done)
        made.status = later;
    if (made.status != KernelStatus::Done)
        made.output.clear();
    return made;
}

/// What is compared with the plain kernels, and how many layers had a proof.
class FastWeighted {
  public:
    FastWeighted(const KernelSet& set, bool isDepthwise)
        : m_isDepthwise(isDepthwise)
        , m_prepare(isDepthwise ? set.prepareDepthwise : set.prepareConv)
        , m_run(isDepthwise ? set.depthwise : set.conv) {}

    Made run(Random& random, const WeightedLayer& layer) {
        WeightedArguments args = layer.args;
        const bool isPacked = random.once(2);
        const std::vector<std::int8_t> groups = test::inLaneGroups(layer, m_isDepthwise);
        if (isPacked) {
            args.weights = groups.data();
            args.weightOrder = WeightOrder::LaneGroups;
        }
        const std::shared_ptr<const PreparedLayer> prepared = m_prepare(args);
        m_prepared += prepared != nullptr;
        args.prepared = prepared.get();
        args.weights = layer.args.weights;
        args.weightOrder = WeightOrder::File;
        return random.once(2) ? runInParts(random, args, m_run)
                              : runWhole(args, args.outputShape.elements(), m_run);
    }
    int prepared() const { return m_prepared; }

  private:
    bool m_isDepthwise;
    std::shared_ptr<const PreparedLayer> (*m_prepare)(const WeightedArguments&);
    KernelStatus (*m_run)(const WeightedArguments&);
    int m_prepared = 0;
};

void compareWeighted(bool isDepthwise, std::uint64_t seed) {
    const auto plain = isDepthwise ? plainKernels().depthwise : plainKernels().conv;
    std::vector<FastWeighted> sets;
    for (const KernelSet* set : everyFastKernels())
        sets.emplace_back(*set, isDepthwise);
    Random random(seed);
    int faults = 0;
    for (int i = 0; i < kLayers; ++i) {
        const WeightedLayer layer =
            isDepthwise ? test::randomDepthwise(random) : test::randomConv(random);
        const Made expected = runWhole(layer.args, layer.args.outputShape.elements(), plain);
        faults += expected.status == KernelStatus::Fault;
        for (std::size_t s = 0; s < sets.size(); ++s)
            ASSERT_EQ(sets[s].run(random, layer), expected)
                << everyFastKernels()[s]->isa << ", layer " << i;
    }
    EXPECT_GT(faults, kLayers / 100) << "the plain loops must fault sometimes";
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const KernelSet& set = *everyFastKernels()[s];
        const bool isPlain = set.isa == plainKernels().isa;
        EXPECT_GE(sets[s].prepared(), isPlain ? 0 : kLayers / 3) << set.isa;
        EXPECT_LE(sets[s].prepared(), isPlain ? 0 : kLayers) << set.isa;
    }
}

TEST(FastKernels, convIsThePlainConv) { compareWeighted(false, 1); }
TEST(FastKernels, depthwiseIsThePlainDepthwise) { compareWeighted(true, 2); }

TEST(FastKernels, addIsThePlainAdd) {
    Random random(3);
    int done = 0;
    for (int i = 0; i < kLayers; ++i) {
        AddArguments args;
        args.elements = random.within(1, 200);
        const auto a = random.bytes(args.elements), b = random.bytes(args.elements);
        args.input0 = a.data(), args.input1 = b.data();
        args.zeroPoint0 = random.byte(), args.zeroPoint1 = random.byte();
        args.outputZeroPoint = random.byte();
        args.multipliers = {random.multiplier(20), random.multiplier(20), random.multiplier(20)};
        if (!random.once(20))
            args.multipliers.output.shift = static_cast<std::int32_t>(random.within(-25, -10));
        args.bounds = random.bounds();
        const Made expected = runWhole(args, args.elements, plainKernels().add);
        done += expected.status == KernelStatus::Done;
        for (const KernelSet* set : everyFastKernels())
            ASSERT_EQ(runWhole(args, args.elements, set->add), expected) << set->isa << ' ' << i;
    }
    EXPECT_GT(done, kLayers / 2);
    EXPECT_LT(done, kLayers);
}

using PoolKernel = KernelStatus (*KernelSet::*)(const PoolArguments&);

void comparePools(PoolKernel kernel, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < kLayers; ++i) {
        PoolArguments args;
        args.window = test::randomWindow(random);
        args.window.dilationH = args.window.dilationW = random.once(50) ? 2 : 1;
        args.input.shape = {random.within(4, 9), random.within(4, 9), random.within(1, 150)};
        // Every window meets the input: the last one starts before its far edge.
        const Window& w = args.window;
        args.outputShape = {random.within(1, (args.input.shape.h - 1 + w.padTop) / w.strideH + 1),
                            random.within(1, (args.input.shape.w - 1 + w.padLeft) / w.strideW + 1),
                            args.input.shape.c};
        const auto input = random.bytes(args.input.shape.elements());
        args.input.data = input.data();
        args.bounds = random.bounds();
        args.rows = {0, args.outputShape.h};
        const Made expected = runWhole(args, args.outputShape.elements(), plainKernels().*kernel);
        ASSERT_EQ(expected.status, KernelStatus::Done);
        for (const KernelSet* set : everyFastKernels())
            ASSERT_EQ(runInParts(random, args, set->*kernel), expected) << set->isa << ' ' << i;
    }
}

TEST(FastKernels, maxPoolIsThePlainMaxPool) { comparePools(&KernelSet::maxPool, 4); }
TEST(FastKernels, averagePoolIsThePlainAveragePool) { comparePools(&KernelSet::averagePool, 5); }

/// All but `raised` of `positions` values are -128, the others -127; the sums lie next to a tie.
void compareAverages(std::int64_t height, std::int64_t width) {
    PoolArguments args;
    args.input.shape = {height, width, 16};
    args.window.kernelH = height, args.window.kernelW = width;
    args.outputShape = {1, 1, 16};
    args.rows = {0, 1};
    const std::int64_t positions = height * width;
    std::vector<std::int8_t> input(static_cast<std::size_t>(args.input.shape.elements()), -128);
    args.input.data = input.data();
    for (std::int64_t raised = positions / 2 - 8; raised < positions / 2 + 8; ++raised) {
        for (std::int64_t i = 0; i < positions; ++i)
            std::fill_n(input.begin() + i * 16, 16,
                        static_cast<std::int8_t>(i < raised ? -127 : -128));
        const Made expected = runWhole(args, 16, plainKernels().averagePool);
        for (const KernelSet* set : everyFastKernels())
            ASSERT_EQ(runWhole(args, 16, set->averagePool), expected) << set->isa << ' ' << raised;
    }
}

// The most positions that vectors average, an odd number of them, and one more than they do.
TEST(FastKernels, averagesOfManyPositions) {
    compareAverages(255, 257);
    compareAverages(256, 256);
    compareAverages(65'537, 1);
}

TEST(FastKernels, clampIsThePlainClamp) {
    Random random(6);
    for (int i = 0; i < kLayers; ++i) {
        ClampArguments args;
        args.elements = random.within(1, 300);
        const auto input = random.bytes(args.elements);
        args.input = input.data();
        args.bounds = random.bounds();
        const Made expected = runWhole(args, args.elements, plainKernels().clamp);
        for (const KernelSet* set : everyFastKernels())
            ASSERT_EQ(runWhole(args, args.elements, set->clamp), expected) << set->isa << ' ' << i;
    }
}

TEST(FastKernels, softmaxIsThePlainSoftmax) {
    Random random(7);
    int faults = 0;
    for (int i = 0; i < kLayers; ++i) {
        SoftmaxArguments args;
        args.rows = random.within(1, 3);
        // Rows of thousands of equal values reach the largest sum.
        args.depth = random.once(100) ? random.within(4'000, 5'000) : random.within(1, 400);
        auto input = random.bytes(args.rows * args.depth);
        if (random.once(2))
            std::fill(input.begin(), input.end(), random.byte());
        args.input = input.data();
        constexpr std::int64_t kRange = std::int64_t{31} << 26; // spec section 8
        args.parameters = {random.within(1, kInt32Max), random.within(0, 31), 0};
        args.parameters.diffMin = -random.within(0, kRange >> args.parameters.leftShift);
        ASSERT_TRUE(softmaxParametersAreSafe(args.parameters)) << i;
        const Made expected = runWhole(args, args.rows * args.depth, plainKernels().softmax);
        faults += expected.status == KernelStatus::Fault;
        for (const KernelSet* set : everyFastKernels())
            ASSERT_EQ(runWhole(args, args.rows * args.depth, set->softmax), expected)
                << set->isa << ' ' << i;
    }
    EXPECT_GT(faults, 0);
}

TEST(FastKernels, setsAreNamed) {
    ASSERT_FALSE(everyFastKernels().empty());
    EXPECT_EQ(everyFastKernels().front(), &fastKernels());
    for (const KernelSet* set : everyFastKernels()) {
        EXPECT_EQ(set->name, "reference");
        EXPECT_FALSE(set->isa.empty());
    }
}

} // namespace
} // namespace plumbline
