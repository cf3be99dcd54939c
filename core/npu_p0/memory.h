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
    /// `job`, `descriptors` (the relocated records) and `arena` (job.arenaBytes bytes) outlive the
    /// object. Writes go into `arena`; another region is copied at its first write.
    Memory(const Job& job, ByteView descriptors, std::span<std::uint8_t> arena);
    /// The same over an arena that is only read: write() finds nothing in it.
    Memory(const Job& job, ByteView descriptors, ByteView arena);
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// `bytes` bytes at `address`; nothing unless they lie wholly inside one region.
    std::optional<ByteView> read(std::uint64_t address, std::uint64_t bytes) const;
    /// Whether those bytes are the arena's.
    bool isInArena(std::uint64_t address, std::uint64_t bytes) const {
        return regionOf(address, bytes) == kArenaIndex;
    }
    /// As above for writing.
    std::optional<std::span<std::uint8_t>> write(std::uint64_t address, std::uint64_t bytes);

  private:
    struct Mapped {
        std::uint64_t base = 0;
        ByteView view;
        std::span<std::uint8_t> writable; ///< empty until the region may be written
        bool isReadOnly = false;
        Bytes copy; ///< backs `writable` where it is not the arena
    };
    static constexpr std::size_t kArenaIndex = 0;
    std::optional<std::size_t> regionOf(std::uint64_t address, std::uint64_t bytes) const;

    std::array<Mapped, 4> m_regions;
};

} // namespace plumbline::npu_p0
