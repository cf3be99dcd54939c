// SPDX-License-Identifier: GPL-3.0-or-later
// How many multiply-accumulates per second this machine can do at most with the operation that the
// dense kernels are made of.
#pragma once

#include <cstdint>

namespace plumbline::bench {

/// What the best instruction set has.
struct Peak {
    const char* operation;                      ///< "int8 dot product" or "int16 multiply-add"
    std::uint64_t (*run)(std::uint64_t rounds); ///< multiply-accumulates that it has done
};
Peak peakOfBestTarget();

} // namespace plumbline::bench
