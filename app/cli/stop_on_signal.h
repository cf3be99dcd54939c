// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM as a stop request.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace plumbline::cli {

/// While it lives, SIGINT and SIGTERM (and SIGHUP) are taken by a thread that requests a stop. A
/// second signal, or a job that has not ended two seconds after the first, ends the process with
/// exit code 130: outputs are written atomically, so nothing is left half-written. To be made
/// before any other thread, which then inherits the blocked signals.
class StopOnSignal {
  public:
    StopOnSignal();
    ~StopOnSignal();
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

  private:
    void watch();

    std::stop_source m_source;
    std::atomic<bool> m_done{false};
    sigset_t m_signals{};
    std::thread m_thread;
};

} // namespace plumbline::cli
