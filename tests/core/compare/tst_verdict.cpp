// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts of jobs that are right, and of jobs with one thing wrong at a known layer.
#include <gtest/gtest.h>

#include "core/base/sha256.h"
#include "core/compare/layer_walk.h"
#include "core/compare/verdict.h"
#include "core/kernels/graph_runner.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

/// A sample lowered, with the reference kernels' layers for one input.
class Judged : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const ModelPtr model = *importTflite(*makeSample(GetParam()));
        lowering = *npuP0Target().lower(model);
        job = jobOf(*lowering);
        input = seededBytes(7, job.inputBytes);
        reference.name = "kernels";
        reference.trace = runGraph(*model, input, plainKernels())->trace;
        for (const TraceLayer& layer : reference.trace.layers)
            reference.matches.push_back({"", MatchedBy::Index, layer.operatorIndex, ""});
    }

    Verdicts verdicts() const {
        std::optional<Fault> fault;
        const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
        EXPECT_NE(runner, nullptr) << fault->reason;
        const auto made = judge(*runner, input, reference, *lowering);
        EXPECT_TRUE(made);
        return *made;
    }
    void keepDigestsOnly() {
        for (TraceLayer& layer : reference.trace.layers)
            layer.bytes.clear();
    }
    const FieldTable& fields() const { return npuP0Target().fields(); }
    const FieldSpec& spec(std::string_view name) const {
        return fields().fields[findField(fields(), name).value()];
    }
    void setField(std::int64_t record, std::string_view name, std::int64_t value) {
        plumbline::setField(bytesOf(record), spec(name), value);
    }
    std::span<std::uint8_t> bytesOf(std::int64_t record) {
        return std::span(job.descriptors)
            .subspan(static_cast<std::size_t>(record) * fields().recordBytes, fields().recordBytes);
    }
    /// The first operator that has weights and comes after `from` others.
    const LoweredOperator& weighted(std::size_t from) const {
        for (const LoweredOperator& op : lowering->operators)
            if (op.weights && from-- == 0)
                return op;
        throw std::runtime_error("the sample has too few weighted operators");
    }
    /// Makes a weight byte of `op` another one.
    void breakWeights(const LoweredOperator& op) {
        for (std::uint64_t i = 0; i < op.weights->bytes; i += 3)
            job.weights[op.weights->offset + i] ^= 0x55;
    }

    LoweringPtr lowering;
    Job job;
    Bytes input;
    Reference reference;
};

TEST_P(Judged, ARightJobIsEqualEverywhere) {
    const Verdicts made = verdicts();
    EXPECT_TRUE(made.equal());
    EXPECT_FALSE(made.culprit.has_value());
    ASSERT_EQ(made.layers.size(), reference.trace.layers.size());
    EXPECT_EQ(made.compared(), made.layers.size());
    for (const LayerVerdict& layer : made.layers) {
        ASSERT_TRUE(layer.accumulated && layer.isolated) << layer.operatorIndex;
        EXPECT_TRUE(layer.isEqual());
        EXPECT_EQ(layer.accumulated->mismatches, 0);
        EXPECT_EQ(layer.strayBytes, 0U);
        EXPECT_EQ(layer.oursSha256, layer.theirsSha256);
        EXPECT_EQ(layer.matchedBy, MatchedBy::Index);
        EXPECT_EQ(made.of(layer.operatorIndex), &layer);
    }
}

TEST_P(Judged, WrongWeightsOfOneLayerAreThatLayersFault) {
    for (std::size_t which = 0; which < 2; ++which) {
        const Job right = job;
        const LoweredOperator& op = weighted(which);
        breakWeights(op);
        const Verdicts made = verdicts();
        ASSERT_EQ(made.culprit, op.index);
        for (const LayerVerdict& layer : made.layers) {
            ASSERT_TRUE(layer.isolated) << layer.operatorIndex;
            EXPECT_EQ(layer.isolated->equal, layer.operatorIndex != op.index);
            if (layer.operatorIndex < op.index) {
                EXPECT_TRUE(layer.accumulated->equal);
            }
        }
        EXPECT_FALSE(made.of(op.index)->accumulated->equal);
        EXPECT_GT(made.of(op.index)->accumulated->mismatches, 0);
        job = right;
    }
}

TEST_P(Judged, AsRunIsWhatTheExecutorLeaves) {
    breakWeights(weighted(0));
    const Verdicts made = verdicts();
    const Execution run = npuP0Target().execute(job, input);
    ASSERT_EQ(made.layers.size(), run.trace.layers.size());
    for (std::size_t i = 0; i < made.layers.size(); ++i) {
        EXPECT_EQ(made.layers[i].ours, run.trace.layers[i].bytes);
        EXPECT_EQ(made.layers[i].oursSha256, run.trace.layers[i].sha256);
        const Bytes& theirs = reference.trace.layers[i].bytes;
        std::int64_t different = 0;
        for (std::size_t j = 0; j < theirs.size(); ++j)
            different += theirs[j] != run.trace.layers[i].bytes[j] ? 1 : 0;
        EXPECT_EQ(made.layers[i].accumulated->mismatches, different);
    }
}

TEST_P(Judged, DigestsNameTheCulpritToo) {
    const LoweredOperator& op = weighted(1);
    breakWeights(op);
    keepDigestsOnly();
    const Verdicts made = verdicts();
    EXPECT_EQ(made.culprit, op.index);
    const LayerVerdict& culprit = *made.of(op.index);
    ASSERT_TRUE(culprit.isolated);
    EXPECT_FALSE(culprit.isolated->equal);
    EXPECT_FALSE(culprit.isolated->mismatches.has_value());
    EXPECT_FALSE(culprit.isolated->note.empty());
    // Who reads the wrong tensor cannot be judged alone: nobody knows the right one.
    const auto reader = std::find_if(
        lowering->operators.begin(), lowering->operators.end(), [&](const LoweredOperator& other) {
            return other.record && other.index > op.index &&
                   (other.arena.input == op.arena.output || other.arena.input1 == op.arena.output);
        });
    ASSERT_NE(reader, lowering->operators.end());
    EXPECT_FALSE(made.of(reader->index)->isolated.has_value());
    EXPECT_FALSE(made.of(reader->index)->note.empty());
}

TEST_P(Judged, DigestsThatNoLayerMeetsNameNoCulprit) {
    input = seededBytes(99, job.inputBytes); // the reference is of another input
    keepDigestsOnly();
    const Verdicts made = verdicts();
    if (made.unequal() < made.compared())
        GTEST_FAIL() << "the two inputs should give no equal layer";
    EXPECT_FALSE(made.culprit.has_value());
    EXPECT_FALSE(made.doubt.empty());
    EXPECT_FALSE(made.equal());
}

TEST_P(Judged, WithoutAPlanTheRecordsOwnPlacesCount) {
    job.buffers.clear();
    const Verdicts right = verdicts();
    EXPECT_TRUE(right.equal());
    for (const LayerVerdict& layer : right.layers)
        EXPECT_TRUE(layer.isolated.has_value()) << layer.operatorIndex;
    const LoweredOperator& op = weighted(1);
    breakWeights(op);
    EXPECT_EQ(verdicts().culprit, op.index);
}

TEST_P(Judged, ALayerBehindAFaultCanBeLookedAtWithAReference) {
    const LoweredOperator& op = weighted(1);
    const LoweredOperator& later = weighted(2);
    const std::optional<Bytes> right = [&] {
        std::optional<Fault> fault;
        const auto site =
            siteOf(npuP0Target().layerRunner(job, fault), input, nullptr, later.index);
        return site ? std::optional(site->healthy) : std::nullopt;
    }();
    storeU32(job.params, op.params->offset + 8, 31); // a shift above 30
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
    const auto without = siteOf(runner, input, nullptr, later.index);
    ASSERT_FALSE(without);
    EXPECT_EQ(without.diagnostics().front().code, Code::RunFaulted);
    const auto with = siteOf(runner, input, &reference.trace, later.index);
    ASSERT_TRUE(with);
    EXPECT_EQ(with->healthy, right);
    EXPECT_FALSE(siteOf(runner, input, &reference.trace, op.index));
}

TEST_P(Judged, ASoftmaxShapeWhoseProductWrapsIsAFault) {
    // The product of these extents is the 12 elements of ds-cnn only modulo 2^64.
    job.softmaxShape = {34827, 198186, 294788226308874};
    const Verdicts made = verdicts();
    const bool endsInSoftmax = lowering->steps.back().kind == "cpu";
    ASSERT_EQ(made.fault.has_value(), endsInSoftmax); // elsewhere nothing reads the shape
    if (endsInSoftmax) {
        EXPECT_EQ(made.fault->stage, "softmax");
    }
}

TEST_P(Judged, LayersOutOfOrderAreFoundAllTheSame) {
    std::swap(job.layers[0].operatorIndex, job.layers[1].operatorIndex);
    std::swap(job.buffers[1].firstOperator, job.buffers[2].firstOperator);
    const Verdicts made = verdicts();
    for (const LayerVerdict& layer : made.layers)
        EXPECT_EQ(made.of(layer.operatorIndex), &layer);
}

TEST_P(Judged, APartialReferenceJudgesWhatItCan) {
    const std::int64_t missing = reference.trace.layers[1].operatorIndex;
    reference.trace.layers.erase(reference.trace.layers.begin() + 1);
    const Verdicts made = verdicts();
    EXPECT_TRUE(made.equal());
    EXPECT_EQ(made.compared(), made.layers.size() - 1);
    const LayerVerdict& lacking = *made.of(missing);
    EXPECT_FALSE(lacking.accumulated || lacking.isolated);
    EXPECT_FALSE(lacking.note.empty());
    EXPECT_FALSE(made.of(made.layers[2].operatorIndex)->isolated.has_value());
    EXPECT_TRUE(made.of(made.layers[2].operatorIndex)->accumulated->equal);
}

TEST_P(Judged, ARecordThatWritesElsewhereIsTheCulprit) {
    const std::int64_t record = 1;
    const auto elsewhere = static_cast<std::int64_t>(job.arenaBytes);
    job.arenaBytes += 1U << 20;
    setField(record, "OUTPUT_BASE", elsewhere);
    for (Relocation& relocation : job.relocations)
        if (relocation.record == record && relocation.word == spec("OUTPUT_BASE").word)
            relocation.offset = elsewhere;
    const Verdicts made = verdicts();
    ASSERT_EQ(made.culprit, job.layers[record].operatorIndex);
    const LayerVerdict& layer = *made.of(*made.culprit);
    EXPECT_GT(layer.strayBytes, 0U);
    EXPECT_FALSE(layer.note.empty());
}

TEST_P(Judged, AFaultEndsTheRunAndNamesItsLayer) {
    const LoweredOperator& op = weighted(1);
    storeU32(job.params, op.params->offset + 8, 31); // a shift above 30
    const Verdicts made = verdicts();
    ASSERT_TRUE(made.fault.has_value());
    EXPECT_EQ(made.fault->record, op.record);
    EXPECT_EQ(made.culprit, op.index);
    EXPECT_FALSE(made.equal());
    for (const LayerVerdict& layer : made.layers) {
        EXPECT_EQ(layer.fault.has_value(), layer.operatorIndex == op.index);
        EXPECT_EQ(layer.accumulated.has_value(), layer.operatorIndex < op.index);
        if (layer.operatorIndex != op.index) {
            EXPECT_TRUE(layer.isolated && layer.isolated->equal) << layer.operatorIndex;
        }
    }
}

TEST_P(Judged, OtherSizesAreSaidAndNotCompared) {
    TraceLayer& layer = reference.trace.layers[0];
    layer.bytes.pop_back();
    sealLayer(layer);
    const Verdicts made = verdicts();
    EXPECT_EQ(made.culprit, layer.operatorIndex);
    EXPECT_FALSE(made.layers[0].accumulated->mismatches.has_value());
    EXPECT_NE(made.layers[0].accumulated->note.find("bytes"), std::string::npos);
}

TEST_P(Judged, InputAndCancellationAreChecked) {
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
    const auto shortInput = judge(*runner, ByteView(input).first(1), reference, *lowering);
    ASSERT_FALSE(shortInput);
    EXPECT_EQ(shortInput.diagnostics().front().code, Code::InputSize);
    std::stop_source stop;
    stop.request_stop();
    JobContext context;
    context.stop = stop.get_token();
    const auto cancelled = judge(*runner, input, reference, *lowering, context);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.diagnostics().front().code, Code::Cancelled);
    EXPECT_EQ(siteOf(runner, input, nullptr, 0, context).diagnostics().front().code,
              Code::Cancelled);
}

TEST_P(Judged, ASiteHoldsTheArenaBeforeItsLayerAndBeforeItsProducer) {
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(job, fault);
    std::vector<Bytes> before; // the arena before each step, by a plain run
    Bytes arena(job.arenaBytes);
    std::copy(input.begin(), input.end(),
              arena.begin() + static_cast<std::ptrdiff_t>(job.inputOffset));
    std::map<std::uint64_t, std::size_t> writer; // by output offset
    for (std::size_t step = 0; step < runner->steps().size(); ++step) {
        const LayerStep& at = runner->steps()[step];
        before.push_back(arena);
        const LayerRun run = runner->run(step, arena);
        const auto site = siteOf(runner, input, nullptr, at.operatorIndex);
        ASSERT_TRUE(site);
        EXPECT_EQ(site->step, step);
        EXPECT_EQ(site->arena, before[step]);
        EXPECT_EQ(site->healthy, run.layer.bytes);
        if (!at.record)
            continue;
        const OperandOffsets& operands =
            lowering->operators[static_cast<std::size_t>(at.operatorIndex)].arena;
        const auto producer = writer.find(operands.input);
        ASSERT_EQ(site->arenaBeforeProducer.has_value(), producer != writer.end());
        if (producer != writer.end()) {
            EXPECT_EQ(*site->arenaBeforeProducer, before[producer->second]);
        }
        writer[operands.output] = step;
    }
    EXPECT_EQ(siteOf(runner, input, nullptr, 4000).diagnostics().front().code, Code::NoSuchPlace);
    EXPECT_EQ(siteOf(runner, {}, nullptr, 0).diagnostics().front().code, Code::InputSize);
}

INSTANTIATE_TEST_SUITE_P(Samples, Judged, testing::Values("ds-cnn", "resnet8", "every-operator"),
                         [](const auto& row) {
                             std::string name = row.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace plumbline
