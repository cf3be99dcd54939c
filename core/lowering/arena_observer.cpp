// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a plan that somebody else placed: observeArena. A binary tree over the addresses at
// which buffers begin or end counts how often each piece is covered and knows the runs that are
// not, so that a step costs what changes in it.
#include <algorithm>

#include "core/lowering/arena_plan.h"

namespace plumbline {
namespace {

/// The pieces of the address space between the given bounds, and which of them are covered.
class Coverage {
  public:
    /// `bounds` are sorted, without repetition, and begin with 0. The arena ends at 0.
    explicit Coverage(std::vector<std::uint64_t> bounds)
        : m_bounds(std::move(bounds))
        , m_nodes(std::max<std::size_t>(2 * pieces(), 1)) {
        if (pieces() > 0)
            build(0, all());
    }

    /// The arena ends at `end`, a bound that is not below the last one given.
    void growTo(std::uint64_t end) {
        for (const std::size_t index = indexOf(end); m_size < index; ++m_size)
            add(0, all(), {m_size, m_size + 1}, -1);
    }

    /// Covers `begin`..`end` (both are bounds) once more, or once less what was covered so before.
    void cover(std::uint64_t begin, std::uint64_t end) { change(begin, end, 1); }
    void uncover(std::uint64_t begin, std::uint64_t end) { change(begin, end, -1); }

    struct Runs {
        std::uint64_t bytes = 0;   ///< uncovered in all
        std::uint64_t longest = 0; ///< bytes of the longest run
        std::uint64_t first = 0;   ///< of the run at the beginning; 0 where there is none
        std::uint64_t last = 0;    ///< of the run at the end
        std::size_t count = 0;     ///< runs
    };
    /// What is not covered in the arena.
    const Runs& open() const { return m_nodes[0].open; }

  private:
    struct Pieces {
        std::size_t begin, end;
        std::size_t count() const { return end - begin; }
        std::size_t middle() const { return begin + count() / 2; }
    };
    struct Node {
        int covered = 0; ///< how often all of it is, by what covers all of it but not its parent
        Runs open;
    };

    std::size_t pieces() const { return m_bounds.size() - 1; }
    Pieces all() const { return {0, pieces()}; }
    std::size_t indexOf(std::uint64_t bound) const {
        return static_cast<std::size_t>(std::lower_bound(m_bounds.begin(), m_bounds.end(), bound) -
                                        m_bounds.begin());
    }

    static std::size_t leftOf(std::size_t node) { return node + 1; }
    static std::size_t rightOf(std::size_t node, const Pieces& its) {
        return node + 2 * (its.middle() - its.begin);
    }

    /// What lies beyond the arena counts as covered.
    void build(std::size_t node, const Pieces& its) {
        if (its.count() == 1) {
            m_nodes[node].covered = 1;
            return;
        }
        build(leftOf(node), {its.begin, its.middle()});
        build(rightOf(node, its), {its.middle(), its.end});
    }

    void change(std::uint64_t begin, std::uint64_t end, int times) {
        if (begin < end)
            add(0, all(), {indexOf(begin), indexOf(end)}, times);
    }

    void add(std::size_t node, const Pieces& its, const Pieces& chosen, int times) {
        if (chosen.begin <= its.begin && its.end <= chosen.end) {
            m_nodes[node].covered += times;
        } else {
            if (chosen.begin < its.middle())
                add(leftOf(node), {its.begin, its.middle()}, chosen, times);
            if (its.middle() < chosen.end)
                add(rightOf(node, its), {its.middle(), its.end}, chosen, times);
        }
        update(node, its);
    }

    void update(std::size_t node, const Pieces& its) {
        Runs& open = m_nodes[node].open;
        if (m_nodes[node].covered > 0) {
            open = {};
        } else if (its.count() == 1) {
            const std::uint64_t bytes = m_bounds[its.end] - m_bounds[its.begin];
            open = {bytes, bytes, bytes, bytes, 1};
        } else {
            const Runs& left = m_nodes[leftOf(node)].open;
            const Runs& right = m_nodes[rightOf(node, its)].open;
            const std::uint64_t leftBytes = m_bounds[its.middle()] - m_bounds[its.begin];
            const std::uint64_t rightBytes = m_bounds[its.end] - m_bounds[its.middle()];
            const bool isJoined = left.last > 0 && right.first > 0;
            open.bytes = left.bytes + right.bytes;
            open.longest = std::max({left.longest, right.longest, left.last + right.first});
            open.first = left.first == leftBytes ? leftBytes + right.first : left.first;
            open.last = right.last == rightBytes ? rightBytes + left.last : right.last;
            open.count = left.count + right.count - (isJoined ? 1 : 0);
        }
    }

    std::vector<std::uint64_t> m_bounds;
    std::vector<Node> m_nodes; ///< each before the nodes of its left half, then of its right half
    std::size_t m_size = 0;    ///< pieces of the arena
};

std::vector<std::uint64_t> boundsOf(const std::vector<Allocation>& allocations) {
    std::vector<std::uint64_t> bounds{0};
    for (const Allocation& a : allocations) {
        bounds.push_back(a.offset);
        bounds.push_back(a.offset + a.size);
    }
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    return bounds;
}

/// Goes from operator to operator and keeps what is live.
class Observer {
  public:
    explicit Observer(const std::vector<Allocation>& allocations)
        : m_coverage(boundsOf(allocations)) {}

    void begin(const Allocation& a) {
        m_step.highWater = std::max(m_step.highWater, a.offset + a.size);
        m_coverage.growTo(m_step.highWater);
        m_coverage.cover(a.offset, a.offset + a.size);
        m_step.liveBytes += a.bytes;
        m_step.paddingBytes += a.size - a.bytes;
    }

    void end(const Allocation& a) {
        m_coverage.uncover(a.offset, a.offset + a.size);
        m_step.liveBytes -= a.bytes;
        m_step.paddingBytes -= a.size - a.bytes;
    }

    ArenaStep step(std::int64_t operatorIndex) {
        const Coverage::Runs& open = m_coverage.open();
        m_step.operatorIndex = operatorIndex;
        m_step.holeBytes = open.bytes;
        m_step.largestHole = open.longest;
        m_step.holes = open.count;
        return m_step;
    }

  private:
    Coverage m_coverage;
    ArenaStep m_step;
};

std::int64_t firstStep(const Allocation& a) { return std::max<std::int64_t>(a.firstOperator, 0); }
/// A buffer that ends before it begins, as a damaged package may state, is live at one operator.
std::int64_t lastStep(const Allocation& a) { return std::max(a.lastOperator, firstStep(a)); }

std::vector<const Allocation*> sortedBy(std::int64_t (*step)(const Allocation&),
                                        const std::vector<Allocation>& allocations) {
    std::vector<const Allocation*> sorted;
    for (const Allocation& allocation : allocations)
        sorted.push_back(&allocation);
    std::sort(sorted.begin(), sorted.end(),
              [step](const Allocation* a, const Allocation* b) { return step(*a) < step(*b); });
    return sorted;
}

} // namespace

ArenaPlan observeArena(std::vector<Allocation> allocations, std::int64_t operatorCount,
                       std::uint64_t alignment) {
    ArenaPlan plan;
    plan.alignment = alignment;
    plan.allocations = std::move(allocations);
    plan.steps.reserve(static_cast<std::size_t>(std::max<std::int64_t>(operatorCount, 0)));
    const auto starting = sortedBy(firstStep, plan.allocations);
    const auto ending = sortedBy(lastStep, plan.allocations);
    Observer observer(plan.allocations);
    auto next = starting.begin();
    auto done = ending.begin();
    for (std::int64_t index = 0; index < operatorCount; ++index) {
        for (; next != starting.end() && firstStep(**next) <= index; ++next)
            observer.begin(**next);
        for (; done != ending.end() && lastStep(**done) < index; ++done)
            observer.end(**done);
        plan.steps.push_back(observer.step(index));
        const ArenaStep& step = plan.steps.back();
        if (step.highWater > plan.peakBytes) {
            plan.peakBytes = step.highWater;
            plan.peakOperator = index;
        }
        plan.minimumBytes = std::max(plan.minimumBytes, step.liveBytes + step.paddingBytes);
    }
    return plan;
}

} // namespace plumbline
