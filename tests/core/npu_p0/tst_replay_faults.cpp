// SPDX-License-Identifier: GPL-3.0-or-later
// What is not explained and why; records whose rows are apart; the softmax's edges.
#include <gtest/gtest.h>

#include <cstdio>

#include "core/npu_p0/record_run.h"
#include "core/npu_p0/replay.h"
#include "core/npu_p0/softmax_step.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/replay_walk.h"

namespace plumbline::test {
namespace {

using npu_p0::Descriptor;
using npu_p0::Field;

/// The every-operator sample over an input of its own, with its parameters open to change.
struct Sample {
    LoweringPtr lowering = *npuP0Target().lower(*importTflite(*makeSample("every-operator")));
    Job job = jobOf(*lowering);
    Bytes input = seededBytes(5, job.inputBytes);

    const LoweredOperator& firstOf(const std::string& opcodeName) const {
        for (const LoweredOperator& op : lowering->operators) {
            if (op.opcodeName == opcodeName)
                return op;
        }
        throw std::runtime_error("the sample has no " + opcodeName);
    }
    /// The word of an operator's parameters, for changing it.
    void setParameter(const LoweredOperator& op, std::uint64_t byte, std::int32_t value) {
        storeU32(job.params, op.params->offset + byte, static_cast<std::uint32_t>(value));
    }
};

/// The runner of a changed job and the arena before the layer of `op`; earlier layers are healthy.
struct Site {
    LayerRunnerPtr runner;
    std::size_t step = 0;
    Bytes arena;
    LayerRun run; ///< of the layer, over a copy of the arena
};

Site siteOf(const Sample& sample, const LoweredOperator& op) {
    std::optional<Fault> fault;
    Site site{npuP0Target().layerRunner(sample.job, fault), 0, Bytes(sample.job.arenaBytes), {}};
    if (!site.runner)
        throw std::runtime_error(fault->reason);
    std::copy(sample.input.begin(), sample.input.end(),
              site.arena.begin() + static_cast<std::ptrdiff_t>(sample.job.inputOffset));
    site.step = site.runner->stepOf(op.index).value();
    for (std::size_t i = 0; i < site.step; ++i)
        EXPECT_FALSE(site.runner->run(i, site.arena).fault);
    Bytes copy = site.arena;
    site.run = site.runner->run(site.step, copy);
    return site;
}

/// The element that a fault's reason names: "... position (2,3), channel 4".
ElementIndex namedElement(const std::string& reason) {
    ElementIndex e{-1, -1, -1};
    long long h = 0, w = 0, c = 0;
    const auto at = reason.find("position");
    if (at != std::string::npos &&
        std::sscanf(reason.c_str() + at, "position (%lld,%lld), channel %lld", &h, &w, &c) == 3)
        e = {h, w, c};
    return e;
}

/// The diagnostic of explaining the element at which the executor stops.
Diagnostic diagnosticAtFault(const Site& site) {
    if (!site.run.fault) {
        ADD_FAILURE() << "the layer runs";
        return {};
    }
    const auto made =
        site.runner->explain(site.step, site.arena, namedElement(site.run.fault->reason));
    if (made) {
        ADD_FAILURE() << "explained in spite of " << site.run.fault->reason;
        return {};
    }
    return made.diagnostics().front();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(ReplayFaults, AnAccumulatorThatLeavesInt32IsNamedWithItsProduct) {
    Sample sample;
    const LoweredOperator& op = sample.firstOf("CONV2D");
    sample.setParameter(op, 0, kInt32Max);
    const Site site = siteOf(sample, op);
    const Diagnostic said = diagnosticAtFault(site);
    EXPECT_EQ(said.code, Code::NotExplained);
    EXPECT_EQ(said.where.operatorIndex, op.index);
    EXPECT_EQ(said.where.record, op.record);
    EXPECT_TRUE(contains(said.message, "product")) << said.message;
    EXPECT_TRUE(contains(said.message, "leaves int32")) << said.message;
    // The other channels do not fault.
    ElementIndex healthy = namedElement(site.run.fault->reason);
    healthy.c = 1;
    EXPECT_TRUE(site.runner->explain(site.step, site.arena, healthy));
}

TEST(ReplayFaults, ALeftShiftThatLeavesInt32IsNamed) {
    Sample sample;
    const LoweredOperator& op = sample.firstOf("CONV2D");
    sample.setParameter(op, 8, 30);
    const Diagnostic said = diagnosticAtFault(siteOf(sample, op));
    EXPECT_EQ(said.code, Code::NotExplained);
    EXPECT_TRUE(contains(said.message, "left shift: ")) << said.message;
    EXPECT_TRUE(contains(said.message, "x 2^30 = ")) << said.message;
}

TEST(ReplayFaults, AnOperandOfAddThatLeavesInt32IsNamed) {
    for (const auto& [byte, operand] :
         {std::pair{8U, "(input 0)"}, std::pair{16U, "(input 1)"}, std::pair{24U, "(sum)"}}) {
        SCOPED_TRACE(operand);
        Sample sample;
        const LoweredOperator& op = sample.firstOf("ADD");
        sample.setParameter(op, byte, 30);
        const Diagnostic said = diagnosticAtFault(siteOf(sample, op));
        EXPECT_EQ(said.code, Code::NotExplained);
        EXPECT_TRUE(contains(said.message, operand)) << said.message;
    }
}

TEST(ReplayFaults, AnElementOutsideTheOutputDoesNotExist) {
    const Sample sample;
    const LayerRunnerPtr runner = siteOf(sample, sample.firstOf("CONV2D")).runner;
    for (const LayerStep& layer : runner->steps()) {
        const LoweredOperator& op =
            sample.lowering->operators[static_cast<std::size_t>(layer.operatorIndex)];
        SCOPED_TRACE(op.name);
        const Site site = siteOf(sample, op);
        const std::vector<std::int64_t>& shape = site.run.layer.shape;
        for (const ElementIndex& outside :
             {ElementIndex{shape[0], 0, 0}, ElementIndex{0, shape[1], 0},
              ElementIndex{0, 0, shape[2]}, ElementIndex{-1, 0, 0}, ElementIndex{0, 0, -1}}) {
            const auto made = site.runner->explain(site.step, site.arena, outside);
            ASSERT_FALSE(made);
            EXPECT_EQ(made.diagnostics().front().code, Code::NoSuchPlace);
            EXPECT_EQ(made.diagnostics().front().where.operatorIndex, op.index);
        }
    }
}

/// A 2x2 max pool over 4x4x3 whose rows are 20 bytes apart in the arena, its output's 11.
TEST(ReplayStrides, RowsApartAreReadAndWrittenWhereTheyAre) {
    Descriptor d;
    d.set(Field::Opcode, static_cast<std::int64_t>(npu_p0::Opcode::MaxPool));
    for (const auto& [field, value] :
         std::vector<std::pair<Field, std::int64_t>>{{Field::InputH, 4},
                                                     {Field::InputW, 4},
                                                     {Field::InputC, 3},
                                                     {Field::OutputH, 2},
                                                     {Field::OutputW, 2},
                                                     {Field::OutputC, 3},
                                                     {Field::KernelH, 2},
                                                     {Field::KernelW, 2},
                                                     {Field::StrideH, 2},
                                                     {Field::StrideW, 2},
                                                     {Field::TileH, 1},
                                                     {Field::TileW, 2},
                                                     {Field::KSlice, 4},
                                                     {Field::Input0RowBytes, 20},
                                                     {Field::OutputRowBytes, 11},
                                                     {Field::ActivationMin, -128},
                                                     {Field::ActivationMax, 127},
                                                     {Field::Input0Base, 0x10000007},
                                                     {Field::OutputBase, 0x10000080}})
        d.set(field, value);
    Job job;
    job.arenaBytes = 256;
    job.descriptors.assign(d.bytes().begin(), d.bytes().end());
    Bytes arena = seededBytes(9, job.arenaBytes);
    const Bytes before = arena;
    npu_p0::Memory memory(job, {}, std::span<std::uint8_t>(arena));
    ASSERT_FALSE(npu_p0::runRecord(d, 0, memory).fault);
    Bytes copy = before;
    const npu_p0::Memory earlier(job, {}, std::span<std::uint8_t>(copy));
    npu_p0::LoadedRecord record;
    ASSERT_FALSE(npu_p0::loadRecord(d, 0, earlier, record));
    for (std::int64_t i = 0; i < 2 * 2 * 3; ++i) {
        const ElementIndex e{i / 6, i / 3 % 2, i % 3};
        const auto made = npu_p0::replayRecord(d, record, job.bases, {4, 0, "MAX_POOL_2D"}, e);
        ASSERT_TRUE(made);
        const auto offset = static_cast<std::uint64_t>(0x80 + e.h * 11 + e.w * 3 + e.c);
        const ReplaySource output{"arena", offset};
        EXPECT_EQ(made->output, output);
        EXPECT_EQ(made->value, static_cast<std::int8_t>(arena[offset]));
        EXPECT_EQ(sourceProblem(*made, job, before), "");
        EXPECT_EQ(made->steps.at(3).k, 2);
        const ReplaySource input{
            "arena", static_cast<std::uint64_t>(7 + (2 * e.h + 1) * 20 + 2 * e.w * 3 + e.c)};
        EXPECT_EQ(made->steps.at(3).inputFrom, input);
    }
}

TEST(ReplayStrides, AnOperandInAnotherRegionIsNamedByIt) {
    Descriptor d;
    d.set(Field::Opcode, static_cast<std::int64_t>(npu_p0::Opcode::Clamp));
    for (const Field one : {Field::InputH, Field::InputW, Field::InputC, Field::OutputH,
                            Field::OutputW, Field::OutputC, Field::TileH, Field::TileW,
                            Field::KSlice, Field::Input0RowBytes, Field::OutputRowBytes})
        d.set(one, 1);
    d.set(Field::ActivationMin, -5);
    d.set(Field::ActivationMax, 5);
    d.set(Field::Input0Base, 0x20000003);
    d.set(Field::OutputBase, 0x10000001);
    Job job;
    job.weights = {1, 2, 3, 0xF0};
    job.arenaBytes = 4;
    Bytes arena(4);
    const npu_p0::Memory memory(job, {}, std::span<std::uint8_t>(arena));
    npu_p0::LoadedRecord record;
    ASSERT_FALSE(npu_p0::loadRecord(d, 0, memory, record));
    const auto made = npu_p0::replayRecord(d, record, job.bases, {0, 0, ""}, {});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->operatorName, "CLAMP");
    const ReplaySource weights{"weights", 3};
    EXPECT_EQ(made->steps.front().inputFrom, weights);
    EXPECT_EQ(made->steps.front().result, -16);
    EXPECT_EQ(made->value, -5);
}

/// The last record writes [1,1,C] rows; the softmax over them.
Descriptor softmaxSource(const Hwc& shape, std::int64_t rowBytes) {
    Descriptor d;
    d.set(Field::Opcode, static_cast<std::int64_t>(npu_p0::Opcode::Clamp));
    d.set(Field::OutputH, shape.h);
    d.set(Field::OutputW, shape.w);
    d.set(Field::OutputC, shape.c);
    d.set(Field::OutputRowBytes, rowBytes);
    d.set(Field::OutputBase, 0x10000010);
    return d;
}

npu_p0::SoftmaxOperands softmaxOf(const Hwc& shape, Bytes input) {
    return {*softmaxParameters(0.1, 1.0), shape, std::move(input)};
}

TEST(ReplaySoftmax, RandomRowsEndInTheExecutorsBytes) {
    const Hwc shape{2, 3, 9};
    const auto operands = softmaxOf(shape, seededBytes(21, 54));
    Bytes output;
    ASSERT_FALSE(npu_p0::computeSoftmax(operands, output).fault);
    for (std::int64_t i = 0; i < shape.elements(); ++i) {
        const ElementIndex e{i / 27, i / 9 % 3, i % 9};
        const auto made = npu_p0::replaySoftmax(operands, softmaxSource(shape, 40), RegionBases{},
                                                {1, {}, ""}, e);
        ASSERT_TRUE(made);
        EXPECT_EQ(made->value, static_cast<std::int8_t>(output[static_cast<std::size_t>(i)]));
        EXPECT_EQ(chainProblem(*made), "");
        EXPECT_EQ(stepProblem(*made), "");
        EXPECT_EQ(made->position, e.h * 3 + e.w);
        EXPECT_EQ(made->operatorName, "SOFTMAX");
        const ReplaySource first{"arena", static_cast<std::uint64_t>(0x10 + e.h * 40 + e.w * 9)};
        EXPECT_EQ(made->steps.front().inputFrom, first);
    }
}

TEST(ReplaySoftmax, ManyEqualTermsMakeAQuotientOfZero) {
    const Hwc shape{1, 1, 600}; // 600 x 2^19 is above 2^28: a shift beyond 31
    const auto operands = softmaxOf(shape, Bytes(600));
    const auto made = npu_p0::replaySoftmax(operands, softmaxSource(shape, 600), RegionBases{},
                                            {1, {}, "SOFTMAX"}, {0, 0, 599});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->value, -128);
    EXPECT_EQ(chainProblem(*made), "");
    EXPECT_EQ(made->steps.at(made->steps.size() - 3).operand, "quotient below one half");
}

TEST(ReplaySoftmax, AValueFarBelowTheMaximumIsLeftOut) {
    const Hwc shape{1, 1, 2};
    auto operands = softmaxOf(shape, {0x7F, 0x80});
    operands.parameters.diffMin = -200; // 255 below the maximum
    const auto made = npu_p0::replaySoftmax(operands, softmaxSource(shape, 2), RegionBases{},
                                            {1, {}, "SOFTMAX"}, {0, 0, 1});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->value, -128);
    EXPECT_EQ(made->steps.at(made->steps.size() - 3).operand, "left out");
    EXPECT_EQ(chainProblem(*made), "");
}

TEST(ReplaySoftmax, ASumThatReaches2To31IsNamed) {
    const Hwc shape{1, 1, 4096}; // 4096 x 2^19
    const auto operands = softmaxOf(shape, Bytes(4096));
    Bytes output;
    ASSERT_TRUE(npu_p0::computeSoftmax(operands, output).fault);
    const auto made = npu_p0::replaySoftmax(operands, softmaxSource(shape, 4096), RegionBases{},
                                            {1, {}, "SOFTMAX"}, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.diagnostics().front().code, Code::NotExplained);
    EXPECT_TRUE(contains(made.diagnostics().front().message,
                         "k 4095, accumulate (term): 2146959360 + RDBP(2147483647, 12) = "
                         "2147483648"))
        << made.diagnostics().front().message;
}

} // namespace
} // namespace plumbline::test
