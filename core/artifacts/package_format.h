// SPDX-License-Identifier: GPL-3.0-or-later
// Names that the package writer and reader share. Source: spec section 12.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumbline {

inline constexpr std::string_view kManifestName = "npu.json";
inline constexpr std::string_view kDescriptorsFile = "descriptors.bin";
inline constexpr std::string_view kWeightsFile = "weights.bin";
inline constexpr std::string_view kParamsFile = "params.bin";
inline constexpr std::array kBinaryFiles{kDescriptorsFile, kWeightsFile, kParamsFile};
inline constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;
inline constexpr int kSchemaVersion = 1;
inline constexpr int kNumericProfile = 1;

/// A required capability: its bit and its name.
struct Capability {
    int bit;
    std::string_view name;
};
inline constexpr std::array kCapabilities{Capability{1, "EXECUTION_READY"},
                                          Capability{4, "DOUBLE_ROUNDING"}};

} // namespace plumbline
