// SPDX-License-Identifier: GPL-3.0-or-later
// Which named mistakes reproduce the observed bytes of a layer. Source: docs/hypotheses.md.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_context.h"
#include "core/compare/layer_walk.h"
#include "core/lowering/target.h"

namespace plumbline {

struct Hypothesis {
    std::string name;                    ///< "bias-missing", or "a+b" of a pair
    std::vector<std::size_t> mistakes;   ///< one or two indices of Target::mistakes()
    std::int64_t explained = 0;          ///< elements equal to the observed bytes
    bool exact = false;                  ///< all of them
    std::vector<std::string> equivalent; ///< other listed ones that give the same bytes, by name
    Bytes output;                        ///< what it makes of the layer
};

struct HypothesisRanking {
    std::int64_t operatorIndex = 0;
    std::int64_t elements = 0;
    std::int64_t healthyExplained = 0;   ///< elements that the right arithmetic explains
    bool healthy = false;                ///< the observed bytes are right; there are no hypotheses
    std::vector<Hypothesis> hypotheses;  ///< best first: explained, then name
    std::vector<std::string> unchanged;  ///< mistakes that apply and change no byte here, by name
    std::vector<std::string> impossible; ///< of the operator's kind, but not applicable or faulting
};

/// Runs every mistake that applies to the layer on its own inputs and ranks those that explain more
/// of `observed` than the right arithmetic does. When none is exact, pairs of the ten best that act
/// on different things are tried; one is listed when it explains more than each of its two.
/// Errors: InputSize when `observed` has another length; Cancelled.
Result<HypothesisRanking> rankHypotheses(const LayerSite& site,
                                         std::span<const MistakeInfo> mistakes, ByteView observed,
                                         const JobContext& context = {});

/// What the mistakes with these indices make of the layer; see LayerRunner::runWith.
using MistakeRun = std::function<std::optional<Bytes>(std::span<const std::size_t>)>;

/// As above with `run` in place of the site's runner: one that remembers its results makes ranking
/// many observations of one layer cheap.
Result<HypothesisRanking> rankHypotheses(const LayerSite& site,
                                         std::span<const MistakeInfo> mistakes, ByteView observed,
                                         const MistakeRun& run, const JobContext& context = {});

} // namespace plumbline
