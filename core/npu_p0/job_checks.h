// SPDX-License-Identifier: GPL-3.0-or-later
// What the executor and the layer runner check and make alike. Source: spec section 9.
#pragma once

#include <optional>
#include <vector>

#include "core/lowering/job.h"
#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/shape.h"

namespace plumbline::npu_p0 {

/// The input has the job's length and lies inside an arena that we are willing to make.
std::optional<Fault> checkInput(const Job& job, std::uint64_t inputBytes);

/// Most runs of records in one job; steps may run a record more than once.
inline constexpr std::uint64_t kMaxRecordRuns = std::uint64_t{1} << 17;

/// The steps run at most kMaxRecordRuns records, which take at most `maxWork` operations together.
std::optional<Fault> checkWork(const Job& job, const std::vector<RecordShape>& records,
                               std::uint64_t maxWork);

/// The records that an npu step runs exist among `total`.
std::optional<Fault> checkRange(const Step& step, std::int64_t total);

/// The records' bytes, one after the other.
Bytes wireBytes(const std::vector<Descriptor>& descriptors);

/// What record `index` makes, as far as the job says.
JobLayer jobLayerOf(const Job& job, std::int64_t index);

/// A sealed layer.
TraceLayer traceLayer(const JobLayer& from, std::optional<std::int64_t> record, const Hwc& shape,
                      Bytes bytes, bool withDigest = true);

} // namespace plumbline::npu_p0
