// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that no lowering makes: the fast path gives the bytes or the fault of the checked one.
#include <algorithm>

#include <gtest/gtest.h>

#include "core/numeric/quantize.h"
#include "core/tflite/importer.h"
#include "tests/core/npu_p0/job_editor.h"
#include "tests/core/npu_p0/job_ways.h"
#include "tests/support/test_data.h"

namespace plumbline::test {
namespace {

using npu_p0::Descriptor;
using npu_p0::Field;
using npu_p0::Opcode;

JobEditor everyOperator() { return JobEditor(sampleJob("every-operator")); }

Execution runSeeded(const JobEditor& editor, std::uint64_t seed) {
    return runEveryWay(editor.job, seededBytes(seed, editor.job.inputBytes));
}

TEST(FastJobs, rowsThatLieApartAreCheckedAndGiveTheSameDenseLayers) {
    const Execution plain = runSeeded(everyOperator(), 4);
    for (const Opcode opcode : {Opcode::Conv2D, Opcode::Depthwise3x3, Opcode::Add, Opcode::MaxPool,
                                Opcode::AveragePool, Opcode::Clamp}) {
        JobEditor editor = everyOperator();
        const std::size_t record = editor.firstOf(opcode);
        editor.freeOutput(record, editor.closedRow(record) + 5);
        EXPECT_EQ(waysOf(editor.job).checked, 1);
        const Execution run = runSeeded(editor, 4);
        ASSERT_FALSE(run.fault) << run.fault->reason;
        ASSERT_GT(run.trace.layers.size(), record);
        EXPECT_EQ(run.trace.layers[record].bytes, plain.trace.layers[record].bytes);
    }
}

TEST(FastJobs, anOutputOverItsOwnInputIsAFaultOfTheValidator) {
    JobEditor editor = everyOperator();
    const std::size_t record = editor.firstOf(Opcode::Clamp);
    editor.place(record, Field::OutputBase, kArenaRegion,
                 editor.offsetOf(record, Field::Input0Base));
    const Execution run = runSeeded(editor, 1);
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->stage, "validator");
}

TEST(FastJobs, aRecordThatWritesOverWeightsKeepsAllRecordsFromVectors) {
    JobEditor editor = everyOperator();
    const std::size_t first = editor.firstOf(Opcode::Conv2D);
    const std::size_t writer = editor.firstOf(Opcode::Clamp);
    const auto bytes = static_cast<std::size_t>(editor.at(writer).get(Field::OutputBytes));
    for (const std::string_view region : {kWeightsRegion, kParamsRegion}) {
        JobEditor changed = editor;
        Bytes& constants = region == kWeightsRegion ? changed.job.weights : changed.job.params;
        constants.resize(std::max(constants.size(), bytes));
        changed.place(writer, Field::OutputBase, region, 0);
        // Twice, so that what it wrote is read as constants.
        changed.job.steps.push_back(changed.job.steps.front());
        EXPECT_EQ(waysOf(changed.job).fast, 0);
        const Execution once = runSeeded(editor, 2), twice = runSeeded(changed, 2);
        ASSERT_GT(twice.trace.layers.size(), first);
        EXPECT_EQ(twice.trace.layers[first].bytes, once.trace.layers[first].bytes);
    }
}

TEST(FastJobs, constantsInsideTheArenaAreReadWhenTheRecordRuns) {
    for (const Opcode opcode : {Opcode::Conv2D, Opcode::Depthwise3x3, Opcode::FullyConnected}) {
        JobEditor editor = everyOperator();
        const std::size_t record = editor.firstOf(opcode);
        const auto bytes = static_cast<std::uint64_t>(editor.at(record).get(Field::WeightBytes));
        // The weights are those input bytes that the arena holds before the first record.
        editor.job.inputOffset = editor.grow(std::max(bytes, editor.job.inputBytes));
        editor.place(record, Field::WeightBase, kArenaRegion, editor.job.inputOffset);
        EXPECT_EQ(waysOf(editor.job).checked, 1);
        const Execution a = runSeeded(editor, 1), b = runSeeded(editor, 2);
        ASSERT_FALSE(a.fault) << a.fault->reason;
        EXPECT_NE(a.trace.layers.at(record).bytes, b.trace.layers.at(record).bytes);
    }
    JobEditor zeros = everyOperator();
    const std::size_t record = zeros.firstOf(Opcode::Conv2D);
    const auto bytes = static_cast<std::uint64_t>(zeros.at(record).get(Field::ParamBytes));
    zeros.place(record, Field::ParamBase, kArenaRegion, zeros.grow(bytes));
    EXPECT_EQ(waysOf(zeros.job).checked, 1);
    const Execution run = runSeeded(zeros, 3);
    ASSERT_FALSE(run.fault) << run.fault->reason;
    const auto zero = static_cast<std::uint8_t>(std::clamp(
        zeros.at(record).get(Field::OutputZero), zeros.at(record).get(Field::ActivationMin),
        zeros.at(record).get(Field::ActivationMax)));
    for (const std::uint8_t byte : run.trace.layers.at(record).bytes)
        ASSERT_EQ(byte, zero); // a multiplier of 0
}

TEST(FastJobs, weightsOfMinus128HaveAProofToo) {
    JobEditor editor = everyOperator();
    std::fill(editor.job.weights.begin(), editor.job.weights.end(), std::uint8_t{0x80});
    EXPECT_EQ(waysOf(editor.job).checked, 0);
    EXPECT_FALSE(runSeeded(editor, 6).fault);
}

TEST(FastJobs, numbersWithoutAProofEndAsTheCheckedOnes) {
    struct Row {
        std::uint64_t byte;
        std::int32_t value;
        bool faults;
    };
    const Row rows[] = {{0, kInt32Max, true}, {0, -kInt32Max - 1, true},
                        {8, 30, true},        {8, -31, false},
                        {4, 0, false},        {4, -1, true},
                        {8, 31, true},        {8, -32, true},
                        {4, kInt32Max, false}};
    for (const Opcode opcode : {Opcode::Conv2D, Opcode::Depthwise3x3, Opcode::FullyConnected}) {
        for (const Row& row : rows) {
            SCOPED_TRACE(testing::Message()
                         << static_cast<int>(opcode) << ' ' << row.byte << ' ' << row.value);
            JobEditor editor = everyOperator();
            const std::size_t record = editor.firstOf(opcode);
            editor.setChannel(record, editor.at(record).get(Field::OutputC) - 1, row.byte,
                              row.value);
            const Execution run = runSeeded(editor, 8);
            EXPECT_EQ(run.fault.has_value(), row.faults)
                << (run.fault ? run.fault->reason : "no fault");
            if (run.fault) {
                EXPECT_EQ(run.fault->record, static_cast<std::int64_t>(record));
                EXPECT_EQ(run.fault->stage, "execution");
                EXPECT_EQ(run.trace.layers.size(), record);
            }
        }
    }
}

TEST(FastJobs, anAddBeyondItsRangeFaultsAtTheSameElement) {
    for (const std::uint64_t byte : {8U, 16U, 24U}) {
        JobEditor editor = everyOperator();
        const std::size_t record = editor.firstOf(Opcode::Add);
        storeU32(editor.job.params, editor.offsetOf(record, Field::ParamBase) + byte, 30);
        const Execution run = runSeeded(editor, 5);
        ASSERT_TRUE(run.fault);
        EXPECT_EQ(run.fault->code, FaultCode::Arithmetic);
        EXPECT_NE(run.fault->reason.find("position"), std::string::npos) << run.fault->reason;
    }
}

// Only the last element leaves its range: whoever wrote while computing would have written the
// rest.
TEST(FastJobs, aFaultLeavesTheArenaAsItWas) {
    JobEditor editor = everyOperator();
    const std::size_t record = editor.firstOf(Opcode::Add);
    storeU32(editor.job.params, editor.offsetOf(record, Field::ParamBase) + 8, 30);
    std::optional<Fault> fault;
    const LayerRunnerPtr runner = npuP0Target().layerRunner(editor.job, fault);
    ASSERT_TRUE(runner);
    Bytes arena(editor.job.arenaBytes, 7);
    const Descriptor d = editor.at(record);
    const auto bytes = static_cast<std::size_t>(d.get(Field::Input0Bytes));
    const auto begin =
        arena.begin() + static_cast<long>(editor.offsetOf(record, Field::Input0Base));
    const auto zero = static_cast<std::uint8_t>(d.get(Field::Input0Zero));
    std::fill_n(begin, bytes, zero);
    begin[static_cast<long>(bytes) - 1] = static_cast<std::uint8_t>(zero + 1);
    const Bytes before = arena;
    const LayerRun run = runner->run(record, arena);
    ASSERT_TRUE(run.fault);
    EXPECT_EQ(run.fault->code, FaultCode::Arithmetic);
    EXPECT_TRUE(arena == before);
}

/// Makes random changes to a job, most of which leave it valid.
class Mutation {
  public:
    Mutation(JobEditor& editor, SplitMix64& random)
        : m_editor(editor)
        , m_random(random)
        , m_record(static_cast<std::size_t>(random.below(editor.records())))
        , m_shape(editor.at(m_record)) {}

    void apply() {
        switch (m_random.below(8)) {
        case 0:
            return randomWeights();
        case 1:
            return extremeChannel();
        case 2:
            return zeroPointsAndBounds();
        case 3:
            return m_editor.freeOutput(m_record, m_editor.closedRow(m_record) + within(0, 9));
        case 4:
            return readElsewhere();
        case 5:
            return window();
        case 6:
            return writeElsewhere();
        default:
            return constantsElsewhere();
        }
    }

  private:
    std::int64_t within(std::int64_t lower, std::int64_t upper) {
        return lower + static_cast<std::int64_t>(
                           m_random.below(static_cast<std::uint64_t>(upper - lower + 1)));
    }
    void set(Field field, std::int64_t value) { m_editor.set(m_record, field, value); }
    bool isWeighted() const { return npu_p0::isOneOf(m_shape.opcode(), npu_p0::kWeighted); }

    void randomWeights() {
        const bool isExtreme = m_random.below(2) == 0;
        for (std::uint8_t& byte : m_editor.job.weights)
            byte = isExtreme ? std::uint8_t{0x80} : static_cast<std::uint8_t>(m_random.next());
    }

    void extremeChannel() {
        constexpr std::int32_t kValues[] = {kInt32Max, -kInt32Max - 1, 0,           1, 30,
                                            -31,       1073741824,     -1073741824, 7, -12};
        const std::int32_t value = kValues[m_random.below(std::size(kValues))];
        if (isWeighted())
            m_editor.setChannel(m_record, within(0, m_shape.get(Field::OutputC) - 1),
                                m_random.below(3) * 4, value);
        else if (m_shape.opcode() == Opcode::Add)
            storeU32(m_editor.job.params,
                     m_editor.offsetOf(m_record, Field::ParamBase) + 4 + m_random.below(6) * 4,
                     static_cast<std::uint32_t>(value));
    }

    void zeroPointsAndBounds() {
        const std::int64_t zero = within(-128, 127), lower = within(-128, 127);
        const bool isFree = isWeighted() || m_shape.opcode() == Opcode::Add;
        set(Field::Input0Zero, isFree ? within(-128, 127) : zero);
        set(Field::OutputZero, zero);
        if (m_shape.opcode() == Opcode::Add)
            set(Field::Input1Zero, within(-128, 127));
        set(Field::ActivationMin, lower);
        set(Field::ActivationMax, within(lower, 127));
    }

    /// Input 0 anywhere, with rows that may lie apart.
    void readElsewhere() {
        const std::int64_t row = m_shape.get(Field::InputW) * m_shape.get(Field::InputC) +
                                 (m_random.below(2) == 0 ? 0 : within(1, 7));
        const std::int64_t bytes = m_shape.get(Field::InputH) * row;
        set(Field::Input0RowBytes, row);
        set(Field::Input0Bytes, bytes);
        const bool isConstant = m_random.below(4) == 0;
        const std::uint64_t size =
            isConstant ? m_editor.job.weights.size() : m_editor.job.arenaBytes;
        if (static_cast<std::uint64_t>(bytes) > size)
            return;
        m_editor.place(m_record, Field::Input0Base, isConstant ? kWeightsRegion : kArenaRegion,
                       m_random.below(size - static_cast<std::uint64_t>(bytes) + 1));
    }

    /// Other pads and strides, and the output that follows from them.
    void window() {
        constexpr auto kWithWindow =
            npu_p0::bitOf(Opcode::Conv2D) | npu_p0::bitOf(Opcode::Depthwise3x3) | npu_p0::kPools;
        if (!npu_p0::isOneOf(m_shape.opcode(), kWithWindow))
            return;
        const std::int64_t oh =
            axis(Field::InputH, Field::KernelH, Field::StrideH, Field::PadTop, Field::PadBottom);
        const std::int64_t ow =
            axis(Field::InputW, Field::KernelW, Field::StrideW, Field::PadLeft, Field::PadRight);
        if (oh < 1 || ow < 1)
            return;
        set(Field::OutputH, oh);
        set(Field::OutputW, ow);
        set(Field::TileH, std::min(oh, m_shape.get(Field::TileH)));
        set(Field::TileW, std::min(ow, m_shape.get(Field::TileW)));
        m_editor.freeOutput(m_record, m_editor.closedRow(m_record));
    }
    std::int64_t axis(Field extent, Field kernel, Field stride, Field before, Field after) {
        const std::int64_t k = m_shape.get(kernel), s = within(1, 2);
        const std::int64_t near = within(0, k - 1), far = within(0, k - 1);
        set(stride, s);
        set(before, near);
        set(after, far);
        const std::int64_t span = m_shape.get(extent) + near + far - k;
        return span < 0 ? 0 : span / s + 1;
    }

    /// Over any bytes of the arena, or over constants.
    void writeElsewhere() {
        const auto bytes = static_cast<std::uint64_t>(m_shape.get(Field::OutputBytes));
        const bool isConstant = m_random.below(4) == 0;
        const std::uint64_t size =
            isConstant ? m_editor.job.weights.size() : m_editor.job.arenaBytes;
        if (bytes <= size)
            m_editor.place(m_record, Field::OutputBase, isConstant ? kWeightsRegion : kArenaRegion,
                           m_random.below(size - bytes + 1));
    }

    /// Weights of another record, or in the arena.
    void constantsElsewhere() {
        if (!isWeighted())
            return;
        const auto bytes = static_cast<std::uint64_t>(m_shape.get(Field::WeightBytes));
        const bool isInArena = m_random.below(3) == 0;
        const std::uint64_t size =
            isInArena ? m_editor.job.arenaBytes : m_editor.job.weights.size();
        if (bytes <= size)
            m_editor.place(m_record, Field::WeightBase, isInArena ? kArenaRegion : kWeightsRegion,
                           m_random.below((size - bytes) / 64 + 1) * 64);
    }

    JobEditor& m_editor;
    SplitMix64& m_random;
    std::size_t m_record;
    Descriptor m_shape; ///< the record as it was
};

/// Those of all golden cases that lower, and a large one.
std::vector<Job> manyJobs() {
    std::vector<Job> jobs{sampleJob("every-operator")};
    for (const nlohmann::json& line : goldenLines("cases/index.jsonl")) {
        if (!line.at("lowers").get<bool>())
            continue;
        const ByteView file = goldenFile("cases/" + line.at("case").get<std::string>() + ".tflite");
        jobs.push_back(jobOf(**npuP0Target().lower(*importTflite({file.begin(), file.end()}))));
    }
    return jobs;
}

TEST(FastJobs, randomChangesEndAlike) {
    constexpr int kJobs = 4'000;
    const std::vector<Job> jobs = manyJobs();
    SplitMix64 random(2026);
    RecordWays all;
    int done = 0, validator = 0, execution = 0;
    for (int i = 0; i < kJobs && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        JobEditor editor(jobs[random.below(jobs.size())]);
        for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes)
            Mutation(editor, random).apply();
        const Execution run = runSeeded(editor, random.next());
        if (run.fault)
            ++(run.fault->stage == "validator" ? validator : execution);
        else
            ++done;
        const RecordWays ways = waysOf(editor.job);
        all.fast += ways.fast;
        all.checked += ways.checked;
    }
    // Each outcome and each way is met often, or the changes would test little.
    EXPECT_GT(done, kJobs / 4);
    EXPECT_GT(validator, kJobs / 50);
    EXPECT_GT(execution, kJobs / 50);
    EXPECT_GT(all.fast, kJobs);
    EXPECT_GT(all.checked, kJobs / 4);
}

} // namespace
} // namespace plumbline::test
