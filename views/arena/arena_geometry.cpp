// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/arena/arena_geometry.h"

#include <algorithm>
#include <cmath>

namespace plumbline {

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

} // namespace plumbline
