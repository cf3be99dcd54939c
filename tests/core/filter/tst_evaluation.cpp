// SPDX-License-Identifier: GPL-3.0-or-later
// What filters take, on lowered samples and on what is damaged or refused.
#include <limits>

#include <gtest/gtest.h>

#include "core/lowering/target.h"
#include "tests/core/filter/filter_samples.h"

namespace plumbline::test {
namespace {

/// Indices of the operators for which `holds`.
template <class Holds> std::vector<std::int64_t> expected(const Lowering& lowering, Holds holds) {
    std::vector<std::int64_t> indices;
    for (const LoweredOperator& op : lowering.operators) {
        if (holds(op))
            indices.push_back(op.index);
    }
    return indices;
}

TEST(FilterEvaluation, OfTheExamplesOfTheManual) {
    const Lowering& lowering = loweredSample("ds-cnn");
    const auto all = expected(lowering, [](const auto&) { return true; });
    EXPECT_EQ(taken("", lowering), all);
    const auto wide = expected(lowering, [](const LoweredOperator& op) {
        return op.opcodeName == "CONV2D" && op.geometry.cout > 32;
    });
    ASSERT_FALSE(wide.empty());
    ASSERT_LT(wide.size(), all.size());
    EXPECT_EQ(taken("opcode == CONV2D and cout > 32", lowering), wide);
    const auto large = expected(lowering, [](const LoweredOperator& op) {
        return op.placement == Placement::Npu && op.arena.outputBytes >= 4096;
    });
    ASSERT_FALSE(large.empty());
    EXPECT_EQ(taken("arena.bytes >= 4KiB and record != unknown", lowering), large);
    const auto elsewhere = expected(
        lowering, [](const LoweredOperator& op) { return op.placement != Placement::Npu; });
    ASSERT_FALSE(elsewhere.empty());
    EXPECT_EQ(taken("placement != npu", lowering), elsewhere);
    EXPECT_EQ(taken("not placement == npu", lowering), elsewhere);
    EXPECT_EQ(taken("mismatches > 0", lowering), std::vector<std::int64_t>{});
}

TEST(FilterEvaluation, OfSetsRangesTextsAndOtherFields) {
    const Lowering& lowering = loweredSample("every-operator");
    const auto isOneOf = expected(lowering, [](const LoweredOperator& op) {
        return op.opcodeName == "CONV2D" || op.opcodeName == "ADD";
    });
    ASSERT_GE(isOneOf.size(), 2U);
    EXPECT_EQ(taken("opcode in {conv2d, ADD}", lowering), isOneOf);
    EXPECT_EQ(taken("opcode == ADD or opcode == CONV2D", lowering), isOneOf);
    const auto between = expected(lowering, [](const LoweredOperator& op) {
        return op.placement == Placement::Npu && op.geometry.cout >= 8 && op.geometry.cout <= 16;
    });
    ASSERT_FALSE(between.empty());
    EXPECT_EQ(taken("placement == npu and cout in 8..16", lowering), between);
    EXPECT_EQ(taken("placement == npu and cout >= 8 and cout <= 16", lowering), between);
    const auto conv = expected(lowering, [](const LoweredOperator& op) {
        return op.name.find("CONV") != std::string::npos;
    });
    ASSERT_FALSE(conv.empty());
    for (const char* text : {"name contains conv", "name ~ \"conv_[0-9]d$\"", "\"conv_2d\""})
        EXPECT_EQ(taken(text, lowering), conv) << text;
    const auto square = expected(lowering, [](const LoweredOperator& op) {
        return op.placement == Placement::Npu && op.geometry.cin == op.geometry.cout;
    });
    EXPECT_EQ(taken("placement == npu and cin == cout", lowering), square);
}

TEST(FilterEvaluation, OfEveryRecordFieldIsTheRecordsBits) {
    const Lowering& lowering = loweredSample("every-operator");
    ASSERT_TRUE(lowering.complete);
    for (const FieldSpec& spec : lowering.fields->fields) {
        for (std::size_t i = 0; i < lowering.operators.size(); ++i) {
            const FilterValue value = valueOf("field." + std::string(spec.name), lowering, i);
            const auto record = lowering.operators[i].record;
            if (!record) {
                EXPECT_FALSE(isKnown(value)) << spec.name;
                continue;
            }
            const Bytes& bytes = lowering.records[static_cast<std::size_t>(*record)].bytes;
            EXPECT_EQ(value, FilterValue(fieldValue(bytes, spec))) << spec.name;
        }
    }
    const auto planned = expected(
        lowering, [](const LoweredOperator& op) { return op.placement == Placement::Npu; });
    EXPECT_EQ(taken("input_h == h and field.Output_C == cout", lowering), planned);
}

TEST(FilterEvaluation, OfUnknownValuesIsFalseForEveryComparison) {
    const Lowering& lowering = loweredSample("ds-cnn");
    for (const char* text :
         {"mismatches > 0", "mismatches <= 0", "mismatches == 0", "mismatches != 0",
          "mismatches in 0..9", "mismatches == h", "h != mismatches"})
        EXPECT_TRUE(taken(text, lowering).empty()) << text;
    EXPECT_EQ(taken("mismatches == unknown", lowering).size(), lowering.operators.size());
    EXPECT_EQ(taken("not mismatches > 0", lowering).size(), lowering.operators.size());
    FilterContext context;
    context.mismatches = [](std::int64_t index) -> std::optional<std::int64_t> {
        return index < 2 ? std::optional(index) : std::nullopt;
    };
    EXPECT_EQ(taken("mismatches > 0", lowering, context), std::vector<std::int64_t>{1});
    EXPECT_EQ(taken("mismatches == 0", lowering, context), std::vector<std::int64_t>{0});
}

TEST(FilterEvaluation, OfARefusedModelKnowsItsDiagnosticsAndShapes) {
    const Lowering& lowering = loweredSample("refused");
    ASSERT_FALSE(lowering.complete);
    const auto refused = expected(
        lowering, [](const LoweredOperator& op) { return op.placement == Placement::Refused; });
    ASSERT_FALSE(refused.empty());
    EXPECT_EQ(taken("placement == refused", lowering), refused);
    for (const std::int64_t index : refused) {
        const auto at = static_cast<std::size_t>(index);
        EXPECT_EQ(valueOf("severity", lowering, at), FilterValue(std::string("error")));
        EXPECT_GE(std::get<std::int64_t>(valueOf("diagnostics", lowering, at)), 1);
    }
    EXPECT_EQ(taken("severity >= warning", lowering), taken("diagnostics > 0", lowering));
    EXPECT_TRUE(taken("record != unknown", lowering).empty());
    EXPECT_TRUE(taken("INPUT_H > 0", lowering).empty());
    EXPECT_FALSE(taken("cout > 0", lowering).empty());
    EXPECT_EQ(taken("type == int8 and tensor != unknown or name != unknown", lowering).size(),
              lowering.operators.size());
}

TEST(FilterEvaluation, OfAllDiagnosticsOfASessionCountsThose) {
    const Lowering& lowering = loweredSample("ds-cnn");
    FilterContext context;
    Location record;
    record.record = 1;
    Location op;
    op.operatorIndex = lowering.operators[0].index;
    const Diagnostics all{makeWarning(Code::ReadFreed, "", record),
                          makeNote(Code::ReadFreed, "", op)};
    context.diagnostics = &all;
    const auto warned = taken("severity == warning", lowering, context);
    ASSERT_EQ(warned.size(), 1U);
    EXPECT_EQ(lowering.operators[static_cast<std::size_t>(warned[0])].record, 1);
    EXPECT_EQ(taken("diagnostics > 0", lowering, context).size(), 2U);
}

/// A lowering of one operator that holds whatever a damaged package may.
Lowering damaged() {
    Lowering lowering;
    lowering.fields = &npuP0Target().fields();
    LoweredOperator op;
    op.record = 7; // there are fewer
    op.index = 5;  // the model has none
    op.geometry.h = std::numeric_limits<std::int64_t>::min();
    op.tiles.fullK = std::numeric_limits<std::int64_t>::max();
    op.tiles.kSlice = 1;
    op.cost.estimatedCycles = 1;
    op.cost.gatherReadBytes = std::numeric_limits<std::int64_t>::max();
    op.cost.weightReadBytes = std::numeric_limits<std::int64_t>::max();
    op.cost.writeBytes = std::numeric_limits<std::int64_t>::max();
    op.arena.outputBytes = std::numeric_limits<std::uint64_t>::max();
    op.quantization.inputScale = std::numeric_limits<double>::quiet_NaN();
    op.quantization.outputScale = std::numeric_limits<double>::infinity();
    lowering.operators.push_back(op);
    lowering.records.push_back({-1, Bytes(3)});
    return lowering;
}

TEST(FilterEvaluation, OfHostileNumbersNeitherOverflowsNorReadsBeyond) {
    const Lowering lowering = damaged();
    const FilterSource source(lowering);
    for (const FilterField& field : schema().fields())
        source.value(field, 0);
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(valueOf("dma.bytes", lowering, 0), FilterValue(kLargest));
    EXPECT_EQ(valueOf("arena.bytes", lowering, 0), FilterValue(kLargest));
    EXPECT_EQ(valueOf("k.slices", lowering, 0), FilterValue(kLargest));
    EXPECT_FALSE(isKnown(valueOf("INPUT_H", lowering, 0)));
    EXPECT_FALSE(isKnown(valueOf("input.scale", lowering, 0)));
    EXPECT_FALSE(isKnown(valueOf("tensor", lowering, 0)));
    const Filter filter = *parseFilter("h < -9e18 and not input.scale > 0", schema());
    EXPECT_TRUE(source.matches(filter, 0));
    EXPECT_FALSE(source.matchesRecord(filter, 0));
    EXPECT_TRUE(source.matchesRecord(*parseFilter("record == 99", schema()), 99));
}

TEST(FilterEvaluation, OfARecordWithoutOperatorHasItsFields) {
    Lowering lowering = loweredSample("ds-cnn");
    const std::string opcode = lowering.operators[0].opcodeName;
    lowering.operators.clear();
    const FilterSource source(lowering);
    EXPECT_TRUE(source.matchesRecord(*parseFilter("opcode == " + opcode, schema()), 0));
    EXPECT_TRUE(
        source.matchesRecord(*parseFilter("INPUT_H > 1 and index == unknown", schema()), 0));
    EXPECT_FALSE(source.matchesRecord(*parseFilter("cout > 0", schema()), 0));
}

TEST(FilterEvaluation, OfNumbersIsExactBeyondWhatADoubleHolds) {
    Lowering lowering = damaged();
    const std::int64_t large = (std::int64_t{1} << 53) + 1;
    lowering.operators[0].geometry.h = large;
    EXPECT_EQ(taken("h == 9007199254740993", lowering).size(), 1U);
    EXPECT_EQ(taken("h > 9007199254740992.0", lowering).size(), 1U);
    EXPECT_EQ(taken("h == 9007199254740992.0", lowering).size(), 0U);
    EXPECT_EQ(taken("h < 1e300 and h > -1e300 and h != 0.5", lowering).size(), 1U);
}

TEST(FilterEvaluation, OfScalesIsInSinglePrecision) {
    Lowering lowering = damaged();
    lowering.operators[0].quantization.inputScale = static_cast<double>(0.1F);
    for (const char* text : {"input.scale == 0.1", "input.scale <= 0.1", "input.scale in 0.1..0.2"})
        EXPECT_EQ(taken(text, lowering).size(), 1U) << text;
    EXPECT_EQ(taken("input.scale < 0.1", lowering).size(), 0U);
}

TEST(FilterEvaluation, OfFilterByThisTakesTheOperatorItCameFrom) {
    for (const char* sample : {"every-operator", "refused", "ds-cnn"}) {
        const Lowering& lowering = loweredSample(sample);
        const FilterSource source(lowering);
        for (std::size_t f = 0; f < schema().fields().size(); ++f) {
            for (std::size_t i = 0; i < source.size(); ++i) {
                const std::string text = filterFor(schema(), f, source.value(schema().field(f), i));
                const Result<Filter> filter = parseFilter(text, schema());
                ASSERT_TRUE(filter) << text << ": " << toText(filter.diagnostics().front());
                EXPECT_TRUE(source.matches(*filter, i)) << text;
            }
        }
    }
}

} // namespace
} // namespace plumbline::test
