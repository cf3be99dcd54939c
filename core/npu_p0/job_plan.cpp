// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/job_plan.h"

#include <algorithm>

#include "core/npu_p0/job_checks.h"
#include "core/npu_p0/relocate.h"

namespace plumbline::npu_p0 {
namespace {

bool writesToArena(const Descriptor& descriptor, const Memory& memory) {
    return memory.isInArena(addressOf(descriptor, Field::OutputBase),
                            shapeOf(descriptor).outputSpan());
}

void addFastRecords(JobPlan& plan, const Job& job) {
    const Bytes arena(static_cast<std::size_t>(job.arenaBytes));
    const Memory memory(job, plan.wire, ByteView(arena));
    if (!std::all_of(plan.descriptors.begin(), plan.descriptors.end(),
                     [&](const Descriptor& d) { return writesToArena(d, memory); }))
        return;
    for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
        plan.fast.push_back(FastRecord::make(plan.descriptors[i], static_cast<std::int64_t>(i), job,
                                             memory, fastKernels()));
}

} // namespace

JobPlan planJob(const Job& job) {
    Relocated relocated = relocateAndValidate(job);
    JobPlan plan;
    plan.fault = std::move(relocated.fault);
    if (plan.fault)
        return plan;
    plan.descriptors = std::move(relocated.descriptors);
    for (const Descriptor& descriptor : plan.descriptors)
        plan.shapes.push_back(shapeOf(descriptor));
    plan.wire = wireBytes(plan.descriptors);
    if (job.arenaBytes <= kMaxArenaBytes)
        addFastRecords(plan, job);
    return plan;
}

RecordRun runPlanned(const JobPlan& plan, std::int64_t index, Memory& memory,
                     std::span<std::uint8_t> arena, Workers& workers, const std::stop_token& stop) {
    if (const FastRecord* fast = plan.fastRecord(index)) {
        const KernelStatus status = fast->run(arena, workers, stop);
        if (status != KernelStatus::Fault)
            return {std::nullopt, status == KernelStatus::Stopped};
    }
    return runRecord(plan.descriptors[static_cast<std::size_t>(index)], index, memory, stop);
}

} // namespace plumbline::npu_p0
