// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which a record makes its output: tiles in row-major order, positions inside the
// tile, channel groups, slices of the reduction. Pure arithmetic over a LoweredOperator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/lowering/lowering.h"

namespace plumbline {

/// A rectangle of rows and columns; may lie partly outside its tensor where it is a window.
struct GridRect {
    std::int64_t y = 0, x = 0;
    std::int64_t h = 0, w = 0;
    bool contains(std::int64_t row, std::int64_t column) const {
        return row >= y && row - y < h && column >= x && column - x < w;
    }
    bool operator==(const GridRect&) const = default;
};

struct GridPoint {
    std::int64_t y = 0, x = 0;
    bool operator==(const GridPoint&) const = default;
};

/// The place of one reduction step k.
struct ReductionPlace {
    std::int64_t kh = 0, kw = 0, cin = 0;
    bool operator==(const ReductionPlace&) const = default;
};

/// Steps begin .. end - 1 of the reduction.
struct ReductionSlice {
    std::int64_t begin = 0, end = 0;
    bool operator==(const ReductionSlice&) const = default;
};

/// Where the walk stands; all zero-based.
struct TileCursor {
    std::int64_t tile = 0;
    std::int64_t position = 0; ///< in the tile, row-major
    std::int64_t group = 0;
    std::int64_t slice = 0;
    bool operator==(const TileCursor&) const = default;
};

/// How often operands are fetched again (cost model; estimates). Source: spec section 11.
struct Reloads {
    std::int64_t inputSlices = 0; ///< slices after the first, over all tiles
    std::int64_t inputTensors = 0;
    std::int64_t weightGroups = 0;
    std::int64_t weightTensors = 0;
    std::int64_t paramTensors = 0;
};

class TileWalk {
  public:
    /// Largest extent, kernel, stride or pad that is walked; a damaged package may state any.
    static constexpr std::int64_t kMaxExtent = 65536;

    /// The walk of `op`, which is an NPU operator. Nothing, with `problem` set, when its numbers do
    /// not fit together.
    static std::optional<TileWalk> of(const LoweredOperator& op, std::string* problem = nullptr);

    const OperatorGeometry& geometry() const { return m_geometry; }
    const TilePlan& plan() const { return m_plan; }

    std::int64_t rows() const;    ///< of tiles
    std::int64_t columns() const; ///< of tiles
    std::int64_t tileCount() const { return rows() * columns(); }
    /// The output positions of `tile`; edge tiles are shortened.
    GridRect tile(std::int64_t tile) const;
    bool isShortened(std::int64_t tile) const;
    std::int64_t tileAt(const GridPoint& output) const;

    std::int64_t positionsIn(std::int64_t tile) const;
    GridPoint position(std::int64_t tile, std::int64_t position) const;
    std::int64_t positionAt(std::int64_t tile, const GridPoint& output) const;

    /// Kernel extents: those of the record, or the whole input where it has none (fully connected
    /// and global pooling).
    std::int64_t kernelH() const { return m_kernelH; }
    std::int64_t kernelW() const { return m_kernelW; }
    /// The input rectangle that makes `outputs`, padding included: it may begin below zero.
    GridRect window(const GridRect& outputs) const;
    /// The part of `window` that is inside the input; empty extents when none is.
    GridRect insideInput(const GridRect& window) const;
    /// The input with its padding.
    GridRect paddedInput() const;

    std::int64_t groups() const;
    /// Channels of `group` that exist; the others are a lane tail.
    std::int64_t lanesIn(std::int64_t group) const;

    std::int64_t slices() const;
    ReductionSlice slice(std::int64_t slice) const;
    ReductionPlace place(std::int64_t k) const;
    /// Reduction steps of one kernel position: cin where channels are reduced, else 1.
    std::int64_t stepsPerKernelPosition() const;

    double laneUse() const;                      ///< channels / lanes of all groups, 0..1
    double laneUse(std::int64_t group) const;    ///< 0..1
    double positionUse(std::int64_t tile) const; ///< positions / largest tile of the target, 0..1
    Reloads reloads() const;

    /// `cursor` with every part moved into range.
    TileCursor clamped(TileCursor cursor) const;
    /// The cursor `delta` positions away in the order of the walk, over tile borders.
    TileCursor movedByPositions(TileCursor cursor, std::int64_t delta) const;

  private:
    TileWalk() = default;
    std::string takeNumbers(const LoweredOperator& op);

    OperatorGeometry m_geometry;
    TilePlan m_plan;
    Cost m_cost;
    std::int64_t m_kernelH = 1, m_kernelW = 1;
    std::int64_t m_strideH = 1, m_strideW = 1;
};

} // namespace plumbline
