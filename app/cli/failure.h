// SPDX-License-Identifier: GPL-3.0-or-later
// How a command ends early: thrown by helpers, caught once in main.cpp.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "app/cli/exit_code.h"
#include "core/base/result.h"

namespace plumbline::cli {

class Failure : public std::exception {
  public:
    Failure(ExitCode exitCode, Diagnostics diagnostics)
        : m_exitCode(exitCode)
        , m_diagnostics(std::move(diagnostics)) {}
    /// The exit code follows from the diagnostics' codes.
    explicit Failure(Diagnostics diagnostics);
    explicit Failure(Diagnostic diagnostic)
        : Failure(Diagnostics{std::move(diagnostic)}) {}
    /// `excerpt` shows below the diagnostics, on a terminal, what they are about.
    Failure(ExitCode exitCode, Diagnostics diagnostics, std::string excerpt)
        : m_exitCode(exitCode)
        , m_diagnostics(std::move(diagnostics))
        , m_excerpt(std::move(excerpt)) {}

    ExitCode exitCode() const { return m_exitCode; }
    const Diagnostics& diagnostics() const { return m_diagnostics; }
    const std::string& excerpt() const { return m_excerpt; }
    const char* what() const noexcept override { return "a command failed"; }

  private:
    ExitCode m_exitCode;
    Diagnostics m_diagnostics;
    std::string m_excerpt;
};

/// Thrown when standard output takes no more; `error` is an errno value.
struct OutputFailure : std::exception {
    explicit OutputFailure(int errorNumber)
        : error(errorNumber) {}
    const char* what() const noexcept override { return "standard output cannot be written"; }
    int error;
};

/// The exit code of a failure with these diagnostics.
ExitCode exitCodeOf(const Diagnostics& diagnostics);

/// The value, or a failure with its diagnostics.
template <class T> T valueOf(Result<T> result) {
    if (!result)
        throw Failure(std::move(result).diagnostics());
    return *std::move(result);
}

/// A command line that is wrong.
[[noreturn]] void failUsage(std::string message);

/// The job was stopped by a signal.
[[noreturn]] void failCancelled();

/// Fills in `file` where a diagnostic does not name one.
Diagnostics inFile(Diagnostics diagnostics, const std::string& file);

} // namespace plumbline::cli
