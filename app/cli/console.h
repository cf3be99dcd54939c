// SPDX-License-Identifier: GPL-3.0-or-later
// The program's way to the outside: results to standard output, diagnostics and progress to
// standard error.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/failure.h"
#include "core/base/diagnostic.h"
#include "core/base/job_context.h"

namespace plumbline::cli {

/// JSON with its keys in the order of insertion.
using Json = nlohmann::ordered_json;

class Console {
  public:
    explicit Console(std::stop_token stop);

    bool json = false;  ///< results as JSON
    bool quiet = false; ///< no progress, notes and warnings

    /// Text to standard output. Throws OutputFailure.
    void write(std::string_view text);
    template <class... T> void print(fmt::format_string<T...> format, T&&... args) {
        write(fmt::format(format, std::forward<T>(args)...));
    }
    /// One JSON value as one line. Bytes that are not UTF-8 become U+FFFD.
    void writeJson(const Json& value);
    /// Everything written so far is out, or OutputFailure is thrown.
    void flush();

    /// Diagnostics to standard error; only errors when quiet.
    void report(const Diagnostics& diagnostics);
    /// A failure: its diagnostics, and with --json the failure object on standard output.
    void reportFailure(const Failure& failure);

    /// For long jobs: the stop request, and progress where a terminal shows it.
    JobContext context();
    /// Takes the progress line away.
    void clearProgress();

    bool stopRequested() const { return m_stop.stop_requested(); }
    std::stop_token stopToken() const { return m_stop; }

  private:
    void showProgress(double fraction, std::string_view what);

    std::stop_token m_stop;
    bool m_isTerminal;
    bool m_hasProgress = false;
    std::chrono::steady_clock::time_point m_lastProgress;
};

/// `text` with control characters as '?': names in files may hold anything.
std::string printable(std::string_view text);

} // namespace plumbline::cli
