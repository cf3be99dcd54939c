// SPDX-License-Identifier: GPL-3.0-or-later
// How many multiply-accumulates per second this machine can do at most with the operation that the
// dense kernels are made of.
#pragma once

#include <cstdint>

namespace plumbline::bench {

/// What the best instruction set has. Each function says how much it has done.
struct Peak {
    const char* operation;                      ///< "int8 dot product" or "int16 multiply-add"
    std::uint64_t (*run)(std::uint64_t rounds); ///< multiply-accumulates, in registers
    std::uint64_t (*requantize)(std::uint64_t rounds); ///< values, in registers
    /// Multiply-accumulates of weights that are read once each; `bytes` is a multiple of 512.
    std::uint64_t (*read)(const std::uint8_t* weights, std::uint64_t bytes);
    std::uint64_t weightBytes; ///< of one packed weight
};
Peak peakOfBestTarget();

/// Of one instruction set, as Highway numbers them.
template <std::int64_t kTarget> Peak peakOf();

} // namespace plumbline::bench
