// SPDX-License-Identifier: GPL-3.0-or-later
// Lowering against lowering: nothing between equal ones, each single change by name, and shifts
// told from changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "core/compare/lowering_diff.h"
#include "core/document/package_lowering.h"
#include "core/lowering/selection.h"
#include "core/samples/network_builder.h"
#include "tests/support/sample_package.h"

namespace plumbline {
namespace {

using test::SamplePackage;

Lowering lowered(Bytes file) {
    const auto model = importTflite(std::move(file));
    EXPECT_TRUE(model);
    const LoweringPtr lowering = *npuP0Target().lower(*model);
    EXPECT_TRUE(lowering->complete);
    return *lowering;
}

const Lowering& sample() {
    static const Lowering lowering = lowered(*makeSample("every-operator"));
    return lowering;
}

const FieldTable& fields() { return npuP0Target().fields(); }
const FieldSpec& field(std::string_view name) {
    return fields().fields[*findField(fields(), name)];
}

/// The one change between two lowerings.
LoweringChange onlyChange(const Lowering& first, const Lowering& second) {
    const LoweringDiff diff = diffLowerings(first, second);
    EXPECT_EQ(diff.changes.size(), 1U);
    for (std::size_t i = 1; i < diff.changes.size(); ++i)
        ADD_FAILURE() << changeKindName(diff.changes[i].kind) << " " << diff.changes[i].key;
    return diff.changes.empty() ? LoweringChange{} : diff.changes.front();
}

std::size_t count(const LoweringDiff& diff, ChangeKind kind) {
    return static_cast<std::size_t>(
        std::count_if(diff.changes.begin(), diff.changes.end(),
                      [kind](const LoweringChange& c) { return c.kind == kind; }));
}

TEST(LoweringDiff, ALoweringEqualsItselfAndItsPackage) {
    for (const SampleInfo& info : allSamples()) {
        if (info.name == "refused")
            continue;
        const SamplePackage package{std::string(info.name)};
        const LoweringDiff same = diffLowerings(package.lowering(), package.lowering());
        EXPECT_TRUE(same.equal()) << info.name;
        EXPECT_EQ(same.matches.size(), package.lowering().operators.size());
        const LoweringPtr loaded = loweringOfPackage(*loadPackage(package.path()), npuP0Target());
        const LoweringDiff written = diffLowerings(package.lowering(), *loaded);
        EXPECT_TRUE(written.equal()) << info.name << ": " << written.changes.size() << " changes, "
                                     << written.changes.front().key;
    }
}

TEST(LoweringDiff, RealModelsEqualThemselvesAndDifferFromOthers) {
    SKIP_WITHOUT_SHARED_DATA();
    std::vector<Lowering> all;
    for (const char* name : {"kws", "vww", "resnet8", "ad01"})
        all.push_back(lowered(
            test::readBytes(*test::sharedData() / "models" / (std::string(name) + ".tflite"))));
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j)
            EXPECT_EQ(diffLowerings(all[i], all[j]).equal(), i == j) << i << " " << j;
    }
}

TEST(LoweringDiff, EveryFieldOfEveryRecordIsNamed) {
    SplitMix64 random(5);
    for (std::size_t record = 0; record < sample().records.size(); ++record) {
        for (const FieldSpec& spec : fields().fields) {
            Lowering theirs = sample();
            Bytes& bytes = theirs.records[record].bytes;
            bytes[spec.word * 4U + (spec.lsb + random.below(spec.width)) / 8] ^=
                static_cast<std::uint8_t>(
                    1U << (spec.lsb % 8)); // a byte-aligned field: this bit is its own
            const LoweringChange change = onlyChange(sample(), theirs);
            EXPECT_EQ(change.key, spec.name);
            EXPECT_EQ(change.firstRecord, static_cast<std::int64_t>(record));
            EXPECT_EQ(change.secondRecord, static_cast<std::int64_t>(record));
            EXPECT_EQ(change.word, spec.word);
            EXPECT_EQ(change.firstOperator, sample().records[record].operatorIndex);
            EXPECT_EQ(change.first,
                      std::to_string(fieldValue(sample().records[record].bytes, spec)));
            EXPECT_EQ(change.second, std::to_string(fieldValue(bytes, spec)));
            const bool isAddress =
                spec.kind == FieldKind::Address &&
                usesField(
                    spec,
                    sample().operators[static_cast<std::size_t>(*change.firstOperator)].opcode);
            EXPECT_EQ(change.kind, isAddress ? ChangeKind::Address : ChangeKind::Field);
            EXPECT_EQ(change.firstAddress, "op/" + std::to_string(*change.firstOperator) +
                                               "/word/" + std::to_string(spec.word) + "/" +
                                               std::string(spec.name));
        }
    }
}

TEST(LoweringDiff, EveryMemberOfEveryRelocationIsNamed) {
    for (std::size_t i = 0; i < sample().relocations.size(); ++i) {
        const auto check = [&](const auto& change) {
            Lowering theirs = sample();
            change(theirs.relocations[i]);
            const LoweringChange found = onlyChange(sample(), theirs);
            EXPECT_EQ(found.kind, ChangeKind::Address);
            EXPECT_EQ(found.key, "relocations[" + std::to_string(i) + "]");
            EXPECT_EQ(found.firstRecord, sample().relocations[i].record);
            EXPECT_EQ(found.word, sample().relocations[i].word);
            EXPECT_FALSE(found.isAddressShift);
            EXPECT_FALSE(found.consequence.empty());
            EXPECT_NE(found.first, found.second);
        };
        check([](Relocation& r) { r.record += 1; });
        check([](Relocation& r) { r.record = -7; });
        check([](Relocation& r) { r.word += 1; });
        check([](Relocation& r) { r.region = r.region == "arena" ? "weights" : "arena"; });
        check([](Relocation& r) { r.offset += 64; });
    }
}

TEST(LoweringDiff, MissingExtraAndReorderedRelocationsAreTold) {
    Lowering theirs = sample();
    theirs.relocations.erase(theirs.relocations.begin() + 2);
    const LoweringChange missing = onlyChange(sample(), theirs);
    EXPECT_EQ(missing.key, "relocations[2]");
    EXPECT_TRUE(missing.second.empty());
    const LoweringChange extra = onlyChange(theirs, sample());
    EXPECT_TRUE(extra.first.empty());
    theirs = sample();
    std::swap(theirs.relocations[0], theirs.relocations[1]);
    EXPECT_EQ(onlyChange(sample(), theirs).key, "relocations");
}

TEST(LoweringDiff, AWeightByteIsNamedByGroupStepAndLane) {
    SplitMix64 random(6);
    for (const LoweredOperator& op : sample().operators) {
        if (!op.weights)
            continue;
        for (int round = 0; round < 20; ++round) {
            Lowering theirs = sample();
            const std::uint64_t at = random.below(op.weights->bytes);
            theirs.weights[op.weights->offset + at] ^= 0x40;
            const LoweringChange change = onlyChange(sample(), theirs);
            EXPECT_EQ(change.kind, ChangeKind::Weights);
            EXPECT_EQ(change.firstOperator, op.index);
            EXPECT_EQ(change.firstOffset, op.weights->offset + at);
            EXPECT_EQ(change.secondOffset, op.weights->offset + at);
            const auto depth = static_cast<std::uint64_t>(op.tiles.fullK);
            EXPECT_EQ(change.key, "[group " + std::to_string(at / 8 / depth) + "][k " +
                                      std::to_string(at / 8 % depth) + "][lane " +
                                      std::to_string(at % 8) + "]");
            const std::uint64_t channel = at / 8 / depth * 8 + at % 8;
            const bool isUsed = channel < static_cast<std::uint64_t>(op.geometry.cout);
            EXPECT_EQ(change.consequence.find("channel " + std::to_string(channel) + " ") !=
                          std::string::npos,
                      isUsed)
                << change.consequence;
            EXPECT_EQ(change.consequence.find("1 of "), 0U);
        }
    }
}

TEST(LoweringDiff, AParameterWordIsNamedByChannelAndField) {
    constexpr std::string_view kNames[] = {"bias", "multiplier", "shift", "reserved"};
    SplitMix64 random(7);
    std::size_t blocks = 0;
    for (const LoweredOperator& op : sample().operators) {
        if (!op.params)
            continue;
        const bool isAdd = op.name == "ADD";
        blocks += isAdd ? 1 : 0;
        for (int round = 0; round < 20; ++round) {
            Lowering theirs = sample();
            const std::uint64_t at = random.below(op.params->bytes);
            theirs.params[op.params->offset + at] ^= 1;
            const LoweringChange change = onlyChange(sample(), theirs);
            EXPECT_EQ(change.kind, ChangeKind::Params);
            EXPECT_EQ(change.firstOperator, op.index);
            EXPECT_EQ(change.firstOffset, op.params->offset + at);
            if (!isAdd) {
                EXPECT_EQ(change.key, "[channel " + std::to_string(at / 16) + "] " +
                                          std::string(kNames[at % 16 / 4]));
            }
            EXPECT_EQ(change.firstAddress, toText(selectSpan("params", *change.firstOffset)));
        }
    }
    EXPECT_GT(blocks, 0U);
}

TEST(LoweringDiff, EveryByteOfTheRegionsIsSeenPaddingToo) {
    for (Bytes Lowering::*region : {&Lowering::weights, &Lowering::params}) {
        const std::size_t size = (sample().*region).size();
        for (std::size_t at = 0; at < size; at += std::max<std::size_t>(1, size / 400)) {
            Lowering theirs = sample();
            (theirs.*region)[at] ^= 0x80;
            EXPECT_EQ(onlyChange(sample(), theirs).firstOffset, at);
        }
    }
    Lowering theirs = sample();
    theirs.weights.push_back(1);
    const LoweringDiff diff = diffLowerings(sample(), theirs);
    ASSERT_EQ(diff.changes.size(), 2U);
    EXPECT_EQ(diff.changes[0].key, "padding");
    EXPECT_EQ(diff.changes[0].firstOffset, sample().weights.size());
    EXPECT_EQ(diff.changes[1].key, "region");
}

struct PlanCase {
    const char* key;
    ChangeKind kind;
    void (*change)(LoweredOperator&);
};

TEST(LoweringDiff, EachNumberOfThePlanIsNamed) {
    const PlanCase cases[] = {
        {"tile height", ChangeKind::Tiles, [](LoweredOperator& op) { ++op.tiles.tileH; }},
        {"tiles", ChangeKind::Tiles, [](LoweredOperator& op) { ++op.tiles.tiles; }},
        {"K slice", ChangeKind::Tiles, [](LoweredOperator& op) { ++op.tiles.kSlice; }},
        {"packed W", ChangeKind::Buffers, [](LoweredOperator& op) { ++op.buffers.packedW; }},
        {"pack cycles", ChangeKind::Cost, [](LoweredOperator& op) { ++op.cost.packCycles; }},
        {"output scale", ChangeKind::Quantization,
         [](LoweredOperator& op) { op.quantization.outputScale *= 2; }},
        {"input zero point", ChangeKind::Quantization,
         [](LoweredOperator& op) { ++op.quantization.inputZeroPoint; }},
        {"clamp", ChangeKind::Quantization, [](LoweredOperator& op) { op.quantization.upper = 9; }},
        {"output bytes", ChangeKind::Allocation,
         [](LoweredOperator& op) { op.arena.outputBytes += 64; }},
        {"output live until", ChangeKind::Allocation,
         [](LoweredOperator& op) { ++op.arena.outputLiveUntilOperator; }},
        {"opcode", ChangeKind::Placement, [](LoweredOperator& op) { ++op.opcode; }},
    };
    for (const PlanCase& row : cases) {
        Lowering theirs = sample();
        row.change(theirs.operators[1]);
        const LoweringChange change = onlyChange(sample(), theirs);
        EXPECT_EQ(change.key, row.key);
        EXPECT_EQ(change.kind, row.kind) << row.key;
        EXPECT_EQ(change.firstOperator, 1);
        EXPECT_FALSE(change.isAddressShift);
    }
}

TEST(LoweringDiff, AnEstimateChangesItsOperatorAndTheTotal) {
    Lowering theirs = sample();
    theirs.operators[1].cost.estimatedCycles += 1000;
    const LoweringDiff diff = diffLowerings(sample(), theirs);
    ASSERT_EQ(diff.changes.size(), 2U);
    EXPECT_EQ(diff.changes[0].firstOperator, 1);
    EXPECT_EQ(diff.changes[1].firstOperator, std::nullopt);
    EXPECT_EQ(diff.changes[1].key, "estimated cycles of all operators");
}

TEST(LoweringDiff, PeakAndStepsAreTold) {
    Lowering first = sample(), second = sample();
    first.arena.peakBytes = 101'376;
    second.arena.peakBytes = 98'304;
    EXPECT_EQ(onlyChange(first, second).consequence, "arena peak 101,376 -> 98,304 B (-3.0 %)");
    second = sample();
    *second.steps[0].count -= 1;
    EXPECT_EQ(onlyChange(sample(), second).key, "step 0 count");
    second = sample();
    second.steps.emplace_back().kind = "cpu";
    EXPECT_EQ(onlyChange(sample(), second).key, "steps");
    const Lowering softmax = lowered(*makeSample("ds-cnn"));
    second = softmax;
    *second.steps[1].inputMultiplier += 1;
    EXPECT_EQ(onlyChange(softmax, second).key, "step 1 input multiplier");
    second = softmax;
    *second.steps[1].sourceRecord = 0;
    EXPECT_EQ(onlyChange(softmax, second).key, "step 1 source record");
}

TEST(LoweringDiff, ConsequencesAreSaidInWords) {
    const auto changed = [](std::size_t record, std::string_view name, std::int64_t value) {
        Lowering theirs = sample();
        setField(theirs.records[record].bytes, field(name), value);
        return onlyChange(sample(), theirs).consequence;
    };
    const Bytes& record = sample().records[0].bytes;
    const auto old = [&](std::string_view name) { return fieldValue(record, field(name)); };
    EXPECT_EQ(changed(0, "ACTIVATION_MIN", -100),
              "the output is clamped to -100.." + std::to_string(old("ACTIVATION_MAX")) +
                  " instead of " + std::to_string(old("ACTIVATION_MIN")) + ".." +
                  std::to_string(old("ACTIVATION_MAX")));
    EXPECT_EQ(changed(0, "INPUT0_BASE", old("INPUT0_BASE") + 64), "reads 64 bytes further on");
    EXPECT_EQ(changed(0, "OUTPUT_BASE", old("OUTPUT_BASE") + 1), "writes 1 byte further on");
    EXPECT_EQ(changed(0, "OUTPUT_ZERO", old("OUTPUT_ZERO") + 3),
              "every output is 3 higher before the clamp");
    EXPECT_NE(changed(0, "KERNEL_H", 99).find("99 is outside 1..16"), std::string::npos);
    EXPECT_NE(changed(0, "K_SLICE", 1)
                  .find(std::to_string(sample().operators[0].tiles.fullK) + " slices"),
              std::string::npos);
}

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

TEST(LoweringDiff, ConstantsThatOnlyLieElsewhereAreShifts) {
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

TEST(LoweringDiff, AMovedArenaIsShiftsButForItsPeak) {
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

TEST(LoweringDiff, AnOperatorPutInMovesTheOthersWithoutChangingThem) {
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

TEST(LoweringDiff, ComparedTheOtherWayRoundGivesTheSameChanges) {
    std::vector<Lowering> all{network(false), network(true), withShiftedWeights(sample())};
    for (const char* name : {"every-operator", "ds-cnn", "resnet8", "branches-30", "branches-33"})
        all.push_back(lowered(*makeSample(name)));
    all.push_back(lowered(*makeSample("ds-cnn", 2)));
    for (const Lowering& a : all) {
        for (const Lowering& b : all)
            EXPECT_EQ(values(diffLowerings(a, b), false), values(diffLowerings(b, a), true));
    }
}

TEST(LoweringDiff, DamagedLoweringsAreCompared) {
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
    theirs.records.resize(1);
    theirs.weights.clear();
    EXPECT_FALSE(diffLowerings(ours, theirs).equal());
    EXPECT_TRUE(diffLowerings(Lowering{}, Lowering{}).equal());
    EXPECT_FALSE(diffLowerings(Lowering{}, sample()).equal());
}

} // namespace
} // namespace plumbline
