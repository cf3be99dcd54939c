// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/job_plan.h"

#include <algorithm>
#include <memory>

#include "core/npu_p0/job_checks.h"
#include "core/npu_p0/relocate.h"

namespace plumbline::npu_p0 {
namespace {

bool writesToArena(const Descriptor& descriptor, const Memory& memory) {
    return memory.isInArena(addressOf(descriptor, Field::OutputBase),
                            shapeOf(descriptor).outputSpan());
}

/// Per record whether a step runs it.
std::vector<bool> recordsThatRun(const Job& job, std::size_t count) {
    std::vector<bool> runs(count);
    for (const Step& step : job.steps) {
        if (step.kind != "npu" || checkRange(step, static_cast<std::int64_t>(count)))
            continue;
        const auto first = runs.begin() + *step.firstRecord;
        std::fill(first, first + *step.count, true);
    }
    return runs;
}

void addFastRecords(JobPlan& plan, const Job& job) {
    // Only its address and size are looked at.
    const auto arena = std::make_unique_for_overwrite<std::uint8_t[]>(job.arenaBytes);
    const Memory memory(job, plan.wire,
                        ByteView(arena.get(), static_cast<std::size_t>(job.arenaBytes)));
    if (!std::all_of(plan.descriptors.begin(), plan.descriptors.end(),
                     [&](const Descriptor& d) { return writesToArena(d, memory); }))
        return;
    const std::vector<bool> runs = recordsThatRun(job, plan.descriptors.size());
    PreparationBudget budget;
    for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
        plan.fast.push_back(runs[i] ? FastRecord::make(plan.descriptors[i],
                                                       static_cast<std::int64_t>(i), job, memory,
                                                       fastKernels(), budget)
                                    : nullptr);
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
    if (job.arenaBytes > 0 && job.arenaBytes <= kMaxArenaBytes &&
        !checkWork(job, plan.shapes, ExecuteOptions{}.maxWork))
        addFastRecords(plan, job);
    return plan;
}

RecordRun runPlanned(const JobPlan& plan, std::int64_t index, Memory& memory,
                     std::span<std::uint8_t> arena, Workers& workers, const std::stop_token& stop) {
    if (const FastRecord* fast = plan.fastRecord(index))
        return {std::nullopt, fast->run(arena, workers, stop) == KernelStatus::Stopped};
    return runRecord(plan.descriptors[static_cast<std::size_t>(index)], index, memory, stop);
}

} // namespace plumbline::npu_p0
