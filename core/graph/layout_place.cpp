// SPDX-License-Identifier: GPL-3.0-or-later
// The x of every item: placeItems.
//
// 1. Items are joined to blocks, straight columns of one item per layer: first the bends of a
// trunk,
//    then the longest chain of operators, then the rest. Two joints between the same layers never
//    cross, so the blocks can stand side by side without a cycle.
// 2. All blocks are packed to the left, in the order that the layers give.
// 3. Blocks move towards the middle of their neighbours as far as the blocks beside them allow.
#include <algorithm>
#include <map>
#include <numeric>

#include "core/graph/layout_parts.h"

namespace plumbline::layout_parts {
namespace {

constexpr int kRounds = 8;

std::size_t asSize(std::int32_t index) { return static_cast<std::size_t>(index); }

struct Joint {
    std::int32_t upper = 0;
    std::int32_t lower = 0;
    int rank = 0; ///< 0 along a trunk, 1 between operators, 2 into or out of a trunk
    std::int32_t height = 0;
    std::int32_t offCentre = 0; ///< places away from the middle of the upper's and lower's links
};

class Placer {
  public:
    Placer(Items& items, const GraphLayoutSizes& sizes)
        : m_items(items)
        , m_sizes(sizes)
        , m_place(asSize(items.count()))
        , m_blockOf(asSize(items.count())) {}

    void place() {
        for (const std::vector<std::int32_t>& layer : m_items.layers)
            for (std::size_t i = 0; i < layer.size(); ++i)
                m_place[asSize(layer[i])] = static_cast<std::int32_t>(i);
        join();
        constrain();
        packLeft();
        for (int round = 0; round < kRounds; ++round)
            centre(round % 2 == 0);
        m_items.x.resize(m_blockOf.size());
        for (std::size_t i = 0; i < m_blockOf.size(); ++i)
            m_items.x[i] = m_x[asSize(m_blockOf[i])];
    }

  private:
    /// Links by the layer of their upper end, each with its preference.
    std::vector<std::vector<Joint>> jointsByLayer() const {
        const auto byPlace = [this](std::int32_t a, std::int32_t b) {
            return m_place[asSize(a)] < m_place[asSize(b)];
        };
        std::vector<std::vector<std::int32_t>> above(m_place.size());
        std::vector<std::vector<std::int32_t>> below(m_place.size());
        for (const auto& [upper, lower] : m_items.links) {
            above[asSize(lower)].push_back(upper);
            below[asSize(upper)].push_back(lower);
        }
        std::vector<std::vector<Joint>> joints(m_items.layers.size());
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> offCentre;
        const auto measure = [&](std::vector<std::int32_t>& list) {
            std::sort(list.begin(), list.end(), byPlace);
            return static_cast<std::int32_t>(list.size()) - 1;
        };
        for (std::size_t item = 0; item < m_place.size(); ++item) {
            const std::int32_t last = measure(above[item]);
            for (std::int32_t i = 0; i <= last; ++i)
                offCentre[{above[item][asSize(i)], static_cast<std::int32_t>(item)}] =
                    std::abs(2 * i - last);
        }
        for (std::size_t item = 0; item < m_place.size(); ++item) {
            const auto upper = static_cast<std::int32_t>(item);
            const std::int32_t last = measure(below[item]);
            for (std::int32_t i = 0; i <= last; ++i) {
                const std::int32_t lower = below[item][asSize(i)];
                joints[asSize(m_items.layerOf[item])].push_back(
                    {upper, lower, rankOf(upper, lower),
                     m_items.isBend(lower) ? 0 : m_items.height[asSize(lower)],
                     offCentre[{upper, lower}] + std::abs(2 * i - last)});
            }
        }
        return joints;
    }

    int rankOf(std::int32_t upper, std::int32_t lower) const {
        const bool from = m_items.isBend(upper);
        const bool to = m_items.isBend(lower);
        return from && to ? 0 : !from && !to ? 1 : 2;
    }

    void join() {
        std::vector<std::int32_t> above(m_place.size(), -1);
        std::vector<bool> taken(m_place.size());
        for (std::vector<Joint>& joints : jointsByLayer())
            joinLayer(joints, above, taken);
        std::int32_t blocks = 0;
        for (const std::vector<std::int32_t>& layer : m_items.layers)
            for (const std::int32_t item : layer)
                m_blockOf[asSize(item)] =
                    above[asSize(item)] < 0 ? blocks++ : m_blockOf[asSize(above[asSize(item)])];
        m_x.assign(asSize(blocks), 0);
    }

    void joinLayer(std::vector<Joint>& joints, std::vector<std::int32_t>& above,
                   std::vector<bool>& taken) const {
        std::sort(joints.begin(), joints.end(), [](const Joint& a, const Joint& b) {
            return std::tuple(a.rank, -a.height, a.offCentre, a.upper, a.lower) <
                   std::tuple(b.rank, -b.height, b.offCentre, b.upper, b.lower);
        });
        std::map<std::int32_t, std::int32_t> chosen; // place of the upper end to that of the lower
        for (const Joint& joint : joints) {
            if (taken[asSize(joint.upper)] || above[asSize(joint.lower)] >= 0)
                continue;
            const std::int32_t upper = m_place[asSize(joint.upper)];
            const std::int32_t lower = m_place[asSize(joint.lower)];
            const auto right = chosen.upper_bound(upper);
            if ((right != chosen.end() && right->second < lower) ||
                (right != chosen.begin() && std::prev(right)->second > lower))
                continue;
            chosen.emplace(upper, lower);
            taken[asSize(joint.upper)] = true;
            above[asSize(joint.lower)] = joint.upper;
        }
    }

    double distance(std::int32_t left, std::int32_t right) const {
        const bool bend = m_items.isBend(left) || m_items.isBend(right);
        return (m_items.width[asSize(left)] + m_items.width[asSize(right)]) / 2 +
               (bend ? m_sizes.edgeGap : m_sizes.nodeGap);
    }

    struct Side {
        std::int32_t block = 0;
        double distance = 0;
    };

    void constrain() {
        m_left.resize(m_x.size());
        m_right.resize(m_x.size());
        m_pulls.resize(m_x.size());
        for (const std::vector<std::int32_t>& layer : m_items.layers)
            for (std::size_t i = 1; i < layer.size(); ++i) {
                const std::int32_t left = m_blockOf[asSize(layer[i - 1])];
                const std::int32_t right = m_blockOf[asSize(layer[i])];
                const double gap = distance(layer[i - 1], layer[i]);
                m_left[asSize(right)].push_back({left, gap});
                m_right[asSize(left)].push_back({right, gap});
            }
        for (const auto& [upper, lower] : m_items.links) {
            const std::int32_t a = m_blockOf[asSize(upper)];
            const std::int32_t b = m_blockOf[asSize(lower)];
            if (a == b)
                continue;
            m_pulls[asSize(a)].push_back(b);
            m_pulls[asSize(b)].push_back(a);
        }
    }

    /// Also finds m_order, in which every block comes after those to its left.
    void packLeft() {
        std::vector<std::size_t> waiting(m_x.size());
        for (std::size_t block = 0; block < m_x.size(); ++block) {
            waiting[block] = m_left[block].size();
            if (waiting[block] == 0)
                m_order.push_back(static_cast<std::int32_t>(block));
        }
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const auto block = asSize(m_order[i]);
            for (const Side& side : m_right[block]) {
                double& x = m_x[asSize(side.block)];
                x = std::max(x, m_x[block] + side.distance);
                if (--waiting[asSize(side.block)] == 0)
                    m_order.push_back(side.block);
            }
        }
    }

    void centre(bool fromRight) {
        std::vector<std::int32_t> order = m_order;
        if (fromRight)
            std::reverse(order.begin(), order.end());
        std::vector<double> pulls;
        for (const std::int32_t block : order) {
            if (m_pulls[asSize(block)].empty())
                continue;
            pulls.clear();
            for (const std::int32_t other : m_pulls[asSize(block)])
                pulls.push_back(m_x[asSize(other)]);
            const auto middle = pulls.begin() + static_cast<std::ptrdiff_t>((pulls.size() - 1) / 2);
            std::nth_element(pulls.begin(), middle, pulls.end());
            double x = *middle;
            for (const Side& side : m_right[asSize(block)])
                x = std::min(x, m_x[asSize(side.block)] - side.distance);
            for (const Side& side : m_left[asSize(block)])
                x = std::max(x, m_x[asSize(side.block)] + side.distance);
            m_x[asSize(block)] = x;
        }
    }

    Items& m_items;
    const GraphLayoutSizes& m_sizes;
    std::vector<std::int32_t> m_place;   ///< per item: position in its layer
    std::vector<std::int32_t> m_blockOf; ///< per item
    std::vector<double> m_x;             ///< per block
    std::vector<std::vector<Side>> m_left;
    std::vector<std::vector<Side>> m_right;
    std::vector<std::vector<std::int32_t>> m_pulls; ///< blocks that a block has links with
    std::vector<std::int32_t> m_order;
};

} // namespace

void placeItems(Items& items, const GraphLayoutSizes& sizes) { Placer(items, sizes).place(); }

} // namespace plumbline::layout_parts
