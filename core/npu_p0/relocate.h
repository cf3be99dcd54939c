// SPDX-License-Identifier: GPL-3.0-or-later
// From templates to relocated, validated descriptors. Source: spec sections 5, 6 and 9.
#pragma once

#include <optional>
#include <vector>

#include "core/lowering/job.h"
#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {

struct Relocated {
    std::vector<Descriptor> descriptors; ///< as far as relocation got
    std::optional<Fault> fault;
};

/// Applies the relocations in order; stops at the first that is wrong. Per relocation: word,
/// descriptor, region, offset, then the sum.
Relocated relocateJob(const Job& job);

/// As above, then the validator on every descriptor in order.
Relocated relocateAndValidate(const Job& job);

} // namespace plumbline::npu_p0
