// SPDX-License-Identifier: GPL-3.0-or-later
// What an operator states against the fields of its record.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline::test {
namespace {

constexpr std::array<std::string_view, 30> kStated{
    "OPCODE",      "INPUT0_BASE", "INPUT1_BASE",    "OUTPUT_BASE",    "PARAM_BASE",
    "INPUT_H",     "INPUT_W",     "INPUT_C",        "OUTPUT_C",       "OUTPUT_H",
    "OUTPUT_W",    "KERNEL_H",    "KERNEL_W",       "STRIDE_H",       "STRIDE_W",
    "PAD_TOP",     "PAD_BOTTOM",  "PAD_LEFT",       "PAD_RIGHT",      "TILE_H",
    "TILE_W",      "K_SLICE",     "PARAM_BYTES",    "INPUT0_ZERO",    "INPUT1_ZERO",
    "OUTPUT_ZERO", "WEIGHT_BASE", "ACTIVATION_MIN", "ACTIVATION_MAX", "WEIGHT_BYTES"};

LoweringPtr lowered(const std::string& name) {
    const auto model = importTflite(*makeSample(name));
    EXPECT_TRUE(model);
    return *npuP0Target().lower(*model);
}

bool isStated(std::string_view field) {
    return std::find(kStated.begin(), kStated.end(), field) != kStated.end();
}

const LoweredOperator& operatorOf(const Lowering& lowering, std::size_t record) {
    return lowering.operators[static_cast<std::size_t>(lowering.records[record].operatorIndex)];
}

TEST(Contradictions, OwnRecordsHaveNone) {
    for (const char* name : {"every-operator", "resnet8", "ds-cnn", "mobilenet", "autoencoder"}) {
        const LoweringPtr lowering = lowered(name);
        for (std::size_t i = 0; i < lowering->records.size(); ++i)
            EXPECT_TRUE(npuP0Target()
                            .contradictions(operatorOf(*lowering, i), lowering->records[i].bytes)
                            .empty())
                << name << " record " << i;
    }
}

TEST(Contradictions, EveryStatedFieldIsComparedWhereItIsUsed) {
    const LoweringPtr lowering = lowered("every-operator");
    std::size_t compared = 0;
    for (std::size_t i = 0; i < lowering->records.size(); ++i) {
        const LoweredOperator& op = operatorOf(*lowering, i);
        for (const FieldSpec& field : npuP0Target().fields().fields) {
            Bytes record = lowering->records[i].bytes;
            const std::int64_t before = fieldValue(record, field);
            setField(record, field, before ^ 1);
            const Diagnostics found = npuP0Target().contradictions(op, record);
            if (!isStated(field.name) || !usesField(field, op.opcode)) {
                EXPECT_TRUE(found.empty()) << field.name;
                continue;
            }
            ++compared;
            ASSERT_FALSE(found.empty()) << field.name << " of " << op.opcodeName;
            EXPECT_EQ(found[0].message,
                      fmt::format("{} is {}, the report says {}", field.name, before ^ 1, before));
            EXPECT_EQ(found[0].code, Code::RecordDiffers);
            EXPECT_EQ(found[0].severity, Severity::Warning);
            EXPECT_EQ(found[0].where.record, static_cast<std::int64_t>(i));
            EXPECT_EQ(found[0].where.word, field.word);
            EXPECT_EQ(found[0].where.operatorIndex, op.index);
        }
    }
    EXPECT_GT(compared, 100U);
}

TEST(Contradictions, NumbersThatFollowFromFieldsAreComparedToo) {
    const LoweringPtr lowering = lowered("every-operator");
    for (std::size_t i = 0; i < lowering->records.size(); ++i) {
        for (const auto member : {&TilePlan::fullK, &TilePlan::tiles, &TilePlan::positions}) {
            LoweredOperator stated = operatorOf(*lowering, i);
            stated.tiles.*member += 1;
            EXPECT_EQ(npuP0Target().contradictions(stated, lowering->records[i].bytes).size(), 1U)
                << stated.opcodeName;
        }
    }
}

TEST(Contradictions, AnyRecordIsHarmless) {
    const LoweringPtr lowering = lowered("every-operator");
    const std::size_t size = npuP0Target().fields().recordBytes;
    for (const std::uint8_t fill : Bytes{0x00, 0xFF, 0x80}) {
        const Bytes record(size, fill);
        LoweredOperator op = operatorOf(*lowering, 0);
        EXPECT_EQ(npuP0Target().contradictions(op, record).size(), 1U); // the opcode
        op.opcode = fill; // no opcode, which uses no field
        EXPECT_TRUE(npuP0Target().contradictions(op, record).empty());
    }
}

} // namespace
} // namespace plumbline::test
