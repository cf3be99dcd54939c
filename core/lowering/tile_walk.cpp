// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lowering/tile_walk.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace plumbline {
namespace {

std::int64_t ceilDivide(std::int64_t value, std::int64_t divisor) {
    return (value + divisor - 1) / divisor;
}

bool inRange(std::int64_t value, std::int64_t least) {
    return value >= least && value <= TileWalk::kMaxExtent;
}

/// An extent, pad or stride that is not walkable; empty when all are.
std::string badExtent(const OperatorGeometry& g) {
    struct Named {
        const char* name;
        std::int64_t value;
        std::int64_t least;
    };
    const std::array<Named, 14> numbers{{{"input height", g.h, 1},
                                         {"input width", g.w, 1},
                                         {"input channels", g.cin, 1},
                                         {"output height", g.oh, 1},
                                         {"output width", g.ow, 1},
                                         {"output channels", g.cout, 1},
                                         {"kernel height", g.kh, 0},
                                         {"kernel width", g.kw, 0},
                                         {"stride down", g.strideH, 0},
                                         {"stride across", g.strideW, 0},
                                         {"padding above", g.pads[0], 0},
                                         {"padding below", g.pads[1], 0},
                                         {"padding left", g.pads[2], 0},
                                         {"padding right", g.pads[3], 0}}};
    for (const Named& n : numbers)
        if (!inRange(n.value, n.least))
            return fmt::format("the {} of {} is not {}..{}", n.name, n.value, n.least,
                               TileWalk::kMaxExtent);
    return "";
}

} // namespace

std::optional<TileWalk> TileWalk::of(const LoweredOperator& op, std::string* problem) {
    TileWalk walk;
    std::string why = walk.takeNumbers(op);
    if (why.empty())
        return walk;
    if (problem != nullptr)
        *problem = std::move(why);
    return std::nullopt;
}

std::string TileWalk::takeNumbers(const LoweredOperator& op) {
    m_geometry = op.geometry;
    m_plan = op.tiles;
    m_cost = op.cost;
    const OperatorGeometry& g = m_geometry;
    const TilePlan& t = m_plan;
    if (std::string bad = badExtent(g); !bad.empty())
        return bad;
    if (!inRange(t.tileH, 1) || !inRange(t.tileW, 1))
        return fmt::format("a tile of {}x{} is not walkable", t.tileH, t.tileW);
    if (t.facts.lanes < 1 || t.facts.maxPositions < 1)
        return "the target states no lanes for the opcode";
    const bool isWindowed = t.facts.reduction != Reduction::None;
    m_kernelH = !isWindowed ? 1 : g.kh > 0 ? g.kh : g.h;
    m_kernelW = !isWindowed ? 1 : g.kw > 0 ? g.kw : g.w;
    m_strideH = isWindowed ? std::max<std::int64_t>(g.strideH, 1) : 1;
    m_strideW = isWindowed ? std::max<std::int64_t>(g.strideW, 1) : 1;
    const std::int64_t length = m_kernelH * m_kernelW * stepsPerKernelPosition();
    if (t.fullK != length)
        return fmt::format("the reduction has {} steps, kernel and channels make {}", t.fullK,
                           length);
    if (t.kSlice < 1 || t.kSlice > length)
        return fmt::format("a slice of {} steps does not fit a reduction of {}", t.kSlice, length);
    if (t.tiles != tileCount())
        return fmt::format("{} tiles are stated, the grid has {}", t.tiles, tileCount());
    return "";
}

std::int64_t TileWalk::rows() const { return ceilDivide(m_geometry.oh, m_plan.tileH); }
std::int64_t TileWalk::columns() const { return ceilDivide(m_geometry.ow, m_plan.tileW); }

GridRect TileWalk::tile(std::int64_t tile) const {
    const std::int64_t y = tile / columns() * m_plan.tileH;
    const std::int64_t x = tile % columns() * m_plan.tileW;
    return {y, x, std::min(m_plan.tileH, m_geometry.oh - y),
            std::min(m_plan.tileW, m_geometry.ow - x)};
}

bool TileWalk::isShortened(std::int64_t tile) const {
    const GridRect r = this->tile(tile);
    return r.h < m_plan.tileH || r.w < m_plan.tileW;
}

std::int64_t TileWalk::tileAt(const GridPoint& output) const {
    const std::int64_t y = std::clamp<std::int64_t>(output.y, 0, m_geometry.oh - 1);
    const std::int64_t x = std::clamp<std::int64_t>(output.x, 0, m_geometry.ow - 1);
    return y / m_plan.tileH * columns() + x / m_plan.tileW;
}

std::int64_t TileWalk::positionsIn(std::int64_t tile) const {
    const GridRect r = this->tile(tile);
    return r.h * r.w;
}

GridPoint TileWalk::position(std::int64_t tile, std::int64_t position) const {
    const GridRect r = this->tile(tile);
    return {r.y + position / r.w, r.x + position % r.w};
}

std::int64_t TileWalk::positionAt(std::int64_t tile, const GridPoint& output) const {
    const GridRect r = this->tile(tile);
    const std::int64_t y = std::clamp<std::int64_t>(output.y - r.y, 0, r.h - 1);
    const std::int64_t x = std::clamp<std::int64_t>(output.x - r.x, 0, r.w - 1);
    return y * r.w + x;
}

GridRect TileWalk::window(const GridRect& outputs) const {
    return {outputs.y * m_strideH - m_geometry.pads[0], outputs.x * m_strideW - m_geometry.pads[2],
            (outputs.h - 1) * m_strideH + m_kernelH, (outputs.w - 1) * m_strideW + m_kernelW};
}

GridRect TileWalk::insideInput(const GridRect& window) const {
    const std::int64_t y = std::clamp<std::int64_t>(window.y, 0, m_geometry.h);
    const std::int64_t x = std::clamp<std::int64_t>(window.x, 0, m_geometry.w);
    const std::int64_t bottom = std::clamp<std::int64_t>(window.y + window.h, y, m_geometry.h);
    const std::int64_t right = std::clamp<std::int64_t>(window.x + window.w, x, m_geometry.w);
    return {y, x, bottom - y, right - x};
}

GridRect TileWalk::paddedInput() const {
    const auto& [top, bottom, left, right] = m_geometry.pads;
    return {-top, -left, m_geometry.h + top + bottom, m_geometry.w + left + right};
}

std::int64_t TileWalk::groups() const { return ceilDivide(m_geometry.cout, m_plan.facts.lanes); }

std::int64_t TileWalk::lanesIn(std::int64_t group) const {
    return std::clamp<std::int64_t>(m_geometry.cout - group * m_plan.facts.lanes, 0,
                                    m_plan.facts.lanes);
}

std::int64_t TileWalk::slices() const { return ceilDivide(m_plan.fullK, m_plan.kSlice); }

ReductionSlice TileWalk::slice(std::int64_t slice) const {
    const std::int64_t begin = slice * m_plan.kSlice;
    return {begin, std::min(begin + m_plan.kSlice, m_plan.fullK)};
}

std::int64_t TileWalk::stepsPerKernelPosition() const {
    return m_plan.facts.reduction == Reduction::WindowChannels ? m_geometry.cin : 1;
}

ReductionPlace TileWalk::place(std::int64_t k) const {
    const std::int64_t per = stepsPerKernelPosition();
    return {k / per / m_kernelW, k / per % m_kernelW, k % per};
}

double TileWalk::laneUse() const {
    return static_cast<double>(m_geometry.cout) /
           static_cast<double>(groups() * m_plan.facts.lanes);
}

double TileWalk::laneUse(std::int64_t group) const {
    return static_cast<double>(lanesIn(group)) / static_cast<double>(m_plan.facts.lanes);
}

double TileWalk::positionUse(std::int64_t tile) const {
    return std::min(1.0, static_cast<double>(positionsIn(tile)) /
                             static_cast<double>(m_plan.facts.maxPositions));
}

Reloads TileWalk::reloads() const {
    return {(slices() - 1) * tileCount(), m_cost.inputFetches,
            groups() * std::min(m_cost.weightFetches, std::int64_t{1} << 40), m_cost.weightFetches,
            m_cost.paramFetches};
}

TileCursor TileWalk::clamped(TileCursor cursor) const {
    cursor.tile = std::clamp<std::int64_t>(cursor.tile, 0, tileCount() - 1);
    cursor.position = std::clamp<std::int64_t>(cursor.position, 0, positionsIn(cursor.tile) - 1);
    cursor.group = std::clamp<std::int64_t>(cursor.group, 0, groups() - 1);
    cursor.slice = std::clamp<std::int64_t>(cursor.slice, 0, slices() - 1);
    return cursor;
}

TileCursor TileWalk::movedByPositions(TileCursor cursor, std::int64_t delta) const {
    cursor = clamped(cursor);
    for (; delta > 0; --delta) {
        if (cursor.position + 1 < positionsIn(cursor.tile)) {
            ++cursor.position;
        } else if (cursor.tile + 1 < tileCount()) {
            ++cursor.tile;
            cursor.position = 0;
        }
    }
    for (; delta < 0; ++delta) {
        if (cursor.position > 0) {
            --cursor.position;
        } else if (cursor.tile > 0) {
            --cursor.tile;
            cursor.position = positionsIn(cursor.tile) - 1;
        }
    }
    return cursor;
}

} // namespace plumbline
