// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/job_checks.h"

#include <fmt/format.h>

#include "core/npu_p0/memory.h"

namespace plumbline::npu_p0 {

std::optional<Fault> checkInput(const Job& job, std::uint64_t inputBytes) {
    const auto fail = [](std::string reason) {
        return Fault{FaultCode::Range, "input", {}, {}, {}, std::move(reason)};
    };
    if (inputBytes != job.inputBytes)
        return fail(
            fmt::format("the input has {} bytes, the job takes {}", inputBytes, job.inputBytes));
    if (job.arenaBytes > kMaxArenaBytes)
        return fail(fmt::format("an arena of {} bytes is above the limit {}", job.arenaBytes,
                                kMaxArenaBytes));
    if (job.inputOffset > job.arenaBytes || inputBytes > job.arenaBytes - job.inputOffset)
        return fail(fmt::format("{} input bytes at offset {} leave the arena of {} bytes",
                                inputBytes, job.inputOffset, job.arenaBytes));
    return std::nullopt;
}

std::optional<Fault> checkWork(const Job& job, const std::vector<RecordShape>& records,
                               std::uint64_t maxWork) {
    std::vector<std::uint64_t> upTo{0}; // work of the records before each
    for (const RecordShape& record : records)
        upTo.push_back(upTo.back() + record.work());
    std::uint64_t work = 0, runs = 0;
    for (const Step& step : job.steps) {
        if (step.kind != "npu" || checkRange(step, static_cast<std::int64_t>(records.size())))
            continue; // faults when it is reached
        const auto first = static_cast<std::size_t>(*step.firstRecord);
        work += upTo[first + static_cast<std::size_t>(*step.count)] - upTo[first];
        runs += static_cast<std::uint64_t>(*step.count);
        if (work > maxWork || runs > kMaxRecordRuns)
            return Fault{FaultCode::Unsupported,
                         "input",
                         {},
                         {},
                         {},
                         fmt::format("the job takes more than {} operations or {} runs of records",
                                     maxWork, kMaxRecordRuns)};
    }
    return std::nullopt;
}

std::optional<Fault> checkRange(const Step& step, std::int64_t total) {
    if (step.firstRecord && step.count && *step.firstRecord >= 0 && *step.count >= 0 &&
        *step.firstRecord <= total && *step.count <= total - *step.firstRecord)
        return std::nullopt;
    return Fault{FaultCode::Descriptor,
                 "execution",
                 {},
                 {},
                 {},
                 fmt::format("a step runs {} descriptors from {}, there are {}",
                             step.count.value_or(-1), step.firstRecord.value_or(-1), total)};
}

Bytes wireBytes(const std::vector<Descriptor>& descriptors) {
    Bytes bytes;
    bytes.reserve(descriptors.size() * kDescriptorBytes);
    for (const Descriptor& d : descriptors)
        bytes.insert(bytes.end(), d.bytes().begin(), d.bytes().end());
    return bytes;
}

JobLayer jobLayerOf(const Job& job, std::int64_t index) {
    const auto i = static_cast<std::size_t>(index);
    return i < job.layers.size() ? job.layers[i] : JobLayer{index, "", {}, {}};
}

TraceLayer traceLayer(const JobLayer& from, std::optional<std::int64_t> record, const Hwc& shape,
                      Bytes bytes, bool withDigest) {
    TraceLayer layer;
    layer.operatorIndex = from.operatorIndex;
    layer.record = record;
    layer.name = from.name;
    layer.shape = {shape.h, shape.w, shape.c};
    layer.scale = from.scale;
    layer.zeroPoint = from.zeroPoint;
    layer.bytes = std::move(bytes);
    sealLayer(layer, withDigest);
    return layer;
}

} // namespace plumbline::npu_p0
