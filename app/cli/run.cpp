// SPDX-License-Identifier: GPL-3.0-or-later
// plumb run: one input through one engine, layer by layer.
#include "app/cli/run.h"

#include "app/cli/commands.h"
#include "app/cli/subject.h"
#include "core/base/sha256.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"

namespace plumbline::cli {

RunResult runExecutor(const Executable& executable, ByteView input, bool sanitize,
                      Console& console) {
    ExecuteOptions options;
    options.sanitize = sanitize;
    options.threads = kAllProcessors;
    Execution execution = npuP0Target().execute(executable.job, input, options, console.context());
    if (execution.cancelled)
        failCancelled();
    RunResult result;
    result.trace = std::move(execution.trace);
    result.trace.modelSha256 = executable.modelSha256;
    result.trace.inputSha256 = sha256Hex(input);
    result.output = std::move(execution.output);
    result.outputShape = shapeOf(executable.output.shape);
    result.fault = std::move(execution.fault);
    if (sanitize)
        result.findings = std::move(execution.findings);
    return result;
}

std::optional<Fault> faultOf(const GraphRun& run) {
    if (!run.faultedOperator)
        return std::nullopt;
    Fault fault;
    fault.code = FaultCode::Arithmetic;
    fault.stage = "execution";
    fault.reason = run.faultReason;
    return fault;
}

namespace {

/// The record of each operator if the target lowers the model; empty where it does not.
std::vector<std::optional<std::int64_t>> recordsOf(const ModelPtr& model, Console& console) {
    const Result<LoweringPtr> lowered = npuP0Target().lower(model, console.context());
    std::vector<std::optional<std::int64_t>> records(model->graphs[0].operators.size());
    if (!lowered || !(*lowered)->complete)
        return records;
    for (const LoweredOperator& op : (*lowered)->operators)
        records.at(static_cast<std::size_t>(op.index)) = op.record;
    return records;
}

std::vector<std::int64_t> outputShapeOf(const Graph& graph, std::size_t outputBytes) {
    if (graph.outputs.size() != 1)
        return {static_cast<std::int64_t>(outputBytes)};
    const Tensor& output = graph.tensors[static_cast<std::size_t>(graph.outputs[0])];
    if (const std::optional<Hwc> shape = output.batchOneShape())
        return shapeOf(*shape);
    return {output.shape.begin(), output.shape.end()};
}

} // namespace

RunResult runReference(const ModelPtr& model, const PreparedGraph& prepared, ByteView input,
                       Console& console) {
    GraphRunOptions options;
    options.threads = kAllProcessors;
    Result<GraphRun> run = runPrepared(prepared, input, console.context(), options);
    if (!run)
        throw Failure(std::move(run).diagnostics());
    RunResult result;
    result.engine = prepared.kernels == &plainKernels() ? Engine::Plain : Engine::Reference;
    result.outputShape = outputShapeOf(model->graphs[0], run->output.size());
    result.trace = std::move(run->trace);
    result.trace.modelSha256 = model->sha256;
    result.trace.inputSha256 = sha256Hex(input);
    const auto records = recordsOf(model, console);
    for (TraceLayer& layer : result.trace.layers)
        layer.record = records.at(static_cast<std::size_t>(layer.operatorIndex));
    result.fault = faultOf(*run);
    if (result.fault)
        result.fault->record = records.at(static_cast<std::size_t>(*run->faultedOperator));
    else
        result.output = std::move(run->output);
    return result;
}

PreparedGraphPtr prepareReference(const ModelPtr& model, const std::string& path, Engine engine) {
    Result<PreparedGraphPtr> prepared = prepareGraph(*model, kernelsOf(engine));
    if (!prepared)
        throw Failure(inFile(std::move(prepared).diagnostics(), path));
    return *prepared;
}

namespace {

struct RunOptions {
    std::string subject;
    InputChoice input;
    Engine engine = Engine::Executor;
    RunOutputs outputs;
    RunChecks checks;
};

void checkOptions(const RunOptions& options) {
    checkInputChoice(options.input, true);
    if (options.checks.sanitize && !options.checks.inject.empty())
        failUsage(
            "--sanitize watches the executor itself; it cannot run with an injected mistake.");
    if (options.engine == Engine::Executor)
        return;
    if (options.checks.sanitize)
        failUsage(fmt::format("--sanitize watches the executor; the {} engine has no arena.",
                              engineName(options.engine)));
    if (!options.checks.reference.empty() || !options.checks.inject.empty())
        failUsage(
            fmt::format("--reference and --inject are for the executor's run, not the {} engine's.",
                        engineName(options.engine)));
    checkEngine(options.engine, options.subject);
}

ExitCode runRun(const RunOptions& options, Console& console) {
    checkOptions(options);
    const Subject subject = openSubject(options.subject, console);
    RunResult result;
    Bytes input;
    if (options.engine == Engine::Executor) {
        const Executable executable = executableOf(subject, console);
        input = readInput(options.input, inputFormOf(executable.input));
        const bool judged = !options.checks.reference.empty() || !options.checks.inject.empty();
        result = judged ? runJudged(subject, options.checks, input, console)
                        : runExecutor(executable, input, options.checks.sanitize, console);
    } else {
        const PreparedGraphPtr prepared =
            prepareReference(subject.model, subject.path, options.engine);
        input = readInput(options.input, inputFormOf(subject.model->graphs[0]));
        result = runReference(subject.model, *prepared, input, console);
    }
    if (console.stopRequested())
        failCancelled();
    writeRunOutputs(result, options.outputs);
    if (console.json)
        console.writeJson(runJson(result));
    else
        console.write(runText(result, options.subject, inputText(options.input), input.size()));
    if (result.fault)
        console.report({toDiagnostic(*result.fault)});
    console.report(result.findings.value_or(Diagnostics{}));
    const bool clean = !result.fault && (!result.findings || result.findings->empty()) &&
                       (!result.verdicts || result.verdicts->equal());
    return clean ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace

void addRun(Program& program) {
    Command command(program, "run", "Run one input through a model or a package",
                    "plumb run model.tflite --seed 1 --trace layers");
    auto options = std::make_shared<RunOptions>();
    command.positional("MODEL|DIR", options->subject, "A TFLite model or a package directory");
    command.input(options->input);
    command.engine(options->engine);
    command.text("-o,--output", options->outputs.file, "FILE",
                 "Write the output's bytes here; .npy if so named");
    command.text("--trace", options->outputs.trace, "DIR",
                 "Write every layer's tensor to this directory");
    command.text(
        "--reference", options->checks.reference, "REF",
        "Judge every layer by this: 'reference' for the program's own kernels, 'plain' for "
        "its plain loops, a .tflite model for the kernels on it, a package for its "
        "digests, or a directory with a trace, dumps or arena images");
    command.text("--inject", options->checks.inject, "op/N:NAME",
                 "Make one named mistake on purpose (plumb explain --list-hypotheses)");
    command.flag("--sanitize", options->checks.sanitize, "Watch every access to the arena");
    command.action(std::move(options), runRun);
}

} // namespace plumbline::cli
