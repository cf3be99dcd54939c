// SPDX-License-Identifier: GPL-3.0-or-later
// From templates to relocated, validated descriptors. Source: spec sections 5, 6 and 9.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/lowering/job.h"
#include "core/npu_p0/descriptor.h"

namespace plumbline::npu_p0 {

inline constexpr std::string_view kArenaRegion = "arena";
inline constexpr std::string_view kWeightsRegion = "weights";
inline constexpr std::string_view kParamsRegion = "params";
inline constexpr std::string_view kDescriptorsRegion = "descriptors";

struct Relocated {
    std::vector<Descriptor> descriptors; ///< as far as relocation got
    std::optional<Fault> fault;
};

/// Applies the relocations in order; stops at the first that is wrong. Per relocation: word,
/// descriptor, region, offset, then the sum.
Relocated relocateJob(const Job& job);

/// As above, then the validator on every descriptor in order.
Relocated relocateAndValidate(const Job& job);

/// The base address of a region by name.
std::optional<std::uint32_t> baseOf(const RegionBases& bases, std::string_view region);

} // namespace plumbline::npu_p0
