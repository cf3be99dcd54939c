// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point: stepMismatch. A layer is searched over positions: kBefore, then element indices.
#include "core/compare/mismatch_walk.h"

#include <algorithm>

#include "core/graph/tensor_size.h"

namespace plumbline {
namespace {

constexpr std::int64_t kBefore = -1; ///< position of a layer that has no element to point at

/// The mismatches of one layer.
class LayerMismatches {
  public:
    LayerMismatches(const LayerVerdict& layer, const Reference& reference)
        : m_layer(layer) {
        const TraceLayer* const theirs = reference.trace.layerOf(layer.operatorIndex);
        const bool isCounted = layer.accumulated && layer.accumulated->mismatches.value_or(0) > 0;
        if (isCounted && theirs && theirs->bytes.size() == layer.ours.size() &&
            tensorBytes(layer.shape) == layer.ours.size()) {
            m_ours = layer.ours;
            m_theirs = theirs->bytes;
        }
        m_isPlace = m_ours.empty() && (layer.fault || layer.isWrongAlone() ||
                                       (layer.accumulated && !layer.accumulated->equal));
    }

    std::int64_t size() const { return static_cast<std::int64_t>(m_ours.size()); }

    /// The first mismatch at `from` or behind it.
    std::optional<std::int64_t> firstFrom(std::int64_t from) const {
        if (m_isPlace)
            return from <= kBefore ? std::optional(kBefore) : std::nullopt;
        for (std::int64_t i = std::max<std::int64_t>(from, 0); i < size(); ++i)
            if (differs(i))
                return i;
        return std::nullopt;
    }

    /// The last mismatch before `end`.
    std::optional<std::int64_t> lastBefore(std::int64_t end) const {
        if (m_isPlace)
            return end > kBefore ? std::optional(kBefore) : std::nullopt;
        for (std::int64_t i = std::min(end, size()) - 1; i >= 0; --i)
            if (differs(i))
                return i;
        return std::nullopt;
    }

    /// Where `element` lies; kBefore where the layer has no such element.
    std::int64_t positionOf(const ElementIndex& element) const {
        const Hwc& shape = m_layer.shape;
        const bool isInside = element.h >= 0 && element.h < shape.h && element.w >= 0 &&
                              element.w < shape.w && element.c >= 0 && element.c < shape.c;
        return isInside ? (element.h * shape.w + element.w) * shape.c + element.c : kBefore;
    }

    MismatchPlace placeAt(std::int64_t position, bool wrapped) const {
        MismatchPlace place{m_layer.operatorIndex, std::nullopt, wrapped};
        const Hwc& shape = m_layer.shape;
        if (position != kBefore)
            place.element = ElementIndex{position / shape.c / shape.w, position / shape.c % shape.w,
                                         position % shape.c};
        return place;
    }

  private:
    bool differs(std::int64_t index) const {
        const auto i = static_cast<std::size_t>(index);
        return m_ours[i] != m_theirs[i];
    }

    const LayerVerdict& m_layer;
    ByteView m_ours, m_theirs; ///< empty where there are no elements to walk
    bool m_isPlace = false;
};

} // namespace

std::optional<MismatchPlace> stepMismatch(const Verdicts& verdicts, const Reference& reference,
                                          std::optional<std::int64_t> operatorIndex,
                                          const std::optional<ElementIndex>& element,
                                          int direction) {
    const std::vector<LayerVerdict>& layers = verdicts.layers;
    const auto count = static_cast<std::int64_t>(layers.size());
    const bool isForward = direction > 0;
    // The first layer to look at, and the place in it that is left.
    std::int64_t start = isForward ? 0 : count - 1;
    std::optional<std::int64_t> left;
    if (operatorIndex) {
        const auto found = std::find_if(layers.begin(), layers.end(), [&](const auto& layer) {
            return layer.operatorIndex >= *operatorIndex;
        });
        start = found - layers.begin();
        if (start < count && found->operatorIndex == *operatorIndex)
            left = element ? LayerMismatches(*found, reference).positionOf(*element) : kBefore;
        else if (!isForward)
            --start;
    }
    // The layer that is left comes a second time at the end: the part of it that was passed over.
    for (std::int64_t i = 0; i <= count && count > 0; ++i) {
        const std::int64_t unwrapped = isForward ? start + i : start - i;
        const std::int64_t index = ((unwrapped % count) + count) % count;
        const LayerMismatches layer(layers[static_cast<std::size_t>(index)], reference);
        const bool isLeaving = i == 0 && left;
        std::optional<std::int64_t> found;
        if (isForward)
            found = layer.firstFrom(isLeaving ? *left + 1 : kBefore);
        else
            found = layer.lastBefore(isLeaving ? *left : layer.size());
        if (found)
            return layer.placeAt(*found, unwrapped < 0 || unwrapped >= count);
    }
    return std::nullopt;
}

} // namespace plumbline
