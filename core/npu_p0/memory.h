// SPDX-License-Identifier: GPL-3.0-or-later
// The byte regions of a running job and the map that decodes every access. Source: spec section 9.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/lowering/job.h"

namespace plumbline::npu_p0 {

/// Largest arena that is executed, in bytes: a package may declare anything.
inline constexpr std::uint64_t kMaxArenaBytes = std::uint64_t{1} << 30;

class Memory {
  public:
    /// `job` outlives the object. The arena starts as zeros; `descriptors` are the relocated
    /// records.
    Memory(const Job& job, Bytes descriptors);

    /// `bytes` bytes at `address`; nothing unless they lie wholly inside one region.
    std::optional<ByteView> read(std::uint64_t address, std::uint64_t bytes) const;
    /// As above for writing. A region that belongs to the job is copied at its first write.
    std::optional<std::span<std::uint8_t>> write(std::uint64_t address, std::uint64_t bytes);
    /// The arena's own bytes.
    std::span<std::uint8_t> arena() { return m_regions[0].owned; }

  private:
    struct Mapped {
        std::uint64_t base = 0;
        ByteView view;
        Bytes owned; ///< backs `view` where it is not the job's
        bool isOwned = false;
    };
    std::optional<std::size_t> regionOf(std::uint64_t address, std::uint64_t bytes) const;

    std::array<Mapped, 4> m_regions;
};

} // namespace plumbline::npu_p0
