// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace plumbline {

std::string toText(const Hwc& shape) {
    return fmt::format("[{},{},{}]", shape.h, shape.w, shape.c);
}

std::int64_t Tensor::elements() const {
    std::int64_t count = 1;
    for (const std::int32_t extent : shape)
        count *= extent;
    return count;
}

std::optional<Hwc> Tensor::batchOneShape() const {
    if (shape.size() == 4 && shape[0] == 1)
        return Hwc{shape[1], shape[2], shape[3]};
    if (shape.size() == 2 && shape[0] == 1)
        return Hwc{1, 1, shape[1]};
    return std::nullopt;
}

std::string shapeText(const std::vector<std::int32_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

} // namespace plumbline
