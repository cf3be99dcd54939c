// SPDX-License-Identifier: GPL-3.0-or-later
// One job run in every way that the executor has: checked, and fast on several numbers of threads.
#pragma once

#include <string>

#include "core/lowering/target.h"

namespace plumbline::test {

/// The first thing in which two runs differ, of fault, layers and output; empty when none.
std::string differenceOf(const Execution& a, const Execution& b);

/// The checked run of `job`. Fails the test where the fast run on 1, 2, 3 or 5 threads differs.
Execution runEveryWay(const Job& job, ByteView input);

/// How many records of a job run on vectors and how many the checked way.
struct RecordWays {
    std::int64_t fast = 0;
    std::int64_t checked = 0;
};
RecordWays waysOf(const Job& job);

/// The job of a built-in sample.
Job sampleJob(const std::string& name, std::uint64_t seed = 1);

} // namespace plumbline::test
