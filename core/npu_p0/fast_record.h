// SPDX-License-Identifier: GPL-3.0-or-later
// One record on the fast kernels, straight over the arena.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "core/kernels/preparation.h"
#include "core/kernels/workers.h"
#include "core/npu_p0/record_run.h"

namespace plumbline::npu_p0 {

/// Immutable; may be run from several threads at a time.
class FastRecord {
  public:
    /// Relocated, validated record `index`, ready for `kernels`. Null where it has to run the
    /// checked way: rows that are not closed up, tensors that are not in the arena or overlap,
    /// constants that are in the arena or wrong, no proof that its sums stay in int32, or no
    /// `budget` left. `memory`
    /// is the job's as it is before any record ran.
    static std::unique_ptr<const FastRecord> make(const Descriptor& descriptor, std::int64_t index,
                                                  const Job& job, const Memory& memory,
                                                  const KernelSet& kernels,
                                                  PreparationBudget& budget);

    /// Computes the output in `arena`: Done, or Stopped with an unspecified output. It never
    /// faults.
    KernelStatus run(std::span<std::uint8_t> arena, Workers& workers,
                     const std::stop_token& stop) const;

  private:
    FastRecord() = default;
    bool placeTensors(const Descriptor& descriptor, const Job& job, const Memory& memory);
    bool prepareWeighted(const LoadedRecord& record, PreparationBudget& budget);

    RecordShape m_shape;
    const KernelSet* m_kernels = nullptr;
    std::size_t m_input0 = 0; ///< offsets in the arena
    std::size_t m_input1 = 0;
    std::size_t m_output = 0;
    AddMultipliers m_add;
    std::vector<Multiplier> m_multipliers; ///< of conv, depthwise and FC
    std::shared_ptr<const PreparedLayer> m_prepared;
    WeightedArguments m_weighted; ///< all but the data
};

} // namespace plumbline::npu_p0
