// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/free_blocks.h"

#include <algorithm>

namespace plumbline {

FreeBlocks::Index FreeBlocks::makeNode(const FreeBlock& block) {
    if (m_unused.empty()) {
        m_unused.push_back(static_cast<Index>(m_nodes.size()));
        m_nodes.emplace_back();
    }
    const Index made = m_unused.back();
    m_unused.pop_back();
    m_state = m_state * 1664525U + 1013904223U;
    m_nodes[made] = {block, block.size, m_state, 0, 0};
    return made;
}

void FreeBlocks::update(Index at) {
    Node& node = m_nodes[at];
    node.largest =
        std::max({node.block.size, m_nodes[node.left].largest, m_nodes[node.right].largest});
}

std::pair<FreeBlocks::Index, FreeBlocks::Index> FreeBlocks::split(Index at, std::uint64_t offset) {
    if (at == 0)
        return {0, 0};
    std::pair<Index, Index> parts;
    if (m_nodes[at].block.offset < offset) {
        parts = split(m_nodes[at].right, offset);
        m_nodes[at].right = std::exchange(parts.first, at);
    } else {
        parts = split(m_nodes[at].left, offset);
        m_nodes[at].left = std::exchange(parts.second, at);
    }
    update(at);
    return parts;
}

FreeBlocks::Index FreeBlocks::merge(Index left, Index right) {
    if (left == 0 || right == 0)
        return left == 0 ? right : left;
    if (m_nodes[left].priority > m_nodes[right].priority) {
        m_nodes[left].right = merge(m_nodes[left].right, right);
        update(left);
        return left;
    }
    m_nodes[right].left = merge(left, m_nodes[right].left);
    update(right);
    return right;
}

void FreeBlocks::insert(const FreeBlock& block) {
    const auto [below, above] = split(m_root, block.offset);
    m_root = merge(merge(below, makeNode(block)), above);
    m_bySize.emplace(block.size, block.offset);
}

void FreeBlocks::erase(const FreeBlock& block) {
    const auto [below, rest] = split(m_root, block.offset);
    const auto [found, above] = split(rest, block.offset + 1);
    m_unused.push_back(found);
    m_root = merge(below, above);
    m_bySize.erase({block.size, block.offset});
}

FreeBlocks::Index FreeBlocks::before(std::uint64_t offset) const {
    Index found = 0;
    for (Index at = m_root; at != 0;) {
        const bool isBefore = m_nodes[at].block.offset < offset;
        found = isBefore ? at : found;
        at = isBefore ? m_nodes[at].right : m_nodes[at].left;
    }
    return found;
}

FreeBlocks::Index FreeBlocks::from(std::uint64_t offset) const {
    Index found = 0;
    for (Index at = m_root; at != 0;) {
        const bool isBefore = m_nodes[at].block.offset < offset;
        found = isBefore ? found : at;
        at = isBefore ? m_nodes[at].right : m_nodes[at].left;
    }
    return found;
}

void FreeBlocks::release(std::uint64_t offset, std::uint64_t size) {
    if (size == 0)
        return;
    FreeBlock made{offset, size};
    if (const Index left = before(offset)) {
        const FreeBlock beside = m_nodes[left].block;
        if (beside.offset + beside.size == offset) {
            made = {beside.offset, beside.size + size};
            erase(beside);
        }
    }
    if (const Index right = from(offset)) {
        const FreeBlock beside = m_nodes[right].block;
        if (beside.offset == offset + size) {
            made.size += beside.size;
            erase(beside);
        }
    }
    insert(made);
}

std::optional<FreeBlock> FreeBlocks::firstFit(std::uint64_t size) const {
    if (m_root == 0 || m_nodes[m_root].largest < size)
        return std::nullopt;
    for (Index at = m_root;;) {
        const Node& node = m_nodes[at];
        if (node.left != 0 && m_nodes[node.left].largest >= size)
            at = node.left;
        else if (node.block.size >= size)
            return node.block;
        else
            at = node.right;
    }
}

std::optional<FreeBlock> FreeBlocks::bestFit(std::uint64_t size) const {
    const auto found = m_bySize.lower_bound({size, 0});
    if (found == m_bySize.end())
        return std::nullopt;
    return FreeBlock{found->second, found->first};
}

std::optional<FreeBlock> FreeBlocks::last() const {
    if (m_root == 0)
        return std::nullopt;
    Index at = m_root;
    while (m_nodes[at].right != 0)
        at = m_nodes[at].right;
    return m_nodes[at].block;
}

void FreeBlocks::cut(const FreeBlock& block, std::uint64_t size) {
    erase(block);
    if (size < block.size)
        insert({block.offset + size, block.size - size});
}

std::vector<FreeBlock> FreeBlocks::list() const {
    std::vector<FreeBlock> blocks;
    blocks.reserve(count());
    std::vector<Index> path;
    for (Index at = m_root; at != 0 || !path.empty();) {
        for (; at != 0; at = m_nodes[at].left)
            path.push_back(at);
        blocks.push_back(m_nodes[path.back()].block);
        at = m_nodes[path.back()].right;
        path.pop_back();
    }
    return blocks;
}

} // namespace plumbline
