// SPDX-License-Identifier: GPL-3.0-or-later
// One layer's tensor against the reference's: how many elements differ, by how much, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/compare/diff.h"
#include "core/lowering/lowering.h"

namespace plumbline {

/// How many elements of a part of the tensor differ.
struct PartCount {
    std::int64_t mismatches = 0;
    std::int64_t elements = 0;
    bool operator==(const PartCount&) const = default;
};

/// Where mismatches lie. Vectors have one entry per channel, row, column or group.
struct MismatchPlaces {
    std::vector<PartCount> channels;
    std::vector<PartCount> rows;
    std::vector<PartCount> columns;
    std::vector<PartCount> groups; ///< channel groups of the target's lanes
    PartCount shortenedTiles;      ///< elements in tiles cut short at the right or bottom edge
    PartCount tileBorders;         ///< elements in the first or last row or column of a whole tile
    PartCount paddedWindows;       ///< elements whose window reaches into the padding
    std::int64_t slices = 0;       ///< K slices of the reduction; 0 where there is none
};

struct TensorComparison {
    bool equal = true;
    std::int64_t elements = 0;
    /// Nothing where the reference holds a digest only, or another number of bytes.
    std::optional<std::int64_t> mismatches;
    std::optional<ElementDifference> first;
    std::int64_t maxAbs = 0; ///< largest |ours - theirs|
    /// (ours - theirs, count), ascending, differences that occur, 0 included.
    std::vector<std::pair<int, std::int64_t>> histogram;
    /// 10 log10(S / N), S the sum of (theirs - zero point)^2 and N that of (ours - theirs)^2, over
    /// all elements in double precision; nothing where either is 0 (so where equal).
    std::optional<double> sqnrDb;
    /// sum a b / sqrt(sum a^2 sum b^2) with a = ours - zero point, b = theirs - zero point, in
    /// -1..1; nothing where one of the sums of squares is 0.
    std::optional<double> cosine;
    std::optional<int> oursEverywhere; ///< the value of all elements of ours, where it is one
    std::optional<int> theirsEverywhere;
    MismatchPlaces places; ///< empty where equal
    std::string note;      ///< why only digests or sizes were compared; may be empty
};

/// Compares `ours` with `theirs`, int8 [H,W,C] of `shape` both. `op` gives tiles, windows and
/// groups; null for a layer without (softmax). Its numbers may be damaged: places that they do not
/// give stay empty. `zeroPoint` is the output's. Time is linear in the elements.
TensorComparison compareTensors(ByteView ours, ByteView theirs, const Hwc& shape,
                                std::int64_t zeroPoint, const LoweredOperator* op);

/// What the mismatches have in common, one sentence each, the most telling first, at most five:
/// "All 12 mismatches lie in channel 3 (12 of 16 elements)."; empty where equal or nothing stands
/// out. A place stands out when mismatches strewn at random would hardly all lie in it, or when it
/// is wrong for the most part.
std::vector<std::string> findingsOf(const TensorComparison& comparison);

} // namespace plumbline
