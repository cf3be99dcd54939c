// SPDX-License-Identifier: GPL-3.0-or-later
// plumb run with a reference to judge by, or with a mistake made on purpose.
#include "app/cli/run.h"
#include "core/base/sha256.h"
#include "core/compare/injection.h"
#include "core/document/reference_source.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

/// The job with its mistake; nothing where the job ends before any layer, so that none is made.
std::optional<InjectedJob> injectedJob(const LayerRunnerPtr& runner, const std::string& text,
                                       ByteView input, RunResult& result, Console& console) {
    const auto mistakes = npuP0Target().mistakes();
    const Injection injection = valueOf(parseInjection(text, mistakes));
    result.injected = {injection.operatorIndex, std::string(mistakes[injection.mistake].name), 0};
    if (!runner)
        return std::nullopt;
    InjectedJob made = valueOf(inject(runner, input, injection, mistakes, console.context()));
    result.injected->changedElements = made.changedElements;
    return made;
}

void takeExecution(RunResult& result, Execution execution) {
    if (execution.cancelled)
        failCancelled();
    result.trace = std::move(execution.trace);
    result.output = std::move(execution.output);
    result.fault = std::move(execution.fault);
}

} // namespace

RunResult runJudged(const Subject& subject, const RunChecks& checks, ByteView input,
                    Console& console) {
    const LoweringPtr lowering = loweringOfSubject(subject, console);
    const Executable executable = executableOf(subject, console);
    std::optional<Fault> fault;
    LayerRunnerPtr runner = npuP0Target().layerRunner(executable.job, fault);
    RunResult result;
    std::optional<InjectedJob> job;
    if (!checks.inject.empty())
        job = injectedJob(runner, checks.inject, input, result, console);
    if (!job) {
        const std::optional<InjectedMistake> injected = result.injected;
        result = runExecutor(executable, input, checks.sanitize, console);
        result.injected = injected;
    } else {
        runner = job->runner;
        takeExecution(result, runInjected(*job, input, console.context()));
        result.trace.modelSha256 = executable.modelSha256;
        result.outputShape = shapeOf(executable.output.shape);
    }
    if (checks.reference.empty())
        return result;
    const Reference reference =
        valueOf(openReference(checks.reference, *lowering, input, console.context()));
    console.report(matchNotes(reference));
    result.matches = reference.matches;
    if (runner) {
        result.verdicts = valueOf(judge(*runner, input, reference, *lowering, console.context()));
        return result;
    }
    result.verdicts.emplace();
    result.verdicts->reference = reference.name;
    result.verdicts->fault = result.fault;
    return result;
}

} // namespace plumbline::cli
