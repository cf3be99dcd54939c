// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's allocator and the planner that records what it did at every operator.
#include "core/lowering/arena_plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace plumbline {

std::uint64_t FirstFitArena::roundedUp(std::uint64_t bytes) const {
    return (bytes + m_alignment - 1) / m_alignment * m_alignment;
}

std::uint64_t FirstFitArena::allocate(std::uint64_t size) {
    if (const auto block = m_free.firstFit(size)) {
        m_free.cut(*block, size);
        return block->offset;
    }
    m_highWater += size;
    return m_highWater - size;
}

namespace {

/// Running totals of what is live, and the record of each step.
class Planner {
  public:
    Planner(const std::vector<LifetimeRequest>& requests, std::int64_t operatorCount,
            std::uint64_t alignment)
        : m_requests(requests)
        , m_arena(alignment) {
        m_plan.alignment = alignment;
        m_plan.allocations.reserve(requests.size());
        m_plan.steps.reserve(static_cast<std::size_t>(operatorCount));
        m_endingAt.resize(static_cast<std::size_t>(operatorCount));
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const std::int64_t last = requests[i].lastOperator;
            if (last >= 0 && last < operatorCount)
                m_endingAt[static_cast<std::size_t>(last)].push_back(i);
        }
    }

    ArenaPlan run() {
        allocateFrom(-1);
        for (std::size_t i = 0; i < m_endingAt.size(); ++i) {
            allocateFrom(static_cast<std::int64_t>(i));
            recordStep(static_cast<std::int64_t>(i));
            for (const std::size_t ending : m_endingAt[i])
                release(m_plan.allocations[ending]);
        }
        m_plan.peakBytes = m_arena.highWater();
        return std::move(m_plan);
    }

  private:
    void allocateFrom(std::int64_t operatorIndex) {
        while (m_next < m_requests.size() && m_requests[m_next].firstOperator <= operatorIndex) {
            const LifetimeRequest& request = m_requests[m_next++];
            Allocation made{request.tensor,        request.aliases,
                            request.name,          0,
                            request.bytes,         m_arena.roundedUp(request.bytes),
                            request.firstOperator, request.lastOperator};
            made.offset = m_arena.allocate(made.size);
            m_live += made.bytes;
            m_liveRounded += made.size;
            m_plan.allocations.push_back(std::move(made));
        }
    }

    void release(const Allocation& ended) {
        m_arena.release(ended.offset, ended.size);
        m_live -= ended.bytes;
        m_liveRounded -= ended.size;
    }

    void recordStep(std::int64_t operatorIndex) {
        ArenaStep step;
        step.operatorIndex = operatorIndex;
        step.liveBytes = m_live;
        step.paddingBytes = m_liveRounded - m_live;
        step.highWater = m_arena.highWater();
        step.holeBytes = step.highWater - m_liveRounded;
        step.holes = m_arena.free().count();
        step.largestHole = m_arena.free().largest();
        if (step.highWater > m_plan.peakBytes) {
            m_plan.peakBytes = step.highWater;
            m_plan.peakOperator = operatorIndex;
        }
        m_plan.minimumBytes = std::max(m_plan.minimumBytes, m_liveRounded);
        m_plan.steps.push_back(step);
    }

    const std::vector<LifetimeRequest>& m_requests;
    FirstFitArena m_arena;
    ArenaPlan m_plan;
    std::vector<std::vector<std::size_t>> m_endingAt; ///< requests by their last operator
    std::size_t m_next = 0;
    std::uint64_t m_live = 0;
    std::uint64_t m_liveRounded = 0;
};

bool overlap(const Allocation& a, const Allocation& b) {
    const bool inTime = a.firstOperator <= b.lastOperator && b.firstOperator <= a.lastOperator;
    const bool inSpace = a.offset < b.offset + b.size && b.offset < a.offset + a.size;
    return inTime && inSpace;
}

} // namespace

ArenaPlan planArena(const std::vector<LifetimeRequest>& requests, std::int64_t operatorCount,
                    std::uint64_t alignment) {
    return Planner(requests, operatorCount, alignment).run();
}

std::string verifyArenaPlan(const ArenaPlan& plan) {
    for (std::size_t i = 0; i < plan.allocations.size(); ++i) {
        const Allocation& a = plan.allocations[i];
        if (a.offset % plan.alignment != 0 || a.size % plan.alignment != 0 || a.size < a.bytes)
            return fmt::format("tensor {} at {} is not aligned to {}", a.tensor, a.offset,
                               plan.alignment);
        if (a.offset + a.size > plan.peakBytes)
            return fmt::format("tensor {} ends beyond the peak {}", a.tensor, plan.peakBytes);
        for (std::size_t j = 0; j < i; ++j) {
            if (overlap(a, plan.allocations[j]))
                return fmt::format("tensors {} and {} overlap", plan.allocations[j].tensor,
                                   a.tensor);
        }
    }
    return "";
}

} // namespace plumbline
