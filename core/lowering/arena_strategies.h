// SPDX-License-Identifier: GPL-3.0-or-later
// Other ways to place the same buffers: experiments that are compared with the contract's plan and
// never written into a package.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lowering/arena_plan.h"

namespace plumbline {

enum class ArenaStrategy : std::uint8_t {
    FirstFit,     ///< the contract's: planArena
    BestFit,      ///< in order of time, the smallest free block that holds the buffer
    GrowingFit,   ///< first fit that also grows the free block at the high-water mark
    GreedyBySize, ///< all lifetimes known: largest first, at the lowest offset that is free
};

struct ArenaStrategyInfo {
    ArenaStrategy strategy{};
    std::string_view name;    ///< "best fit"
    std::string_view meaning; ///< one sentence
};

/// Every strategy, the contract's first.
std::span<const ArenaStrategyInfo> allArenaStrategies();

/// Largest alignment in bytes and largest number of buffers that are planned.
inline constexpr std::uint64_t kMaxArenaAlignment = 65536;
inline constexpr std::size_t kMaxPlannedBuffers = 50'000;

/// What `plan` was asked to place: its allocations without their offsets, by first operator.
std::vector<LifetimeRequest> requestsOf(const ArenaPlan& plan);

/// Places `requests` by `strategy`. The result's allocations stand in the order of the requests,
/// ordered by firstOperator. Errors: Usage for an alignment that is not 1..kMaxArenaAlignment, for
/// more than kMaxPlannedBuffers requests and for sizes whose sum leaves 62 bits; Cancelled.
Result<ArenaPlan> planWith(ArenaStrategy strategy, std::vector<LifetimeRequest> requests,
                           std::int64_t operatorCount, std::uint64_t alignment = 64,
                           const std::stop_token& stop = {});

} // namespace plumbline
