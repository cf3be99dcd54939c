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

/// What one layer made of the arena that it found.
struct LayerOutcome {
    LayerRun run;
    /// The tensor where the plan puts it, dense; where there is no plan (a CPU step, a bare job),
    /// the layer's own output. Empty with a fault.
    Bytes bytes;
    std::string sha256; ///< of `bytes`
    /// Arena bytes outside the planned tensor that changed.
    std::uint64_t strayBytes = 0;
};

class LayerWalk {
  public:
    /// `runner` and `reference` outlive the walk; `reference` may be null. `input` has
    /// job().inputBytes bytes.
    LayerWalk(const LayerRunner& runner, ByteView input, const Trace* reference);

    bool atEnd() const { return m_step >= m_runner->steps().size(); }
    std::size_t step() const { return m_step; }
    std::int64_t operatorIndex() const { return m_runner->steps()[m_step].operatorIndex; }
    /// The arena just before step() runs.
    const Bytes& arena() const { return m_arena; }
    /// Whether every byte that step() reads is the reference's (without one: always).
    bool inputsKnown() const;
    /// Whether the reference has the bytes of step()'s tensor.
    bool hasReference() const;
    /// Runs step() and leaves the arena as it was.
    LayerOutcome runAlone();
    /// Leaves step(): its tensor becomes the reference's where that has the bytes, or a digest that
    /// `outcome` meets; else whatever the layer itself wrote.
    void advance(const LayerOutcome& outcome);
    /// The same walk from here on without a reference.
    LayerWalk detached() const;

  private:
    /// The reference's bytes of step(); nothing where it has none.
    const Bytes* referenceBytes(const LayerOutcome& outcome) const;
    void setKnown(std::uint64_t begin, std::uint64_t end, bool known);
    void takeReference(ByteView bytes);
    void takeOwn(const LayerRun& run);

    const LayerRunner* m_runner;
    const Trace* m_reference;
    std::vector<std::vector<OperandAccess>> m_reads;   ///< per step
    std::vector<std::optional<RegionSlice>> m_planned; ///< per step, where inside the arena
    Bytes m_arena;
    Bytes m_scratch;           ///< equals m_arena between calls
    Bytes m_written;           ///< what the last run left in its written span
    std::vector<bool> m_known; ///< per arena byte: is the reference's; empty without one
    std::size_t m_step = 0;
};

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
/// InputSize; NoSuchPlace when the operator has no layer; RunFaulted when a layer up to it faults;
/// Cancelled.
Result<LayerSite> siteOf(LayerRunnerPtr runner, ByteView input, const Trace* reference,
                         std::int64_t operatorIndex, const JobContext& context = {});

} // namespace plumbline
