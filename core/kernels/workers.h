// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that share the rows of large layers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/base/job_context.h"
#include "core/kernels/kernels.h"

namespace plumbline {

/// The threads of one run. Helpers are threads of oneTBB that have nothing else to do; a layer
/// never waits for one that has not begun, so a busy machine makes a run hardly slower than one
/// thread. They stay awake for about a millisecond after a layer, since layers take microseconds
/// and waking a thread takes as long as ten of them.
class Workers {
  public:
    using RunRows = std::function<KernelStatus(RowRange)>;

    /// `threads` at most (and never more than 1,024), the caller's among them; kAllProcessors for
    /// one per processor.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Calls `run` on parts that cover rows 0..rows-1, from several threads at a time where `work`
    /// (multiplications, or values looked at) is worth it. Done when every part is; else the status
    /// of a part that is not. Rethrows what a part throws.
    KernelStatus overRows(std::int64_t rows, std::uint64_t work, const RunRows& run);

    /// Calls `run(first, end)` on blocks that cover elements 0..elements-1, likewise; looks at
    /// `stop` before each block.
    KernelStatus overElements(std::int64_t elements, const std::stop_token& stop,
                              const std::function<KernelStatus(std::int64_t, std::int64_t)>& run);

  private:
    class Team;
    static std::shared_ptr<Team> teamOf(unsigned threads);

    unsigned m_threads;
    std::shared_ptr<Team> m_team; ///< made at the first layer that is shared
};

} // namespace plumbline
