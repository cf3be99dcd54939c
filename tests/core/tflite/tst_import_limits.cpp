// SPDX-License-Identifier: GPL-3.0-or-later
// A small hostile file costs bounded time and memory: flatbuffer parts may be shared, so that what
// a file describes can be far larger than the file.
#include <gtest/gtest.h>

#include <chrono>

#include "core/tflite/importer.h"
#include "tests/core/tflite/file_maker.h"

using namespace plumbline;
using test::FileMaker;
namespace schema = tflite_schema;

namespace {

constexpr std::size_t kMany = 50'000;

/// The error of a refused file of at most `maxBytes` bytes, which must come quickly.
Diagnostic quickRefusal(FileMaker& file, std::size_t maxBytes) {
    const Bytes bytes = file.bytes();
    EXPECT_LE(bytes.size(), maxBytes);
    const auto start = std::chrono::steady_clock::now();
    const Result<ModelPtr> model = importTflite(bytes);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    EXPECT_FALSE(model.ok());
    if (model.ok())
        return makeError(Code::Internal, "imported");
    return model.diagnostics().front();
}

} // namespace

TEST(ImportLimits, operatorsThatShareOneInputList) {
    FileMaker file;
    file.addTensor({1});
    const std::uint32_t code = file.addCode(0);
    const auto list = file.fb.CreateVector(std::vector<std::int32_t>(kMany, 0));
    const auto shared = schema::CreateOperator(file.fb, code, list, list);
    file.operators.assign(kMany, shared);
    const Diagnostic error = quickRefusal(file, 1'000'000);
    EXPECT_EQ(error.code, Code::ModelTooLarge);
    EXPECT_EQ(error.where.part.rfind("subgraphs[0].operators[", 0), 0u) << error.where.part;
}

TEST(ImportLimits, reshapesThatShareOneShape) {
    FileMaker file;
    file.addTensor({1});
    const std::uint32_t code = file.addCode(22);
    const auto list = file.fb.CreateVector(std::vector<std::int32_t>(kMany, 1));
    const auto options = schema::CreateReshapeOptions(file.fb, list);
    const auto shared = schema::CreateOperator(
        file.fb, code, 0, 0, schema::BuiltinOptions::ReshapeOptions, options.Union());
    file.operators.assign(kMany, shared);
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, tensorsThatShareOneName) {
    FileMaker file;
    const auto name = file.fb.CreateString(std::string(500'000, 'x'));
    file.tensors.assign(kMany, schema::CreateTensor(file.fb, 0, schema::TensorType::INT8, 0, name));
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, tensorsThatShareOneQuantization) {
    FileMaker file;
    const auto scales = file.fb.CreateVector(std::vector<float>(100'000, 1.0F));
    const auto quantization = schema::CreateQuantizationParameters(file.fb, 0, 0, scales);
    file.tensors.assign(
        kMany, schema::CreateTensor(file.fb, 0, schema::TensorType::INT8, 0, 0, quantization));
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, operatorsThatShareOneCustomCode) {
    FileMaker file;
    file.addTensor({1});
    const std::uint32_t code = file.addCode(32, std::string(500'000, 'c').c_str());
    file.operators.assign(kMany, schema::CreateOperator(file.fb, code));
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, metadataThatShareOneName) {
    FileMaker file;
    const auto name = file.fb.CreateString(std::string(500'000, 'm'));
    file.metadata.assign(kMany, schema::CreateMetadata(file.fb, name));
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, subgraphsThatShareOneTable) {
    FileMaker file;
    file.tensors.assign(200'000, schema::CreateTensor(file.fb));
    file.endGraph();
    file.graphs.assign(16, file.graphs.front());
    EXPECT_EQ(quickRefusal(file, 1'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, moreSubgraphsThanTheLimit) {
    FileMaker file;
    file.endGraph();
    file.graphs.assign(ImportLimits::kMaxSubgraphs + 1, file.graphs.front());
    const Diagnostic error = quickRefusal(file, 100'000);
    EXPECT_EQ(error.code, Code::ModelTooLarge);
    EXPECT_NE(error.message.find("1001 subgraphs"), std::string::npos) << error.message;
}

TEST(ImportLimits, asManySubgraphsAsTheLimitLoad) {
    FileMaker file;
    file.endGraph();
    file.graphs.assign(ImportLimits::kMaxSubgraphs, file.graphs.front());
    const Result<ModelPtr> model = importTflite(file.bytes());
    ASSERT_TRUE(model.ok());
    EXPECT_EQ((*model)->graphs.size(), ImportLimits::kMaxSubgraphs);
}

TEST(ImportLimits, moreTensorsThanTheLimit) {
    FileMaker file;
    file.tensors.assign(ImportLimits::kMaxTensors + 1, schema::CreateTensor(file.fb));
    EXPECT_EQ(quickRefusal(file, 5'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, moreOperatorsThanTheLimit) {
    FileMaker file;
    file.addTensor({1});
    file.addCode(0);
    file.operators.assign(ImportLimits::kMaxOperators + 1, schema::CreateOperator(file.fb));
    EXPECT_EQ(quickRefusal(file, 5'000'000).code, Code::ModelTooLarge);
}

TEST(ImportLimits, moreTablesThanTheVerifierVisits) {
    FileMaker file;
    file.tensors.assign(900'000, schema::CreateTensor(file.fb));
    file.endGraph();
    file.graphs.assign(5, file.graphs.front());
    const Diagnostic error = quickRefusal(file, 4'000'000);
    EXPECT_EQ(error.code, Code::ModelTooLarge);
    EXPECT_NE(error.message.find("4000000 tables"), std::string::npos) << error.message;
}

TEST(ImportLimits, honestModelOfManyOperatorsLoads) {
    FileMaker file;
    for (std::int32_t i = 0; i <= 20'000; ++i)
        file.addTensor({1, 4, 4, 8}, 0, schema::TensorType::INT8,
                       "a/rather/long/name/of/a/tensor/" + std::to_string(i));
    const std::uint32_t code = file.addCode(19);
    for (std::int32_t i = 0; i < 20'000; ++i) {
        const std::vector<std::int32_t> in{i};
        const std::vector<std::int32_t> out{i + 1};
        file.operators.push_back(schema::CreateOperatorDirect(file.fb, code, &in, &out));
    }
    const Result<ModelPtr> model = importTflite(file.bytes());
    ASSERT_TRUE(model.ok()) << toText(model.diagnostics().front());
    EXPECT_EQ((*model)->graphs.at(0).operators.size(), 20'000u);
}
