// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/npu_p0/replay.h"

namespace plumbline::npu_p0 {

Result<Explanation> replayRecord(const Descriptor&, const LoadedRecord&, const RegionBases&,
                                 const LayerStep&, const ElementIndex&) {
    return makeError(Code::NotExplained, "");
}

Result<Explanation> replaySoftmax(const SoftmaxOperands&, const LayerStep&, std::uint64_t,
                                  const ElementIndex&) {
    return makeError(Code::NotExplained, "");
}

} // namespace plumbline::npu_p0
