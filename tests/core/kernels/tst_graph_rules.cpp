// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the whole graph that prepareGraph checks: who produces what, and how much a run may
// cost.
#include <gtest/gtest.h>

#include "core/kernels/graph_runner.h"
#include "tests/core/kernels/graph_builder.h"

namespace plumbline {
namespace {

using namespace test;

std::vector<Code> codesOf(const GraphBuilder& b) {
    std::vector<Code> codes;
    const Result<PreparedGraphPtr> prepared = prepareGraph(b.model, plainKernels());
    for (const Diagnostic& diagnostic : prepared.diagnostics())
        codes.push_back(diagnostic.code);
    EXPECT_EQ(prepared.ok(), codes.empty());
    return codes;
}

TEST(GraphRules, everyOperatorWithoutKernelIsReported) {
    GraphBuilder b;
    const auto x = b.input({1, 4});
    const auto y = b.activation({1, 4});
    const auto z = b.activation({1, 4});
    const auto end = b.activation({1, 4});
    b.addOperator(OperatorKind::Custom, "CUSTOM", {x}, {y});
    b.addOperator(OperatorKind::Relu, "RELU", {y}, {z}); // fine by itself
    b.addOperator(static_cast<OperatorKind>(14), "LOGISTIC", {z}, {end});
    b.output(end);
    const Result<PreparedGraphPtr> prepared = prepareGraph(b.model, plainKernels());
    ASSERT_EQ(prepared.diagnostics().size(), 2u);
    EXPECT_EQ(prepared.diagnostics()[0].where.operatorIndex, 0);
    EXPECT_EQ(prepared.diagnostics()[1].where.operatorIndex, 2);
    EXPECT_EQ(prepared.diagnostics()[1].message, "LOGISTIC: no kernel for this operator");
}

TEST(GraphRules, noSubgraph) {
    const Result<GraphRun> result = runGraph(Model{}, {}, plainKernels());
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.diagnostics().front().code, Code::NoSubgraph);
}

TEST(GraphRules, readingWhatNobodyProduced) {
    GraphBuilder b = reluGraph();
    b.op(0).inputs[0] = b.activation({1, 4});
    EXPECT_EQ(codesOf(b), (std::vector{Code::NotProduced}));
}

TEST(GraphRules, readingWhatALaterOperatorProduces) {
    GraphBuilder b;
    const auto x = b.input({1, 4});
    const auto y = b.activation({1, 4});
    const auto z = b.activation({1, 4});
    b.addOperator(OperatorKind::Relu, "RELU", {z}, {y});
    b.addOperator(OperatorKind::Relu, "RELU", {x}, {z});
    b.output(y);
    EXPECT_EQ(codesOf(b), (std::vector{Code::NotProduced}));
}

TEST(GraphRules, readingItsOwnOutput) {
    GraphBuilder b = reluGraph();
    b.op(0).inputs = {1};
    EXPECT_EQ(codesOf(b), (std::vector{Code::NotProduced}));
}

TEST(GraphRules, writingTwice) {
    GraphBuilder b = reluGraph();
    b.addOperator(OperatorKind::Relu, "RELU", {0}, {1});
    EXPECT_EQ(codesOf(b), (std::vector{Code::WrittenTwice}));
}

TEST(GraphRules, writingTheGraphInput) {
    GraphBuilder b = reluGraph();
    b.op(0).outputs = {0};
    b.graph().outputs = {0};
    EXPECT_EQ(codesOf(b), (std::vector{Code::WritesGraphInput}));
}

TEST(GraphRules, outputThatNobodyProduces) {
    GraphBuilder b = reluGraph();
    b.output(b.activation({1, 4}));
    b.output(1234);
    EXPECT_EQ(codesOf(b), (std::vector{Code::NotProduced, Code::NotProduced}));
}

TEST(GraphRules, inputWithoutFixedSize) {
    GraphBuilder b = reluGraph();
    b.graph().inputs.push_back(b.activation({1, -1}));
    b.graph().inputs.push_back(-7);
    EXPECT_EQ(codesOf(b), (std::vector{Code::InputSize, Code::InputSize}));
}

TEST(GraphRules, activationsBeyondOneGibibyte) {
    GraphBuilder b;
    const auto x = b.input({1, 1 << 29});
    const auto y = b.activation({1, 1 << 29});
    const auto z = b.activation({1, 1 << 29});
    b.addOperator(OperatorKind::Relu, "RELU", {x}, {y});
    EXPECT_EQ(codesOf(b), (std::vector<Code>{}));
    b.addOperator(OperatorKind::Relu, "RELU", {y}, {z});
    EXPECT_EQ(codesOf(b), (std::vector{Code::RunTooLarge}));
}

TEST(GraphRules, oneOutputListedManyTimesCountsEachTime) {
    GraphBuilder b;
    const auto x = b.input({1, 1 << 28});
    for (int i = 0; i < 3; ++i)
        b.output(x);
    EXPECT_EQ(codesOf(b), (std::vector<Code>{}));
    b.output(x);
    EXPECT_EQ(codesOf(b), (std::vector{Code::RunTooLarge}));
}

TEST(GraphRules, moreThanTwoToTheFortyMultiplications) {
    // Each average looks at 2^20 positions for 2^20 outputs.
    GraphBuilder b;
    const auto x = b.input({1, 1024, 1024, 1});
    const Pool2DOptions options{Padding::Same, 1, 1, 5000, 5000, FusedActivation::None};
    const auto y = b.activation({1, 1024, 1024, 1});
    b.addOperator(OperatorKind::AveragePool2D, "AVERAGE_POOL_2D", {x}, {y}, options);
    EXPECT_EQ(codesOf(b), (std::vector<Code>{}));
    const auto z = b.activation({1, 1024, 1024, 1});
    b.addOperator(OperatorKind::Relu, "RELU", {y}, {z});
    EXPECT_EQ(codesOf(b), (std::vector{Code::RunTooLarge}));
}

} // namespace
} // namespace plumbline
