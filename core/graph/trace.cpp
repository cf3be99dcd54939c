// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/trace.h"

#include <algorithm>

#include "core/base/sha256.h"

namespace plumbline {

const TraceLayer* Trace::layerOf(std::int64_t operatorIndex) const {
    const auto sorted = std::lower_bound(
        layers.begin(), layers.end(), operatorIndex,
        [](const TraceLayer& layer, std::int64_t index) { return layer.operatorIndex < index; });
    if (sorted != layers.end() && sorted->operatorIndex == operatorIndex)
        return &*sorted;
    // Only a foreign trace can be out of order.
    const auto found =
        std::find_if(layers.begin(), layers.end(), [operatorIndex](const TraceLayer& layer) {
            return layer.operatorIndex == operatorIndex;
        });
    return found == layers.end() ? nullptr : &*found;
}

void sealLayer(TraceLayer& layer, bool withDigest) {
    layer.byteCount = layer.bytes.size();
    if (withDigest)
        layer.sha256 = sha256Hex(layer.bytes);
}

} // namespace plumbline
