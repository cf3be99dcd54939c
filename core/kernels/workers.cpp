// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/workers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
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
        : m_parts(threads) {}

    std::size_t threads() const { return m_parts.size(); }

    /// The caller's thread: all parts of one layer, with whoever comes. A layer that is asked for
    /// within another one runs on its thread alone.
    KernelStatus runLayer(std::int64_t rows, const RunRows& run) {
        if (m_isBusy)
            return run({0, rows});
        m_isBusy = true;
        m_run = &run;
        m_rows = rows;
        const auto parts = std::min<std::int64_t>(rows, static_cast<std::int64_t>(threads()));
        std::fill_n(m_parts.begin(), parts, Part{});
        m_finished.store(0, std::memory_order_relaxed);
        callHelpers(static_cast<std::size_t>(parts));
        const Ticket ticket = beginLayer(static_cast<std::uint64_t>(parts));
        runParts(ticket.layer());
        const auto isFinished = [&] {
            return m_finished.load(std::memory_order_acquire) == static_cast<std::size_t>(parts);
        };
        while (!comesSoon(isFinished))
            std::this_thread::yield();
        m_isBusy = false;
        return status(static_cast<std::size_t>(parts));
    }

    /// Sends the helpers away and waits for them, for a second at most: none comes in a process
    /// that ends by force.
    void end() {
        m_isOver.store(true, std::memory_order_release);
        const auto areGone = [this] { return m_helpers.load(std::memory_order_acquire) == 0; };
        const auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        while (!comesSoon(areGone) && std::chrono::steady_clock::now() < giveUp)
            std::this_thread::yield();
    }

  private:
    struct Part {
        KernelStatus status = KernelStatus::Done;
        std::exception_ptr error;
    };

    /// A layer's number, how many parts it has and the next one that nobody has begun, in one word:
    /// so a helper that comes late cannot take a part of another layer than it believes.
    struct Ticket {
        static constexpr int kPartBits = 16;
        static constexpr std::uint64_t kPartMask = (std::uint64_t{1} << kPartBits) - 1;

        std::uint64_t word = 0;
        std::uint64_t layer() const { return word >> (2 * kPartBits); }
        std::uint64_t parts() const { return word >> kPartBits & kPartMask; }
        std::uint64_t next() const { return word & kPartMask; }
    };
    static constexpr int kIdleWaits = 20;

    Ticket ticket() const { return {m_ticket.load(std::memory_order_acquire)}; }

    Ticket beginLayer(std::uint64_t parts) {
        const std::uint64_t layer = ticket().layer() + 1;
        const Ticket made{(layer << Ticket::kPartBits | parts) << Ticket::kPartBits};
        m_ticket.store(made.word, std::memory_order_release);
        return made;
    }

    /// Asks for the helpers that are not there, so that there are `threads` with the caller.
    void callHelpers(std::size_t threads) {
        while (m_helpers.load(std::memory_order_relaxed) + 1 < threads) {
            m_helpers.fetch_add(1, std::memory_order_relaxed);
            tbb::this_task_arena::enqueue([team = shared_from_this()] { team->help(); });
        }
    }

    /// A helper's thread, until it had nothing to do for about a millisecond.
    void help() {
        for (;;) {
            const std::uint64_t layer = ticket().layer();
            runParts(layer);
            const auto isNext = [&] {
                return ticket().layer() != layer || m_isOver.load(std::memory_order_acquire);
            };
            int waits = 0;
            while (!comesSoon(isNext) && ++waits < kIdleWaits)
                std::this_thread::yield();
            if (waits == kIdleWaits || m_isOver.load(std::memory_order_acquire)) {
                m_helpers.fetch_sub(1, std::memory_order_release);
                return;
            }
        }
    }

    /// A part of `layer` that nobody has begun, now the caller's: the layer cannot end before it is
    /// finished.
    std::optional<std::size_t> claim(std::uint64_t layer) {
        for (Ticket seen = ticket();;) {
            if (seen.layer() != layer || seen.next() >= seen.parts())
                return std::nullopt;
            const std::uint64_t part = seen.next();
            if (m_ticket.compare_exchange_weak(seen.word, seen.word + 1, std::memory_order_acq_rel))
                return static_cast<std::size_t>(part);
        }
    }

    void runParts(std::uint64_t layer) {
        while (const std::optional<std::size_t> part = claim(layer)) {
            const auto count = static_cast<std::int64_t>(ticket().parts());
            const auto i = static_cast<std::int64_t>(*part);
            try {
                m_parts[*part].status = (*m_run)({m_rows * i / count, m_rows * (i + 1) / count});
            } catch (...) { // rethrown on the caller's thread
                m_parts[*part].error = std::current_exception();
            }
            m_finished.fetch_add(1, std::memory_order_release);
        }
    }

    KernelStatus status(std::size_t parts) {
        KernelStatus made = KernelStatus::Done;
        for (std::size_t i = 0; i < parts; ++i) {
            if (m_parts[i].error)
                std::rethrow_exception(std::exchange(m_parts[i].error, nullptr));
            if (made == KernelStatus::Done)
                made = m_parts[i].status;
        }
        return made;
    }

    std::vector<Part> m_parts; ///< one per thread
    const RunRows* m_run = nullptr;
    std::int64_t m_rows = 0;
    bool m_isBusy = false; ///< with a layer; only the caller's thread looks
    std::atomic<std::uint64_t> m_ticket = 0;
    std::atomic<std::size_t> m_finished = 0; ///< parts of the layer
    std::atomic<std::size_t> m_helpers = 0;  ///< there, or asked for
    std::atomic<bool> m_isOver = false;
};

Workers::Workers(unsigned threads)
    : m_threads(threads == kAllProcessors ? std::max(1U, std::thread::hardware_concurrency())
                                          : threads) {}

Workers::~Workers() = default;

std::shared_ptr<Workers::Team> Workers::teamOf(unsigned threads) {
    constexpr unsigned kMostThreads = 1024;
    /// Ends its team when the thread does.
    struct Owner {
        std::shared_ptr<Team> team;
        Owner() = default;
        Owner(const Owner&) = delete;
        Owner& operator=(const Owner&) = delete;
        ~Owner() { replace(nullptr); }
        void replace(std::shared_ptr<Team> next) {
            if (team)
                team->end();
            team = std::move(next);
        }
    };
    const std::size_t size = std::min(threads, kMostThreads);
    // Runs often follow each other: helpers that are still awake join the next one at once.
    thread_local Owner last;
    if (!last.team || last.team->threads() != size)
        last.replace(std::make_shared<Team>(size));
    return last.team;
}

KernelStatus Workers::overRows(std::int64_t rows, std::uint64_t work, const RunRows& run) {
    if (m_threads == 1 || rows < 2 || work < kWorkWorthSharing)
        return run({0, rows});
    if (!m_team)
        m_team = teamOf(m_threads);
    return m_team->runLayer(rows, run);
}

KernelStatus
Workers::overElements(std::int64_t elements, const std::stop_token& stop,
                      const std::function<KernelStatus(std::int64_t, std::int64_t)>& run) {
    constexpr std::int64_t kBlock = std::int64_t{1} << 16;
    const std::int64_t blocks = (elements + kBlock - 1) / kBlock;
    return overRows(blocks, static_cast<std::uint64_t>(elements), [&](RowRange part) {
        for (std::int64_t block = part.first; block < part.end; ++block) {
            if (stop.stop_requested())
                return KernelStatus::Stopped;
            const KernelStatus made = run(block * kBlock, std::min(elements, (block + 1) * kBlock));
            if (made != KernelStatus::Done)
                return made;
        }
        return KernelStatus::Done;
    });
}

} // namespace plumbline
