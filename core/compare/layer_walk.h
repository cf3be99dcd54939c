// SPDX-License-Identifier: GPL-3.0-or-later
// Walks a job layer by layer over an arena that holds what it should: the reference's tensors where
// there is a reference, else what the job itself makes.
#pragma once

#include <optional>
#include <vector>

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/graph/trace.h"
#include "core/lowering/layer_runner.h"

namespace plumbline {

class LayerWalk {
  public:
    /// `runner` and `reference` outlive the walk; `reference` may be null. `input` has
    /// job().inputBytes bytes, and lies inside the arena (the executor refuses other jobs).
    LayerWalk(const LayerRunner& runner, ByteView input, const Trace* reference);

    bool atEnd() const { return m_step >= m_runner.steps().size(); }
    std::size_t step() const { return m_step; }
    /// The arena just before step() runs.
    ByteView arena() const { return m_arena; }
    /// Whether every byte that step() reads is the reference's (without one: always).
    bool inputsKnown() const;
    /// Runs step() over a copy of the arena and leaves the walk where it is.
    LayerRun runAlone(Bytes& arenaAfter) const;
    /// Leaves step(): the planned place of its output now holds the reference's bytes, or, where
    /// the reference has none, `run`'s own.
    void advance(const LayerRun& run);

  private:
    const LayerRunner& m_runner;
    const Trace* m_reference;
    Bytes m_arena;
    std::vector<bool> m_known;                       ///< per arena byte: is the reference's
    std::vector<std::vector<OperandAccess>> m_reads; ///< per step
    std::size_t m_step = 0;
};

/// The bytes of the arena where the plan puts the output of `operatorIndex`; nothing where the job
/// states no buffer of it (a CPU step, a bare job).
struct PlannedSpan {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0; ///< of the buffer; at least the tensor's
};
std::optional<PlannedSpan> plannedOutput(const Job& job, std::int64_t operatorIndex);

/// One layer with what surrounds it, for explaining it and for running it wrongly.
struct LayerSite {
    LayerRunnerPtr runner;
    std::size_t step = 0;
    Bytes arena;                              ///< just before the layer ran
    std::optional<Bytes> arenaBeforeProducer; ///< see MistakeSite
    Bytes healthy;                            ///< the layer's output over `arena`, dense

    MistakeSite mistakeSite() const;
};

/// The site of `operatorIndex` in the walk with `reference` (null: the job's own run). Errors:
/// NoSuchPlace when the operator has no layer, RunFaulted when a layer up to it faults, Cancelled.
Result<LayerSite> siteOf(LayerRunnerPtr runner, ByteView input, const Trace* reference,
                         std::int64_t operatorIndex, const JobContext& context = {});

} // namespace plumbline
