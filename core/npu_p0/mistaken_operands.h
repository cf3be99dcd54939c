// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a record as a mistaken device sees them, prepared once per run. Internal to this
// room.
#pragma once

#include <optional>
#include <vector>

#include "core/npu_p0/mistakes.h"
#include "core/npu_p0/variation.h"

namespace plumbline::npu_p0 {

/// Where output positions look.
struct MistakenWindow {
    std::int64_t strideH = 1, strideW = 1;
    std::int64_t padTop = 0, padLeft = 0;
};
MistakenWindow mistakenWindow(const RecordShape& shape, const Variation& variation);

/// The values of an input, dense [H,W,Cin], each less `zero`. `bytes` has rows `row` bytes apart.
std::vector<std::int32_t> mistakenInput(const RecordShape& shape, ByteView bytes, std::uint64_t row,
                                        std::int32_t zero, const Variation& variation);

/// Weights by channel: [Cout][K].
std::vector<std::int32_t> mistakenWeights(const RecordShape& shape, ByteView packed,
                                          const Variation& variation);

/// The parameters of each channel. Nothing when a shift leaves -31..30.
std::optional<std::vector<ChannelParameters>>
mistakenChannels(std::span<const ChannelParameters> channels, const Variation& variation);

} // namespace plumbline::npu_p0
