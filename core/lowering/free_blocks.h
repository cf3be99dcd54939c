// SPDX-License-Identifier: GPL-3.0-or-later
// The free blocks of an arena, searched in logarithmic time.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace plumbline {

struct FreeBlock {
    std::uint64_t offset = 0; ///< bytes from the arena's start
    std::uint64_t size = 0;   ///< bytes
    bool operator==(const FreeBlock&) const = default;
};

/// Disjoint blocks that do not touch, in address order: a search tree whose nodes know the largest
/// block below them (a treap, balanced by numbers that follow from the order of insertions alone).
/// No block has size 0.
class FreeBlocks {
  public:
    /// Puts back what lies beside no block or touches one or two, which grow.
    void release(std::uint64_t offset, std::uint64_t size);
    /// The block at the lowest address of at least `size` bytes.
    std::optional<FreeBlock> firstFit(std::uint64_t size) const;
    /// The smallest block of at least `size` bytes; of equal ones that at the lowest address.
    std::optional<FreeBlock> bestFit(std::uint64_t size) const;
    /// The block at the highest address.
    std::optional<FreeBlock> last() const;
    /// Removes `block`, which is one of these, except for what of it lies behind its first `size`
    /// bytes; size <= block.size.
    void cut(const FreeBlock& block, std::uint64_t size);

    std::size_t count() const { return m_bySize.size(); }
    std::uint64_t largest() const { return m_bySize.empty() ? 0 : m_bySize.rbegin()->first; }
    /// All blocks in address order.
    std::vector<FreeBlock> list() const;

  private:
    using Index = std::uint32_t; ///< in m_nodes; 0 is no node
    struct Node {
        FreeBlock block;
        std::uint64_t largest = 0; ///< size of the largest block of the subtree
        std::uint32_t priority = 0;
        Index left = 0;
        Index right = 0;
    };

    Index makeNode(const FreeBlock& block);
    void update(Index at);
    /// The subtree's nodes below and from `offset` on.
    std::pair<Index, Index> split(Index at, std::uint64_t offset);
    Index merge(Index left, Index right);
    void insert(const FreeBlock& block);
    void erase(const FreeBlock& block);
    Index before(std::uint64_t offset) const;
    Index from(std::uint64_t offset) const;

    std::vector<Node> m_nodes{Node{}};
    std::vector<Index> m_unused;
    Index m_root = 0;
    std::uint32_t m_state = 1;                                  ///< of the sequence of priorities
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_bySize; ///< size and offset
};

} // namespace plumbline
