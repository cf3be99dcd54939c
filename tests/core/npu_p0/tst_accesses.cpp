// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that records really touch, against their declared spans.
#include <gtest/gtest.h>

#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

LoweringPtr lowered(const char* sample) {
    return *npuP0Target().lower(*importTflite(*makeSample(sample)));
}

TEST(Accesses, CompiledModelsStayInsideTheirDeclaredSpans) {
    for (const char* name : {"ds-cnn", "mobilenet", "resnet8", "autoencoder", "every-operator"}) {
        SCOPED_TRACE(name);
        const LoweringPtr lowering = lowered(name);
        const auto accesses = npuP0Target().accesses(jobOf(*lowering));
        ASSERT_FALSE(accesses.empty());
        std::size_t writes = 0;
        for (const OperandAccess& a : accesses) {
            writes += a.isWrite ? 1 : 0;
            EXPECT_GE(a.touchedBegin, a.declaredBegin);
            EXPECT_LE(a.touchedEnd, a.declaredBegin + a.declaredBytes);
            EXPECT_LE(a.touchedBytes, a.touchedEnd - a.touchedBegin);
            EXPECT_GT(a.touchedBytes, 0U);
        }
        EXPECT_EQ(writes, lowering->records.size());
    }
}

TEST(Accesses, OutputsAreWrittenWhole) {
    const LoweringPtr lowering = lowered("every-operator");
    for (const OperandAccess& a : npuP0Target().accesses(jobOf(*lowering))) {
        if (!a.isWrite)
            continue;
        const LoweredOperator& op = lowering->operators[static_cast<std::size_t>(a.operatorIndex)];
        EXPECT_EQ(a.declaredBegin, op.arena.output);
        EXPECT_EQ(a.touchedBytes, op.arena.outputBytes);
    }
}

TEST(Accesses, AnAddReadsTwoInputs) {
    const LoweringPtr lowering = lowered("resnet8");
    std::size_t second = 0, adds = 0;
    for (const LoweredOperator& op : lowering->operators)
        adds += op.opcodeName == "ADD" ? 1 : 0;
    for (const OperandAccess& a : npuP0Target().accesses(jobOf(*lowering)))
        second += a.operand == "input 1" ? 1 : 0;
    EXPECT_GT(adds, 0U);
    EXPECT_EQ(second, adds);
}

TEST(Accesses, AJobThatDoesNotRelocateHasNone) {
    Job job = jobOf(*lowered("ds-cnn"));
    job.relocations.front().word = 99;
    EXPECT_TRUE(npuP0Target().accesses(job).empty());
}

TEST(Accesses, HostileStepsAreBounded) {
    Job job = jobOf(*lowered("ds-cnn"));
    job.steps.front().firstRecord = -5;
    job.steps.front().count = std::int64_t{1} << 62;
    EXPECT_FALSE(npuP0Target().accesses(job).empty());
    job.steps.front().firstRecord = std::int64_t{1} << 62;
    EXPECT_NO_THROW(npuP0Target().accesses(job));
}

} // namespace
} // namespace plumbline
