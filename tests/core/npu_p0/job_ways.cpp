// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/npu_p0/job_ways.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/npu_p0/job_plan.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline::test {
namespace {

std::string textOf(const std::optional<Fault>& fault) {
    if (!fault)
        return "no fault";
    return fmt::format("{} in {}, record {}, word {}, relocation {}: {}", faultName(fault->code),
                       fault->stage, fault->record.value_or(-1), fault->word.value_or(-1),
                       fault->relocation.value_or(-1), fault->reason);
}

bool areSame(const TraceLayer& a, const TraceLayer& b) {
    return a.operatorIndex == b.operatorIndex && a.record == b.record && a.name == b.name &&
           a.shape == b.shape && a.sha256 == b.sha256 && a.bytes == b.bytes;
}

} // namespace

std::string differenceOf(const Execution& a, const Execution& b) {
    if (textOf(a.fault) != textOf(b.fault))
        return fmt::format("'{}', not '{}'", textOf(a.fault), textOf(b.fault));
    if (a.trace.layers.size() != b.trace.layers.size())
        return fmt::format("{} layers, not {}", a.trace.layers.size(), b.trace.layers.size());
    for (std::size_t i = 0; i < a.trace.layers.size(); ++i) {
        if (!areSame(a.trace.layers[i], b.trace.layers[i]))
            return fmt::format("layer {} {}", i, b.trace.layers[i].name);
    }
    if (a.output != b.output)
        return "output";
    return a.cancelled == b.cancelled ? "" : "cancelled";
}

Execution runEveryWay(const Job& job, ByteView input) {
    const PreparedJobPtr prepared = npuP0Target().prepare(std::make_shared<const Job>(job));
    ExecuteOptions options;
    options.checked = true;
    Execution checked = prepared->run(input, options);
    options.checked = false;
    for (const unsigned threads : {1U, 2U, 3U, 5U}) {
        options.threads = threads;
        EXPECT_EQ(differenceOf(prepared->run(input, options), checked), "")
            << "on " << threads << " threads";
    }
    return checked;
}

RecordWays waysOf(const Job& job) {
    const npu_p0::JobPlan plan = npu_p0::planJob(job);
    RecordWays ways;
    for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
        ++(plan.fastRecord(static_cast<std::int64_t>(i)) ? ways.fast : ways.checked);
    return ways;
}

Job sampleJob(const std::string& name, std::uint64_t seed) {
    return jobOf(**npuP0Target().lower(*importTflite(*makeSample(name, seed))));
}

} // namespace plumbline::test
