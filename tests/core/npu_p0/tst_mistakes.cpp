// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of the named mistakes: against plain integers element by element, against the
// executor where none is made, and by hand at its edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/compare/layer_walk.h"
#include "core/lowering/target.h"
#include "core/npu_p0/mistaken_requantize.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/mistake_layers.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using npu_p0::Rounding;
using test::CoreLayer;
using test::opcodeOf;
using test::PlainLayer;
using test::randomLayer;
using test::toBytes;

constexpr std::string_view kKinds = "CDFAMVGL";
constexpr std::uint64_t kSeeds = 20;

bool appliesTo(const MistakeInfo& mistake, char kind) {
    return isOneOf(opcodeOf(kind), mistake.opcodes);
}

bool hasEmptyWindow(const PlainLayer& l) {
    // The last window starts furthest out when the larger stride meets the longer axis.
    return (l.oh - 1) * l.sw - l.top >= l.h || (l.ow - 1) * l.sh - l.left >= l.w;
}

TEST(Mistakes, EqualPlainIntegersOnRandomLayersAndEachChangesSomeByte) {
    const auto mistakes = npu_p0::mistakes();
    std::set<std::string> changing;
    for (const char kind : kKinds) {
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
            SCOPED_TRACE(std::string("kind ") + kind + ", seed " + std::to_string(seed));
            const PlainLayer plain = randomLayer(kind, seed);
            CoreLayer core(plain);
            const Bytes healthy = toBytes(plainOutput(plain, ""));
            ASSERT_EQ(core.run({}), healthy);
            for (std::size_t i = 0; i < mistakes.size(); ++i) {
                const std::string name(mistakes[i].name);
                const auto output = core.run({i});
                if (!appliesTo(mistakes[i], kind) ||
                    (kind == 'V' && name == "stride-swapped" && hasEmptyWindow(plain))) {
                    EXPECT_FALSE(output) << name;
                    continue;
                }
                const Bytes expected = toBytes(plainOutput(plain, name));
                ASSERT_EQ(output, expected) << name;
                if (expected != healthy)
                    changing.insert(name);
            }
        }
    }
    for (const MistakeInfo& mistake : mistakes)
        EXPECT_TRUE(changing.count(std::string(mistake.name))) << mistake.name;
}

TEST(Mistakes, HaveTheKindsOfTheSpecification) {
    const std::map<std::string, std::string> kinds{
        {"single-rounding", "CDFA"},
        {"truncation", "CDFA"},
        {"round-half-up", "CDFA"},
        {"round-half-even", "CDFA"},
        {"shift-minus-one", "CDF"},
        {"shift-plus-one", "CDF"},
        {"output-zero-missing", "CDFA"},
        {"bounds-missing", "CDFAMVGL"},
        {"lower-bound-zero", "CDFAMVGL"},
        {"input-zero-missing", "CDFA"},
        {"padding-raw-zero", "CD"},
        {"padding-swapped", "CDMV"},
        {"stride-swapped", "CDMV"},
        {"kernel-transposed", "CD"},
        {"reduction-order", "C"},
        {"lanes-reversed", "CDF"},
        {"weights-next-channel", "CDF"},
        {"weights-unsigned", "CDF"},
        {"weights-next-group", "CF"},
        {"bias-missing", "CDF"},
        {"bias-per-slice", "CDF"},
        {"params-next-channel", "CDF"},
        {"multiplier-channel-0", "CDF"},
        {"last-slice-dropped", "CF"},
        {"first-slice-dropped", "CF"},
        {"accumulator-24-bit", "CDF"},
        {"accumulator-16-bit", "CDF"},
        {"average-toward-zero", "VG"},
        {"average-counts-padding", "V"},
        {"max-from-zero", "M"},
        {"add-parameters-swapped", "A"},
        {"add-zero-swapped", "A"},
        {"edge-tiles-unwritten", "CDFAMVGL"},
        {"stale-input", "CDFAMVGL"},
        // Plumbline's own
        {"input-transposed", "CDAMVL"},
        {"input-channel-first", "CDAVGL"},
        {"output-channel-first", "CDAMVL"},
        {"output-wraps", "CDFA"},
        {"kernel-flipped", "C"},
        {"weights-previous-channel", "CDF"},
        {"params-previous-channel", "CDF"},
    };
    std::map<std::string, std::string> ours;
    for (const MistakeInfo& mistake : npu_p0::mistakes()) {
        EXPECT_FALSE(mistake.sentence.empty());
        EXPECT_NE(mistake.actsOn, 0u);
        for (const char kind : kKinds)
            ours[std::string(mistake.name)] += appliesTo(mistake, kind) ? std::string(1, kind) : "";
    }
    EXPECT_EQ(ours, kinds);
    EXPECT_EQ(npu_p0::mistakes().size(), kinds.size()) << "a name stands twice";
}

TEST(Mistakes, TwoThatActOnDifferentThingsCommute) {
    const auto mistakes = npu_p0::mistakes();
    for (const char kind : kKinds) {
        CoreLayer core(randomLayer(kind, 3));
        for (std::size_t a = 0; a < mistakes.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if ((mistakes[a].actsOn & mistakes[b].actsOn) != 0)
                    continue;
                EXPECT_EQ(core.run({a, b}), core.run({b, a}))
                    << kind << " " << mistakes[a].name << " " << mistakes[b].name;
            }
        }
    }
}

std::size_t named(std::string_view name) {
    const auto all = npu_p0::mistakes();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
    return static_cast<std::size_t>(found - all.begin());
}

/// Fully connected, one channel, weight 0: the accumulator is the bias.
PlainLayer biasOnly(std::int64_t bias, std::int64_t multiplier, std::int64_t shift) {
    PlainLayer l;
    l.kind = 'F';
    l.in0 = {0}, l.before = {0}, l.weights = {0};
    l.bias = {bias}, l.multiplier = {multiplier}, l.shift = {shift};
    return l;
}

TEST(Mistakes, LeftShiftSaturatesWithShiftPlusOne) {
    // 2 * 0x50000000 leaves int32: (2^31 - 1) * 64 / 2^31 = 64, where 80 would be unbounded.
    CoreLayer layer(biasOnly(0x50000000, 64, 0));
    EXPECT_EQ(layer.run({}), Bytes{40});
    EXPECT_EQ(layer.run({named("shift-plus-one")}), Bytes{64});
}

TEST(Mistakes, SingleRoundingFormsNoLeftShift) {
    // The bias shifted left by 2 leaves int32: the executor faults. 0x50000000 * 16 / 2^29 = 40.
    CoreLayer layer(biasOnly(0x50000000, 16, 2));
    EXPECT_EQ(layer.run({}), std::nullopt);
    EXPECT_EQ(layer.run({named("single-rounding")}), Bytes{40});
}

TEST(Mistakes, ShiftOutsideItsRangeDoesNotApply) {
    CoreLayer smallest(biasOnly(1, 1 << 30, -31));
    EXPECT_TRUE(smallest.run({}));
    EXPECT_FALSE(smallest.run({named("shift-minus-one")}));
    EXPECT_TRUE(smallest.run({named("shift-plus-one")}));
    CoreLayer largest(biasOnly(1, 1 << 30, 30));
    EXPECT_TRUE(largest.run({}));
    EXPECT_FALSE(largest.run({named("shift-plus-one")}));
}

TEST(Mistakes, AccumulatorThatLeavesInt32HasNoOutput) {
    PlainLayer plain = biasOnly(2147483647, 1 << 30, -24);
    plain.in0 = {1}, plain.weights = {1};
    EXPECT_FALSE(CoreLayer(plain).run({}));
    EXPECT_TRUE(CoreLayer(plain).run({named("bias-missing")}));
    EXPECT_TRUE(CoreLayer(plain).run({named("accumulator-16-bit")}));
}

TEST(Mistakes, StaleInputNeedsAProducer) {
    PlainLayer plain = randomLayer('A', 1);
    plain.stale.clear();
    EXPECT_FALSE(CoreLayer(plain).run({named("stale-input")}));
}

TEST(Mistakes, StaleAddOfOneTensorIsStaleTwice) {
    PlainLayer plain = randomLayer('A', 1);
    plain.in1 = plain.in0;
    PlainLayer both = plain;
    both.in0 = both.in1 = plain.stale;
    EXPECT_EQ(CoreLayer(plain).run({named("stale-input")}, true), toBytes(plainOutput(both, "")));
}

TEST(Mistakes, UpperBoundHoldsWhereZeroLiesAboveIt) {
    PlainLayer plain = randomLayer('L', 1);
    plain.lower = -50, plain.upper = -10;
    EXPECT_EQ(CoreLayer(plain).run({named("lower-bound-zero")}),
              Bytes(plain.in0.size(), static_cast<std::uint8_t>(-10)));
}

TEST(Mistakes, RoundTiesAsTheyAreNamed) {
    struct Row {
        std::int32_t x;
        std::int64_t contract, truncated, halfUp, halfEven; ///< of x / 4
    };
    for (const Row& row : {Row{6, 2, 1, 2, 2}, Row{-6, -2, -2, -1, -2}, Row{10, 3, 2, 3, 2},
                           Row{-10, -3, -3, -2, -2}, Row{7, 2, 1, 2, 2}, Row{-7, -2, -2, -2, -2},
                           Row{5, 1, 1, 1, 1}, Row{-5, -1, -2, -1, -1}, Row{8, 2, 2, 2, 2}}) {
        EXPECT_EQ(npu_p0::mistakenDivide(row.x, 2, Rounding::Contract), row.contract) << row.x;
        EXPECT_EQ(npu_p0::mistakenDivide(row.x, 2, Rounding::Truncate), row.truncated) << row.x;
        EXPECT_EQ(npu_p0::mistakenDivide(row.x, 2, Rounding::HalfUp), row.halfUp) << row.x;
        EXPECT_EQ(npu_p0::mistakenDivide(row.x, 2, Rounding::HalfEven), row.halfEven) << row.x;
        for (const Rounding rounding :
             {Rounding::Contract, Rounding::Truncate, Rounding::HalfUp, Rounding::HalfEven})
            EXPECT_EQ(npu_p0::mistakenDivide(row.x, 0, rounding), row.x);
    }
}

/// Layers of `file` on `input` for which the arithmetic without a mistake gives other bytes than
/// the executor; the number of layers.
int expectHealthy(ByteView file, ByteView input) {
    const auto model = importTflite(Bytes(file.begin(), file.end()));
    const LoweringPtr lowering = model ? *npuP0Target().lower(*model) : nullptr;
    if (!lowering || !lowering->complete)
        return 0;
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(jobOf(*lowering), fault);
    EXPECT_TRUE(runner);
    int layers = 0;
    for (LayerWalk walk(*runner, input, nullptr); runner && !walk.atEnd();) {
        MistakeSite site;
        site.arena = walk.arena();
        const auto mistaken = runner->runWith(walk.step(), site, {});
        const LayerOutcome right = walk.runAlone();
        if (runner->steps()[walk.step()].record) {
            EXPECT_EQ(mistaken, right.run.layer.bytes) << "operator " << walk.operatorIndex();
            ++layers;
        }
        walk.advance(right);
    }
    return layers;
}

TEST(Mistakes, NoneEqualsTheExecutorOnTheGoldenCases) {
    int layers = 0;
    for (const std::string& name : test::goldenNames("cases/")) {
        if (!name.ends_with(".tflite"))
            continue;
        SCOPED_TRACE(name);
        const std::string input = name.substr(0, name.size() - 7) + ".input.bin";
        const auto inputs = test::goldenNames(input);
        if (!inputs.empty())
            layers += expectHealthy(test::goldenFile(name), test::goldenFile(input));
    }
    EXPECT_GT(layers, 500);
}

TEST(Mistakes, NoneEqualsTheExecutorOnTheModels) {
    SKIP_WITHOUT_SHARED_DATA();
    const auto data = *test::sharedData() / "models";
    for (const std::string name : {"kws", "vww", "resnet8", "ad01"}) {
        SCOPED_TRACE(name);
        EXPECT_GT(expectHealthy(test::readBytes(data / (name + ".tflite")),
                                test::readBytes(data / "inputs" / name / "rand.bin")),
                  5);
    }
}

} // namespace
} // namespace plumbline
