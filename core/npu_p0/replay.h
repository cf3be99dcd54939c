// SPDX-License-Identifier: GPL-3.0-or-later
// One output element replayed step by step through the executor's own primitives. Source: spec
// sections 7 and 8.
#pragma once

#include "core/base/result.h"
#include "core/lowering/explanation.h"
#include "core/lowering/layer_runner.h"
#include "core/npu_p0/record_run.h"
#include "core/npu_p0/softmax_step.h"

namespace plumbline::npu_p0 {

/// Replays `element` of a loaded record. Errors: NoSuchPlace, NotExplained.
Result<Explanation> replayRecord(const Descriptor& descriptor, const LoadedRecord& record,
                                 const RegionBases& bases, const LayerStep& step,
                                 const ElementIndex& element);

/// Replays `element` of the softmax, whose input is the output of record `source`. Errors as above.
Result<Explanation> replaySoftmax(const SoftmaxOperands& operands, const Descriptor& source,
                                  const RegionBases& bases, const LayerStep& step,
                                  const ElementIndex& element);

} // namespace plumbline::npu_p0
