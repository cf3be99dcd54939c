// SPDX-License-Identifier: GPL-3.0-or-later
// A job relocated, validated and made ready: what any number of its runs share.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/lowering/job.h"
#include "core/npu_p0/fast_record.h"

namespace plumbline::npu_p0 {

struct JobPlan {
    std::vector<Descriptor> descriptors; ///< relocated
    std::vector<RecordShape> shapes;     ///< and what they say
    Bytes wire;                          ///< and their bytes
    std::optional<Fault> fault;          ///< of relocation or the validator
    /// Per record; null for one that has to run the checked way, or that no step runs. Empty where
    /// a record writes outside the arena, since others may read there, and for a job that asks for
    /// too much to run at all.
    std::vector<std::unique_ptr<const FastRecord>> fast;

    /// The fast form of record `index`, or null.
    const FastRecord* fastRecord(std::int64_t index) const {
        return fast.empty() ? nullptr : fast[static_cast<std::size_t>(index)].get();
    }
};

/// The plan keeps no reference to `job`.
JobPlan planJob(const Job& job);

/// Runs record `index` of `plan` over `memory`, whose arena `arena` is: on its fast form where it
/// has one, else the checked way.
RecordRun runPlanned(const JobPlan& plan, std::int64_t index, Memory& memory,
                     std::span<std::uint8_t> arena, Workers& workers,
                     const std::stop_token& stop = {});

} // namespace plumbline::npu_p0
