// SPDX-License-Identifier: GPL-3.0-or-later
// What a long-running core function gets from its caller: a way to say how far it is and to be
// stopped.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace plumbline {

/// As a number of threads: one per processor.
inline constexpr unsigned kAllProcessors = 0;

struct JobContext {
    std::stop_token stop;
    /// Called with 0..1 and what is being done; may be empty; called from the working thread.
    std::function<void(double fraction, std::string_view what)> progress;

    bool cancelled() const { return stop.stop_requested(); }
    /// Reports progress; returns false when the job should end now.
    bool report(double fraction, std::string_view what) const {
        if (progress)
            progress(fraction, what);
        return !cancelled();
    }
};

} // namespace plumbline
