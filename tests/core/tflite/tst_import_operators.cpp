// SPDX-License-Identifier: GPL-3.0-or-later
// How importTflite reads operators: their numbers, names and options.
#include <gtest/gtest.h>

#include "core/tflite/importer.h"
#include "tests/core/tflite/file_maker.h"

using namespace plumbline;
using test::FileMaker;
namespace schema = tflite_schema;

namespace {

constexpr std::int32_t kMul = 18;

ModelPtr imported(FileMaker& file) {
    const Result<ModelPtr> model = importTflite(file.bytes());
    if (!model) {
        ADD_FAILURE() << toText(model.diagnostics().front());
        return std::make_shared<const Model>(); // its graphs are empty: at() then throws
    }
    return *model;
}

/// The first operator of a file that holds one operator with these options.
template <class Table>
Operator operatorWith(OperatorKind kind, FileMaker& file, flatbuffers::Offset<Table> table) {
    file.addOperatorWith(static_cast<std::int32_t>(kind), table);
    return imported(file)->graphs.at(0).operators.at(0);
}

Operator operatorWithoutOptions(OperatorKind kind) {
    FileMaker file;
    file.addOperator(static_cast<std::int32_t>(kind), {}, {});
    return imported(file)->graphs.at(0).operators.at(0);
}

bool liesIn(ByteView view, const Bytes& file) {
    return view.data() >= file.data() && view.data() + view.size() <= file.data() + file.size();
}

} // namespace

// ---- Operator codes and names ----

struct NameRow {
    std::int32_t code;
    const char* name;
};

class OperatorName : public testing::TestWithParam<NameRow> {};

TEST_P(OperatorName, isThatOfTheFormat) {
    EXPECT_EQ(operatorName(static_cast<OperatorKind>(GetParam().code)), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Codes, OperatorName,
    testing::Values(
        NameRow{0, "ADD"}, NameRow{1, "AVERAGE_POOL_2D"}, NameRow{3, "CONV_2D"},
        NameRow{4, "DEPTHWISE_CONV_2D"}, NameRow{9, "FULLY_CONNECTED"}, NameRow{14, "LOGISTIC"},
        NameRow{25, "SOFTMAX"}, NameRow{32, "CUSTOM"}, NameRow{44, "UNIDIRECTIONAL_SEQUENCE_LSTM"},
        NameRow{60, "PADV2"}, NameRow{83, "PACK"}, NameRow{99, "SQUARED_DIFFERENCE"},
        NameRow{114, "QUANTIZE"}, NameRow{126, "BATCH_MATMUL"}, NameRow{128, "CUMSUM"},
        NameRow{141, "CONV_3D_TRANSPOSE"}, NameRow{150, "GELU"}, NameRow{161, "RIGHT_SHIFT"},
        NameRow{162, "STABLEHLO_LOGISTIC"}, NameRow{203, "DILATE"}, NameRow{205, "REDUCE_WINDOW"},
        NameRow{206, "STABLEHLO_COMPOSITE"}, NameRow{209, "STABLEHLO_CASE"},
        NameRow{210, "BUILTIN_210"}, NameRow{999, "BUILTIN_999"}, NameRow{-3, "BUILTIN_-3"}),
    [](const auto& row) {
        return "code_" + (row.param.code < 0 ? "minus_" + std::to_string(-row.param.code)
                                             : std::to_string(row.param.code));
    });

struct CodeRow {
    const char* what;
    std::int8_t deprecated;
    std::int32_t current;
    std::int32_t expected;
};

class OperatorCode : public testing::TestWithParam<CodeRow> {};

TEST_P(OperatorCode, isTheLargerOfBothFields) {
    FileMaker file;
    file.addTensor({1});
    file.codes.push_back(
        schema::CreateOperatorCode(file.fb, GetParam().deprecated, 0, 7,
                                   static_cast<schema::BuiltinOperator>(GetParam().current)));
    file.operators.push_back(schema::CreateOperatorDirect(file.fb, 0));
    const ModelPtr model = imported(file);
    const Operator& read = model->graphs.at(0).operators.at(0);
    EXPECT_EQ(static_cast<std::int32_t>(read.kind), GetParam().expected);
    EXPECT_EQ(read.version, 7);
}

INSTANTIATE_TEST_SUITE_P(Fields, OperatorCode,
                         testing::Values(CodeRow{"old_only", 3, 0, 3}, CodeRow{"new_only", 0, 3, 3},
                                         CodeRow{"both", 25, 25, 25},
                                         CodeRow{"placeholder", 127, 150, 150},
                                         CodeRow{"neither", 0, 0, 0},
                                         CodeRow{"unknown", 127, 4000, 4000}),
                         [](const auto& row) { return row.param.what; });

TEST(Importer, customOperatorKeepsCodeAndOptions) {
    FileMaker file;
    file.addTensor({1});
    const std::uint32_t code = file.addCode(32, "my-operator");
    const std::vector<std::uint8_t> options{7, 8, 9};
    file.operators.push_back(schema::CreateOperatorDirect(
        file.fb, code, nullptr, nullptr, schema::BuiltinOptions::NONE, 0, &options));
    const ModelPtr model = imported(file);
    const Operator& read = model->graphs.at(0).operators.at(0);
    EXPECT_EQ(read.kind, OperatorKind::Custom);
    EXPECT_EQ(read.name, "CUSTOM");
    EXPECT_EQ(read.customCode, "my-operator");
    EXPECT_EQ(Bytes(read.customOptions.begin(), read.customOptions.end()), options);
    EXPECT_TRUE(liesIn(read.customOptions, *model->file));
}

// ---- Options ----

TEST(ImporterOptions, conv) {
    FileMaker file;
    const auto table = schema::CreateConv2DOptions(file.fb, schema::Padding::VALID, 2, 3,
                                                   schema::ActivationFunctionType::RELU6, 4, 5);
    const Operator read = operatorWith(OperatorKind::Conv2D, file, table);
    EXPECT_EQ(std::get<Conv2DOptions>(read.options),
              (Conv2DOptions{Padding::Valid, 3, 2, 5, 4, FusedActivation::Relu6}));
    EXPECT_TRUE(read.hasOptionsTable);
}

TEST(ImporterOptions, depthwise) {
    FileMaker file;
    const auto table = schema::CreateDepthwiseConv2DOptions(
        file.fb, schema::Padding::VALID, 2, 3, 6, schema::ActivationFunctionType::RELU, 4, 5);
    const Operator read = operatorWith(OperatorKind::DepthwiseConv2D, file, table);
    EXPECT_EQ(std::get<DepthwiseConv2DOptions>(read.options),
              (DepthwiseConv2DOptions{Padding::Valid, 3, 2, 6, 5, 4, FusedActivation::Relu}));
}

TEST(ImporterOptions, poolsOfBothKinds) {
    for (const OperatorKind kind : {OperatorKind::AveragePool2D, OperatorKind::MaxPool2D}) {
        FileMaker file;
        const auto table = schema::CreatePool2DOptions(file.fb, schema::Padding::VALID, 2, 3, 4, 5,
                                                       schema::ActivationFunctionType::TANH);
        const Operator read = operatorWith(kind, file, table);
        EXPECT_EQ(std::get<Pool2DOptions>(read.options),
                  (Pool2DOptions{Padding::Valid, 3, 2, 5, 4, FusedActivation::Tanh}));
    }
}

TEST(ImporterOptions, fullyConnected) {
    FileMaker file;
    const auto table = schema::CreateFullyConnectedOptions(
        file.fb, schema::ActivationFunctionType::RELU,
        schema::FullyConnectedOptionsWeightsFormat::SHUFFLED4x16INT8, true);
    const Operator read = operatorWith(OperatorKind::FullyConnected, file, table);
    EXPECT_EQ(std::get<FullyConnectedOptions>(read.options),
              (FullyConnectedOptions{FusedActivation::Relu, 1, true}));
}

TEST(ImporterOptions, add) {
    FileMaker file;
    const auto table =
        schema::CreateAddOptions(file.fb, schema::ActivationFunctionType::RELU_N1_TO_1);
    const Operator read = operatorWith(OperatorKind::Add, file, table);
    EXPECT_EQ(std::get<AddOptions>(read.options), AddOptions{FusedActivation::ReluN1To1});
}

TEST(ImporterOptions, reshape) {
    FileMaker file;
    const std::vector<std::int32_t> shape{1, -1};
    const auto table = schema::CreateReshapeOptionsDirect(file.fb, &shape);
    const Operator read = operatorWith(OperatorKind::Reshape, file, table);
    EXPECT_EQ(std::get<ReshapeOptions>(read.options).newShape, shape);
}

TEST(ImporterOptions, softmaxBeta) {
    FileMaker stated;
    const auto half = schema::CreateSoftmaxOptions(stated.fb, 0.5F);
    EXPECT_EQ(
        std::get<SoftmaxOptions>(operatorWith(OperatorKind::Softmax, stated, half).options).beta,
        0.5F);
    FileMaker lacking;
    const auto empty = schema::CreateSoftmaxOptions(lacking.fb);
    const Operator read = operatorWith(OperatorKind::Softmax, lacking, empty);
    EXPECT_EQ(std::get<SoftmaxOptions>(read.options).beta, 0.0F);
    EXPECT_TRUE(read.hasOptionsTable);
    const Operator none = operatorWithoutOptions(OperatorKind::Softmax);
    EXPECT_EQ(std::get<SoftmaxOptions>(none.options).beta, 1.0F);
    EXPECT_FALSE(none.hasOptionsTable);
}

TEST(ImporterOptions, defaultsWithoutTable) {
    EXPECT_EQ(std::get<Conv2DOptions>(operatorWithoutOptions(OperatorKind::Conv2D).options),
              (Conv2DOptions{Padding::Same, 0, 0, 1, 1, FusedActivation::None}));
    EXPECT_TRUE(std::holds_alternative<DepthwiseConv2DOptions>(
        operatorWithoutOptions(OperatorKind::DepthwiseConv2D).options));
    EXPECT_TRUE(std::holds_alternative<Pool2DOptions>(
        operatorWithoutOptions(OperatorKind::AveragePool2D).options));
    EXPECT_TRUE(std::holds_alternative<FullyConnectedOptions>(
        operatorWithoutOptions(OperatorKind::FullyConnected).options));
    EXPECT_TRUE(
        std::holds_alternative<AddOptions>(operatorWithoutOptions(OperatorKind::Add).options));
    EXPECT_TRUE(std::holds_alternative<ReshapeOptions>(
        operatorWithoutOptions(OperatorKind::Reshape).options));
    EXPECT_TRUE(
        std::holds_alternative<NoOptions>(operatorWithoutOptions(OperatorKind::Relu6).options));
}

TEST(ImporterOptions, defaultsWithTableOfAnotherKind) {
    FileMaker file;
    const auto table = schema::CreateAddOptions(file.fb, schema::ActivationFunctionType::RELU);
    const Operator read = operatorWith(OperatorKind::Conv2D, file, table);
    EXPECT_EQ(std::get<Conv2DOptions>(read.options), Conv2DOptions{});
    EXPECT_FALSE(read.hasOptionsTable);
}

TEST(ImporterOptions, numbersBeyondTheEnumerationsAreKept) {
    FileMaker file;
    const auto table = schema::CreateConv2DOptions(file.fb, static_cast<schema::Padding>(7), 1, 1,
                                                   static_cast<schema::ActivationFunctionType>(99));
    const Operator read = operatorWith(OperatorKind::Conv2D, file, table);
    const auto& options = std::get<Conv2DOptions>(read.options);
    EXPECT_EQ(static_cast<int>(options.padding), 7);
    EXPECT_EQ(static_cast<int>(options.activation), 99);
}

TEST(ImporterOptions, tableOfAnUndecodedKindIsOnlyNoted) {
    FileMaker file;
    const auto table = schema::CreateAddOptions(file.fb, schema::ActivationFunctionType::RELU);
    constexpr auto kMulOptions = static_cast<schema::BuiltinOptions>(21);
    file.addOperatorWith(kMul, table, kMulOptions);
    const Operator read = imported(file)->graphs.at(0).operators.at(0);
    EXPECT_EQ(read.name, "MUL");
    EXPECT_TRUE(std::holds_alternative<NoOptions>(read.options));
    EXPECT_TRUE(read.hasOptionsTable);
}
