// SPDX-License-Identifier: GPL-3.0-or-later
// Packed weights and parameters of the samples against the model's own tensors, and damaged ones.
#include <gtest/gtest.h>

#include "core/lowering/constants_layout.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

LoweringPtr lowered(std::string_view sample) {
    const auto model = importTflite(*makeSample(sample));
    EXPECT_TRUE(model);
    return *npuP0Target().lower(*model);
}

const FieldTable& table() { return npuP0Target().fields(); }

Bytes recordWith(std::initializer_list<std::pair<std::string_view, std::int64_t>> fields) {
    Bytes record(table().recordBytes);
    for (const auto& [name, value] : fields)
        setField(record, table().fields[*findField(table(), name)], value);
    return record;
}

/// What the model's weight tensor holds for output channel c at (kh, kw, cin).
int modelWeight(const Tensor& tensor, bool depthwise, std::size_t c,
                const std::vector<std::size_t>& at) {
    const auto extent = [&tensor](std::size_t axis) {
        return static_cast<std::size_t>(tensor.shape[axis]);
    };
    std::size_t index = 0;
    if (tensor.shape.size() == 2)
        index = c * extent(1) + at[0];
    else if (depthwise)
        index = (at[0] * extent(2) + at[1]) * extent(3) + c;
    else
        index = ((c * extent(1) + at[0]) * extent(2) + at[1]) * extent(3) + at[2];
    return static_cast<std::int8_t>(tensor.data[index]);
}

void compareWeights(const Lowering& lowering, const LoweredOperator& op) {
    const Graph& graph = lowering.model->graphs[0];
    const Operator& original = graph.operators[static_cast<std::size_t>(op.index)];
    const Tensor& tensor = graph.tensors[static_cast<std::size_t>(original.inputs[1])];
    const Bytes& record = lowering.records[static_cast<std::size_t>(*op.record)].bytes;
    const auto weights = packedWeights(record, table(), lowering.weights);
    ASSERT_TRUE(weights);
    ASSERT_FALSE(weights->axes.empty());
    EXPECT_EQ(weights->depth, static_cast<std::size_t>(op.tiles.fullK));
    const bool depthwise = original.kind == OperatorKind::DepthwiseConv2D;
    for (std::size_t group = 0; group < weights->groups; ++group) {
        for (std::size_t k = 0; k < weights->depth; ++k) {
            std::vector<std::size_t> at;
            for (std::size_t axis = 0; axis < weights->axes.size(); ++axis)
                at.push_back(weights->axisIndex(k, axis));
            for (std::size_t lane = 0; lane < weights->lanes; ++lane) {
                const std::size_t c = group * weights->lanes + lane;
                ASSERT_EQ(weights->at(group, k, lane),
                          c < weights->channels ? modelWeight(tensor, depthwise, c, at) : 0);
            }
        }
    }
}

class ConstantsOfSample : public testing::TestWithParam<const char*> {};

TEST_P(ConstantsOfSample, WeightsAreTheModels) {
    const LoweringPtr lowering = lowered(GetParam());
    int weighted = 0;
    for (const LoweredOperator& op : lowering->operators) {
        if (!op.weights)
            continue;
        SCOPED_TRACE(op.index);
        const Bytes& record = lowering->records[static_cast<std::size_t>(*op.record)].bytes;
        const RegionSlice slice = constantsSlice(record, table(), "weights");
        EXPECT_EQ(slice.offset, op.weights->offset);
        EXPECT_EQ(slice.bytes, op.weights->bytes);
        compareWeights(*lowering, op);
        ++weighted;
    }
    EXPECT_GT(weighted, 0);
}

TEST_P(ConstantsOfSample, ParametersAreNamedWords) {
    const LoweringPtr lowering = lowered(GetParam());
    for (const LoweredOperator& op : lowering->operators) {
        if (!op.params)
            continue;
        const Bytes& record = lowering->records[static_cast<std::size_t>(*op.record)].bytes;
        const auto params = parameterRecords(record, table(), lowering->params);
        ASSERT_TRUE(params);
        const bool add = op.opcodeName == "ADD";
        EXPECT_EQ(params->count(), add ? 1U : static_cast<std::size_t>(op.geometry.cout));
        EXPECT_EQ(params->layout->fields.back().name, "reserved");
        EXPECT_EQ(params->at(0, params->layout->fields.size() - 1), 0);
        EXPECT_EQ(params->layout->fields[0].name, add ? "left_shift" : "bias");
        if (add)
            EXPECT_EQ(params->at(0, 0), 20);
        else
            EXPECT_EQ(params->at(1, 1),
                      loadI32(lowering->params, static_cast<std::size_t>(op.params->offset) + 20));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, ConstantsOfSample,
                         testing::Values("every-operator", "ds-cnn", "resnet8"));

TEST(Constants, RecordWithoutThemHasNone) {
    const Bytes record = recordWith({{"OPCODE", 5}});
    EXPECT_EQ(constantsSlice(record, table(), "weights").bytes, 0U);
    EXPECT_EQ(constantsSlice(record, table(), "arena2").bytes, 0U);
    EXPECT_FALSE(packedWeights(record, table(), {}));
    EXPECT_FALSE(parameterRecords(record, table(), {}));
}

TEST(Constants, BytesThatLeaveTheRegionAreRefused) {
    const Bytes region(64);
    const Bytes record = recordWith({{"OPCODE", 1},
                                     {"OUTPUT_C", 8},
                                     {"WEIGHT_BASE", 0xFFFFFFFF},
                                     {"WEIGHT_BYTES", 0xFFFFFFFF},
                                     {"PARAM_BASE", 60},
                                     {"PARAM_BYTES", 16}});
    const auto weights = packedWeights(record, table(), region);
    ASSERT_FALSE(weights);
    EXPECT_EQ(weights.diagnostics().front().code, Code::ManifestInconsistent);
    EXPECT_FALSE(parameterRecords(record, table(), region));
}

TEST(Constants, FormThatDoesNotFitIsRefused) {
    const Bytes region(64);
    EXPECT_FALSE(packedWeights(recordWith({{"OPCODE", 1}, {"WEIGHT_BYTES", 64}}), table(), region));
    EXPECT_FALSE(packedWeights(recordWith({{"OPCODE", 1}, {"OUTPUT_C", 8}, {"WEIGHT_BYTES", 63}}),
                               table(), region));
    EXPECT_FALSE(
        parameterRecords(recordWith({{"OPCODE", 1}, {"PARAM_BYTES", 15}}), table(), region));
    EXPECT_FALSE(
        parameterRecords(recordWith({{"OPCODE", 4}, {"PARAM_BYTES", 48}}), table(), region));
    EXPECT_FALSE(
        parameterRecords(recordWith({{"OPCODE", 77}, {"PARAM_BYTES", 16}}), table(), region));
}

TEST(Constants, AxesThatDoNotMakeUpKAreLeftOut) {
    const Bytes region(64);
    const auto weights = packedWeights(recordWith({{"OPCODE", 1},
                                                   {"OUTPUT_C", 3},
                                                   {"WEIGHT_BYTES", 64},
                                                   {"KERNEL_H", 255},
                                                   {"KERNEL_W", 255},
                                                   {"INPUT_C", 65535}}),
                                       table(), region);
    ASSERT_TRUE(weights);
    EXPECT_TRUE(weights->axes.empty());
    EXPECT_EQ(weights->depth, 8U);
    EXPECT_EQ(weights->rows(), 8U);
}

} // namespace
} // namespace plumbline
