// SPDX-License-Identifier: GPL-3.0-or-later
// How layers find their operators, and what a lowering's layers are.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/compare/reference.h"
#include "core/document/package_lowering.h"
#include "tests/core/compare/reference_folder.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

using test::fewLayers;
using test::matchText;
using test::someBytes;

TraceLayer layer(std::int64_t index, std::string name, std::vector<std::int64_t> shape,
                 std::uint64_t seed = 1) {
    TraceLayer made;
    made.operatorIndex = index;
    made.name = std::move(name);
    std::size_t count = 1;
    for (const std::int64_t extent : shape)
        count *= static_cast<std::size_t>(extent);
    made.shape = std::move(shape);
    made.bytes = someBytes(seed, count);
    sealLayer(made);
    return made;
}

Reference match(std::vector<TraceLayer> layers) {
    Trace trace;
    trace.producer = "elsewhere";
    trace.inputSha256 = std::string(64, 'a');
    trace.layers = std::move(layers);
    return matchReference(std::move(trace), "ref", fewLayers());
}

TEST(Reference, layersAreMatchedByIndex) {
    const Reference found = match({layer(3, "", {12}, 7), layer(0, "CONV_2D", {4, 5, 2}, 8)});
    EXPECT_EQ(matchText(found), "operator 3 index 3\noperator 0 index 0\n");
    EXPECT_EQ(found.name, "ref");
    EXPECT_EQ(found.trace.producer, "elsewhere");
    EXPECT_EQ(found.trace.inputSha256, std::string(64, 'a'));
    ASSERT_EQ(found.trace.layers.size(), 2U);
    EXPECT_EQ(found.trace.layers[0].bytes, someBytes(8, 40));
    EXPECT_EQ(found.trace.layers[1].operatorIndex, 3);
    EXPECT_EQ(found.trace.layers[1].name, "FULLY_CONNECTED");
    EXPECT_EQ(found.trace.layers[1].shape, (std::vector<std::int64_t>{1, 1, 12}));
    EXPECT_EQ(found.trace.layers[1].bytes, someBytes(7, 12));
    ASSERT_NE(found.matchOf(3), nullptr);
    EXPECT_EQ(found.matchOf(3)->by, MatchedBy::Index);
    EXPECT_EQ(found.matchOf(1), nullptr);
}

TEST(Reference, theTraceIsInTheOrderOfOperators) {
    std::vector<LayerIdentity> layers = fewLayers();
    std::reverse(layers.begin(), layers.end());
    Trace trace;
    trace.layers = {layer(3, "", {12}), layer(5, "", {7}), layer(0, "", {40})};
    const Reference found = matchReference(trace, "ref", layers);
    ASSERT_EQ(found.trace.layers.size(), 3U);
    EXPECT_EQ(found.trace.layers[0].operatorIndex, 0);
    EXPECT_EQ(found.trace.layers[1].operatorIndex, 3);
    EXPECT_EQ(found.trace.layers[2].operatorIndex, 5);
}

TEST(Reference, anIndexThatContradictsTheSizeIsNotTaken) {
    const Reference found = match({layer(0, "", {7})});
    EXPECT_EQ(matchText(found), "operator 0 size 5: operator 0 makes 40 bytes, this has 7\n");
}

TEST(Reference, thenByNameThenBySize) {
    const Reference found =
        match({layer(100, "dense", {12}), layer(101, "net_conv2d_9_Relu_bias", {40}),
               layer(102, "other", {7}), layer(103, "Dense", {12})});
    EXPECT_EQ(matchText(found), "operator 100 name 3: there is no layer of operator 100\n"
                                "operator 101 name 1: there is no layer of operator 101\n"
                                "operator 102 size 5: there is no layer of operator 102\n"
                                "operator 103 size 4: there is no layer of operator 103\n");
}

TEST(Reference, aSizeOfSeveralLayersMatchesNone) {
    const Reference found = match({layer(2, "", {12}), layer(2, "", {9})});
    EXPECT_EQ(matchText(found),
              "operator 2 none: there is no layer of operator 2; 2 layers that are left have 12 "
              "bytes\n"
              "operator 2 none: there is no layer of operator 2; no layer that is left has 9 "
              "bytes\n");
    EXPECT_TRUE(found.trace.layers.empty());
}

TEST(Reference, theFirstOfDuplicatesWins) {
    const Reference found = match(
        {layer(5, "", {7}, 1), layer(5, "", {7}, 2), layer(9, "last", {7}, 3), layer(3, "", {12})});
    EXPECT_EQ(matchText(found),
              "operator 5 index 5\n"
              "operator 5 none: operator 5 is matched already, with operator 5\n"
              "operator 9 none: there is no layer of operator 9; operator 5 is matched already, "
              "with operator 5\n"
              "operator 3 index 3\n");
    EXPECT_EQ(found.trace.layerOf(5)->bytes, someBytes(1, 7));
}

TEST(Reference, aNameOfSeveralOutputsMatchesNone) {
    std::vector<LayerIdentity> layers = fewLayers();
    layers[3].tensorName = "dense";
    Trace trace;
    trace.layers = {layer(2, "dense", {12})};
    const Reference found = matchReference(trace, "ref", layers);
    EXPECT_EQ(matchText(found), "operator 2 none: there is no layer of operator 2; 2 outputs are "
                                "called dense; 2 layers that are left have 12 bytes\n");
}

TEST(Reference, anotherShapeOfTheSameSizeIsSaid) {
    const Reference found = match({layer(0, "", {5, 4, 2}), layer(1, "", {1, 4, 5, 2})});
    EXPECT_EQ(matchText(found), "operator 0 index 0: its shape [5,4,2] is read as [4,5,2]\n"
                                "operator 1 index 1\n");
}

TEST(Reference, digestsAreLayersToo) {
    TraceLayer sized = layer(0, "", {4, 5, 2});
    sized.bytes.clear();
    TraceLayer unsized = sized;
    unsized.operatorIndex = 1;
    unsized.byteCount = 0;
    unsized.shape.clear();
    TraceLayer lost = unsized;
    lost.operatorIndex = 2;
    TraceLayer empty = sized;
    empty.operatorIndex = 3;
    empty.sha256.clear();
    const Reference found = match({sized, unsized, lost, empty});
    EXPECT_EQ(matchText(found), "operator 0 index 0\noperator 1 index 1\n"
                                "operator 2 none: there is no layer of operator 2\n"
                                "operator 3 none: it has neither bytes nor a SHA-256\n");
    EXPECT_EQ(found.trace.layers[1].byteCount, 40U);
    EXPECT_FALSE(found.trace.layers[1].hasBytes());
}

TEST(Reference, whatIsNotUsedIsSaidAndCountedBeyondALimit) {
    std::vector<TraceLayer> layers{layer(0, "CONV_2D", {4, 5, 2}), layer(3, "", {12})};
    EXPECT_TRUE(matchNotes(match(layers)).empty());
    constexpr std::size_t kStrangers = 25;
    for (std::size_t i = 0; i < kStrangers; ++i)
        layers.push_back(layer(1000 + static_cast<std::int64_t>(i), "", {7777}));
    const Diagnostics notes = matchNotes(match(layers));
    ASSERT_EQ(notes.size(), kMaxMatchNotes + 1);
    for (const Diagnostic& note : notes) {
        EXPECT_EQ(note.severity, Severity::Warning);
        EXPECT_EQ(note.code, Code::UnmatchedLayer);
    }
    EXPECT_EQ(notes.back().message, "5 more layers of ref are like that.");
}

TEST(Reference, damagedShapesMatchNothing) {
    std::vector<LayerIdentity> layers = fewLayers();
    const std::int64_t huge = std::int64_t{1} << 40;
    layers[0].shape = {huge, huge, huge};
    layers[1].shape = {-4, -5, 2};
    Trace trace;
    trace.layers = {layer(0, "", {40}), layer(1, "", {40})};
    const Reference found = matchReference(trace, "ref", layers);
    EXPECT_TRUE(found.trace.layers.empty());
}

/// Random layers: every match is right about its size, and no operator has two.
TEST(Reference, randomMatchesAreSound) {
    SplitMix64 random(11);
    const std::vector<LayerIdentity> layers = fewLayers();
    const std::vector<std::string> names{"", "dense", "net_conv2d_Relu", "last", "Identity_3"};
    const std::vector<std::int64_t> sizes{7, 12, 40, 3};
    for (int round = 0; round < 300; ++round) {
        std::vector<TraceLayer> given;
        for (std::uint64_t i = random.below(9); i > 0; --i)
            given.push_back(layer(static_cast<std::int64_t>(random.below(7)),
                                  names[random.below(names.size())],
                                  {sizes[random.below(sizes.size())]}, random.next()));
        const Reference found = match(given);
        ASSERT_EQ(found.matches.size(), given.size());
        std::set<std::int64_t> used;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const LayerMatch& match = found.matches[i];
            ASSERT_EQ(match.by == MatchedBy::None, !match.operatorIndex);
            if (!match.operatorIndex) {
                EXPECT_FALSE(match.note.empty());
                continue;
            }
            EXPECT_TRUE(used.insert(*match.operatorIndex).second);
            EXPECT_EQ(found.trace.layerOf(*match.operatorIndex)->bytes, given[i].bytes);
            const auto identity =
                std::find_if(layers.begin(), layers.end(), [&](const LayerIdentity& l) {
                    return l.operatorIndex == *match.operatorIndex;
                });
            EXPECT_EQ(identity->shape.elements(), static_cast<std::int64_t>(given[i].byteCount));
        }
        EXPECT_EQ(found.trace.layers.size(), used.size());
    }
}

TEST(LayerIdentities, areTheLayersThatTheExecutorMakes) {
    for (const std::string name : {"every-operator", "ds-cnn", "resnet8"}) {
        const test::SamplePackage sample(name);
        const Lowering& lowering = sample.lowering();
        const Job job = jobOf(lowering);
        const Execution run = npuP0Target().execute(job, seededBytes(1, job.inputBytes));
        ASSERT_FALSE(run.fault);
        const std::vector<LayerIdentity> layers = layerIdentities(lowering);
        ASSERT_EQ(layers.size(), run.trace.layers.size());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const TraceLayer& made = run.trace.layers[i];
            const Hwc& shape = layers[i].shape;
            EXPECT_EQ(layers[i].operatorIndex, made.operatorIndex);
            EXPECT_EQ(layers[i].name, made.name);
            EXPECT_EQ((std::vector<std::int64_t>{shape.h, shape.w, shape.c}), made.shape);
            EXPECT_EQ(layers[i].arenaOffset.has_value(), made.record.has_value());
            const Graph& graph = lowering.model->graphs[0];
            const auto op = static_cast<std::size_t>(made.operatorIndex);
            const auto tensor = static_cast<std::size_t>(graph.operators[op].outputs[0]);
            EXPECT_EQ(layers[i].tensorName, graph.tensors[tensor].name);
        }
    }
}

TEST(LayerIdentities, ofAPackageHaveNoTensorNames) {
    const test::SamplePackage sample;
    const auto package = loadPackage(sample.path());
    ASSERT_TRUE(package);
    const auto ours = layerIdentities(sample.lowering());
    const auto theirs = layerIdentities(*loweringOfPackage(*package, npuP0Target()));
    ASSERT_EQ(theirs.size(), ours.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(theirs[i].operatorIndex, ours[i].operatorIndex);
        EXPECT_EQ(theirs[i].shape, ours[i].shape);
        EXPECT_EQ(theirs[i].arenaOffset, ours[i].arenaOffset);
        EXPECT_TRUE(theirs[i].tensorName.empty());
    }
}

} // namespace
} // namespace plumbline
