// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that share the rows of large layers.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "core/kernels/kernels.h"

namespace plumbline {

/// One thread per processor.
inline constexpr unsigned kAllProcessors = 0;

/// The threads of one run. Between layers they wait actively for a moment and then asleep: a layer
/// takes microseconds, waking a thread as many as ten layers.
class Workers {
  public:
    /// `threads` in all, the caller's among them; kAllProcessors for one per processor.
    explicit Workers(unsigned threads);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Runs `job` on this thread, while the others are there for overRows(). The threads are
    /// OpenMP's, which keeps them for the next run of the same calling thread. Rethrows what `job`
    /// throws.
    void together(const std::function<void()>& job);

    /// Calls `run` on parts that cover rows 0..rows-1. Inside together() from several threads at a
    /// time where `work` (multiplications, or values looked at) is worth it. Done when every part
    /// is; else the status of a part that is not. Rethrows what a part throws.
    KernelStatus overRows(std::int64_t rows, std::uint64_t work,
                          const std::function<KernelStatus(RowRange)>& run);

  private:
    struct Part {
        KernelStatus status = KernelStatus::Done;
        std::exception_ptr error;
    };
    void runPart(std::size_t part);
    void help(std::size_t part);
    void startLayer();

    unsigned m_threads;
    bool m_isTogether = false;
    // One layer: written by the caller's thread before m_layer grows.
    const std::function<KernelStatus(RowRange)>* m_run = nullptr;
    std::int64_t m_rows = 0;
    std::vector<Part> m_parts;              ///< one per thread
    std::atomic<std::uint32_t> m_layer = 0; ///< layers that were shared; the last one ends the run
    std::atomic<unsigned> m_busy = 0;       ///< helpers that have not finished the layer
    std::atomic<bool> m_isOver = false;
};

} // namespace plumbline
