// SPDX-License-Identifier: GPL-3.0-or-later
// A run with one named mistake made on purpose, for training and tests.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/job_context.h"
#include "core/lowering/layer_runner.h"
#include "core/lowering/target.h"

namespace plumbline {

struct Injection {
    std::int64_t operatorIndex = 0;
    std::size_t mistake = 0; ///< index in Target::mistakes()
};

/// Reads "op/7:single-rounding". Error: BadInjection with what is wrong: no such form, no such
/// mistake (with the nearest name).
Result<Injection> parseInjection(std::string_view text, std::span<const MistakeInfo> mistakes);

/// A job that makes one mistake: every layer of `runner` but one computes rightly.
struct InjectedJob {
    LayerRunnerPtr runner;
    std::string what;                 ///< "single-rounding in operator 7"
    std::int64_t changedElements = 0; ///< of the layer, against the right arithmetic on its inputs
};

/// `runner` with the mistake made. What the mistake needs of earlier states of the arena is taken
/// from the job's run on `input`. Errors: those of siteOf; MistakeNotApplicable when the mistake
/// does not apply to that operator.
Result<InjectedJob> inject(LayerRunnerPtr runner, ByteView input, const Injection& injection,
                           std::span<const MistakeInfo> mistakes, const JobContext& context = {});

/// Runs all layers of an injected job; the trace's producer names the mistake.
Execution runInjected(const InjectedJob& job, ByteView input, const JobContext& context = {});

} // namespace plumbline
