// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal CPU softmax of a job. Source: spec sections 8 and 9.
#pragma once

#include <optional>
#include <vector>

#include "core/npu_p0/descriptor.h"
#include "core/npu_p0/memory.h"
#include "core/npu_p0/record_run.h"
#include "core/numeric/quantize.h"

namespace plumbline::npu_p0 {

/// What the step computes on.
struct SoftmaxOperands {
    SoftmaxParameters parameters;
    Hwc shape;   ///< rows of shape.c values
    Bytes input; ///< dense, shape.elements() bytes
};

/// Checks the step and reads its input from its source's output. A fault of stage softmax
/// otherwise.
std::optional<Fault> loadSoftmax(const Step& step, const Job& job,
                                 const std::vector<Descriptor>& descriptors, const Memory& memory,
                                 SoftmaxOperands& operands);

/// The output, as long as the input; on the fast kernels.
RecordRun computeSoftmax(const SoftmaxOperands& operands, Bytes& output,
                         const std::stop_token& stop = {});

} // namespace plumbline::npu_p0
