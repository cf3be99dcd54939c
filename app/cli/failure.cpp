// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/failure.h"

namespace plumbline::cli {

ExitCode exitCodeOf(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity != Severity::Error)
            continue;
        switch (diagnostic.code) {
        case Code::Usage:
        case Code::BadInjection:
        case Code::MistakeNotApplicable:
        case Code::BadEdit:
            return ExitCode::Usage;
        case Code::NotExplained:
        case Code::RunFaulted:
            return ExitCode::Mismatch;
        case Code::FileUnwritable:
        case Code::ForeignDirectory:
            return ExitCode::CannotWrite;
        case Code::Internal:
        case Code::SelfCheck:
            return ExitCode::Internal;
        case Code::Cancelled:
            return ExitCode::Interrupted;
        default:
            break;
        }
    }
    return ExitCode::BadInput;
}

Failure::Failure(Diagnostics diagnostics)
    : m_exitCode(exitCodeOf(diagnostics))
    , m_diagnostics(std::move(diagnostics)) {}

void failUsage(std::string message) { throw Failure(makeError(Code::Usage, std::move(message))); }

void failCancelled() {
    throw Failure(makeError(Code::Cancelled, "Stopped before the job was done."));
}

Diagnostics inFile(Diagnostics diagnostics, const std::string& file) {
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.where.file.empty())
            diagnostic.where.file = file;
    }
    return diagnostics;
}

} // namespace plumbline::cli
