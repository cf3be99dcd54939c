// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of the arena after a step, put together from what a run captured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lowering/lowering.h"

namespace plumbline {

/// Rows of the field table that say what a record writes: `height` rows of width * channels bytes,
/// `rowBytes` apart, from `base` on. What lies between the rows is not written.
struct OutputFields {
    std::size_t base, rowBytes, height, width, channels;
};

/// Bytes of the arena, by offset.
struct ByteRun {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0; ///< at least 1
    std::uint64_t end() const { return offset + bytes; }
    bool operator==(const ByteRun&) const = default;
};

/// Bytes that one allocation owns.
struct OwnerRun {
    ByteRun run;
    std::int64_t allocation = 0; ///< index in ArenaPlan::allocations
    bool operator==(const OwnerRun&) const = default;
};

/// The arena after operator `step` has run. All runs are in address order and inside `bytes`.
struct ArenaImage {
    std::int64_t step = 0;        ///< operator index; -1: only the input is there
    Bytes bytes;                  ///< what nothing has written is 0
    std::vector<ByteRun> written; ///< by the step itself; empty for an alias and a CPU step
    std::vector<ByteRun> changed; ///< those of `written` whose value became another one
    std::vector<OwnerRun> owners; ///< live at the step; of two that overlap, the lower one has it
    /// Why bytes may be other than in a run (a layer is missing, or does not lie in the arena);
    /// empty when the image is exact.
    std::string gap;
};

/// Largest arena that is put together, bytes.
inline constexpr std::uint64_t kMaxArenaImage = std::uint64_t{1} << 28;

/// Replays `input` and the layers of `trace` up to operator `step` (clamped to the operators; -1
/// is before the first) into an arena of zeros. Costs what copying those layers costs. Nothing
/// when the lowering has no records, or an arena of more than kMaxArenaImage bytes.
std::optional<ArenaImage> arenaAfter(const Lowering& lowering, ByteView input, const Trace& trace,
                                     std::int64_t step);

} // namespace plumbline
