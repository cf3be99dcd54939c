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

struct InjectedRun {
    Execution execution;              ///< the trace's producer names the mistake
    std::int64_t changedElements = 0; ///< of the layer, against the right arithmetic on its inputs
};

/// Runs the job with the mistake made in one layer; later layers compute rightly on what it left.
/// Error: MistakeNotApplicable when it does not apply to that operator; Cancelled.
Result<InjectedRun> runInjected(const LayerRunner& runner, ByteView input,
                                const Injection& injection, std::span<const MistakeInfo> mistakes,
                                const JobContext& context = {});

} // namespace plumbline
