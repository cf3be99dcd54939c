// SPDX-License-Identifier: GPL-3.0-or-later
// A stop that is asked for while a job runs, on the fast path and on the checked one.
#include <latch>
#include <thread>

#include <gtest/gtest.h>

#include "core/npu_p0/job_plan.h"
#include "tests/core/npu_p0/job_editor.h"
#include "tests/core/npu_p0/job_ways.h"

namespace plumbline::test {
namespace {

using npu_p0::Opcode;
using npu_p0::RecordRun;

class LargeRecord : public testing::TestWithParam<Opcode> {};

// The token is set before the record starts, so only the record itself can have looked at it.
TEST_P(LargeRecord, endsWhenAStopIsAskedFor) {
    JobEditor editor(sampleJob("every-operator"));
    const std::size_t record = editor.firstOf(GetParam());
    // Each thread's part does more than kernels do between two looks at the token.
    editor.enlarge(record, npu_p0::isOneOf(GetParam(), npu_p0::kPools) ? 1024 : 256);
    const npu_p0::JobPlan plan = npu_p0::planJob(editor.job);
    ASSERT_FALSE(plan.fault) << plan.fault->reason;
    const auto index = static_cast<std::int64_t>(record);
    ASSERT_NE(plan.fastRecord(index), nullptr);
    Bytes arena(static_cast<std::size_t>(editor.job.arenaBytes));
    npu_p0::Memory memory(editor.job, plan.wire, std::span<std::uint8_t>(arena));
    std::stop_source stop;
    stop.request_stop();
    for (const unsigned threads : {1U, 3U}) {
        SCOPED_TRACE(threads);
        Workers workers(threads);
        const RecordRun stopped = runPlanned(plan, index, memory, arena, workers, stop.get_token());
        EXPECT_TRUE(stopped.stopped);
        EXPECT_FALSE(stopped.fault);
        EXPECT_FALSE(runPlanned(plan, index, memory, arena, workers).stopped);
    }
    const RecordRun checked = runRecord(plan.descriptors[record], index, memory, stop.get_token());
    EXPECT_TRUE(checked.stopped);
    EXPECT_FALSE(checked.fault);
    EXPECT_FALSE(runRecord(plan.descriptors[record], index, memory).stopped);
}

INSTANTIATE_TEST_SUITE_P(Opcodes, LargeRecord,
                         testing::Values(Opcode::Conv2D, Opcode::Depthwise3x3, Opcode::MaxPool,
                                         Opcode::AveragePool),
                         [](const auto& row) {
                             return std::string(
                                 npu_p0::opcodeName(static_cast<std::uint32_t>(row.param)));
                         });

/// The ds-cnn sample whose records run again and again: longer than anybody would wait.
Job endlessJob() {
    Job job = sampleJob("ds-cnn");
    const Step step = job.steps.front();
    job.steps.assign(100'000 / static_cast<std::size_t>(step.count.value()), step);
    return job;
}

void expectCancelledFromOutside(ExecuteOptions options) {
    const Job job = endlessJob();
    std::stop_source stop;
    std::latch started(1);
    const std::jthread other([&] {
        started.wait();
        stop.request_stop();
    });
    JobContext context;
    context.stop = stop.get_token();
    bool isFirst = true;
    context.progress = [&](double, std::string_view) {
        if (std::exchange(isFirst, false))
            started.count_down();
    };
    options.captureLayers = false;
    options.digests = false;
    const Execution run = npuP0Target().execute(job, Bytes(job.inputBytes), options, context);
    EXPECT_TRUE(run.cancelled);
    EXPECT_FALSE(run.fault);
    EXPECT_TRUE(run.output.empty());
}

TEST(Cancellation, fromAnotherThreadEndsEveryWay) {
    for (const unsigned threads : {1U, 3U}) {
        ExecuteOptions options;
        options.threads = threads;
        expectCancelledFromOutside(options);
    }
    ExecuteOptions checked;
    checked.checked = true;
    expectCancelledFromOutside(checked);
}

TEST(Cancellation, beforeTheFirstRecordLeavesNothing) {
    const Job job = sampleJob("ds-cnn");
    std::stop_source stop;
    stop.request_stop();
    JobContext context;
    context.stop = stop.get_token();
    const Execution run = npuP0Target().execute(job, Bytes(job.inputBytes), {}, context);
    EXPECT_TRUE(run.cancelled);
    EXPECT_TRUE(run.trace.layers.empty());
    EXPECT_TRUE(run.output.empty());
}

} // namespace
} // namespace plumbline::test
