// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include <tbb/task_arena.h>

namespace plumbline {
namespace {

/// Below it, handing rows to another thread takes longer than computing them.
constexpr std::uint64_t kWorkWorthSharing = 40'000;

/// Looks at `isSo` for about 50 microseconds.
template <class Condition> bool comesSoon(const Condition& isSo) {
    constexpr int kLooks = 4000;
    for (int i = 0; i < kLooks; ++i) {
        if (isSo())
            return true;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    return false;
}

} // namespace

/// What the threads of a run share.
class Workers::Team : public std::enable_shared_from_this<Team> {
  public:
    explicit Team(std::size_t threads)
        : m_parts(threads)
        , m_ticket(threads) {}

    std::size_t threads() const { return m_parts.size(); }

    /// The caller's thread: all parts of one layer, with whoever comes.
    KernelStatus runLayer(std::int64_t rows, const std::function<KernelStatus(RowRange)>& run) {
        m_run = &run;
        m_rows = rows;
        std::fill(m_parts.begin(), m_parts.end(), Part{});
        m_finished.store(0, std::memory_order_relaxed);
        callHelpers();
        beginLayer();
        runParts(m_ticket.load(std::memory_order_relaxed) >> kPartBits);
        const auto isFinished = [this] {
            return m_finished.load(std::memory_order_acquire) == m_parts.size();
        };
        while (!comesSoon(isFinished))
            std::this_thread::yield();
        return status();
    }

  private:
    struct Part {
        KernelStatus status = KernelStatus::Done;
        std::exception_ptr error;
    };
    static constexpr int kPartBits = 16;
    static constexpr int kIdleWaits = 20;

    void beginLayer() {
        const std::uint64_t layer = (m_ticket.load(std::memory_order_relaxed) >> kPartBits) + 1;
        m_ticket.store(layer << kPartBits, std::memory_order_release);
    }

    /// Asks for the helpers that are not there.
    void callHelpers() {
        for (std::size_t i = m_helpers.load(std::memory_order_relaxed) + 1; i < m_parts.size();
             ++i) {
            m_helpers.fetch_add(1, std::memory_order_relaxed);
            tbb::this_task_arena::enqueue([team = shared_from_this()] { team->help(); });
        }
    }

    /// A helper's thread, until it had nothing to do for about a millisecond.
    void help() {
        for (;;) {
            const std::uint64_t layer = m_ticket.load(std::memory_order_acquire) >> kPartBits;
            runParts(layer);
            const auto isNext = [&] {
                return m_ticket.load(std::memory_order_acquire) >> kPartBits != layer;
            };
            int waits = 0;
            while (!comesSoon(isNext)) {
                if (++waits == kIdleWaits) {
                    m_helpers.fetch_sub(1, std::memory_order_relaxed);
                    return;
                }
                std::this_thread::yield();
            }
        }
    }

    /// A part of `layer` that nobody has begun. The layer cannot end before it is finished.
    std::optional<std::size_t> claim(std::uint64_t layer) {
        std::uint64_t ticket = m_ticket.load(std::memory_order_acquire);
        for (;;) {
            const std::uint64_t part = ticket & ((std::uint64_t{1} << kPartBits) - 1);
            if (ticket >> kPartBits != layer || part >= m_parts.size())
                return std::nullopt;
            if (m_ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel))
                return static_cast<std::size_t>(part);
        }
    }

    void runParts(std::uint64_t layer) {
        while (const std::optional<std::size_t> part = claim(layer)) {
            const auto count = static_cast<std::int64_t>(m_parts.size());
            const auto i = static_cast<std::int64_t>(*part);
            try {
                m_parts[*part].status = (*m_run)({m_rows * i / count, m_rows * (i + 1) / count});
            } catch (...) { // rethrown on the caller's thread
                m_parts[*part].error = std::current_exception();
            }
            m_finished.fetch_add(1, std::memory_order_release);
        }
    }

    KernelStatus status() const {
        for (const Part& part : m_parts) {
            if (part.error)
                std::rethrow_exception(part.error);
            if (part.status != KernelStatus::Done)
                return part.status;
        }
        return KernelStatus::Done;
    }

    std::vector<Part> m_parts; ///< one per thread
    const std::function<KernelStatus(RowRange)>* m_run = nullptr;
    std::int64_t m_rows = 0;
    std::atomic<std::uint64_t> m_ticket;     ///< layer, and in the low bits its next part
    std::atomic<std::size_t> m_finished = 0; ///< parts of the layer
    std::atomic<std::size_t> m_helpers = 0;  ///< there, or asked for
};

Workers::Workers(unsigned threads)
    : m_threads(threads == kAllProcessors ? std::max(1U, std::thread::hardware_concurrency())
                                          : threads) {}

Workers::~Workers() = default;

std::shared_ptr<Workers::Team> Workers::teamOf(unsigned threads) {
    constexpr unsigned kMostThreads = 1024;
    const std::size_t size = std::min(threads, kMostThreads);
    // Runs often follow each other: helpers that are still awake join the next one at once.
    thread_local std::shared_ptr<Team> last;
    if (!last || last->threads() != size)
        last = std::make_shared<Team>(size);
    return last;
}

KernelStatus Workers::overRows(std::int64_t rows, std::uint64_t work,
                               const std::function<KernelStatus(RowRange)>& run) {
    if (m_threads == 1 || rows < 2 || work < kWorkWorthSharing)
        return run({0, rows});
    if (!m_team)
        m_team = teamOf(m_threads);
    return m_team->runLayer(rows, run);
}

} // namespace plumbline
