// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor as the model states it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/graph/element_type.h"

namespace plumbline {

/// Affine quantization: real = scale * (q - zeroPoint), per tensor or along one dimension.
struct Quantization {
    std::vector<float> scales;            ///< empty, one, or one per slice of `dimension`
    std::vector<std::int64_t> zeroPoints; ///< likewise; may be shorter than `scales` in a file
    int dimension = 0;                    ///< the quantized dimension of per-axis quantization
    bool operator==(const Quantization&) const = default;
};

/// Height, width and channels of a batch-one activation.
struct Hwc {
    std::int64_t h = 1;
    std::int64_t w = 1;
    std::int64_t c = 1;
    std::int64_t elements() const { return h * w * c; }
    bool operator==(const Hwc&) const = default;
};

/// "[49,10,1]"
std::string toText(const Hwc& shape);

struct Tensor {
    std::string name; ///< may be empty
    std::vector<std::int32_t> shape;
    ElementType type = ElementType::Float32;
    Quantization quantization;
    std::int64_t buffer = 0; ///< index of the file's buffer
    ByteView data;           ///< constant data; empty for activations; points into Model::file
    bool isVariable = false;

    bool isConstant() const { return !data.empty(); }
    /// Product of the dimensions; 1 for a scalar. The importer guarantees that it fits.
    std::int64_t elements() const;
    /// (H,W,C) of shape [1,H,W,C] or [1,C]; nothing for any other shape (spec section 1).
    std::optional<Hwc> batchOneShape() const;
};

/// "[1,49,10,1] INT8"
std::string shapeText(const std::vector<std::int32_t>& shape);

} // namespace plumbline
