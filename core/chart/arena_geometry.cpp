// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/arena_geometry.h"

#include <algorithm>
#include <cmath>

namespace plumbline {
namespace {

constexpr double kHeadroom = 1.10; ///< of an axis over its largest value

} // namespace

ArenaGeometry::ArenaGeometry(const ArenaPlan& plan)
    : m_stepCount(static_cast<std::int64_t>(plan.steps.size())) {
    m_right = std::max(0.5, static_cast<double>(m_stepCount) - 0.5);
    for (std::size_t i = 0; i < plan.allocations.size(); ++i) {
        const Allocation& a = plan.allocations[i];
        const std::int64_t first = std::max<std::int64_t>(a.firstOperator, -1);
        const std::int64_t last = std::min(a.lastOperator, m_stepCount - 1);
        if (a.bytes == 0 || last < first || m_stepCount == 0)
            continue;
        const auto bottom = static_cast<double>(a.offset);
        m_blocks.push_back({i, static_cast<double>(first) - 0.5, static_cast<double>(last) + 0.5,
                            bottom, bottom + static_cast<double>(a.bytes)});
        m_left = std::min(m_left, m_blocks.back().left);
        m_top = std::max(m_top, m_blocks.back().top);
    }
    std::stable_sort(m_blocks.begin(), m_blocks.end(),
                     [](const ArenaBlock& a, const ArenaBlock& b) { return a.left < b.left; });
}

std::optional<std::size_t> ArenaGeometry::bufferAt(double x, double y) const {
    std::optional<std::size_t> found;
    forEachVisible(x, x, y, y, [&](const ArenaBlock& block) { found = block.buffer; });
    return found;
}

std::optional<std::int64_t> ArenaGeometry::stepAt(double x) const {
    if (m_stepCount == 0 || !std::isfinite(x))
        return std::nullopt;
    const double step = std::clamp(std::floor(x + 0.5), 0.0, static_cast<double>(m_stepCount - 1));
    return static_cast<std::int64_t>(step);
}

std::vector<std::size_t> ArenaGeometry::buffersAt(std::int64_t step) const {
    std::vector<const ArenaBlock*> live;
    const auto x = static_cast<double>(step);
    for (const ArenaBlock& block : m_blocks) {
        if (block.left > x)
            break;
        if (block.right > x)
            live.push_back(&block);
    }
    std::stable_sort(live.begin(), live.end(), [](const ArenaBlock* a, const ArenaBlock* b) {
        return a->bottom < b->bottom;
    });
    std::vector<std::size_t> buffers;
    buffers.reserve(live.size());
    for (const ArenaBlock* block : live)
        buffers.push_back(block->buffer);
    return buffers;
}

std::optional<std::size_t> ArenaGeometry::neighbour(std::int64_t step,
                                                    std::optional<std::size_t> buffer,
                                                    int direction) const {
    const std::vector<std::size_t> live = buffersAt(step);
    if (live.empty())
        return std::nullopt;
    const auto at = buffer ? std::find(live.begin(), live.end(), *buffer) : live.end();
    if (at == live.end())
        return direction > 0 ? live.front() : live.back();
    const auto next = (at - live.begin()) + (direction > 0 ? 1 : -1);
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(live.size()))
        return std::nullopt;
    return live[static_cast<std::size_t>(next)];
}

const ArenaBlock* ArenaGeometry::blockOf(std::size_t buffer) const {
    const auto found =
        std::find_if(m_blocks.begin(), m_blocks.end(),
                     [buffer](const ArenaBlock& block) { return block.buffer == buffer; });
    return found == m_blocks.end() ? nullptr : &*found;
}

double arenaHighestByte(const ArenaPlan& plan, const ArenaGeometry& geometry) {
    return std::max(static_cast<double>(plan.peakBytes), geometry.top()) * kHeadroom;
}

double arenaHighestLevel(const ArenaPlan& plan, const ArenaGeometry& geometry) {
    double most = arenaHighestByte(plan, geometry);
    for (const ArenaStep& step : plan.steps)
        most = std::max(most, static_cast<double>(step.liveBytes) * kHeadroom);
    return most;
}

ArenaCurve arenaCurve(const ArenaPlan& plan, double left, double right, std::size_t mostPoints) {
    const std::size_t count = plan.steps.size();
    const auto index = [count](double step) {
        return static_cast<std::size_t>(
            std::clamp(std::floor(step), 0.0, static_cast<double>(count)));
    };
    const std::size_t first = index(left), end = index(right + 2);
    const std::size_t group = std::max<std::size_t>(1, (end - first) / mostPoints);
    ArenaCurve curve;
    for (std::size_t begin = first; begin < end; begin += group) {
        std::uint64_t mostLive = 0, mostHigh = 0;
        for (std::size_t i = begin; i < std::min(begin + group, end); ++i) {
            mostLive = std::max(mostLive, plan.steps[i].liveBytes);
            mostHigh = std::max(mostHigh, plan.steps[i].highWater);
        }
        curve.at.push_back(static_cast<double>(begin) - 0.5); // where its columns begin
        curve.live.push_back(static_cast<double>(mostLive));
        curve.highWater.push_back(static_cast<double>(mostHigh));
    }
    if (!curve.at.empty()) {
        curve.at.push_back(static_cast<double>(end) - 0.5);
        curve.live.push_back(curve.live.back());
        curve.highWater.push_back(curve.highWater.back());
    }
    return curve;
}

} // namespace plumbline
