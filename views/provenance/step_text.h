// SPDX-License-Identifier: GPL-3.0-or-later
// An explanation in a few words: where the element was made, and its arithmetic as a chain.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/lowering/explanation.h"
#include "core/lowering/tile_walk.h"

namespace plumbline {

/// One link of the chain from bias to byte. It stands for the steps after the link before it, up
/// to and including `lastStep`.
struct ChainLink {
    QString name;             ///< "slice 1", "rounding shift"
    std::int64_t value = 0;   ///< what the steps up to `step` make
    std::size_t step = 0;     ///< the one to go to, index in Explanation::steps
    std::size_t lastStep = 0; ///< at or after `step`
    bool isSlice = false;     ///< a K slice before the last one
    bool operator==(const ChainLink&) const = default;
};

/// The steps of a reduction are one link per slice, all others one each; the last link is the byte
/// itself. Empty without steps.
std::vector<ChainLink> chainOf(const Explanation& explanation);

/// `chain` with the middle ones of more than `most` (2 or more) early slices taken together in one
/// link, which has the value of the last of them.
std::vector<ChainLink> shortened(std::vector<ChainLink> chain, std::size_t most);

/// The link that stands for `step`; nothing without links.
std::optional<std::size_t> linkOf(const std::vector<ChainLink>& chain, std::size_t step);

/// "op/7 CONV_2D · element (3,4,17) · tile 5 · position 2 · group 2 · lane 1"
QString placeText(const Explanation& explanation);

/// "(3,4,17)"
QString elementText(const ElementIndex& element);

/// "1,0,5" for kh, kw, cin; without what the reduction has not; empty outside it.
QString reductionText(const ReplayStep& step, const std::optional<TileWalk>& walk);
/// "kh,kw,cin", what reductionText names.
QString reductionHeader(const std::optional<TileWalk>& walk);

} // namespace plumbline
