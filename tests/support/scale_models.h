// SPDX-License-Identifier: GPL-3.0-or-later
// Large models whose shapes ask different parts for more than linear work.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/base/bytes.h"

namespace plumbline::test {

struct ScaleShape {
    std::string_view name; ///< "chain"
    std::string_view asks; ///< what makes it hard, one sentence
    bool isRefused = false;
    Bytes (*make)(std::size_t operators) = nullptr; ///< a TFLite file; at least 10 operators
};

/// The shapes, the built-in sample first.
std::span<const ScaleShape> scaleShapes();

} // namespace plumbline::test
