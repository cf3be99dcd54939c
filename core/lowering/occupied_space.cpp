// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/occupied_space.h"

#include <algorithm>
#include <iterator>

namespace plumbline {

OccupiedSpace::OccupiedSpace(const std::vector<StepSpan>& spans) {
    for (const StepSpan& span : spans) {
        m_times.push_back(span.first);
        m_times.push_back(span.last);
    }
    std::sort(m_times.begin(), m_times.end());
    m_times.erase(std::unique(m_times.begin(), m_times.end()), m_times.end());
    m_nodes.resize(2 * m_times.size());
}

OccupiedSpace::Range OccupiedSpace::rangeOf(const StepSpan& span) const {
    const auto index = [this](std::int64_t time) {
        return static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), time) -
                                        m_times.begin());
    };
    return {index(span.first), index(span.last) + 1};
}

void OccupiedSpace::add(Runs& runs, std::uint64_t begin, std::uint64_t end) {
    auto next = runs.upper_bound(begin);
    if (next != runs.begin() && std::prev(next)->second >= begin)
        --next;
    while (next != runs.end() && next->first <= end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = runs.erase(next);
    }
    runs.emplace_hint(next, begin, end);
}

/// Moves `offset` up until `size` bytes from it meet none of `runs`; whether it moved.
bool OccupiedSpace::moveBehind(const Runs& runs, std::uint64_t size, std::uint64_t& offset) {
    const std::uint64_t before = offset;
    auto next = runs.upper_bound(offset);
    if (next != runs.begin() && std::prev(next)->second > offset)
        offset = std::prev(next)->second;
    for (; next != runs.end() && next->first - offset < size; ++next)
        offset = next->second;
    return offset != before;
}

void OccupiedSpace::collect(std::size_t node, const Range& its, const Range& asked,
                            std::vector<const Runs*>& found) const {
    const bool isWhole = asked.holds(its);
    const Runs& runs = isWhole ? m_nodes[node].sometimes : m_nodes[node].throughout;
    if (!runs.empty())
        found.push_back(&runs);
    if (isWhole)
        return;
    if (asked.begin < its.middle())
        collect(leftOf(node), {its.begin, its.middle()}, asked, found);
    if (its.middle() < asked.end)
        collect(rightOf(node, its), {its.middle(), its.end}, asked, found);
}

std::uint64_t OccupiedSpace::lowestFree(const StepSpan& span, std::uint64_t size) const {
    std::uint64_t offset = 0;
    if (size == 0)
        return offset;
    std::vector<const Runs*> found;
    collect(0, {0, m_times.size()}, rangeOf(span), found);
    for (bool moved = true; moved;) {
        moved = false;
        for (const Runs* runs : found)
            moved = moveBehind(*runs, size, offset) || moved;
    }
    return offset;
}

void OccupiedSpace::occupy(std::size_t node, const Range& its, const Range& asked,
                           std::uint64_t begin, std::uint64_t end) {
    add(m_nodes[node].sometimes, begin, end);
    if (asked.holds(its)) {
        add(m_nodes[node].throughout, begin, end);
        return;
    }
    if (asked.begin < its.middle())
        occupy(leftOf(node), {its.begin, its.middle()}, asked, begin, end);
    if (its.middle() < asked.end)
        occupy(rightOf(node, its), {its.middle(), its.end}, asked, begin, end);
}

void OccupiedSpace::occupy(const StepSpan& span, std::uint64_t offset, std::uint64_t size) {
    if (size > 0)
        occupy(0, {0, m_times.size()}, rangeOf(span), offset, offset + size);
}

} // namespace plumbline
