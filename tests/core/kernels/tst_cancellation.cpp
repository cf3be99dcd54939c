// SPDX-License-Identifier: GPL-3.0-or-later
// A stop that is asked for while a layer runs.
#include <gtest/gtest.h>

#include "core/kernels/graph_runner.h"
#include "tests/core/kernels/graph_builder.h"

namespace plumbline::test {
namespace {

std::vector<const KernelSet*> allSets() {
    std::vector<const KernelSet*> sets = everyFastKernels();
    sets.push_back(&plainKernels());
    return sets;
}

// The token is set before the call: only a look from inside can end it.
TEST(KernelCancellation, aLargeLayerLooksAtTheToken) {
    std::stop_source stop;
    stop.request_stop();
    const Hwc shape{256, 256, 16};
    const Values input(static_cast<std::size_t>(shape.elements()), 1), weights(3 * 3 * 16 * 16, 1);
    Values output(input.size());
    const std::vector<Multiplier> multipliers(16, {1 << 30, -8});
    for (const KernelSet* set : allSets()) {
        SCOPED_TRACE(set->isa);
        WeightedArguments conv;
        conv.input = {input.data(), shape};
        conv.window = {3, 3, 1, 1, 1, 1, 1, 1};
        conv.weights = weights.data();
        conv.multipliers = multipliers;
        conv.outputShape = shape;
        conv.output = output.data();
        conv.rows = {0, shape.h};
        const auto prepared = set->prepareConv ? set->prepareConv(conv) : nullptr;
        conv.prepared = prepared.get();
        EXPECT_EQ(set->conv(conv), KernelStatus::Done);
        conv.stop = stop.get_token();
        EXPECT_EQ(set->conv(conv), KernelStatus::Stopped);

        conv.prepared = nullptr;
        conv.stop = {};
        const auto depthwise = set->prepareDepthwise ? set->prepareDepthwise(conv) : nullptr;
        conv.prepared = depthwise.get();
        EXPECT_EQ(set->depthwise(conv), KernelStatus::Done);
        conv.stop = stop.get_token();
        EXPECT_EQ(set->depthwise(conv), KernelStatus::Stopped);

        PoolArguments pool;
        pool.input = {input.data(), shape};
        pool.window = {3, 3, 1, 1, 1, 1, 1, 1};
        pool.outputShape = shape;
        pool.output = output.data();
        pool.rows = {0, shape.h};
        for (const auto kernel : {set->maxPool, set->averagePool}) {
            pool.stop = {};
            EXPECT_EQ(kernel(pool), KernelStatus::Done);
            pool.stop = stop.get_token();
            EXPECT_EQ(kernel(pool), KernelStatus::Stopped);
        }
    }
}

std::stop_source& stopOfTheRun() {
    static std::stop_source stop;
    return stop;
}

/// The plain conv, in which somebody asks for a stop.
KernelStatus convThatIsStopped(const WeightedArguments& args) {
    stopOfTheRun().request_stop();
    return plainKernels().conv(args);
}

TEST(KernelCancellation, aRunThatIsStoppedInsideALayerIsCancelledThere) {
    GraphBuilder b;
    const std::int32_t in = b.input({1, 256, 256, 4});
    const std::int32_t relu = b.activation({1, 256, 256, 4}), out = b.activation({1, 256, 256, 8});
    const std::int32_t weights = b.weights({8, 3, 3, 4}, Values(8 * 3 * 3 * 4, 1));
    b.addOperator(OperatorKind::Relu, "RELU", {in}, {relu});
    b.addOperator(OperatorKind::Conv2D, "CONV_2D", {relu, weights, b.bias(std::vector(8, 0))},
                  {out}, convOptions(Padding::Same));
    b.output(out);
    KernelSet set = plainKernels();
    set.conv = convThatIsStopped;
    const Result<PreparedGraphPtr> prepared = prepareGraph(b.model, set);
    ASSERT_TRUE(prepared) << toText(prepared.diagnostics().front());
    JobContext context;
    context.stop = stopOfTheRun().get_token();
    const Result<GraphRun> run = runPrepared(**prepared, Bytes(256 * 256 * 4), context);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.diagnostics().front().code, Code::Cancelled);
    EXPECT_NE(toText(run.diagnostics().front()).find("CONV_2D"), std::string::npos);
}

} // namespace
} // namespace plumbline::test
