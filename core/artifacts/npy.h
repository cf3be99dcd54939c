// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy .npy files of int8 and uint8.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/result.h"

namespace plumbline {

struct NpyArray {
    std::string dtype; ///< NumPy's descr, "|i1"
    std::vector<std::int64_t> shape;
    Bytes data; ///< C order
};

/// Parses a .npy file of format version 1, 2 or 3, C order, any fixed-size dtype. Error: BadNpy.
/// Limits: header 64 KiB, 32 dimensions.
Result<NpyArray> parseNpy(ByteView file);

/// A version 1 file of dtype |i1 with `shape`.
Bytes writeNpy(ByteView int8Data, std::span<const std::int64_t> shape);

/// A model input from `path`: raw bytes, or .npy of int8 whose shape matches `shape` (leading ones
/// aside), when the name ends in .npy. Errors: FileUnreadable, InputSize, InputType, BadNpy; each
/// says what was expected.
Result<Bytes> loadInput(const std::filesystem::path& path, std::uint64_t expectedBytes,
                        std::span<const std::int64_t> shape);

} // namespace plumbline
