// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/workers.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace plumbline {
namespace {

/// Below it, handing rows to another thread takes longer than computing them.
constexpr std::uint64_t kWorkWorthSharing = 200'000;

} // namespace

struct Workers::Arena {
    explicit Arena(unsigned threads)
        : arena(static_cast<int>(threads)) {}
    tbb::task_arena arena;
};

Workers::Workers(unsigned threads)
    : m_threads(threads == kAllProcessors ? std::max(1U, std::thread::hardware_concurrency())
                                          : threads) {}

Workers::~Workers() = default;

KernelStatus Workers::overRows(std::int64_t rows, std::uint64_t work,
                               const std::function<KernelStatus(RowRange)>& run) {
    if (m_threads == 1 || rows < 2 || work < kWorkWorthSharing)
        return run({0, rows});
    if (!m_arena)
        m_arena = std::make_unique<Arena>(m_threads);
    std::atomic<KernelStatus> status{KernelStatus::Done};
    const std::int64_t grain = std::max<std::int64_t>(1, rows / m_threads);
    m_arena->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::int64_t>(0, rows, static_cast<std::size_t>(grain)),
            [&](const tbb::blocked_range<std::int64_t>& part) {
                if (const KernelStatus made = run({part.begin(), part.end()});
                    made != KernelStatus::Done)
                    status = made;
            },
            tbb::static_partitioner());
    });
    return status;
}

} // namespace plumbline
