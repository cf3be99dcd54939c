// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus: many inputs in parallel; accuracy, layer digests and throughput.
#include "app/cli/corpus.h"

#include <chrono>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/output_stream.h"
#include "app/cli/run.h"
#include "app/cli/table.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

struct CorpusOptions {
    std::string subject;
    std::string inputs;
    std::optional<std::uint64_t> itemBytes;
    std::string labels;
    std::optional<std::uint64_t> jobs;
    std::optional<std::uint64_t> limit;
    std::string digests;
    Engine engine = Engine::Executor;
};

struct CorpusResult {
    std::uint64_t inputs = 0;
    std::optional<std::uint64_t> correct; ///< nothing without labels
    std::uint64_t faults = 0;
    double seconds = 0;
};

/// One engine, ready for any number of inputs.
struct CorpusEngine {
    InputForm form;
    std::uint64_t outputBytes = 0;
    RunItem run;
};

void addLayers(ItemResult& item, const Trace& trace) {
    for (const TraceLayer& layer : trace.layers)
        item.layers.emplace_back(layer.operatorIndex, layer.sha256);
}

CorpusEngine executorEngine(const Subject& subject, bool captureLayers, Console& console) {
    auto executable = std::make_shared<const Executable>(executableOf(subject, console));
    const RunItem run = [executable, captureLayers](ByteView input, const std::stop_token& stop) {
        ExecuteOptions options;
        options.captureLayers = captureLayers;
        JobContext context;
        context.stop = stop;
        Execution execution = npuP0Target().execute(executable->job, input, options, context);
        if (execution.cancelled)
            failCancelled();
        ItemResult item{std::move(execution.output), {}, std::move(execution.fault)};
        addLayers(item, execution.trace);
        return item;
    };
    return {inputFormOf(executable->input), executable->output.bytes, run};
}

std::uint64_t outputBytesOf(const PreparedGraph& prepared) {
    std::uint64_t bytes = 0;
    for (const std::int32_t output : prepared.outputs)
        bytes += prepared.tensors[static_cast<std::size_t>(output)].bytes;
    return bytes;
}

CorpusEngine referenceEngine(const Subject& subject, bool captureLayers) {
    const PreparedGraphPtr prepared = prepareReference(subject.model, subject.path);
    const RunItem run = [prepared, captureLayers](ByteView input, const std::stop_token& stop) {
        JobContext context;
        context.stop = stop;
        Result<GraphRun> made =
            runPrepared(*prepared, input, referenceKernels(), context, captureLayers);
        if (!made)
            throw Failure(std::move(made).diagnostics());
        ItemResult item;
        addLayers(item, made->trace);
        item.fault = faultOf(*made);
        if (!item.fault)
            item.output = std::move(made->output);
        return item;
    };
    return {inputFormOf(subject.model->graphs[0]), outputBytesOf(*prepared), run};
}

std::string digestLine(std::uint64_t index, const ItemResult& item) {
    Json layers = Json::array();
    for (const auto& [operatorIndex, digest] : item.layers)
        layers.push_back({{"operator", operatorIndex}, {"sha256", digest}});
    Json line{{"index", index},
              {"layers", std::move(layers)},
              {"output_hex", item.fault ? Json(nullptr) : Json(toHex(item.output))}};
    if (item.fault)
        line["fault"] = faultJson(item.fault);
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CorpusResult runAll(const CorpusOptions& options, const CorpusEngine& engine,
                    const CorpusInputs& inputs, unsigned jobs, Console& console) {
    std::vector<std::int32_t> labels;
    CorpusResult result;
    if (!options.labels.empty()) {
        labels = loadLabels(options.labels, inputs.count(), engine.outputBytes);
        result.correct = 0;
    }
    std::optional<OutputStream> digests;
    if (!options.digests.empty())
        digests.emplace(options.digests);
    const JobContext context = console.context();
    const TakeItem take = [&](std::uint64_t index, const ItemResult& item) {
        ++result.inputs;
        if (item.fault)
            ++result.faults;
        else if (!labels.empty() &&
                 largestIndex(item.output) ==
                     static_cast<std::size_t>(labels[static_cast<std::size_t>(index)]))
            ++*result.correct;
        if (digests)
            digests->write(digestLine(index, item));
        context.report(static_cast<double>(result.inputs) / static_cast<double>(inputs.count()),
                       fmt::format("{} of {} inputs", result.inputs, inputs.count()));
    };
    const auto start = std::chrono::steady_clock::now();
    runCorpus(inputs, jobs, engine.run, take, console.stopToken());
    if (digests)
        digests->commit();
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

void printResult(const CorpusOptions& options, const CorpusResult& result, unsigned jobs,
                 Console& console) {
    const auto inputs = static_cast<double>(result.inputs);
    const double perSecond = result.seconds > 0 ? inputs / result.seconds : 0;
    std::optional<double> accuracy;
    if (result.correct)
        accuracy = static_cast<double>(*result.correct) / inputs;
    if (console.json) {
        console.writeJson({{"inputs", result.inputs},
                           {"correct", orNull(result.correct)},
                           {"accuracy", orNull(accuracy)},
                           {"seconds", result.seconds},
                           {"inputs_per_second", perSecond},
                           {"engine", engineName(options.engine)},
                           {"faults", result.faults}});
        return;
    }
    LabelledLines lines;
    lines.add("Corpus", fmt::format("{}, {}", options.inputs, counted(result.inputs, "input")));
    lines.add("Engine", fmt::format("{}, {}", engineName(options.engine), counted(jobs, "job")));
    if (accuracy)
        lines.add("Correct", fmt::format("{} of {} ({:.2f} %)", *result.correct, result.inputs,
                                         *accuracy * 100));
    lines.add("Faults", std::to_string(result.faults));
    lines.add("Time", fmt::format("{:.3f} s, {:.1f} inputs per second", result.seconds, perSecond));
    if (!options.digests.empty())
        lines.add("Digests", options.digests);
    console.write(lines.text());
}

void checkOptions(const CorpusOptions& options) {
    constexpr std::uint64_t kMaxJobs = 256;
    if (options.jobs && (*options.jobs == 0 || *options.jobs > kMaxJobs))
        failUsage(fmt::format("--jobs is within 1..{}.", kMaxJobs));
    if (options.limit && *options.limit == 0)
        failUsage("--limit is at least 1.");
    if (options.engine == Engine::Reference && isPackagePath(options.subject))
        failUsage("--engine reference needs the model; a package holds only packed records.");
}

ExitCode runCorpusCommand(const CorpusOptions& options, Console& console) {
    checkOptions(options);
    const Subject subject = openSubject(options.subject, console);
    const bool capture = !options.digests.empty();
    const CorpusEngine engine = options.engine == Engine::Executor
                                    ? executorEngine(subject, capture, console)
                                    : referenceEngine(subject, capture);
    const CorpusInputs inputs(options.inputs, options.itemBytes, engine.form, options.limit);
    const unsigned jobs = options.jobs ? static_cast<unsigned>(*options.jobs)
                                       : std::max(1U, std::thread::hardware_concurrency());
    const CorpusResult result = runAll(options, engine, inputs, jobs, console);
    printResult(options, result, jobs, console);
    return result.faults == 0 ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace

void addCorpus(Program& program) {
    Command command(
        program, "corpus", "Run many inputs in parallel",
        "plumb corpus model.tflite --inputs inputs.bin --item-bytes 490 --labels labels.csv");
    auto options = std::make_shared<CorpusOptions>();
    command.positional("MODEL|DIR", options->subject, "A TFLite model or a package directory");
    command.text("--inputs", options->inputs, "FILE|DIR",
                 "A file of inputs one after the other, or a directory with a file per input",
                 Presence::Required);
    command.number("--item-bytes", options->itemBytes, "Bytes of one input in the file");
    command.text("--labels", options->labels, "CSV", "A header line, then lines index,name,class");
    command.number("--jobs", options->jobs, "Threads (default: one per processor)");
    command.number("--limit", options->limit, "Only the first N inputs");
    command.text("--digests", options->digests, "FILE",
                 "Write the layer digests of each input here, one JSON line each");
    command.engine(options->engine);
    command.action(std::move(options), runCorpusCommand);
}

} // namespace plumbline::cli
