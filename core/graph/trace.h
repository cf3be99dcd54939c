// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of a model produced, layer by layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.h"
#include "core/graph/tensor.h"

namespace plumbline {

/// One executed operator's output tensor.
struct TraceLayer {
    std::int64_t operatorIndex = 0;     ///< index in the main graph (RESHAPE counts, has no layer)
    std::optional<std::int64_t> record; ///< descriptor index; nothing for the CPU softmax
    std::string name;                   ///< TFLite operator name; may be empty in a loaded trace
    std::vector<std::int64_t> shape;    ///< [H,W,C]; other ranks for tensors that are not batch-one
    std::optional<double> scale;        ///< of the output; nothing where it is not known
    std::optional<std::int64_t> zeroPoint;
    std::uint64_t byteCount = 0;
    Bytes bytes;        ///< raw int8 in [H,W,C] order; empty in a trace of digests only
    std::string sha256; ///< empty in a run that was asked for no digests

    bool hasBytes() const { return bytes.size() == byteCount; }
};

struct Trace {
    std::string producer; ///< which executor, kernel set or file made it
    std::optional<std::string> modelSha256;
    std::optional<std::string> inputSha256;
    std::vector<TraceLayer> layers; ///< in execution order

    const TraceLayer* layerOf(std::int64_t operatorIndex) const;
};

/// Fills `byteCount` and, `withDigest`, `sha256` from `bytes`.
void sealLayer(TraceLayer& layer, bool withDigest = true);

} // namespace plumbline
