// SPDX-License-Identifier: GPL-3.0-or-later
// Work in the background of which only the newest result is wanted.
#pragma once

#include <memory>
#include <stop_token>
#include <utility>

#include <QObject>
#include <QThreadPool>

namespace plumbline {

/// Lives in the GUI thread. A new start() asks the work before it to stop and drops its result.
class NewestJob {
  public:
    NewestJob() { m_pool.setMaxThreadCount(1); }
    ~NewestJob() {
        cancel();
        m_pool.waitForDone();
    }
    NewestJob(const NewestJob&) = delete;
    NewestJob& operator=(const NewestJob&) = delete;

    /// Runs `work(stop)` on another thread, then `done(result)` here. `work` owns what it reads.
    template <class Work, class Done> void start(Work work, Done done) {
        cancel();
        m_stop = std::stop_source();
        m_isBusy = true;
        m_pool.start([this, work = std::move(work), done = std::move(done),
                      stop = m_stop.get_token()]() mutable {
            auto result = std::make_shared<decltype(work(stop))>(work(stop));
            QMetaObject::invokeMethod(
                &m_receiver,
                [this, result, done = std::move(done), stop] {
                    if (stop.stop_requested())
                        return;
                    m_isBusy = false;
                    done(std::move(*result));
                },
                Qt::QueuedConnection);
        });
    }

    void cancel() {
        m_stop.request_stop();
        m_isBusy = false;
    }
    bool isBusy() const { return m_isBusy; }

  private:
    QObject m_receiver;
    QThreadPool m_pool;
    std::stop_source m_stop;
    bool m_isBusy = false;
};

} // namespace plumbline
