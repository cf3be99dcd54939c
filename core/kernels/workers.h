// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that share the rows of large layers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/kernels/kernels.h"

namespace plumbline {

/// One thread per processor.
inline constexpr unsigned kAllProcessors = 0;

class Workers {
  public:
    /// `threads` in all, the caller's among them; kAllProcessors for one per processor.
    explicit Workers(unsigned threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Calls `run` on parts that cover rows 0..rows-1, from several threads at a time where `work`
    /// (multiplications, or values looked at) is worth it. Done when every part is; else the status
    /// of a part that is not.
    KernelStatus overRows(std::int64_t rows, std::uint64_t work,
                          const std::function<KernelStatus(RowRange)>& run);

  private:
    struct Arena;
    unsigned m_threads;
    std::unique_ptr<Arena> m_arena; ///< made at the first layer that is worth it
};

} // namespace plumbline
