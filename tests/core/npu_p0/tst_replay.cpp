// SPDX-License-Identifier: GPL-3.0-or-later
// An element's replay ends in the executor's byte: every element of small layers, random ones of
// the real models; and its steps hang together.
#include <gtest/gtest.h>

#include <set>

#include "core/lowering/tile_walk.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/replay_walk.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

LoweringPtr lowered(Bytes file) { return *npuP0Target().lower(*importTflite(std::move(file))); }

/// Explains the layers of a run and checks each explanation that explainLayer hands out.
class ReplayCheck {
  public:
    ReplayCheck(const Lowering& lowering, std::int64_t maxSteps, std::int64_t samples)
        : m_lowering(lowering)
        , m_job(jobOf(lowering))
        , m_maxSteps(maxSteps)
        , m_samples(samples) {}

    void run(ByteView input) {
        walkLayers(m_job, input, [this](const VisitedLayer& layer) {
            ++m_layers;
            explainLayer(layer, m_maxSteps, m_samples, m_layers,
                         [&](const Explanation& made) { check(made, layer); });
        });
    }

    const std::set<std::string>& operators() const { return m_operators; }

  private:
    void check(const Explanation& made, const VisitedLayer& layer) {
        EXPECT_EQ(chainProblem(made), "");
        EXPECT_EQ(sourceProblem(made, m_job, layer.arena), "");
        EXPECT_EQ(sumProblem(made), "");
        EXPECT_EQ(stepProblem(made), "");
        EXPECT_EQ(made.operatorIndex, layer.result.operatorIndex);
        EXPECT_EQ(made.operatorName, layer.result.name);
        EXPECT_EQ(made.record, layer.result.record);
        const LoweredOperator& op =
            m_lowering.operators.at(static_cast<std::size_t>(made.operatorIndex));
        m_operators.insert(op.softmax ? "softmax" : op.opcodeName);
        if (op.softmax)
            checkSoftmax(made, op);
        else
            checkPlace(made, op);
    }

    void checkSoftmax(const Explanation& made, const LoweredOperator& op) {
        EXPECT_EQ(made.tile, std::nullopt);
        EXPECT_EQ(made.output, ReplaySource{});
        std::int64_t terms = 0;
        for (const ReplayStep& step : made.steps)
            terms += step.kind == ReplayKind::Difference ? 1 : 0;
        EXPECT_EQ(terms, op.softmax->shape.c);
    }

    /// Tile, position, slices and places against the tile walk and the plan of the arena.
    void checkPlace(const Explanation& made, const LoweredOperator& op) {
        const auto walk = TileWalk::of(op);
        ASSERT_TRUE(walk);
        const ElementIndex& e = made.element;
        const GridPoint point{e.h, e.w};
        ASSERT_TRUE(made.tile);
        EXPECT_EQ(*made.tile, walk->tileAt(point));
        EXPECT_EQ(made.position, walk->positionAt(*made.tile, point));
        EXPECT_EQ(made.group * 8 + made.lane, e.c);
        EXPECT_EQ(made.slices, walk->slices());
        const OperatorGeometry& g = op.geometry;
        const auto index = (e.h * g.ow + e.w) * g.cout + e.c;
        const ReplaySource output{"arena", op.arena.output + static_cast<std::uint64_t>(index)};
        EXPECT_EQ(made.output, output);
        for (const ReplayStep& step : made.steps)
            checkInput(step, op, *walk, e);
    }

    static void checkInput(const ReplayStep& step, const LoweredOperator& op, const TileWalk& walk,
                           const ElementIndex& e) {
        const OperatorGeometry& g = op.geometry;
        if (step.kind == ReplayKind::Product) {
            const ReductionPlace place = walk.place(step.k);
            const GridRect window = walk.window({e.h, e.w, 1, 1});
            const bool perChannel = op.opcodeName == "DEPTHWISE3X3";
            const ElementIndex at{window.y + place.kh, window.x + place.kw,
                                  perChannel ? e.c : place.cin};
            EXPECT_EQ(step.at, at);
            EXPECT_EQ(step.isPadding, at.h < 0 || at.h >= g.h || at.w < 0 || at.w >= g.w);
            EXPECT_EQ(step.slice, step.k / op.tiles.kSlice);
        }
        if (step.inputFrom && step.operand != "input 1") {
            const auto index = (step.at.h * g.w + step.at.w) * g.cin + step.at.c;
            const ReplaySource from{"arena", op.arena.input + static_cast<std::uint64_t>(index)};
            EXPECT_EQ(*step.inputFrom, from);
        }
    }

    const Lowering& m_lowering;
    Job m_job;
    std::int64_t m_maxSteps;
    std::int64_t m_samples;
    std::uint64_t m_layers = 0;
    std::set<std::string> m_operators;
};

TEST(Replay, EveryElementOfEveryOperatorEndsInTheExecutorsByte) {
    const LoweringPtr lowering = lowered(*makeSample("every-operator"));
    constexpr std::int64_t kAll = std::int64_t{1} << 32;
    ReplayCheck check(*lowering, kAll, 0);
    check.run(seededBytes(3, lowering->input.bytes));
    const std::set<std::string> all{"CONV2D", "DEPTHWISE3X3", "FULLY_CONNECTED",
                                    "ADD",    "MAX_POOL",     "AVERAGE_POOL",
                                    "CLAMP",  "softmax",      "GLOBAL_AVERAGE_POOL"};
    EXPECT_EQ(check.operators(), all);
}

TEST(Replay, TheGoldenCasesEndInTheExecutorsBytes) {
    std::size_t cases = 0;
    for (const nlohmann::json& line : goldenLines("cases/index.jsonl")) {
        if (!line.at("lowers").get<bool>())
            continue;
        const std::string name = line.at("case");
        SCOPED_TRACE(name);
        const ByteView file = goldenFile("cases/" + name + ".tflite");
        const LoweringPtr lowering = lowered({file.begin(), file.end()});
        ReplayCheck(*lowering, 20000, 20).run(goldenFile("cases/" + name + ".input.bin"));
        ++cases;
    }
    EXPECT_EQ(cases, 277U);
}

class RealModel : public testing::TestWithParam<const char*> {};

TEST_P(RealModel, RandomElementsOfEveryLayerEndInTheExecutorsBytes) {
    SKIP_WITHOUT_SHARED_DATA();
    const LoweringPtr lowering =
        lowered(readBytes(*sharedData() / "models" / (std::string(GetParam()) + ".tflite")));
    ReplayCheck(*lowering, 0, 40).run(seededBytes(11, lowering->input.bytes));
}

INSTANTIATE_TEST_SUITE_P(Models, RealModel, testing::Values("kws", "vww", "resnet8", "ad01"),
                         [](const auto& row) { return std::string(row.param); });

} // namespace
} // namespace plumbline::test
