// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"

#include <cerrno>
#include <cstdio>

#include <unistd.h>

#include "app/cli/diagnostic_json.h"

namespace plumbline::cli {

std::string printable(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte == 0x7F)
            c = '?';
    }
    return out;
}

Console::Console(std::stop_token stop)
    : m_stop(std::move(stop))
    , m_isTerminal(::isatty(STDERR_FILENO) == 1) {}

void Console::write(std::string_view text) {
    clearProgress();
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        throw OutputFailure(errno);
}

void Console::writeJson(const Json& value) {
    write(value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Console::flush() {
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        throw OutputFailure(errno);
}

void Console::report(const Diagnostics& diagnostics) {
    clearProgress();
    for (const Diagnostic& diagnostic : diagnostics) {
        if (!quiet || diagnostic.severity == Severity::Error)
            fmt::print(stderr, "{}\n", printable(toText(diagnostic)));
    }
}

void Console::reportFailure(const Failure& failure) {
    report(failure.diagnostics());
    if (!failure.excerpt().empty())
        fmt::print(stderr, "{}\n", printable(failure.excerpt()));
    if (json)
        writeJson(failureJson(failure.diagnostics()));
}

JobContext Console::context() {
    JobContext context;
    context.stop = m_stop;
    if (m_isTerminal && !quiet)
        context.progress = [this](double fraction, std::string_view what) {
            showProgress(fraction, what);
        };
    return context;
}

void Console::showProgress(double fraction, std::string_view what) {
    constexpr auto kInterval = std::chrono::milliseconds(100);
    const auto now = std::chrono::steady_clock::now();
    if (now - m_lastProgress < kInterval)
        return;
    m_lastProgress = now;
    m_hasProgress = true;
    fmt::print(stderr, "\r\x1b[K{:3.0f} % {}", fraction * 100, what);
    std::fflush(stderr);
}

void Console::clearProgress() {
    if (!m_hasProgress)
        return;
    m_hasProgress = false;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
}

} // namespace plumbline::cli
