// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/workers.h"

#include <algorithm>
#include <thread>

#include <omp.h>

namespace plumbline {
namespace {

/// Below it, handing rows to another thread takes longer than computing them.
constexpr std::uint64_t kWorkWorthSharing = 40'000;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until `isSo()`: actively for about 50 microseconds, then with a look in each turn of the
/// scheduler.
template <class Condition> void awaitActively(const Condition& isSo, int turns) {
    for (int i = 0; i < turns; ++i) {
        if (isSo())
            return;
        pause();
    }
}

constexpr int kActiveTurns = 4000;

} // namespace

Workers::Workers(unsigned threads)
    : m_threads(threads == kAllProcessors ? std::max(1U, std::thread::hardware_concurrency())
                                          : threads)
    , m_parts(m_threads) {}

void Workers::together(const std::function<void()>& job) {
    if (m_threads == 1) {
        job();
        return;
    }
    std::exception_ptr error; // none may leave a parallel region
#pragma omp parallel num_threads(static_cast <int>(m_threads))
    if (omp_get_thread_num() != 0) {
        help(static_cast<std::size_t>(omp_get_thread_num()));
    } else {
        try {
            // There may be fewer threads than were asked for.
            m_parts.resize(static_cast<std::size_t>(omp_get_num_threads()));
            m_isTogether = m_parts.size() > 1;
            job();
        } catch (...) {
            error = std::current_exception();
        }
        m_isTogether = false;
        m_isOver = true;
        startLayer();
    }
    if (error)
        std::rethrow_exception(error);
}

void Workers::startLayer() {
    m_layer.fetch_add(1, std::memory_order_release);
    m_layer.notify_all();
}

void Workers::runPart(std::size_t part) {
    const auto count = static_cast<std::int64_t>(m_parts.size());
    const auto i = static_cast<std::int64_t>(part);
    try {
        m_parts[part].status = (*m_run)({m_rows * i / count, m_rows * (i + 1) / count});
    } catch (...) {
        m_parts[part].error = std::current_exception();
    }
}

void Workers::help(std::size_t part) {
    for (std::uint32_t seen = 0;;) {
        const auto isNext = [&] { return m_layer.load(std::memory_order_acquire) != seen; };
        awaitActively(isNext, kActiveTurns);
        m_layer.wait(seen, std::memory_order_acquire);
        ++seen;
        if (m_isOver)
            return;
        runPart(part);
        m_busy.fetch_sub(1, std::memory_order_release);
    }
}

KernelStatus Workers::overRows(std::int64_t rows, std::uint64_t work,
                               const std::function<KernelStatus(RowRange)>& run) {
    if (!m_isTogether || rows < 2 || work < kWorkWorthSharing)
        return run({0, rows});
    m_run = &run;
    m_rows = rows;
    for (Part& part : m_parts)
        part = {};
    m_busy = static_cast<unsigned>(m_parts.size() - 1);
    startLayer();
    runPart(0);
    const auto isFinished = [&] { return m_busy.load(std::memory_order_acquire) == 0; };
    while (!isFinished()) {
        awaitActively(isFinished, kActiveTurns);
        if (!isFinished())
            std::this_thread::yield();
    }
    for (const Part& part : m_parts) {
        if (part.error)
            std::rethrow_exception(part.error);
        if (part.status != KernelStatus::Done)
            return part.status;
    }
    return KernelStatus::Done;
}

} // namespace plumbline
