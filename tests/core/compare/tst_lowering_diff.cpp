// SPDX-License-Identifier: GPL-3.0-or-later
// Lowering against lowering: nothing between equal ones, and each single change by name.
#include <gtest/gtest.h>

#include "core/document/package_lowering.h"
#include "core/lowering/selection.h"
#include "tests/core/compare/compared_lowerings.h"

namespace plumbline {
namespace {

using namespace test;

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

} // namespace
} // namespace plumbline
