// SPDX-License-Identifier: GPL-3.0-or-later
// What a corpus run says at its end, whether it was made in one run or of parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/console.h"
#include "app/cli/exit_code.h"

namespace plumbline::cli {

struct CorpusResult {
    std::uint64_t inputs = 0;
    std::optional<std::uint64_t> correct; ///< nothing without labels
    std::uint64_t faults = 0;
    double seconds = 0; ///< of parts: their sum
};

/// What the text says beside the numbers.
struct CorpusHeading {
    std::string corpus;  ///< path of the inputs
    std::string engine;  ///< its name
    std::string workers; ///< "2 jobs"
    std::string digests; ///< path of the digest lines; empty for none
    std::string part;    ///< "2 of 8, part.json"; empty for none
};

/// Prints text or JSON and gives the exit code: a mismatch where there was a fault.
ExitCode printCorpusResult(const CorpusResult& result, const CorpusHeading& heading,
                           Console& console);

} // namespace plumbline::cli
