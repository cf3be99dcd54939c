// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stop_on_signal.h"

#include <ctime>

#include <pthread.h>
#include <unistd.h>

#include "app/cli/exit_code.h"

namespace plumbline::cli {

StopOnSignal::StopOnSignal() {
    sigemptyset(&m_signals);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction current {};
        // nohup and background jobs of a shell ignore some of these on purpose: leave those alone.
        if (sigaction(number, nullptr, &current) == 0 && current.sa_handler != SIG_IGN)
            sigaddset(&m_signals, number);
    }
    sigaddset(&m_signals, SIGUSR1); // wakes the thread at the end
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_thread = std::thread([this] { watch(); });
}

StopOnSignal::~StopOnSignal() {
    m_done = true;
    pthread_kill(m_thread.native_handle(), SIGUSR1);
    m_thread.join();
}

void StopOnSignal::watch() {
    int number = 0;
    do {
        if (sigwait(&m_signals, &number) != 0 || m_done)
            return;
    } while (number == SIGUSR1);
    m_source.request_stop();
    const timespec grace{2, 0};
    sigtimedwait(&m_signals, nullptr, &grace);
    if (!m_done)
        _exit(static_cast<int>(ExitCode::Interrupted));
}

} // namespace plumbline::cli
