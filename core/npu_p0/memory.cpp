// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/memory.h"

namespace plumbline::npu_p0 {

Memory::Memory(const Job& job, ByteView descriptors, ByteView arena) {
    m_regions[kArenaIndex].base = job.bases.arena;
    m_regions[kArenaIndex].view = arena;
    m_regions[kArenaIndex].isReadOnly = true;
    m_regions[1].base = job.bases.weights;
    m_regions[1].view = job.weights;
    m_regions[2].base = job.bases.params;
    m_regions[2].view = job.params;
    m_regions[3].base = job.bases.descriptors;
    m_regions[3].view = descriptors;
}

Memory::Memory(const Job& job, ByteView descriptors, std::span<std::uint8_t> arena)
    : Memory(job, descriptors, ByteView(arena)) {
    m_regions[kArenaIndex].isReadOnly = false;
    m_regions[kArenaIndex].writable = arena;
}

std::optional<std::size_t> Memory::regionOf(std::uint64_t address, std::uint64_t bytes) const {
    for (std::size_t i = 0; i < m_regions.size(); ++i) {
        const Mapped& region = m_regions[i];
        // Subtracting instead of adding keeps hostile lengths from wrapping.
        if (address >= region.base && address - region.base <= region.view.size() &&
            bytes <= region.view.size() - (address - region.base) && bytes > 0)
            return i;
    }
    return std::nullopt;
}

std::optional<ByteView> Memory::read(std::uint64_t address, std::uint64_t bytes) const {
    const auto index = regionOf(address, bytes);
    if (!index)
        return std::nullopt;
    const Mapped& region = m_regions[*index];
    return region.view.subspan(address - region.base, bytes);
}

std::optional<std::span<std::uint8_t>> Memory::write(std::uint64_t address, std::uint64_t bytes) {
    const auto index = regionOf(address, bytes);
    if (!index)
        return std::nullopt;
    Mapped& region = m_regions[*index];
    if (region.isReadOnly)
        return std::nullopt;
    if (region.writable.empty()) {
        region.copy.assign(region.view.begin(), region.view.end());
        region.writable = region.copy;
        region.view = region.copy;
    }
    return region.writable.subspan(address - region.base, bytes);
}

} // namespace plumbline::npu_p0
