// SPDX-License-Identifier: GPL-3.0-or-later
// Arena images of every sample against what the executor captured, and of damaged lowerings.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/document/document.h"
#include "core/lowering/arena_image.h"
#include "core/samples/samples.h"

namespace plumbline {
namespace {

DocumentPtr opened(const std::string& sample) {
    OpenRequest request;
    request.sample = sample;
    return *openDocument(request, npuP0Target());
}

ArenaImage imageOf(const Document& document, std::int64_t step) {
    auto image = arenaAfter(*document.lowering, document.input, document.execution->trace, step);
    EXPECT_TRUE(image);
    return *std::move(image);
}

/// The bytes of `allocation` in the image.
Bytes bytesOf(const ArenaImage& image, const Allocation& allocation) {
    const auto begin = image.bytes.begin() + static_cast<std::ptrdiff_t>(allocation.offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(allocation.bytes)};
}

class ArenaImageOfSample : public testing::TestWithParam<std::string> {};

/// Every buffer that is live at a step holds what its producer wrote: planning, execution and the
/// image agree.
TEST_P(ArenaImageOfSample, LiveBuffersHoldTheirLayers) {
    const DocumentPtr document = opened(GetParam());
    const Lowering& lowering = *document->lowering;
    ASSERT_TRUE(lowering.complete);
    for (std::int64_t step = -1; step < std::ssize(lowering.operators); ++step) {
        SCOPED_TRACE(step);
        const ArenaImage image = imageOf(*document, step);
        EXPECT_EQ(image.gap, "");
        for (const Allocation& allocation : lowering.arena.allocations) {
            if (!allocation.isLiveAt(step))
                continue;
            if (allocation.firstOperator < 0)
                EXPECT_EQ(bytesOf(image, allocation), document->input);
            else
                EXPECT_EQ(bytesOf(image, allocation),
                          document->execution->trace.layerOf(allocation.firstOperator)->bytes);
        }
    }
}

TEST_P(ArenaImageOfSample, OnlyWrittenBytesChange) {
    const DocumentPtr document = opened(GetParam());
    ArenaImage before = imageOf(*document, -1);
    for (const LoweredOperator& op : document->lowering->operators) {
        SCOPED_TRACE(op.index);
        ArenaImage after = imageOf(*document, op.index);
        std::vector<bool> changed(after.bytes.size());
        for (const ByteRun& run : after.changed)
            for (std::uint64_t i = run.offset; i < run.end(); ++i)
                changed[static_cast<std::size_t>(i)] = true;
        std::uint64_t written = 0;
        for (const ByteRun& run : after.written)
            written += run.bytes;
        EXPECT_EQ(written, op.record ? op.arena.outputBytes : 0U);
        for (std::size_t i = 0; i < after.bytes.size(); ++i)
            ASSERT_EQ(changed[i], after.bytes[i] != before.bytes[i]) << i;
        before = std::move(after);
    }
}

TEST_P(ArenaImageOfSample, OwnersAreTheLiveAllocations) {
    const DocumentPtr document = opened(GetParam());
    const ArenaPlan& plan = document->lowering->arena;
    for (const ArenaStep& step : plan.steps) {
        const ArenaImage image = imageOf(*document, step.operatorIndex);
        std::uint64_t owned = 0, end = 0;
        for (const OwnerRun& owner : image.owners) {
            EXPECT_GE(owner.run.offset, end);
            end = owner.run.end();
            owned += owner.run.bytes;
        }
        EXPECT_EQ(owned, step.liveBytes);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ArenaImageOfSample,
                         testing::Values("ds-cnn", "mobilenet", "resnet8", "autoencoder",
                                         "every-operator", "branches-30"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(ArenaImage, AliasAndCpuStepWriteNowhere) {
    const DocumentPtr document = opened("ds-cnn");
    int aliases = 0, cpu = 0;
    for (const LoweredOperator& op : document->lowering->operators) {
        aliases += op.placement == Placement::Alias ? 1 : 0;
        cpu += op.placement == Placement::CpuSoftmax ? 1 : 0;
        if (op.record)
            continue;
        const ArenaImage image = imageOf(*document, op.index);
        EXPECT_TRUE(image.written.empty());
        EXPECT_TRUE(image.changed.empty());
        EXPECT_EQ(image.bytes, imageOf(*document, op.index - 1).bytes);
    }
    EXPECT_GE(aliases, 1);
    EXPECT_EQ(cpu, 1);
}

TEST(ArenaImage, StepIsClampedToTheOperators) {
    const DocumentPtr document = opened("resnet8");
    const auto last = std::ssize(document->lowering->operators) - 1;
    EXPECT_EQ(imageOf(*document, 1000000).step, last);
    EXPECT_EQ(imageOf(*document, -1000000).step, -1);
}

TEST(ArenaImage, MissingLayersAndInputAreSaid) {
    const DocumentPtr document = opened("resnet8");
    const auto none = arenaAfter(*document->lowering, {}, {}, 0);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->gap, "there is no input");
    const auto unrun = arenaAfter(*document->lowering, document->input, {}, 0);
    EXPECT_EQ(unrun->gap, "operator 0 was not run");
    Trace digests = document->execution->trace;
    for (TraceLayer& layer : digests.layers)
        layer.bytes.clear();
    EXPECT_EQ(arenaAfter(*document->lowering, document->input, digests, 0)->gap,
              "the output of operator 0 was not captured");
}

TEST(ArenaImage, HostileValuesAreRefusedOrLeftOut) {
    const DocumentPtr document = opened("resnet8");
    Lowering lowering = *document->lowering;
    Trace trace = document->execution->trace;
    trace.layers[0].record = -5;
    trace.layers[1].record = std::int64_t{1} << 40;
    setField(lowering.records[2].bytes, lowering.fields->fields[lowering.fields->output->base],
             0xFFFFFFF0);
    setField(lowering.records[3].bytes, lowering.fields->fields[lowering.fields->output->rowBytes],
             0xFFFFFFFF);
    lowering.arena.allocations[0].offset = ~std::uint64_t{0};
    lowering.arena.allocations[1].bytes = ~std::uint64_t{0};
    lowering.input.offset = ~std::uint64_t{0};
    const auto image = arenaAfter(lowering, document->input, trace, 1000);
    ASSERT_TRUE(image);
    EXPECT_NE(image->gap, "");
    for (const OwnerRun& owner : image->owners)
        EXPECT_LE(owner.run.end(), image->bytes.size());
    lowering.arena.peakBytes = kMaxArenaImage + 1;
    EXPECT_FALSE(arenaAfter(lowering, document->input, trace, 1));
    EXPECT_FALSE(arenaAfter(Lowering{}, {}, {}, 0));
}

} // namespace
} // namespace plumbline
