// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of tensors whose extents may come from a damaged package.
#pragma once

#include <cstdint>
#include <optional>

#include "core/graph/tensor.h"

namespace plumbline {

/// Bytes of an int8 tensor of `shape`; nothing when an extent is below 1 or there are more than
/// 2^40 bytes.
inline std::optional<std::uint64_t> tensorBytes(const Hwc& shape) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    if (shape.h < 1 || shape.w < 1 || shape.c < 1 || shape.h > kMost || shape.w > kMost / shape.h ||
        shape.c > kMost / (shape.h * shape.w))
        return std::nullopt;
    return static_cast<std::uint64_t>(shape.elements());
}

} // namespace plumbline
