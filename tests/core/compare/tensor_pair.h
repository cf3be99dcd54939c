// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and pairs of tensors for the tests of comparisons.
#pragma once

#include <string>
#include <vector>

#include "core/compare/tensor_comparison.h"

namespace plumbline::test {

/// A convolution of 3x3 with padding 1 and stride 1: the output is as large as the input.
inline LoweredOperator convolution(const Hwc& shape, std::int64_t tileH, std::int64_t tileW) {
    LoweredOperator op;
    op.placement = Placement::Npu;
    OperatorGeometry& g = op.geometry;
    g.h = g.oh = shape.h, g.w = g.ow = shape.w, g.cout = shape.c, g.cin = 5;
    g.kh = g.kw = 3, g.strideH = g.strideW = 1;
    g.pads = {1, 1, 1, 1};
    TilePlan& t = op.tiles;
    t.tileH = tileH, t.tileW = tileW;
    t.tiles = ((g.oh + tileH - 1) / tileH) * ((g.ow + tileW - 1) / tileW);
    t.fullK = 3 * 3 * 5, t.kSlice = 20; // slices of 20, 20 and 5 steps
    t.facts = {8, 64, Reduction::WindowChannels};
    return op;
}

/// Pointwise: no window reaches into padding, and there is no reduction.
inline LoweredOperator pointwise(const Hwc& shape, std::int64_t tileH, std::int64_t tileW) {
    LoweredOperator op = convolution(shape, tileH, tileW);
    op.geometry.kh = op.geometry.kw = 0;
    op.geometry.pads = {};
    op.tiles.fullK = op.tiles.kSlice = 1;
    op.tiles.facts.reduction = Reduction::None;
    return op;
}

/// Two tensors, equal at first: the values are -20..20, so that changes up to 100 stay in range.
struct Pair {
    Hwc shape;
    Bytes ours, theirs;

    explicit Pair(const Hwc& of)
        : shape(of) {
        for (std::int64_t i = 0; i < shape.elements(); ++i)
            theirs.push_back(static_cast<std::uint8_t>(i * 7 % 41 - 20));
        ours = theirs;
    }
    void change(std::int64_t h, std::int64_t w, std::int64_t c, int difference) {
        const auto at = static_cast<std::size_t>((h * shape.w + w) * shape.c + c);
        ours[at] = static_cast<std::uint8_t>(ours[at] + difference);
    }
    /// Changes every element for which `pick` gives a difference that is not 0.
    template <class Pick> Pair& changeWhere(Pick pick) {
        for (std::int64_t h = 0; h < shape.h; ++h)
            for (std::int64_t w = 0; w < shape.w; ++w)
                for (std::int64_t c = 0; c < shape.c; ++c)
                    change(h, w, c, pick(h, w, c));
        return *this;
    }
    TensorComparison compare(const LoweredOperator* op = nullptr) const {
        return compareTensors(ours, theirs, shape, 0, op);
    }
    std::vector<std::string> findings(const LoweredOperator* op = nullptr) const {
        return findingsOf(compare(op));
    }
};

} // namespace plumbline::test
