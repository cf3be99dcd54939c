// SPDX-License-Identifier: GPL-3.0-or-later
// Documents of every kind of file, good and bad.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/artifacts/package.h"
#include "core/artifacts/trace_io.h"
#include "core/base/file.h"
#include "core/document/document.h"
#include "core/document/package_lowering.h"
#include "core/samples/samples.h"

namespace plumbline::test {
namespace {

namespace fs = std::filesystem;

class Documents : public testing::Test {
  protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() /
                   ("plumbline-document-" + std::to_string(::getpid()) + "-" +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    static DocumentPtr open(OpenRequest request) {
        const Result<DocumentPtr> document = openDocument(request, npuP0Target());
        EXPECT_TRUE(document.ok());
        return document ? *document : nullptr;
    }
    static DocumentPtr sample(const std::string& name) {
        OpenRequest request;
        request.sample = name;
        return open(request);
    }
    DocumentPtr openFile(const std::string& name) const {
        OpenRequest request;
        request.path = m_folder / name;
        return open(request);
    }
    fs::path m_folder;
};

TEST_F(Documents, ASampleIsLoweredRunAndCompared) {
    const DocumentPtr document = sample("resnet8");
    EXPECT_TRUE(document->lowering->complete);
    ASSERT_TRUE(document->execution.has_value());
    EXPECT_FALSE(document->execution->fault.has_value());
    ASSERT_NE(document->verdicts, nullptr);
    EXPECT_TRUE(document->verdicts->equal());
    EXPECT_EQ(document->verdicts->compared(), document->execution->trace.layers.size());
    EXPECT_EQ(document->violations.size(), document->lowering->records.size());
    EXPECT_EQ(document->inputName, "seed 1");
    EXPECT_EQ(document->mismatchesOf(0), 0);
    EXPECT_TRUE(document->diagnostics.empty());
}

TEST_F(Documents, StagesComeInOrderAndGrow) {
    OpenRequest request;
    request.sample = "ds-cnn";
    std::vector<DocumentPtr> stages;
    const auto document = openDocument(
        request, npuP0Target(), {}, [&](DocumentPtr stage) { stages.push_back(std::move(stage)); });
    ASSERT_TRUE(document.ok());
    ASSERT_GE(stages.size(), 2U);
    EXPECT_TRUE(stages[0]->lowering->complete);
    EXPECT_FALSE(stages[0]->execution.has_value());
    EXPECT_TRUE(stages[1]->execution.has_value());
}

TEST_F(Documents, ARefusedModelKeepsItsGraphAndItsReasons) {
    const DocumentPtr document = sample("refused");
    EXPECT_FALSE(document->lowering->complete);
    ASSERT_NE(document->graph(), nullptr);
    EXPECT_EQ(document->lowering->operators.size(), document->graph()->operators.size());
    EXPECT_TRUE(hasErrors(document->diagnostics));
    EXPECT_FALSE(document->execution.has_value());
}

TEST_F(Documents, ADamagedModelOpensWithWhatIsWrong) {
    Bytes bytes = *makeSample("ds-cnn");
    bytes.resize(bytes.size() / 2);
    ASSERT_TRUE(writeFileAtomically(m_folder / "half.tflite", ByteView(bytes)).ok());
    const DocumentPtr document = openFile("half.tflite");
    EXPECT_TRUE(hasErrors(document->diagnostics));
    EXPECT_TRUE(document->lowering->operators.empty());
    ASSERT_NE(document->file, nullptr);
    EXPECT_EQ(document->file->size(), bytes.size());
}

TEST_F(Documents, APackageShowsTheLoweringThatMadeIt) {
    for (const SampleInfo& info : allSamples()) {
        const DocumentPtr model =
            sample(info.name == "branches" ? "branches-60" : std::string(info.name));
        if (!model->lowering->complete)
            continue;
        const fs::path directory = m_folder / info.name;
        ASSERT_TRUE(
            writePackage(directory, *model->lowering, "test", &model->reference->trace).ok());
        const DocumentPtr package = openFile(std::string(info.name));
        EXPECT_EQ(package->kind, DocumentKind::Package);
        const Lowering& a = *model->lowering;
        const Lowering& b = *package->lowering;
        ASSERT_TRUE(b.complete) << info.name;
        EXPECT_EQ(a.descriptorBytes(), b.descriptorBytes());
        EXPECT_EQ(a.relocations, b.relocations);
        EXPECT_EQ(a.weights, b.weights);
        EXPECT_EQ(a.arena.peakBytes, b.arena.peakBytes);
        ASSERT_EQ(a.operators.size(), b.operators.size());
        for (std::size_t i = 0; i < a.operators.size(); ++i) {
            const LoweredOperator& x = a.operators[i];
            const LoweredOperator& y = b.operators[i];
            EXPECT_EQ(x.name, y.name);
            EXPECT_EQ(x.placement, y.placement);
            EXPECT_EQ(x.record, y.record);
            EXPECT_EQ(x.tiles.tiles, y.tiles.tiles);
            EXPECT_EQ(x.tiles.sliceSizes(), y.tiles.sliceSizes());
            EXPECT_EQ(x.cost.estimatedCycles, y.cost.estimatedCycles);
            EXPECT_EQ(x.arena.output, y.arena.output);
        }
        ASSERT_NE(package->verdicts, nullptr) << info.name;
        EXPECT_TRUE(package->verdicts->equal()) << info.name;
        EXPECT_EQ(package->verdicts->compared(), package->execution->trace.layers.size());
    }
}

TEST_F(Documents, TheRebuiltGraphConnectsResidualBranches) {
    const DocumentPtr model = sample("resnet8");
    ASSERT_TRUE(writePackage(m_folder / "p", *model->lowering, "test").ok());
    const DocumentPtr package = openFile("p");
    const Graph& graph = *package->graph();
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const Operator& op = graph.operators[i];
        EXPECT_EQ(op.inputs.size(), package->lowering->operators[i].arena.input1 ? 2U : 1U);
        for (const std::int32_t input : op.inputs) {
            EXPECT_GE(input, 0);
            EXPECT_LE(input, static_cast<std::int32_t>(i));
        }
    }
}

TEST_F(Documents, ADamagedPackageOpens) {
    const DocumentPtr model = sample("ds-cnn");
    ASSERT_TRUE(writePackage(m_folder / "p", *model->lowering, "test").ok());
    fs::resize_file(m_folder / "p" / "descriptors.bin", 200);
    const DocumentPtr package = openFile("p");
    EXPECT_FALSE(package->lowering->complete);
    EXPECT_EQ(package->lowering->records.size(), 1U);
    EXPECT_TRUE(hasErrors(package->diagnostics));
    EXPECT_FALSE(package->execution.has_value());
}

TEST_F(Documents, DigestsOfAnotherInputAreDoubtedHoweverItWasNamed) {
    const DocumentPtr model = sample("ds-cnn");
    ASSERT_TRUE(
        writePackage(m_folder / "p", *model->lowering, "test", &model->reference->trace).ok());
    const Bytes other = seededBytes(2, model->input.size());
    ASSERT_TRUE(writeFileAtomically(m_folder / "in.bin", ByteView(other)).ok());
    OpenRequest seeded, given;
    seeded.path = given.path = m_folder / "p";
    seeded.seed = 2;
    given.input = m_folder / "in.bin";
    for (const OpenRequest& request : {seeded, given}) {
        const DocumentPtr package = open(request);
        ASSERT_TRUE(package->execution.has_value());
        EXPECT_EQ(package->verdicts, nullptr);
        EXPECT_EQ(package->reference, nullptr);
        EXPECT_NE(package->referenceProblem.find(package->inputName), std::string::npos);
    }
    const Bytes same = seededBytes(1, model->input.size());
    ASSERT_TRUE(writeFileAtomically(m_folder / "in.bin", ByteView(same)).ok());
    EXPECT_TRUE(open(given)->verdicts->equal());
}

TEST_F(Documents, RecordsThatDoNotRelocateAreNotValidated) {
    const DocumentPtr model = sample("ds-cnn");
    const auto edit =
        parseEdit("relocation/5/offset=99999999", *model->job, model->target->fields());
    ASSERT_TRUE(edit.ok());
    const DocumentPtr broken = *openExperiment(model, {*edit});
    EXPECT_TRUE(broken->relocatedRecords.empty());
    EXPECT_TRUE(broken->violations.empty());
    EXPECT_EQ(broken->runner, nullptr);
    const auto of = [&](std::int64_t relocation) {
        return std::count_if(broken->diagnostics.begin(), broken->diagnostics.end(),
                             [&](const Diagnostic& d) { return d.where.relocation == relocation; });
    };
    EXPECT_EQ(of(5), 1);
    EXPECT_EQ(broken->diagnostics.size(), 1U);
}

TEST_F(Documents, AViolationIsListedOnce) {
    const DocumentPtr model = sample("ds-cnn");
    const auto edit =
        parseEdit("record/0/word/5/PARAM_BASE=1", *model->job, model->target->fields());
    ASSERT_TRUE(edit.ok());
    const DocumentPtr broken = *openExperiment(model, {*edit});
    ASSERT_TRUE(broken->violations.at(0).has_value());
    for (std::size_t i = 0; i < broken->diagnostics.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE(broken->diagnostics[i], broken->diagnostics[j]);
    EXPECT_EQ(broken->diagnostics.size(), 1U);
}

TEST_F(Documents, ATraceAloneIsAChainOfLayers) {
    const DocumentPtr model = sample("ds-cnn");
    ASSERT_TRUE(writeTrace(m_folder / "t", model->execution->trace).ok());
    const DocumentPtr trace = openFile("t");
    EXPECT_EQ(trace->kind, DocumentKind::Trace);
    EXPECT_EQ(trace->lowering->operators.size(), model->execution->trace.layers.size());
    EXPECT_EQ(trace->graph()->operators.at(1).inputs, std::vector<std::int32_t>{1});
    EXPECT_EQ(trace->lowering->operators.front().placement, Placement::Npu);
    EXPECT_EQ(trace->lowering->operators.back().placement, Placement::CpuSoftmax);
}

TEST_F(Documents, AReferenceOfAnotherModelOrInputIsRefused) {
    Trace trace = sample("ds-cnn")->execution->trace;
    OpenRequest request;
    request.sample = "ds-cnn";
    request.reference = m_folder / "t";
    const auto complains = [&](const DocumentPtr& document) {
        return std::any_of(document->diagnostics.begin(), document->diagnostics.end(),
                           [](const Diagnostic& d) { return d.code == Code::TraceMismatch; });
    };
    ASSERT_TRUE(writeTrace(request.reference, trace).ok());
    EXPECT_FALSE(complains(open(request)));
    EXPECT_EQ(open(request)->verdicts->reference, "trace t");
    trace.inputSha256 = std::string(64, '0');
    ASSERT_TRUE(writeTrace(request.reference, trace).ok());
    EXPECT_TRUE(complains(open(request)));
    EXPECT_EQ(open(request)->verdicts, nullptr) << "no other reference takes its place";
    EXPECT_FALSE(open(request)->referenceProblem.empty());
    trace.inputSha256.reset();
    trace.modelSha256 = std::string(64, '0');
    ASSERT_TRUE(writeTrace(request.reference, trace).ok());
    EXPECT_TRUE(complains(open(request)));
}

TEST_F(Documents, AWrongInputIsSaidAndTheRestOpens) {
    const Bytes three{1, 2, 3};
    ASSERT_TRUE(writeFileAtomically(m_folder / "in.bin", ByteView(three)).ok());
    OpenRequest request;
    request.sample = "ds-cnn";
    request.input = m_folder / "in.bin";
    const DocumentPtr document = open(request);
    EXPECT_TRUE(document->lowering->complete);
    EXPECT_FALSE(document->execution.has_value());
    ASSERT_FALSE(document->diagnostics.empty());
    EXPECT_EQ(document->diagnostics.front().code, Code::InputSize);
}

TEST_F(Documents, WhatCannotBeReadIsAnError) {
    OpenRequest request;
    request.path = m_folder / "nothing.tflite";
    const auto document = openDocument(request, npuP0Target());
    ASSERT_FALSE(document.ok());
    EXPECT_EQ(document.diagnostics().front().code, Code::FileUnreadable);
}

TEST_F(Documents, CancelledInTheMiddle) {
    std::stop_source stop;
    JobContext context;
    context.stop = stop.get_token();
    OpenRequest request;
    request.sample = "mobilenet";
    const auto document = openDocument(request, npuP0Target(), context,
                                       [&](const DocumentPtr&) { stop.request_stop(); });
    ASSERT_FALSE(document.ok());
    EXPECT_EQ(document.diagnostics().front().code, Code::Cancelled);
}

} // namespace
} // namespace plumbline::test
