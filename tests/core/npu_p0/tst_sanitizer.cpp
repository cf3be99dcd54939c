// SPDX-License-Identifier: GPL-3.0-or-later
// The sanitizer against jobs that are wrong in one known way.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

Job sampleJob() {
    const auto model = importTflite(*makeSample("every-operator"));
    EXPECT_TRUE(model);
    const LoweringPtr lowering = *npuP0Target().lower(*model);
    EXPECT_TRUE(lowering->complete);
    return jobOf(*lowering);
}

bool finds(const Job& job, Code code) {
    const Diagnostics findings = npuP0Target().sanitize(job);
    return std::any_of(findings.begin(), findings.end(),
                       [code](const Diagnostic& d) { return d.code == code; });
}

TEST(Sanitizer, FindsNothingInACompiledModel) {
    EXPECT_TRUE(npuP0Target().sanitize(sampleJob()).empty());
}

TEST(Sanitizer, ReadOfBytesThatNobodyWrote) {
    Job job = sampleJob();
    job.steps[0].firstRecord = 1; // the second record reads what the first should have written
    job.steps[0].count = *job.steps[0].count - 1;
    EXPECT_TRUE(finds(job, Code::ReadUnwritten));
}

TEST(Sanitizer, ReadAfterTheStatedLastUse) {
    Job job = sampleJob();
    for (JobBuffer& buffer : job.buffers) {
        if (buffer.firstOperator == 0)
            buffer.lastOperator = 0;
    }
    EXPECT_TRUE(finds(job, Code::ReadFreed));
}

TEST(Sanitizer, WriteOutsideTheRecordsBuffer) {
    Job job = sampleJob();
    for (JobBuffer& buffer : job.buffers) {
        if (buffer.firstOperator == 0)
            buffer.bytes = 64;
    }
    EXPECT_TRUE(finds(job, Code::WriteOutsideSpan));
}

} // namespace
} // namespace plumbline
