// SPDX-License-Identifier: GPL-3.0-or-later
// Each reference kernel on tensors small enough to work out by hand. Unless a test says otherwise
// the requantization is by exactly 1.
#include <vector>

#include <gtest/gtest.h>

#include "core/kernels/kernels.h"

namespace plumbline {
namespace {

using Values = std::vector<std::int8_t>;

const Multiplier kOne{1 << 30, 1};
const Multiplier kHalf{1 << 30, 0};

/// A weighted kernel's tensors, owned.
struct WeightedCase {
    Hwc input;
    Values x;
    int inputZeroPoint = 0;
    Window window;
    Values weights;
    std::vector<std::int32_t> bias;
    std::vector<Multiplier> multipliers{kOne};
    int outputZeroPoint = 0;
    Hwc output;

    /// The output, or nothing on a fault.
    std::optional<Values> run(KernelStatus (*kernel)(const WeightedArguments&)) const {
        Values y(static_cast<std::size_t>(output.elements()), 99);
        WeightedArguments args;
        args.input = {x.data(), input};
        args.inputZeroPoint = inputZeroPoint;
        args.window = window;
        args.weights = weights.data();
        args.bias = bias;
        args.multipliers = multipliers;
        args.outputZeroPoint = outputZeroPoint;
        args.outputShape = output;
        args.output = y.data();
        args.rows = {0, output.h};
        return kernel(args) == KernelStatus::Done ? std::optional(y) : std::nullopt;
    }
    std::optional<Values> conv() const { return run(plainKernels().conv); }
    std::optional<Values> depthwise() const { return run(plainKernels().depthwise); }
};

Window windowOf(std::int64_t kernelH, std::int64_t kernelW) {
    Window window;
    window.kernelH = kernelH;
    window.kernelW = kernelW;
    return window;
}

TEST(ReferenceConv, paddingReadsTheInputZeroPoint) {
    WeightedCase c;
    c.input = {3, 3, 1};
    c.x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    c.inputZeroPoint = 1; // x - z is 0..8, and 0 in the padding
    c.window = windowOf(3, 3);
    c.window.padTop = c.window.padLeft = 1;
    c.weights = Values(9, 1);
    c.output = {3, 3, 1};
    EXPECT_EQ(c.conv(), (Values{8, 15, 12,     // y = 0: 0+1+3+4, 0+1+2+3+4+5, 1+2+4+5
                                21, 36, 27,    // y = 1
                                20, 33, 24})); // y = 2
}

TEST(ReferenceConv, strideTwoWithBiasOutputZeroPointAndClamp) {
    WeightedCase c;
    c.input = {4, 4, 1};
    for (int i = 0; i < 16; ++i)
        c.x.push_back(static_cast<std::int8_t>(i));
    c.window = windowOf(2, 2);
    c.window.strideH = c.window.strideW = 2;
    c.weights = {1, 2, 3, 4};
    c.bias = {10};
    c.outputZeroPoint = -5;
    c.output = {2, 2, 1};
    // 0*1+1*2+4*3+5*4 = 34, 54, 114, 134; each + 10 - 5; the last is clamped.
    EXPECT_EQ(c.conv(), (Values{39, 59, 119, 127}));
}

TEST(ReferenceConv, strideDiffersPerAxis) {
    WeightedCase c;
    c.input = {2, 7, 1};
    c.x = {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17};
    c.window.strideW = 3;
    c.weights = {1};
    c.output = {2, 3, 1};
    EXPECT_EQ(c.conv(), (Values{1, 4, 7, 11, 14, 17}));
}

TEST(ReferenceConv, dilationSkipsPositions) {
    WeightedCase c;
    c.input = {3, 3, 1};
    c.x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    c.window = windowOf(2, 2);
    c.window.dilationH = c.window.dilationW = 2;
    c.weights = {1, -1, 2, -2};
    c.output = {1, 1, 1};
    EXPECT_EQ(c.conv(), (Values{-6})); // the corners: 1 - 3 + 2*7 - 2*9
}

TEST(ReferenceConv, dilationReachesIntoThePadding) {
    WeightedCase c;
    c.input = {1, 3, 1};
    c.x = {1, 2, 3};
    c.window = windowOf(1, 3);
    c.window.dilationW = 2;
    c.window.padLeft = 2;
    c.weights = {5, 7, 11};
    c.output = {1, 3, 1};
    // x = 0: columns -2, 0, 2; x = 1: columns -1, 1, 3; x = 2: columns 0, 2, 4.
    EXPECT_EQ(c.conv(), (Values{7 * 1 + 11 * 3, 7 * 2, 5 * 1 + 7 * 3}));
}

TEST(ReferenceConv, weightsAreCoutKhKwCinWithMultipliersPerChannel) {
    WeightedCase c;
    c.input = {1, 2, 2};
    c.x = {3, -4, 10, 20}; // x = 0: (3, -4); x = 1: (10, 20)
    c.window = windowOf(1, 2);
    c.weights = {2,  1, 0,  0,  // channel 0: 2*3 - 4
                 0,  0, -1, 1,  // channel 1: -10 + 20
                 -1, 5, 0,  0}; // channel 2: -3 - 20
    c.bias = {1, 0, 0};
    c.multipliers = {kHalf, kOne, kHalf};
    c.output = {1, 1, 3};
    // 3 / 2 rounds to 2; -23 / 2 is a tie of the high multiply, which goes to -11.
    EXPECT_EQ(c.conv(), (Values{2, 10, -11}));
}

TEST(ReferenceConv, boundsClampTheOutput) {
    WeightedCase c;
    c.input = {1, 3, 1};
    c.x = {-50, 3, 50};
    c.weights = {1};
    c.output = {1, 3, 1};
    Values y(3);
    WeightedArguments args;
    args.input = {c.x.data(), c.input};
    args.weights = c.weights.data();
    args.multipliers = c.multipliers;
    args.bounds = {0, 24};
    args.outputShape = c.output;
    args.output = y.data();
    args.rows = {0, c.output.h};
    ASSERT_EQ(plainKernels().conv(args), KernelStatus::Done);
    EXPECT_EQ(y, (Values{0, 3, 24}));
}

/// One output of two products, at the edge of int32.
WeightedCase edgeCase(std::int32_t bias, Values x, Values weights) {
    WeightedCase c;
    c.input = {1, 2, 1};
    c.x = std::move(x);
    c.window = windowOf(1, 2);
    c.weights = std::move(weights);
    c.bias = {bias};
    c.multipliers = {{1 << 30, -30}}; // 2^-31
    c.output = {1, 1, 1};
    return c;
}

TEST(ReferenceConv, anUpdateOutOfInt32IsAFault) {
    EXPECT_EQ(edgeCase(kInt32Max - 12, {3, 0}, {4, 0}).conv(), (Values{1}));
    EXPECT_FALSE(edgeCase(kInt32Max - 11, {3, 0}, {4, 0}).conv());
    EXPECT_EQ(edgeCase(kInt32Min + 12, {-3, 0}, {4, 0}).conv(), (Values{-1}));
    EXPECT_FALSE(edgeCase(kInt32Min + 11, {-3, 0}, {4, 0}).conv());
}

TEST(ReferenceConv, updatesAreCheckedInOrder) {
    // The sum is in range, but the first update is not.
    EXPECT_FALSE(edgeCase(kInt32Max, {1, -1}, {1, 1}).conv());
    EXPECT_EQ(edgeCase(kInt32Max, {-1, 1}, {1, 1}).conv(), (Values{1}));
}

TEST(ReferenceConv, leftShiftOutOfInt32IsAFault) {
    WeightedCase c = edgeCase(1 << 28, {0, 0}, {0, 0});
    c.multipliers = {{1 << 30, 3}};
    EXPECT_FALSE(c.conv());
    c.bias = {(1 << 28) - 1};
    EXPECT_EQ(c.conv(), (Values{127}));
}

TEST(ReferenceConv, largestMagnitudesStayExact) {
    WeightedCase c;
    c.input = {1, 1, 3000};
    c.x = Values(3000, -128);
    c.inputZeroPoint = 127; // x - z = -255
    c.weights = Values(3000, -128);
    c.multipliers = {{1 << 30, -19}}; // 2^-20
    c.output = {1, 1, 1};
    // 3000 * 255 * 128 = 97,920,000 and / 2^20 = 93.4
    EXPECT_EQ(c.conv(), (Values{93}));
}

TEST(ReferenceDepthwise, multiplierTwoReadsEachChannelTwice) {
    WeightedCase c;
    c.input = {1, 2, 2};
    c.x = {1, 2, 3, 4}; // x = 0: (1, 2); x = 1: (3, 4)
    c.window = windowOf(1, 2);
    c.weights = {1, 2, 3, 4,  // kw = 0
                 5, 6, 7, 8}; // kw = 1
    c.multipliers = {kOne, kOne, kOne, kOne};
    c.output = {1, 1, 4};
    EXPECT_EQ(c.depthwise(), (Values{1 * 1 + 3 * 5, 1 * 2 + 3 * 6, 2 * 3 + 4 * 7, 2 * 4 + 4 * 8}));
    c.bias = {kInt32Max - 4'000'000, 0, 0, 0}; // beyond the bound: the checked loop
    c.multipliers[0] = {1 << 30, -30};
    EXPECT_EQ(c.depthwise(), (Values{1, 20, 34, 40}));
}

TEST(ReferenceDepthwise, paddingAndZeroPointPerChannel) {
    WeightedCase c;
    c.input = {2, 2, 2};
    c.x = {11, 21, 12, 22, 13, 23, 14, 24}; // channel 0: 11..14, channel 1: 21..24
    c.inputZeroPoint = 10;
    c.window = windowOf(3, 3);
    c.window.padTop = c.window.padLeft = 1;
    c.weights = Values(18, 1);
    for (std::size_t k = 0; k < 9; ++k)
        c.weights[2 * k + 1] = -1;
    c.bias = {0, 100};
    c.multipliers = {kOne, kOne};
    c.output = {2, 2, 2};
    // Every 3x3 window covers all of the input: 1+2+3+4 and 100 - (11+12+13+14).
    EXPECT_EQ(c.depthwise(), (Values{10, 50, 10, 50, 10, 50, 10, 50}));
}

TEST(ReferenceDepthwise, strideAndDilation) {
    WeightedCase c;
    c.input = {1, 6, 1};
    c.x = {1, 2, 4, 8, 16, 32};
    c.window = windowOf(1, 2);
    c.window.strideW = 2;
    c.window.dilationW = 3;
    c.weights = {1, 1};
    c.output = {1, 2, 1};
    EXPECT_EQ(c.depthwise(), (Values{1 + 8, 4 + 32}));
}

TEST(ReferenceDepthwise, anUpdateOutOfInt32IsAFault) {
    EXPECT_FALSE(edgeCase(kInt32Max, {1, -1}, {1, 1}).depthwise());
    EXPECT_EQ(edgeCase(kInt32Max, {-1, 1}, {1, 1}).depthwise(), (Values{1}));
    EXPECT_FALSE(edgeCase(kInt32Min, {0, 1}, {0, -1}).depthwise());
}

AddArguments addArguments(const Values& a, const Values& b, Values& y, AddMultipliers multipliers) {
    AddArguments args;
    args.elements = static_cast<std::int64_t>(a.size());
    args.input0 = a.data();
    args.input1 = b.data();
    args.multipliers = multipliers;
    args.output = y.data();
    return args;
}

TEST(ReferenceAdd, threeQuantizations) {
    const Values a{3, 7, -3, 100};
    const Values b{8, 4, 5, 60};
    Values y(4);
    // a = 1 * (q - 3), b = 0.25 * (q - 4), y = 0.5 * (q + 10)
    AddArguments args = addArguments(a, b, y, addMultipliers(1.0, 0.25, 0.5));
    args.zeroPoint0 = 3;
    args.zeroPoint1 = 4;
    args.outputZeroPoint = -10;
    ASSERT_EQ(plainKernels().add(args), KernelStatus::Done);
    // 0 + 1 = 1; 4 + 0 = 4; -6 + 0.25 = -5.75 is -11.5 levels, away from zero; 97 + 14 = 111
    EXPECT_EQ(y, (Values{2 - 10, 8 - 10, -12 - 10, 127}));
}

TEST(ReferenceAdd, boundsClampTheOutput) {
    const Values a{1, 20, 60};
    const Values b{-5, 20, 60};
    Values y(3);
    AddArguments args = addArguments(a, b, y, addMultipliers(1.0, 1.0, 1.0));
    args.bounds = {0, 60};
    ASSERT_EQ(plainKernels().add(args), KernelStatus::Done);
    EXPECT_EQ(y, (Values{0, 40, 60}));
}

TEST(ReferenceAdd, leavingInt32IsAFault) {
    const Values a{127};
    const Values b{127};
    Values y(1);
    const AddMultipliers good = addMultipliers(1.0, 1.0, 1.0);
    AddMultipliers wideTerm = good;
    wideTerm.input0.shift = 5; // 127 * 2^20 * 2^5 is above 2^31
    EXPECT_EQ(plainKernels().add(addArguments(a, b, y, wideTerm)), KernelStatus::Fault);
    AddMultipliers wideSum = good;
    wideSum.input0 = wideSum.input1 = {kInt32Max, 4}; // each term is just below 2^31
    EXPECT_EQ(plainKernels().add(addArguments(a, b, y, wideSum)), KernelStatus::Fault);
    AddMultipliers wideOutput = good;
    wideOutput.output.shift = 10;
    EXPECT_EQ(plainKernels().add(addArguments(a, b, y, wideOutput)), KernelStatus::Fault);
    EXPECT_EQ(plainKernels().add(addArguments(a, b, y, good)), KernelStatus::Done);
}

Values runPool(KernelStatus (*kernel)(const PoolArguments&), const Values& x, Hwc input,
               Window window, Hwc output, ActivationBounds bounds = {}) {
    Values y(static_cast<std::size_t>(output.elements()), 99);
    PoolArguments args;
    args.input = {x.data(), input};
    args.window = window;
    args.bounds = bounds;
    args.outputShape = output;
    args.output = y.data();
    args.rows = {0, output.h};
    EXPECT_EQ(kernel(args), KernelStatus::Done);
    return y;
}

TEST(ReferenceMaxPool, paddingDoesNotCount) {
    Window window = windowOf(3, 3);
    window.padTop = window.padLeft = 1;
    EXPECT_EQ(runPool(plainKernels().maxPool, {-5, -6, -7, -8}, {2, 2, 1}, window, {2, 2, 1}),
              (Values{-5, -5, -5, -5}));
}

TEST(ReferenceMaxPool, strideChannelsAndBounds) {
    Window window = windowOf(1, 2);
    window.strideW = 2;
    // x = 0..3, two channels each
    const Values x{1, -1, 5, -128, 100, -128, 3, -128};
    EXPECT_EQ(runPool(plainKernels().maxPool, x, {1, 4, 2}, window, {1, 2, 2}, {-100, 50}),
              (Values{5, -1, 50, -100}));
}

TEST(ReferenceAveragePool, dividesByThePositionsInside) {
    // SAME with kernel 2 and stride 1 pads one row and column at the far side only.
    EXPECT_EQ(
        runPool(plainKernels().averagePool, {1, 2, 3, 5}, {2, 2, 1}, windowOf(2, 2), {2, 2, 1}),
        (Values{3, 4, 4, 5})); // 11/4, 7/2, 8/2, 5/1
}

TEST(ReferenceAveragePool, tiesGoAwayFromZero) {
    Window window = windowOf(1, 2);
    window.strideW = 2;
    EXPECT_EQ(runPool(plainKernels().averagePool, {-1, -2, 1, 2, -3, -3}, {1, 6, 1}, window,
                      {1, 3, 1}, {-128, 1}),
              (Values{-2, 1, -3})); // -1.5, 1.5 clamped to 1, -3
}

TEST(ReferenceAveragePool, manyChannels) {
    Values x;
    for (int pixel = 0; pixel < 2; ++pixel) {
        for (int c = 0; c < 700; ++c)
            x.push_back(static_cast<std::int8_t>(c % 100 + 10 * pixel));
    }
    const Values y =
        runPool(plainKernels().averagePool, x, {2, 1, 700}, windowOf(2, 1), {1, 1, 700});
    for (std::size_t c = 0; c < 700; ++c)
        ASSERT_EQ(y[c], static_cast<int>(c % 100) + 5) << c;
}

TEST(ReferenceClamp, keepsWhatIsInside) {
    const Values x{-128, -4, 0, 9, 127};
    Values y(5);
    ASSERT_EQ(plainKernels().clamp({5, x.data(), {-4, 9}, y.data()}), KernelStatus::Done);
    EXPECT_EQ(y, (Values{-4, -4, 0, 9, 9}));
}

TEST(ReferenceSoftmax, rowsAreIndependent) {
    const auto parameters = softmaxParameters(1.0, 1.0);
    ASSERT_TRUE(parameters);
    const Values x{5, 5, // a half each
                   0, 127};
    Values y(4);
    ASSERT_EQ(plainKernels().softmax({2, 2, x.data(), *parameters, y.data()}), KernelStatus::Done);
    EXPECT_EQ(y, (Values{0, 0, -128, 127}));
}

TEST(ReferenceSoftmax, aSumOutOfRangeIsAFault) {
    const auto parameters = softmaxParameters(1.0, 1.0);
    ASSERT_TRUE(parameters);
    const Values x(4096, 0);
    Values y(4096);
    EXPECT_EQ(plainKernels().softmax({1, 4096, x.data(), *parameters, y.data()}),
              KernelStatus::Fault);
}

TEST(PlainKernels, haveAName) { EXPECT_EQ(plainKernels().name, "plain"); }

} // namespace
} // namespace plumbline
