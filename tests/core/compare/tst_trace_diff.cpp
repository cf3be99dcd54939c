// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "core/compare/diff.h"

namespace plumbline {
namespace {

TraceLayer makeLayer(std::int64_t index, std::vector<std::int64_t> shape, Bytes bytes) {
    TraceLayer layer;
    layer.operatorIndex = index;
    layer.name = "CONV_2D";
    layer.shape = std::move(shape);
    layer.scale = 0.5;
    layer.zeroPoint = 3;
    layer.bytes = std::move(bytes);
    sealLayer(layer);
    return layer;
}

Trace makeTrace(std::vector<TraceLayer> layers) {
    Trace trace;
    trace.layers = std::move(layers);
    return trace;
}

TraceLayer digestOnly(TraceLayer layer) {
    layer.bytes.clear();
    return layer;
}

/// Two layers of 2x3x2 elements.
TraceLayer sample() { return makeLayer(4, {2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}); }

LayerDifference onlyDifference(const TraceLayer& ours, const TraceLayer& theirs) {
    const TraceDiff diff = diffTraces(makeTrace({ours}), makeTrace({theirs}));
    EXPECT_EQ(diff.compared, 1);
    EXPECT_FALSE(diff.equal());
    return diff.layers.size() == 1 ? diff.layers[0] : LayerDifference{};
}

bool equal(const TraceLayer& ours, const TraceLayer& theirs) {
    return diffTraces(makeTrace({ours}), makeTrace({theirs})).equal();
}

TEST(TraceDiff, equalTracesHaveNoDifference) {
    const Trace trace = makeTrace({sample(), makeLayer(6, {1, 1, 1}, {1})});
    const TraceDiff diff = diffTraces(trace, trace);
    EXPECT_TRUE(diff.equal());
    EXPECT_EQ(diff.compared, 2);
}

TEST(TraceDiff, emptyTracesAreEqual) {
    const TraceDiff diff = diffTraces({}, {});
    EXPECT_TRUE(diff.equal());
    EXPECT_EQ(diff.compared, 0);
}

TEST(TraceDiff, bytesAreCountedAndTheFirstIsLocated) {
    TraceLayer theirs = sample();
    theirs.bytes[9] = 0x80; // [h=1][w=1][c=1]: 9 against -128
    theirs.bytes[11] = 10;
    sealLayer(theirs);
    const LayerDifference found = onlyDifference(sample(), theirs);
    EXPECT_EQ(found.operatorIndex, 4);
    EXPECT_EQ(found.name, "CONV_2D");
    EXPECT_EQ(found.what, "bytes differ");
    EXPECT_EQ(found.oursSha256, sample().sha256);
    EXPECT_EQ(found.theirsSha256, theirs.sha256);
    EXPECT_EQ(found.mismatches, 2);
    EXPECT_EQ(found.maxAbs, 137);
    ASSERT_TRUE(found.first.has_value());
    EXPECT_EQ(found.first->h, 1);
    EXPECT_EQ(found.first->w, 1);
    EXPECT_EQ(found.first->c, 1);
    EXPECT_EQ(found.first->index, 9);
    EXPECT_EQ(found.first->ours, 9);
    EXPECT_EQ(found.first->theirs, -128);
}

TEST(TraceDiff, largestDifferenceIsOfSignedBytes) {
    const LayerDifference found =
        onlyDifference(makeLayer(0, {1, 1, 2}, {0x80, 1}), makeLayer(0, {1, 1, 2}, {0x7F, 1}));
    EXPECT_EQ(found.maxAbs, 255);
    EXPECT_EQ(found.first->ours, -128);
    EXPECT_EQ(found.first->theirs, 127);
}

TEST(TraceDiff, elementsOfSeveralBytesAreLocatedByElement) {
    const LayerDifference found =
        onlyDifference(makeLayer(0, {1, 2, 2}, Bytes(16, 0)),
                       makeLayer(0, {1, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0}));
    EXPECT_EQ(found.first->index, 13);
    EXPECT_EQ(found.first->h, 0);
    EXPECT_EQ(found.first->w, 1);
    EXPECT_EQ(found.first->c, 1);
}

TEST(TraceDiff, flatLayerTakesTheOtherShape) {
    TraceLayer flat = makeLayer(4, {12}, sample().bytes);
    flat.name.clear();
    EXPECT_TRUE(equal(flat, sample()));
    flat.bytes[7] = 0;
    sealLayer(flat);
    const LayerDifference found = onlyDifference(flat, sample());
    EXPECT_EQ(found.name, "CONV_2D");
    EXPECT_EQ(found.first->h, 1);
    EXPECT_EQ(found.first->w, 0);
    EXPECT_EQ(found.first->c, 1);
}

TEST(TraceDiff, shapeThatDoesNotFitGivesTheByteIndex) {
    TraceLayer odd = sample();
    odd.shape = {INT64_MAX, INT64_MAX, 5};
    TraceLayer changed = odd;
    changed.bytes[5] = 0;
    sealLayer(changed);
    const LayerDifference found = onlyDifference(odd, changed);
    EXPECT_EQ(found.first->c, 5);
    EXPECT_EQ(found.first->h, 0);
}

TEST(TraceDiff, bytesAreTrustedMoreThanDigests) {
    TraceLayer theirs = sample();
    theirs.sha256 = std::string(64, '0');
    EXPECT_TRUE(equal(sample(), theirs));
}

TEST(TraceDiff, digestsAreComparedWhereBytesAreMissing) {
    EXPECT_TRUE(equal(digestOnly(sample()), sample()));
    EXPECT_TRUE(equal(sample(), digestOnly(sample())));
    TraceLayer theirs = sample();
    theirs.bytes[0] = 9;
    sealLayer(theirs);
    const LayerDifference found = onlyDifference(sample(), digestOnly(theirs));
    EXPECT_EQ(found.what, "digests differ");
    EXPECT_FALSE(found.mismatches.has_value());
    EXPECT_FALSE(found.first.has_value());
    EXPECT_FALSE(found.maxAbs.has_value());
}

TEST(TraceDiff, digestOfUnknownSizeIsCompared) {
    TraceLayer digest = digestOnly(sample());
    digest.byteCount = 0;
    digest.shape.clear();
    EXPECT_TRUE(equal(digest, sample()));
    digest.sha256[0] = digest.sha256[0] == '0' ? '1' : '0';
    EXPECT_EQ(onlyDifference(sample(), digest).what, "digests differ");
}

TEST(TraceDiff, layerWithoutBytesAndDigestIsADifference) {
    TraceLayer nothing = digestOnly(sample());
    nothing.sha256.clear();
    EXPECT_EQ(onlyDifference(nothing, sample()).what, "no bytes and no digest in the first");
    EXPECT_EQ(onlyDifference(sample(), nothing).what, "no bytes and no digest in the second");
}

TEST(TraceDiff, unsealedBytesAreComparedWithADigest) {
    TraceLayer unsealed = sample();
    unsealed.sha256.clear();
    EXPECT_TRUE(equal(unsealed, digestOnly(sample())));
}

TEST(TraceDiff, sizesAreComparedFirst) {
    const LayerDifference found =
        onlyDifference(makeLayer(0, {4}, {1, 2, 3, 4}), makeLayer(0, {3}, {1, 2, 3}));
    EXPECT_EQ(found.what, "sizes differ (4 and 3 bytes)");
    EXPECT_FALSE(found.mismatches.has_value());
}

TEST(TraceDiff, shapesAreComparedWithoutLeadingOnes) {
    TraceLayer theirs = sample();
    theirs.shape = {1, 2, 3, 2};
    EXPECT_TRUE(equal(sample(), theirs));
    theirs.shape = {3, 2, 2};
    const LayerDifference found = onlyDifference(sample(), theirs);
    EXPECT_EQ(found.what, "shapes differ ([2,3,2] and [3,2,2])");
    EXPECT_EQ(found.mismatches, 0);
}

TEST(TraceDiff, quantizationIsComparedWhereBothKnowIt) {
    TraceLayer theirs = sample();
    theirs.scale = 0.25;
    theirs.zeroPoint = -3;
    EXPECT_EQ(onlyDifference(sample(), theirs).what,
              "scales differ (0.5 and 0.25), zero points differ (3 and -3)");
    theirs.scale.reset();
    theirs.zeroPoint.reset();
    EXPECT_TRUE(equal(sample(), theirs));
}

TEST(TraceDiff, scalesAreComparedAsTheModelHasThem) {
    TraceLayer ours = sample();
    TraceLayer theirs = sample();
    ours.scale = static_cast<double>(0.1f);
    theirs.scale = 0.1;
    EXPECT_TRUE(equal(ours, theirs));
}

TEST(TraceDiff, layersAreMatchedByOperatorIndex) {
    const TraceLayer a = makeLayer(1, {1}, {1});
    const TraceLayer b = makeLayer(2, {1}, {2});
    const TraceLayer c = makeLayer(3, {1}, {3});
    const TraceDiff diff = diffTraces(makeTrace({a, b}), makeTrace({c, b}));
    EXPECT_EQ(diff.compared, 1);
    ASSERT_EQ(diff.layers.size(), 2u);
    EXPECT_EQ(diff.layers[0].operatorIndex, 1);
    EXPECT_EQ(diff.layers[0].what, "only in the first");
    EXPECT_EQ(diff.layers[0].oursSha256, a.sha256);
    EXPECT_EQ(diff.layers[0].theirsSha256, "");
    EXPECT_EQ(diff.layers[1].operatorIndex, 3);
    EXPECT_EQ(diff.layers[1].what, "only in the second");
    EXPECT_EQ(diff.layers[1].theirsSha256, c.sha256);
}

TEST(TraceDiff, namesAreNotCompared) {
    TraceLayer theirs = sample();
    theirs.name = "Conv2D";
    EXPECT_TRUE(equal(sample(), theirs));
}

} // namespace
} // namespace plumbline
