// SPDX-License-Identifier: GPL-3.0-or-later
// What importTflite reads of tensors and of the whole file, and which indices it refuses.
#include <gtest/gtest.h>

#include <limits>

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

/// The one error of a refused file.
Diagnostic refusalOf(const Bytes& file) {
    const Result<ModelPtr> model = importTflite(file);
    EXPECT_FALSE(model.ok());
    if (model.ok() || model.diagnostics().size() != 1)
        return makeError(Code::Internal, "not exactly one error");
    return model.diagnostics().front();
}

Diagnostic refusalOf(FileMaker& file) { return refusalOf(file.bytes()); }

bool liesIn(ByteView view, const Bytes& file) {
    return view.data() >= file.data() && view.data() + view.size() <= file.data() + file.size();
}

} // namespace

// ---- Tensors and their data ----

TEST(ImporterTensors, fieldsAreRead) {
    FileMaker file;
    const std::vector<std::int32_t> shape{3, 1, 2, 4};
    const std::vector<float> scales{0.5F, 0.25F, 0.125F};
    const std::vector<std::int64_t> zeros{0, -7, std::int64_t{1} << 40};
    const auto quantization = schema::CreateQuantizationParametersDirect(
        file.fb, nullptr, nullptr, &scales, &zeros, schema::QuantizationDetails::NONE, 0, 2);
    const std::uint32_t buffer = file.addBuffer({1, 2, 3});
    file.tensors.push_back(schema::CreateTensorDirect(file.fb, &shape, schema::TensorType::INT16,
                                                      buffer, "weights/ü", quantization, true));
    const ModelPtr model = imported(file);
    const Tensor& read = model->graphs.at(0).tensors.at(0);
    EXPECT_EQ(read.name, "weights/ü");
    EXPECT_EQ(read.shape, shape);
    EXPECT_EQ(read.type, ElementType::Int16);
    EXPECT_EQ(read.quantization, (Quantization{scales, zeros, 2}));
    EXPECT_EQ(read.buffer, 1);
    EXPECT_TRUE(read.isVariable);
    EXPECT_TRUE(read.isConstant());
    EXPECT_EQ(Bytes(read.data.begin(), read.data.end()), (Bytes{1, 2, 3}));
    EXPECT_TRUE(liesIn(read.data, *model->file)) << "constants are not copied";
}

TEST(ImporterTensors, sharedBufferIsOneView) {
    FileMaker file;
    const std::uint32_t buffer = file.addBuffer({5, 6});
    file.addTensor({2}, buffer);
    file.addTensor({1, 2}, buffer);
    const ModelPtr model = imported(file);
    const std::vector<Tensor>& tensors = model->graphs.at(0).tensors;
    EXPECT_EQ(tensors.at(0).data.data(), tensors.at(1).data.data());
}

TEST(ImporterTensors, everyElementTypeLoads) {
    FileMaker file;
    for (int type = 0; type <= 42; ++type)
        file.addTensor({2}, 0, static_cast<schema::TensorType>(type));
    const ModelPtr model = imported(file);
    const std::vector<Tensor>& tensors = model->graphs.at(0).tensors;
    EXPECT_EQ(tensors.at(5).type, ElementType::String);
    EXPECT_EQ(tensors.at(13).type, ElementType::Resource);
    EXPECT_EQ(tensors.at(17).type, ElementType::Int4);
    EXPECT_EQ(tensors.at(18).type, ElementType::BFloat16);
    EXPECT_EQ(static_cast<int>(tensors.at(42).type), 42);
}

TEST(ImporterTensors, openExtentsInTheSignatureAreFine) {
    FileMaker file;
    const std::vector<std::int32_t> shape{1, 8};
    const std::vector<std::int32_t> signature{-1, 8};
    file.tensors.push_back(schema::CreateTensorDirect(file.fb, &shape, schema::TensorType::INT8, 0,
                                                      "open", 0, false, 0, &signature));
    EXPECT_EQ(imported(file)->graphs.at(0).tensors.at(0).shape, shape);
}

TEST(ImporterTensors, scalarHasNoDimensions) {
    FileMaker file;
    file.addTensor({});
    EXPECT_EQ(imported(file)->graphs.at(0).tensors.at(0).elements(), 1);
}

struct ShapeRow {
    const char* what;
    std::vector<std::int32_t> shape;
    bool loads;
};

class ImporterShape : public testing::TestWithParam<ShapeRow> {};

TEST_P(ImporterShape, isCheckedAgainstTheLimits) {
    FileMaker file;
    file.addTensor({4});
    file.addTensor(GetParam().shape);
    const Result<ModelPtr> model = importTflite(file.bytes());
    ASSERT_EQ(model.ok(), GetParam().loads);
    if (GetParam().loads) {
        EXPECT_EQ((*model)->graphs.at(0).tensors.at(1).shape, GetParam().shape);
        return;
    }
    const Diagnostic& error = model.diagnostics().front();
    EXPECT_EQ(error.code, Code::BadShape);
    EXPECT_EQ(error.where.part, "subgraphs[0].tensors[1]");
    EXPECT_EQ(error.where.tensor, 1);
    EXPECT_TRUE(error.where.byte.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ImporterShape,
    testing::Values(ShapeRow{"negative", {1, -1, 3}, false},
                    ShapeRow{"most_negative", {std::numeric_limits<std::int32_t>::min()}, false},
                    ShapeRow{"exactly_2_to_40", {1 << 20, 1 << 20}, true},
                    ShapeRow{"above_2_to_40", {1 << 20, 1 << 20, 2}, false},
                    ShapeRow{"above_64_bits_in_one_step",
                             {1 << 20, 1 << 20, std::numeric_limits<std::int32_t>::max()},
                             false},
                    ShapeRow{"above_64_bits", {1 << 30, 1 << 30, 1 << 30}, false},
                    ShapeRow{"zero_extent", {1, 0, 8}, true},
                    ShapeRow{"zero_behind_an_overflow", {1 << 30, 1 << 30, 1 << 30, 0}, false}),
    [](const auto& row) { return row.param.what; });

// ---- Indices ----

TEST(ImporterIndices, absentOptionalInputIsKept) {
    FileMaker file;
    file.addTensor({1});
    file.addOperator(kMul, {0, -1, -1}, {0});
    EXPECT_EQ(imported(file)->graphs.at(0).operators.at(0).inputs,
              (std::vector<std::int32_t>{0, kAbsentTensor, kAbsentTensor}));
}

struct IndexRow {
    const char* what;
    void (*damage)(FileMaker& file);
    const char* part;
    std::optional<std::int64_t> operatorIndex;
    const char* says;
};

class ImporterIndex : public testing::TestWithParam<IndexRow> {};

TEST_P(ImporterIndex, outsideItsListIsRefused) {
    FileMaker file = test::reluFile();
    GetParam().damage(file);
    const Diagnostic error = refusalOf(file);
    EXPECT_EQ(error.code, Code::IndexOutOfRange);
    EXPECT_EQ(error.where.part, GetParam().part);
    EXPECT_EQ(error.where.operatorIndex, GetParam().operatorIndex);
    EXPECT_NE(error.message.find(GetParam().says), std::string::npos) << error.message;
}

INSTANTIATE_TEST_SUITE_P(
    Indices, ImporterIndex,
    testing::Values(
        IndexRow{"input_behind_the_tensors",
                 [](FileMaker& f) {
                     f.addOperator(kMul, {0, 2}, {1});
                 },
                 "subgraphs[0].operators[1]", 1, "input 1 is tensor 2"},
        IndexRow{"input_minus_two", [](FileMaker& f) { f.addOperator(kMul, {-2}, {1}); },
                 "subgraphs[0].operators[1]", 1, "input 0 is tensor -2"},
        IndexRow{"output_behind_the_tensors", [](FileMaker& f) { f.addOperator(kMul, {0}, {99}); },
                 "subgraphs[0].operators[1]", 1, "output 0 is tensor 99"},
        IndexRow{"output_minus_one",
                 [](FileMaker& f) {
                     f.addOperator(kMul, {0}, {1, -1});
                 },
                 "subgraphs[0].operators[1]", 1, "output 1 is tensor -1"},
        IndexRow{"operator_code",
                 [](FileMaker& f) { f.operators.push_back(schema::CreateOperatorDirect(f.fb, 1)); },
                 "subgraphs[0].operators[1]", 1, "operator code 1 does not exist"},
        IndexRow{"no_operator_codes", [](FileMaker& f) { f.codes.clear(); },
                 "subgraphs[0].operators[0]", 0, "the file has 0 operator codes"},
        IndexRow{"graph_input", [](FileMaker& f) { f.inputs = {2}; }, "subgraphs[0]", std::nullopt,
                 "graph input 0 is tensor 2"},
        IndexRow{"graph_input_absent",
                 [](FileMaker& f) {
                     f.inputs = {0, -1};
                 },
                 "subgraphs[0]", std::nullopt, "graph input 1 is tensor -1"},
        IndexRow{"graph_output", [](FileMaker& f) { f.outputs = {-1}; }, "subgraphs[0]",
                 std::nullopt, "graph output 0 is tensor -1"},
        IndexRow{"buffer", [](FileMaker& f) { f.addTensor({1}, 1); }, "subgraphs[0].tensors[2]",
                 std::nullopt, "buffer 1 does not exist"},
        IndexRow{"no_buffers", [](FileMaker& f) { f.buffers.clear(); }, "subgraphs[0].tensors[0]",
                 std::nullopt, "the file has 0 buffers"},
        IndexRow{"metadata_buffer",
                 [](FileMaker& f) {
                     f.metadata = {schema::CreateMetadataDirect(f.fb, "a", 0),
                                   schema::CreateMetadataDirect(f.fb, "b", 6)};
                 },
                 "metadata[1]", std::nullopt, "buffer 6 does not exist"},
        IndexRow{"in_a_second_subgraph",
                 [](FileMaker& f) {
                     f.endGraph();
                     f.addTensor({1});
                     f.addOperator(kMul, {1}, {0});
                 },
                 "subgraphs[1].operators[0]", std::nullopt, "input 0 is tensor 1"}),
    [](const auto& row) { return row.param.what; });

// ---- The whole file ----

TEST(ImporterModel, graphAndMetadataAreRead) {
    FileMaker file = test::reluFile();
    const std::uint32_t buffer = file.addBuffer({42});
    file.metadata = {schema::CreateMetadataDirect(file.fb, "origin", buffer)};
    const ModelPtr model = imported(file);
    EXPECT_EQ(model->description, "made by a test");
    EXPECT_EQ(model->schemaVersion, 3);
    EXPECT_TRUE(model->diagnostics.empty());
    EXPECT_EQ(model->graphs.at(0).name, "main");
    EXPECT_EQ(model->graphs.at(0).inputs, std::vector<std::int32_t>{0});
    EXPECT_EQ(model->graphs.at(0).outputs, std::vector<std::int32_t>{1});
    EXPECT_EQ(model->metadata.at(0).name, "origin");
    EXPECT_EQ(Bytes(model->metadata.at(0).data.begin(), model->metadata.at(0).data.end()),
              Bytes{42});
}

TEST(ImporterModel, withoutSubgraphLoads) {
    FileMaker file;
    EXPECT_TRUE(imported(file)->graphs.empty());
}

TEST(ImporterModel, extraSubgraphsAreReadAndNoted) {
    FileMaker file = test::reluFile();
    file.endGraph();
    file.addTensor({7});
    file.endGraph("second");
    const Result<ModelPtr> model = importTflite(file.bytes());
    ASSERT_TRUE(model.ok());
    ASSERT_EQ((*model)->graphs.size(), 2u);
    EXPECT_EQ((*model)->graphs[1].name, "second");
    ASSERT_EQ(model.diagnostics().size(), 1u);
    EXPECT_EQ(model.diagnostics()[0].code, Code::ExtraSubgraphs);
    EXPECT_EQ(model.diagnostics()[0].severity, Severity::Note);
    EXPECT_EQ((*model)->diagnostics, model.diagnostics());
}

TEST(ImporterModel, otherSchemaVersionIsAWarning) {
    FileMaker file = test::reluFile();
    file.version = 4;
    const ModelPtr model = imported(file);
    ASSERT_EQ(model->diagnostics.size(), 1u);
    EXPECT_EQ(model->diagnostics[0].code, Code::SchemaVersion);
    EXPECT_EQ(model->diagnostics[0].severity, Severity::Warning);
    EXPECT_EQ(model->schemaVersion, 4);
}

TEST(ImporterModel, dataInAnotherFileIsOneWarning) {
    FileMaker file;
    for (int i = 0; i < 3; ++i)
        file.tensors.push_back(schema::CreateTensorDirect(file.fb, nullptr,
                                                          schema::TensorType::INT8, 0, "far", 0,
                                                          false, 0, nullptr, false, nullptr, 5));
    const ModelPtr model = imported(file);
    ASSERT_EQ(model->diagnostics.size(), 1u);
    EXPECT_EQ(model->diagnostics[0].code, Code::ExternalData);
    EXPECT_EQ(model->diagnostics[0].where.tensor, 0);
    EXPECT_FALSE(model->graphs.at(0).tensors.at(0).isConstant());
}

TEST(ImporterModel, dataBehindTheFlatbufferIsRead) {
    constexpr std::uint64_t kBehind = 4096;
    FileMaker file;
    file.addTensor({3}, file.addBufferBehind(kBehind, 3));
    Bytes bytes = file.bytes();
    ASSERT_LT(bytes.size(), kBehind);
    bytes.resize(kBehind);
    bytes.insert(bytes.end(), {11, 12, 13});
    const Result<ModelPtr> model = importTflite(bytes);
    ASSERT_TRUE(model.ok());
    const ByteView data = (*model)->graphs.at(0).tensors.at(0).data;
    EXPECT_EQ(Bytes(data.begin(), data.end()), (Bytes{11, 12, 13}));
}

struct BehindRow {
    const char* what;
    std::uint64_t offset;
    std::uint64_t size;
};

class ImporterBehind : public testing::TestWithParam<BehindRow> {};

TEST_P(ImporterBehind, dataOutsideTheFileIsRefused) {
    FileMaker file;
    file.addTensor({3}, file.addBufferBehind(GetParam().offset, GetParam().size));
    const Diagnostic error = refusalOf(file);
    EXPECT_EQ(error.code, Code::DamagedModel);
    EXPECT_EQ(error.where.part, "subgraphs[0].tensors[0]");
}

INSTANTIATE_TEST_SUITE_P(
    Places, ImporterBehind,
    testing::Values(BehindRow{"offset_behind_the_end", 1 << 20, 1},
                    BehindRow{"too_long", 8, 1 << 20},
                    BehindRow{"sum_wraps", 8, std::numeric_limits<std::uint64_t>::max()},
                    BehindRow{"offset_wraps", std::numeric_limits<std::uint64_t>::max(), 16}),
    [](const auto& row) { return row.param.what; });

TEST(ImporterModel, offsetsOfZeroAndOneMeanNoData) {
    FileMaker file;
    file.addTensor({3}, file.addBufferBehind(0, 100));
    file.addTensor({3}, file.addBufferBehind(1, 100));
    const ModelPtr model = imported(file);
    EXPECT_FALSE(model->graphs.at(0).tensors.at(0).isConstant());
    EXPECT_FALSE(model->graphs.at(0).tensors.at(1).isConstant());
}

TEST(ImporterModel, digestIsThatOfTheFile) {
    Bytes bytes = test::reluFile().bytes();
    const ModelPtr one = *importTflite(bytes);
    EXPECT_EQ(one->sha256.size(), 64u);
    bytes.push_back(0); // trailing bytes are not part of any table, but of the file
    const ModelPtr two = *importTflite(bytes);
    EXPECT_NE(one->sha256, two->sha256);
    EXPECT_EQ(*two->file, bytes);
}
