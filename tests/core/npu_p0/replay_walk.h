// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs walked layer by layer, and what must hold for every explanation.
#pragma once

#include <functional>
#include <string>

#include "core/lowering/target.h"

namespace plumbline::test {

/// A layer of a job that ran, as the walk meets it.
struct VisitedLayer {
    const LayerRunner& runner;
    std::size_t step;
    ByteView arena;           ///< just before the layer runs
    const TraceLayer& result; ///< what Target::execute captured

    /// An explanation's value as the executor has it.
    int executedValue(const ElementIndex& element) const;
    /// The element of a flat index.
    ElementIndex elementAt(std::int64_t index) const;
    std::int64_t elements() const { return static_cast<std::int64_t>(result.bytes.size()); }
};

/// Runs `job` as a whole and layer by layer, and calls `visit` before each layer. Fails the test
/// where the two differ.
void walkLayers(const Job& job, ByteView input,
                const std::function<void(const VisitedLayer&)>& visit);

/// Explains `element` and expects the executor's byte.
Explanation explained(const VisitedLayer& layer, const ElementIndex& element);

/// Explains every element of a layer whose reductions have at most `maxSteps` steps in all, else
/// `samples` elements drawn from `seed`; expects the executor's bytes. `check` sees every 16th
/// explanation, or each of the drawn ones.
void explainLayer(const VisitedLayer& layer, std::int64_t maxSteps, std::int64_t samples,
                  std::uint64_t seed, const std::function<void(const Explanation&)>& check);

/// The carried value goes from step to step as ReplayKind says.
std::string chainProblem(const Explanation& made);
/// Every source names bytes that hold the value. `arena` is as it was before the layer.
std::string sourceProblem(const Explanation& made, const Job& job, ByteView arena);
/// Start and products add up to the accumulator, in plain 64-bit arithmetic. Empty for explanations
/// without products.
std::string sumProblem(const Explanation& made);

/// Each result follows from the step's own numbers, in arithmetic written down here a second time;
/// exponentials and reciprocals within 1e-6, the error of their series.
std::string stepProblem(const Explanation& made);

} // namespace plumbline::test
