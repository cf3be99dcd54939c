// SPDX-License-Identifier: GPL-3.0-or-later
// One run of one engine and what becomes of its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/subject.h"
#include "core/compare/verdict.h"
#include "core/graph/trace.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/job.h"

namespace plumbline::cli {

/// What a run of the executor is asked for besides running.
struct RunChecks {
    bool sanitize = false;
    std::string reference; ///< what to judge by (openReference); empty for nothing
    std::string inject;    ///< "op/7:single-rounding"; empty for no mistake
};

/// The mistake that a run made on purpose.
struct InjectedMistake {
    std::int64_t operatorIndex = 0;
    std::string name;
    std::int64_t changedElements = 0; ///< of the layer, on its own inputs
};

struct RunResult {
    Engine engine = Engine::Executor;
    Trace trace;                           ///< finished layers
    Bytes output;                          ///< empty with a fault
    std::vector<std::int64_t> outputShape; ///< [H,W,C] where the output is batch-one
    std::optional<Fault> fault;
    std::optional<Diagnostics> findings; ///< of the sanitizer, when it was asked for
    std::optional<Verdicts> verdicts;    ///< when there is a reference
    std::vector<LayerMatch> matches;     ///< of the reference's layers
    std::optional<InjectedMistake> injected;
};

/// Both throw Failure when they are stopped.
RunResult runExecutor(const Executable& executable, ByteView input, bool sanitize,
                      Console& console);
/// The same with the verdicts of `reference` (empty: none) and the mistake of `inject` (empty:
/// none).
RunResult runJudged(const Subject& subject, const RunChecks& checks, ByteView input,
                    Console& console);
RunResult runReference(const ModelPtr& model, const PreparedGraph& prepared, ByteView input,
                       Console& console);

/// The model's graph ready for the kernels of `engine`; a failure names every operator without a
/// kernel.
PreparedGraphPtr prepareReference(const ModelPtr& model, const std::string& path, Engine engine);

/// The fault that stopped a graph run, without its record.
std::optional<Fault> faultOf(const GraphRun& run);

/// Where a run's results go besides standard output; empty for nowhere.
struct RunOutputs {
    std::string file;
    std::string trace;
};
void writeRunOutputs(const RunResult& result, const RunOutputs& outputs);

Json runJson(const RunResult& result);
std::string runText(const RunResult& result, const std::string& subject, const std::string& input,
                    std::size_t inputBytes);

/// "[25,5,64]"
std::string shapeListText(const std::vector<std::int64_t>& shape);
/// The first 12 digits.
std::string shortDigest(const std::string& sha256);
/// The index of the largest signed byte, the lowest of equals; `bytes` is not empty.
std::size_t largestIndex(ByteView bytes);

} // namespace plumbline::cli
