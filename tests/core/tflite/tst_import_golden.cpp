// SPDX-License-Identifier: GPL-3.0-or-later
// The golden cases and the real models: what loads, what is malformed, and that every encoding of a
// model gives the same graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

using namespace plumbline;

namespace {

Result<ModelPtr> importCase(const std::string& name) {
    const ByteView file = test::goldenFile("cases/" + name + ".tflite");
    return importTflite(Bytes(file.begin(), file.end()));
}

std::vector<std::string> casesOf(const std::string& kind) {
    std::vector<std::string> names;
    for (const nlohmann::json& line : test::goldenLines("cases/index.jsonl"))
        if (line.at("kind") == kind)
            names.push_back(line.at("case"));
    return names;
}

std::vector<std::string> operatorNames(const Model& model) {
    std::vector<std::string> names;
    for (const Operator& op : model.graphs.at(0).operators)
        names.push_back(op.name);
    return names;
}

std::vector<std::string> reportedNames(const nlohmann::json& report) {
    std::vector<std::string> names;
    for (const nlohmann::json& entry : report.at("operators"))
        names.push_back(entry.at("operator"));
    return names;
}

const std::set<Code> kMalformed{Code::NotTflite, Code::DamagedModel, Code::IndexOutOfRange,
                                Code::BadShape};

} // namespace

TEST(GoldenCases, loadOrAreMalformedAsStated) {
    std::size_t malformed = 0;
    const std::vector<nlohmann::json> index = test::goldenLines("cases/index.jsonl");
    ASSERT_EQ(index.size(), 454u);
    for (const nlohmann::json& line : index) {
        const std::string name = line.at("case");
        SCOPED_TRACE(name + ": " + line.at("title").get<std::string>());
        const nlohmann::json expected = test::goldenJson("cases/" + name + ".expected.json");
        const Result<ModelPtr> model = importCase(name);
        if (!expected.at("lowers") && expected.at("reason") == "malformed") {
            ++malformed;
            ASSERT_FALSE(model.ok());
            ASSERT_EQ(model.diagnostics().size(), 1u);
            EXPECT_TRUE(kMalformed.contains(model.diagnostics()[0].code))
                << toText(model.diagnostics()[0]);
            continue;
        }
        ASSERT_TRUE(model.ok()) << toText(model.diagnostics().front());
        if (!expected.at("lowers") && expected.at("reason") == "no_subgraph") {
            EXPECT_TRUE((*model)->graphs.empty());
            continue;
        }
        EXPECT_EQ((*model)->graphs.at(0).operators.size(), line.at("operators").get<std::size_t>());
        if (expected.at("lowers")) {
            EXPECT_EQ(operatorNames(**model), reportedNames(expected.at("report")));
        }
    }
    EXPECT_EQ(malformed, 10u);
}

namespace {

/// What an encoding must not change about a tensor. Names and numbers it may change.
void expectSameTensor(const Tensor& one, const Tensor& two) {
    EXPECT_EQ(one.shape, two.shape);
    EXPECT_EQ(one.type, two.type);
    EXPECT_EQ(one.quantization, two.quantization);
    EXPECT_TRUE(std::ranges::equal(one.data, two.data));
}

void expectSameTensors(const Graph& one, const std::vector<std::int32_t>& oneList, const Graph& two,
                       const std::vector<std::int32_t>& twoList) {
    ASSERT_EQ(oneList.size(), twoList.size());
    for (std::size_t i = 0; i < oneList.size(); ++i) {
        ASSERT_EQ(oneList[i] == kAbsentTensor, twoList[i] == kAbsentTensor);
        if (oneList[i] != kAbsentTensor)
            expectSameTensor(one.tensors.at(static_cast<std::size_t>(oneList[i])),
                             two.tensors.at(static_cast<std::size_t>(twoList[i])));
    }
}

} // namespace

TEST(GoldenEncodings, giveTheSameGraph) {
    const std::vector<std::string> names = casesOf("encoding");
    ASSERT_EQ(names.size(), 22u);
    const ModelPtr first = *importCase(names.front());
    const Graph& usual = first->graphs.at(0);
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const Result<ModelPtr> model = importCase(name);
        ASSERT_TRUE(model.ok());
        const Graph& graph = (*model)->graphs.at(0);
        ASSERT_EQ(graph.operators.size(), usual.operators.size());
        for (std::size_t i = 0; i < graph.operators.size(); ++i) {
            SCOPED_TRACE("operator " + std::to_string(i));
            EXPECT_EQ(graph.operators[i].kind, usual.operators[i].kind);
            // RESHAPE's options only repeat the output's shape; one encoding leaves them out.
            if (graph.operators[i].kind != OperatorKind::Reshape ||
                graph.operators[i].hasOptionsTable) {
                EXPECT_EQ(graph.operators[i].options, usual.operators[i].options);
            }
            expectSameTensors(graph, graph.operators[i].inputs, usual, usual.operators[i].inputs);
            expectSameTensors(graph, graph.operators[i].outputs, usual, usual.operators[i].outputs);
        }
        expectSameTensors(graph, graph.inputs, usual, usual.inputs);
        expectSameTensors(graph, graph.outputs, usual, usual.outputs);
    }
}

namespace {

struct ModelRow {
    const char* file;
    std::map<std::string, int> operators; ///< name and count; 0: any count of at least one
    bool complete = true;                 ///< no other operators than those
};

class RealModel : public testing::TestWithParam<ModelRow> {};

std::string rowName(const testing::TestParamInfo<ModelRow>& row) {
    std::string name = row.param.file;
    for (char& letter : name)
        letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    return name;
}

} // namespace

TEST_P(RealModel, opensWithTheStatedOperators) {
    SKIP_WITHOUT_SHARED_DATA();
    const Result<ModelPtr> model =
        importTflite(test::readBytes(*test::sharedData() / "models" / GetParam().file));
    ASSERT_TRUE(model.ok()) << toText(model.diagnostics().front());
    std::map<std::string, int> counts;
    for (const std::string& name : operatorNames(**model))
        ++counts[name];
    for (const auto& [name, count] : GetParam().operators) {
        EXPECT_GT(counts[name], 0) << name;
        if (count > 0) {
            EXPECT_EQ(counts[name], count) << name;
        }
    }
    if (GetParam().complete) {
        EXPECT_EQ(counts.size(), GetParam().operators.size());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shared, RealModel,
    testing::Values(
        ModelRow{"kws_float32.tflite",
                 {{"CONV_2D", 0}, {"DEPTHWISE_CONV_2D", 0}, {"SOFTMAX", 1}},
                 false},
        ModelRow{"strww.tflite", {{"DEPTHWISE_CONV_2D", 0}, {"CONV_2D", 0}}, false},
        ModelRow{"more/hello_world_int8.tflite", {{"FULLY_CONNECTED", 3}}},
        ModelRow{"more/person_detect.tflite",
                 {{"DEPTHWISE_CONV_2D", 14},
                  {"CONV_2D", 14},
                  {"AVERAGE_POOL_2D", 1},
                  {"RESHAPE", 1},
                  {"SOFTMAX", 1}}},
        ModelRow{
            "more/micro_speech_quantized.tflite",
            {{"RESHAPE", 1}, {"DEPTHWISE_CONV_2D", 1}, {"FULLY_CONNECTED", 1}, {"SOFTMAX", 1}}},
        ModelRow{"more/simple_add_model.tflite", {{"ADD", 1}}},
        ModelRow{"more/mobilenet_v2_quantized.tflite",
                 {{"TRANSPOSE", 0},
                  {"PAD", 0},
                  {"CONV_2D", 0},
                  {"DEPTHWISE_CONV_2D", 0},
                  {"ADD", 0},
                  {"MEAN", 0},
                  {"RESHAPE", 0},
                  {"FULLY_CONNECTED", 0}}},
        ModelRow{"more/keyword_scrambled_8bit.tflite",
                 {{"QUANTIZE", 0}, {"SVDF", 0}, {"FULLY_CONNECTED", 0}, {"SOFTMAX", 0}}},
        ModelRow{"more/trained_lstm_int8.tflite",
                 {{"UNIDIRECTIONAL_SEQUENCE_LSTM", 0},
                  {"RESHAPE", 0},
                  {"FULLY_CONNECTED", 0},
                  {"SOFTMAX", 0}}},
        ModelRow{"more/audio_preprocessor_int8.tflite", {{"CUSTOM", 9}}, false},
        ModelRow{"more/dtln_noise_suppression.tflite",
                 {{"UNIDIRECTIONAL_SEQUENCE_LSTM", 0}, {"FULLY_CONNECTED", 0}, {"LOGISTIC", 0}}},
        ModelRow{"more/person_detect_vela.tflite", {{"CUSTOM", 0}}, false}),
    rowName);

TEST(RealModels, operatorsAreThoseOfTheReports) {
    SKIP_WITHOUT_SHARED_DATA();
    const std::filesystem::path data = *test::sharedData();
    for (const char* name : {"kws", "vww", "resnet8", "ad01"}) {
        SCOPED_TRACE(name);
        const nlohmann::json manifest =
            test::readJson(data / "golden" / "models" / name / "rand" / "npu.json");
        const Result<ModelPtr> model =
            importTflite(test::readBytes(data / "models" / (std::string(name) + ".tflite")));
        ASSERT_TRUE(model.ok());
        EXPECT_EQ(operatorNames(**model), reportedNames(manifest.at("report")));
        EXPECT_EQ((*model)->sha256, manifest.at("source_model_sha256").get<std::string>());
    }
}

TEST(RealModels, compiledEthosUOperatorKeepsItsCode) {
    SKIP_WITHOUT_SHARED_DATA();
    const Result<ModelPtr> model = importTflite(
        test::readBytes(*test::sharedData() / "models" / "more" / "person_detect_vela.tflite"));
    ASSERT_TRUE(model.ok());
    const std::vector<Operator>& operators = (*model)->graphs.at(0).operators;
    EXPECT_TRUE(std::ranges::any_of(
        operators, [](const Operator& each) { return each.customCode == "ethos-u"; }));
}
