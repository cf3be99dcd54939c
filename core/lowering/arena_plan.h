// SPDX-License-Identifier: GPL-3.0-or-later
// The arena over time, as a value that can be inspected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lowering/free_blocks.h"

namespace plumbline {

/// One storage in the arena: a tensor and the aliases of it.
struct Allocation {
    std::int64_t tensor = 0;           ///< index of the tensor that was allocated
    std::vector<std::int64_t> aliases; ///< further tensors that share the storage
    std::string name;                  ///< of the tensor; may be empty
    std::uint64_t offset = 0;          ///< bytes from the arena's start
    std::uint64_t bytes = 0;           ///< the tensor's own size
    std::uint64_t size = 0;            ///< bytes rounded up to the alignment
    std::int64_t firstOperator = -1;   ///< operator that writes it; -1 for the graph input
    std::int64_t lastOperator = 0;     ///< last operator at which it is live, inclusive

    bool isLiveAt(std::int64_t operatorIndex) const {
        return firstOperator <= operatorIndex && operatorIndex <= lastOperator;
    }
};

/// The arena while one operator runs: its output is allocated, its inputs not yet released.
struct ArenaStep {
    std::int64_t operatorIndex = 0;
    std::uint64_t liveBytes = 0;    ///< tensors' own bytes
    std::uint64_t paddingBytes = 0; ///< rounding of the live ones
    std::uint64_t holeBytes = 0;    ///< free below the high-water mark
    std::uint64_t largestHole = 0;
    std::uint64_t highWater = 0;
    std::size_t holes = 0; ///< free blocks below the high-water mark
    bool operator==(const ArenaStep&) const = default;
};

struct ArenaPlan {
    std::uint64_t alignment = 64;
    std::uint64_t peakBytes = 0;    ///< highest high-water mark
    std::int64_t peakOperator = 0;  ///< first operator at which the peak stands
    std::uint64_t minimumBytes = 0; ///< most live bytes at once, rounded: no plan can need less
    std::vector<Allocation> allocations; ///< in order of allocation
    std::vector<ArenaStep> steps;        ///< one per operator, in order
};

/// The contract's allocator: first fit in address order, merged on free, a block that touches the
/// high-water mark is not grown into. Source: spec section 4.
class FirstFitArena {
  public:
    explicit FirstFitArena(std::uint64_t alignment)
        : m_alignment(alignment) {}
    std::uint64_t roundedUp(std::uint64_t bytes) const;
    /// The offset of a new block of `size` bytes; `size` is a multiple of the alignment.
    std::uint64_t allocate(std::uint64_t size);
    void release(std::uint64_t offset, std::uint64_t size) { m_free.release(offset, size); }
    std::uint64_t highWater() const { return m_highWater; }
    const FreeBlocks& free() const { return m_free; }

  private:
    std::uint64_t m_alignment;
    std::uint64_t m_highWater = 0;
    FreeBlocks m_free;
};

/// A storage that the planner is to place.
struct LifetimeRequest {
    std::int64_t tensor = 0;
    std::vector<std::int64_t> aliases;
    std::string name;
    std::uint64_t bytes = 0;
    std::int64_t firstOperator = -1; ///< -1 is before the first operator
    std::int64_t lastOperator = 0;   ///< inclusive; operatorCount means the end of the job
};

/// Places `requests` (ordered by firstOperator) with the contract's allocator: per operator the
/// output is allocated first, then what ends there is released, in the requests' order. A request
/// whose lastOperator is operatorCount is never released.
ArenaPlan planArena(const std::vector<LifetimeRequest>& requests, std::int64_t operatorCount,
                    std::uint64_t alignment = 64);

/// The plan that `allocations` (with their offsets and sizes) make, whoever placed them: the steps,
/// the peak and the minimum are computed, the holes of a step are what no live allocation covers
/// below the high-water mark. Allocations may overlap; then a byte covered twice counts once.
ArenaPlan observeArena(std::vector<Allocation> allocations, std::int64_t operatorCount,
                       std::uint64_t alignment = 64);

/// Empty when no two allocations that live at once overlap and all are aligned; else what is wrong.
/// Quadratic: for tests.
std::string verifyArenaPlan(const ArenaPlan& plan);

} // namespace plumbline
