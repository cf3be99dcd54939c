// SPDX-License-Identifier: GPL-3.0-or-later
// Which addresses are taken at which operators, for planners that know all lifetimes in advance.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace plumbline {

/// Operators first..last, both included; first <= last.
struct StepSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// A tree over time. Each node keeps the union of the addresses of what lives throughout its
/// operators, and of what lives at any of them; buffers beside each other become one run, so a
/// dense plan is searched in few steps however many buffers it holds.
class OccupiedSpace {
  public:
    /// `spans` are those that will be asked for.
    explicit OccupiedSpace(const std::vector<StepSpan>& spans);

    /// The lowest offset of `size` bytes that nothing occupies during `span`; 0 for a size of 0.
    std::uint64_t lowestFree(const StepSpan& span, std::uint64_t size) const;
    void occupy(const StepSpan& span, std::uint64_t offset, std::uint64_t size);

  private:
    using Runs = std::map<std::uint64_t, std::uint64_t>; ///< begin to end, disjoint, not touching
    struct Node {
        Runs throughout;
        Runs sometimes;
    };
    /// A range of m_times, half open.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t middle() const { return begin + (end - begin) / 2; }
        bool holds(const Range& other) const { return begin <= other.begin && other.end <= end; }
    };

    Range rangeOf(const StepSpan& span) const;
    static std::size_t leftOf(std::size_t node) { return node + 1; }
    static std::size_t rightOf(std::size_t node, const Range& its) {
        return node + 2 * (its.middle() - its.begin);
    }
    static void add(Runs& runs, std::uint64_t begin, std::uint64_t end);
    static bool moveBehind(const Runs& runs, std::uint64_t size, std::uint64_t& offset);
    void collect(std::size_t node, const Range& its, const Range& asked,
                 std::vector<const Runs*>& found) const;
    void occupy(std::size_t node, const Range& its, const Range& asked, std::uint64_t begin,
                std::uint64_t end);

    std::vector<std::int64_t> m_times; ///< first and last operators that occur, in order
    std::vector<Node> m_nodes; ///< each before the nodes of its left half, then of its right half
};

} // namespace plumbline
