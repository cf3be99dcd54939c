// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/diff.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/sha256.h"

namespace plumbline {
namespace {

using LayerIndex = std::unordered_map<std::int64_t, const TraceLayer*>;

LayerIndex indexLayers(const Trace& trace) {
    LayerIndex index;
    for (const TraceLayer& layer : trace.layers)
        index.emplace(layer.operatorIndex, &layer);
    return index;
}

/// Whether there is something to compare byte by byte. A digest whose size is unknown states 0
/// bytes.
bool carriesBytes(const TraceLayer& layer) { return layer.hasBytes() && !layer.bytes.empty(); }

std::string digestOf(const TraceLayer& layer) {
    return layer.sha256.empty() && carriesBytes(layer) ? sha256Hex(layer.bytes) : layer.sha256;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

/// A shape of one dimension is only a size: raw files carry no other.
bool isFlat(const TraceLayer& layer) { return layer.shape.size() < 2; }

std::span<const std::int64_t> significant(const std::vector<std::int64_t>& shape) {
    const auto first =
        std::find_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent != 1; });
    return std::span(shape).subspan(static_cast<std::size_t>(first - shape.begin()));
}

bool sameShape(const TraceLayer& a, const TraceLayer& b) {
    const auto x = significant(a.shape);
    const auto y = significant(b.shape);
    return isFlat(a) || isFlat(b) || std::equal(x.begin(), x.end(), y.begin(), y.end());
}

/// Bytes per element of `layer`; 0 where size and shape do not fit each other.
std::uint64_t elementBytes(const TraceLayer& layer) {
    std::uint64_t elements = 1;
    for (const std::int64_t extent : layer.shape) {
        if (extent <= 0 || static_cast<std::uint64_t>(extent) > layer.byteCount / elements)
            return 0;
        elements *= static_cast<std::uint64_t>(extent);
    }
    return layer.byteCount % elements == 0 ? layer.byteCount / elements : 0;
}

/// Sets h, w and c from the byte index; dimensions before the last three count as rows of h.
void locate(ElementDifference& element, const TraceLayer& layer) {
    const auto width = static_cast<std::int64_t>(elementBytes(layer));
    std::int64_t index = width > 0 ? element.index / width : element.index;
    const std::size_t rank = width > 0 ? layer.shape.size() : 0;
    const std::int64_t channels = rank >= 1 ? layer.shape[rank - 1] : 0;
    const std::int64_t columns = rank >= 2 ? layer.shape[rank - 2] : 0;
    element.c = channels > 0 ? index % channels : index;
    index = channels > 0 ? index / channels : 0;
    element.w = columns > 0 ? index % columns : index;
    element.h = columns > 0 ? index / columns : 0;
}

/// Counts and locates the differing bytes of two layers of one size.
void compareBytes(const TraceLayer& ours, const TraceLayer& theirs, LayerDifference& difference) {
    std::int64_t mismatches = 0;
    int maxAbs = 0;
    for (std::size_t i = 0; i < ours.bytes.size(); ++i) {
        if (ours.bytes[i] == theirs.bytes[i])
            continue;
        const int a = static_cast<std::int8_t>(ours.bytes[i]);
        const int b = static_cast<std::int8_t>(theirs.bytes[i]);
        if (mismatches++ == 0)
            difference.first = ElementDifference{0, 0, 0, static_cast<std::int64_t>(i), a, b};
        maxAbs = std::max(maxAbs, std::abs(a - b));
    }
    difference.mismatches = mismatches;
    if (difference.first) {
        difference.maxAbs = maxAbs;
        locate(*difference.first, isFlat(ours) ? theirs : ours);
    }
}

/// What is different about the content: a phrase, or nothing.
std::string contentPhrase(const TraceLayer& ours, const TraceLayer& theirs,
                          LayerDifference& difference) {
    if (ours.byteCount != theirs.byteCount && ours.byteCount != 0 && theirs.byteCount != 0)
        return fmt::format("sizes differ ({} and {} bytes)", ours.byteCount, theirs.byteCount);
    if (carriesBytes(ours) && carriesBytes(theirs)) {
        compareBytes(ours, theirs, difference);
        return difference.first ? "bytes differ" : "";
    }
    if (difference.oursSha256.empty() || difference.theirsSha256.empty())
        return fmt::format("no bytes and no digest in the {}",
                           difference.oursSha256.empty() ? "first" : "second");
    return difference.oursSha256 != difference.theirsSha256 ? "digests differ" : "";
}

/// Quantization is compared where both sides know it, scales in the precision of the model's file.
void addQuantizationPhrases(const TraceLayer& ours, const TraceLayer& theirs,
                            std::vector<std::string>& phrases) {
    if (ours.scale && theirs.scale &&
        static_cast<float>(*ours.scale) != static_cast<float>(*theirs.scale))
        phrases.push_back(fmt::format("scales differ ({} and {})", *ours.scale, *theirs.scale));
    if (ours.zeroPoint && theirs.zeroPoint && ours.zeroPoint != theirs.zeroPoint)
        phrases.push_back(
            fmt::format("zero points differ ({} and {})", *ours.zeroPoint, *theirs.zeroPoint));
}

std::optional<LayerDifference> compareLayer(const TraceLayer& ours, const TraceLayer& theirs) {
    LayerDifference difference;
    difference.operatorIndex = ours.operatorIndex;
    difference.name = ours.name.empty() ? theirs.name : ours.name;
    difference.oursSha256 = digestOf(ours);
    difference.theirsSha256 = digestOf(theirs);
    std::vector<std::string> phrases;
    if (std::string phrase = contentPhrase(ours, theirs, difference); !phrase.empty())
        phrases.push_back(std::move(phrase));
    if (!sameShape(ours, theirs))
        phrases.push_back(fmt::format("shapes differ ({} and {})", shapeText(ours.shape),
                                      shapeText(theirs.shape)));
    addQuantizationPhrases(ours, theirs, phrases);
    if (phrases.empty())
        return std::nullopt;
    difference.what = fmt::format("{}", fmt::join(phrases, ", "));
    return difference;
}

LayerDifference onlyIn(const TraceLayer& layer, bool first) {
    LayerDifference difference;
    difference.operatorIndex = layer.operatorIndex;
    difference.name = layer.name;
    difference.what = first ? "only in the first" : "only in the second";
    (first ? difference.oursSha256 : difference.theirsSha256) = digestOf(layer);
    return difference;
}

} // namespace

TraceDiff diffTraces(const Trace& ours, const Trace& theirs) {
    const LayerIndex oursByOperator = indexLayers(ours);
    const LayerIndex theirsByOperator = indexLayers(theirs);
    TraceDiff diff;
    for (const TraceLayer& layer : ours.layers) {
        const auto match = theirsByOperator.find(layer.operatorIndex);
        if (match == theirsByOperator.end()) {
            diff.layers.push_back(onlyIn(layer, true));
            continue;
        }
        ++diff.compared;
        if (auto difference = compareLayer(layer, *match->second))
            diff.layers.push_back(*std::move(difference));
    }
    for (const TraceLayer& layer : theirs.layers) {
        if (!oursByOperator.contains(layer.operatorIndex))
            diff.layers.push_back(onlyIn(layer, false));
    }
    return diff;
}

} // namespace plumbline
