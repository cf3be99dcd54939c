// SPDX-License-Identifier: GPL-3.0-or-later
// Two verdicts per layer of a run, and the first layer that is wrong by itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.h"
#include "core/compare/reference.h"
#include "core/compare/tensor_comparison.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/target.h"

namespace plumbline {

struct LayerVerdict {
    std::int64_t operatorIndex = 0;
    std::optional<std::int64_t> record;
    std::string name; ///< TFLite operator name
    Hwc shape;
    MatchedBy matchedBy = MatchedBy::None;
    std::string oursSha256; ///< of the accumulated run; empty where it did not get so far
    std::string theirsSha256;
    /// As run. Nothing where the reference lacks the layer or the run ended before it.
    std::optional<TensorComparison> accumulated;
    /// The layer alone, on the reference's own inputs. Nothing where the reference lacks one of
    /// them or the layer itself.
    std::optional<TensorComparison> isolated;
    Bytes ours;         ///< the accumulated output; empty where there is none
    Bytes isolatedOurs; ///< empty where it equals `ours` or there is none
    /// Arena bytes outside its own tensor that the layer alone changed; such a layer is wrong.
    std::uint64_t strayBytes = 0;
    std::optional<Fault> fault;         ///< of the layer as run; the run ends there
    std::optional<Fault> isolatedFault; ///< of the layer alone, on the reference's inputs
    std::string note;                   ///< why a verdict is missing; may be empty

    /// Wrong by itself: the isolated verdict says so, or it wrote outside its tensor, or it
    /// faulted.
    bool isWrongAlone() const;
    bool isEqual() const; ///< every verdict that there is says equal, and there is one
};

struct Verdicts {
    std::string reference;            ///< Reference::name
    std::vector<LayerVerdict> layers; ///< in execution order
    /// The first layer that is wrong by itself. With a reference of digests too: a layer's inputs
    /// are the reference's as long as every layer that made them met its digest.
    std::optional<std::int64_t> culprit;
    /// Why there is no culprit although every layer differs, a clause; empty otherwise.
    std::string doubt;
    std::optional<Fault> fault; ///< that ended the run: of relocation, validator or a layer

    const LayerVerdict* of(std::int64_t operatorIndex) const;
    bool equal() const;           ///< no fault, and no layer that is not equal
    std::size_t compared() const; ///< layers with a verdict
    std::size_t unequal() const;
};

/// Runs `runner`'s job on `input` as it stands and layer by layer on the reference's inputs, and
/// compares every layer with `reference` where the plan (Job::buffers) puts its tensor, so that a
/// record that writes elsewhere is wrong. A reference of digests counts as bytes where ours has the
/// same digest. `lowering` gives tiles and windows. Error: Cancelled.
Result<Verdicts> judge(const LayerRunner& runner, ByteView input, const Reference& reference,
                       const Lowering& lowering, const JobContext& context = {});

} // namespace plumbline
