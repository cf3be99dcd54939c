// SPDX-License-Identifier: GPL-3.0-or-later
// Lowering against lowering: shifts told from changes, operators put in, damage, and the comparison
// the other way round.
#include <gtest/gtest.h>

#include <tuple>

#include "core/samples/network_builder.h"
#include "tests/core/compare/compared_lowerings.h"

namespace plumbline {
namespace {

using namespace test;

/// `lowering` with all its weights 64 bytes further on.
Lowering withShiftedWeights(Lowering lowering) {
    lowering.weights.insert(lowering.weights.begin(), 64, 0);
    for (LoweredOperator& op : lowering.operators) {
        if (op.weights)
            op.weights->offset += 64;
    }
    for (Relocation& r : lowering.relocations) {
        if (r.region == "weights")
            setField(lowering.records[static_cast<std::size_t>(r.record)].bytes,
                     field("WEIGHT_BASE"), r.offset += 64);
    }
    return lowering;
}

TEST(LoweringShifts, ConstantsThatOnlyLieElsewhereAreShifts) {
    const LoweringDiff diff = diffLowerings(sample(), withShiftedWeights(sample()));
    const auto weighted = static_cast<std::size_t>(
        std::count_if(sample().operators.begin(), sample().operators.end(),
                      [](const LoweredOperator& op) { return op.weights.has_value(); }));
    EXPECT_EQ(diff.addressShifts(), weighted);
    ASSERT_EQ(diff.changes.size(), weighted + 1); // and the region's size
    EXPECT_EQ(diff.changes.back().key, "region");
    EXPECT_EQ(diff.changes.front().key, "WEIGHT_BASE");
    EXPECT_EQ(diff.changes.front().consequence, "the same bytes lie 64 bytes further on");
}

TEST(LoweringShifts, AMovedArenaIsShiftsButForItsPeak) {
    Lowering theirs = sample();
    theirs.arena.peakBytes += 64;
    for (Allocation& made : theirs.arena.allocations)
        made.offset += made.firstOperator >= 0 ? 64 : 0;
    ASSERT_EQ(sample().input.offset, 0U);
    std::size_t addresses = 0;
    for (LoweredOperator& op : theirs.operators) {
        op.arena.output += op.placement == Placement::Npu ? 64 : 0;
        for (Relocation& r : theirs.relocations) {
            if (!op.record || r.record != *op.record || r.region != "arena")
                continue;
            const FieldSpec* spec = &field("OUTPUT_BASE");
            const bool isOutput = r.word == spec->word;
            // What is read is the input only while nothing was written over it.
            const bool isInput = !isOutput && op.index == 0;
            if (!isOutput)
                spec = &field(r.word == field("INPUT0_BASE").word ? "INPUT0_BASE" : "INPUT1_BASE");
            r.offset += isInput ? 0 : 64;
            addresses += isInput ? 0 : 1;
            setField(theirs.records[static_cast<std::size_t>(r.record)].bytes, *spec, r.offset);
        }
    }
    const LoweringDiff diff = diffLowerings(sample(), theirs);
    EXPECT_EQ(count(diff, ChangeKind::Address), addresses);
    for (const LoweringChange& change : diff.changes)
        EXPECT_EQ(change.isAddressShift, change.key != "peak") << change.key;
}

/// A network of weightless operators behind two convolutions, so that what stands between does not
/// change what follows.
Lowering network(bool withExtra) {
    NetworkBuilder net(1);
    const Value in = net.input({12, 12, 4});
    Value x = net.conv(in, 8, {3, 3, 1}, FusedActivation::Relu);
    x = net.conv(x, 8, {3, 3, 1}, FusedActivation::None);
    if (withExtra)
        x = net.pool(OperatorKind::MaxPool2D, x, {3, 3, 1, Padding::Same});
    x = net.unary(19, x); // RELU
    x = net.pool(OperatorKind::AveragePool2D, x, {2, 2, 2});
    return lowered(net.finish(in, x, "compared"));
}

TEST(LoweringShifts, AnOperatorPutInMovesTheOthersWithoutChangingThem) {
    const Lowering first = network(false), second = network(true);
    const LoweringDiff diff = diffLowerings(first, second);
    const std::vector<OperatorMatch> expected{{0, 0}, {1, 1}, {2, 3}, {3, 4}};
    EXPECT_EQ(diff.matches, expected);
    EXPECT_EQ(count(diff, ChangeKind::OnlyInSecond), 1U);
    EXPECT_EQ(count(diff, ChangeKind::OnlyInFirst), 0U);
    for (const ChangeKind kind : {ChangeKind::Moved, ChangeKind::Placement, ChangeKind::Field,
                                  ChangeKind::Weights, ChangeKind::Params, ChangeKind::Step,
                                  ChangeKind::Tiles, ChangeKind::Buffers, ChangeKind::Quantization})
        EXPECT_EQ(count(diff, kind), 0U) << changeKindName(kind);
    const auto put =
        std::find_if(diff.changes.begin(), diff.changes.end(),
                     [](const LoweringChange& c) { return c.kind == ChangeKind::OnlyInSecond; });
    EXPECT_EQ(put->secondOperator, 2);
    EXPECT_EQ(put->second, "MAX_POOL_2D 2");
    for (const LoweringChange& change : diff.changes) {
        EXPECT_TRUE(change.kind != ChangeKind::Address || change.isAddressShift ||
                    change.firstOperator == 2)
            << change.key;
    }
}

using Mirrored =
    std::tuple<int, std::optional<std::int64_t>, std::optional<std::int64_t>, std::string,
               std::string, std::string, std::optional<std::uint64_t>, bool>;

/// The changes as values that can be compared; with `swapped`, as seen from the other side.
std::vector<Mirrored> values(const LoweringDiff& diff, bool swapped) {
    std::vector<Mirrored> all;
    for (const LoweringChange& c : diff.changes) {
        ChangeKind kind = c.kind;
        if (swapped && kind == ChangeKind::OnlyInFirst)
            kind = ChangeKind::OnlyInSecond;
        else if (swapped && kind == ChangeKind::OnlyInSecond)
            kind = ChangeKind::OnlyInFirst;
        all.emplace_back(static_cast<int>(kind), swapped ? c.secondOperator : c.firstOperator,
                         swapped ? c.firstOperator : c.secondOperator, c.key,
                         swapped ? c.second : c.first, swapped ? c.first : c.second,
                         swapped ? c.secondOffset : c.firstOffset, c.isAddressShift);
    }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(LoweringShifts, ComparedTheOtherWayRoundGivesTheSameChanges) {
    std::vector<Lowering> all{network(false), network(true), withShiftedWeights(sample())};
    for (const char* name : {"every-operator", "ds-cnn", "resnet8", "branches-30", "branches-33"})
        all.push_back(lowered(*makeSample(name)));
    all.push_back(lowered(*makeSample("ds-cnn", 2)));
    for (const Lowering& a : all) {
        for (const Lowering& b : all)
            EXPECT_EQ(values(diffLowerings(a, b), false), values(diffLowerings(b, a), true));
    }
}

TEST(LoweringShifts, DamagedLoweringsAreCompared) {
    Lowering theirs = sample();
    theirs.operators.clear(); // a package without report
    for (Record& record : theirs.records)
        record.operatorIndex = -1;
    EXPECT_FALSE(diffLowerings(sample(), theirs).equal());
    Lowering ours = theirs;
    EXPECT_TRUE(diffLowerings(ours, theirs).equal());
    setField(theirs.records[2].bytes, field("K_SLICE"), 3);
    const LoweringChange change = onlyChange(ours, theirs);
    EXPECT_EQ(change.key, "K_SLICE");
    EXPECT_EQ(change.firstRecord, 2);
    EXPECT_EQ(change.firstAddress, "record/2/word/15/K_SLICE");
    theirs = ours;
    theirs.weights[9] ^= 1;
    const LoweringChange weight = onlyChange(ours, theirs);
    EXPECT_EQ(weight.key, "[group 0][k 1][lane 1]");
    EXPECT_EQ(weight.firstRecord, 0);
    EXPECT_EQ(weight.firstOffset, 9U);
    theirs.records.resize(1);
    theirs.weights.clear();
    EXPECT_FALSE(diffLowerings(ours, theirs).equal());
    EXPECT_TRUE(diffLowerings(Lowering{}, Lowering{}).equal());
    EXPECT_FALSE(diffLowerings(Lowering{}, sample()).equal());
}

} // namespace
} // namespace plumbline
