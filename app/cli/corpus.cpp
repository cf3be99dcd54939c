// SPDX-License-Identifier: GPL-3.0-or-later
// plumb corpus: many inputs in parallel; accuracy, layer digests and throughput.
#include "app/cli/corpus.h"

#include <chrono>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/corpus_part.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/output_stream.h"
#include "app/cli/run.h"
#include "app/cli/table.h"
#include "core/base/sha256.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

struct CorpusOptions {
    std::string subject;
    std::string inputs;
    std::optional<std::uint64_t> itemBytes;
    std::string labels;
    std::optional<std::uint64_t> jobs;
    std::optional<std::uint64_t> limit;
    std::string digests;
    std::string shard;
    std::string part;
    Engine engine = Engine::Executor;
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
    const PreparedJobPtr prepared =
        npuP0Target().prepare(std::shared_ptr<const Job>(executable, &executable->job));
    const RunItem run = [prepared, captureLayers](std::uint64_t, ByteView input,
                                                  const std::stop_token& stop) {
        ExecuteOptions options;
        options.captureLayers = captureLayers;
        options.digests = captureLayers;
        JobContext context;
        context.stop = stop;
        Execution execution = prepared->run(input, options, context);
        if (execution.cancelled)
            failCancelled();
        ItemResult item;
        item.output = std::move(execution.output);
        item.fault = std::move(execution.fault);
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

CorpusEngine graphEngine(const Subject& subject, Engine engine, bool captureLayers) {
    const PreparedGraphPtr prepared = prepareReference(subject.model, subject.path, engine);
    const RunItem run = [prepared, captureLayers](std::uint64_t, ByteView input,
                                                  const std::stop_token& stop) {
        JobContext context;
        context.stop = stop;
        GraphRunOptions options;
        options.captureLayers = captureLayers;
        options.digests = captureLayers;
        Result<GraphRun> made = runPrepared(*prepared, input, context, options);
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

/// Where the digest lines go, and what a part says of them.
class DigestLines {
  public:
    explicit DigestLines(const std::string& path)
        : m_path(path)
        , m_out(path) {}

    void add(const std::string& line) {
        m_out.write(line);
        m_bytes += line.size();
        m_sha256.add({reinterpret_cast<const std::uint8_t*>(line.data()), line.size()});
    }
    PartDigests commit() {
        m_out.commit();
        return {m_path, m_bytes, m_sha256.finish()};
    }

  private:
    std::string m_path;
    OutputStream m_out;
    std::uint64_t m_bytes = 0;
    Sha256 m_sha256;
};

/// What a run of these options has in common with the other parts of its whole, but for what
/// costs reading: the labels and the fingerprint.
CorpusRun describeRun(const CorpusOptions& options, const Subject& subject,
                      const CorpusInputs& inputs) {
    CorpusRun run;
    run.subjectKind = subject.package ? "package" : "model";
    if (subject.package) {
        const std::string manifest = subject.package->manifest.dump();
        run.subjectSha256 =
            sha256Hex({reinterpret_cast<const std::uint8_t*>(manifest.data()), manifest.size()});
    } else {
        run.subjectSha256 = subject.model->sha256;
    }
    run.engine = engineName(options.engine);
    run.inputsKind = inputs.isDirectory() ? "directory" : "file";
    run.available = inputs.available();
    run.inputs = inputs.count();
    run.form = inputs.form();
    run.digests = !options.digests.empty();
    return run;
}

/// Runs the inputs of the part's shard and fills in what they give.
void runPart(const CorpusOptions& options, const CorpusEngine& engine, const CorpusInputs& inputs,
             unsigned jobs, CorpusPart& part, Console& console) {
    const IndexRange range = part.range();
    Labels labels;
    CorpusResult& result = part.result;
    if (!options.labels.empty()) {
        labels = loadLabels(options.labels, range, engine.outputBytes);
        part.run.labelsSha256 = labels.sha256;
        result.correct = 0;
    }
    std::optional<DigestLines> digests;
    if (!options.digests.empty())
        digests.emplace(options.digests);
    constexpr std::uint64_t kInputsPerReport = 16;
    Sha256 inputsSha256;
    const JobContext context = console.context();
    const TakeItem take = [&](std::uint64_t index, ByteView input, const ItemResult& item) {
        if (!options.part.empty())
            inputsSha256.add(input);
        ++result.inputs;
        if (item.fault)
            ++result.faults;
        else if (result.correct &&
                 largestIndex(item.output) ==
                     static_cast<std::size_t>(
                         labels.classes[static_cast<std::size_t>(index - range.first)]))
            ++*result.correct;
        if (digests)
            digests->add(item.digestLine);
        if (result.inputs % kInputsPerReport == 0)
            context.report(static_cast<double>(result.inputs) / static_cast<double>(range.count),
                           fmt::format("{} of {} inputs", result.inputs, range.count));
    };
    // The text is made on the threads that run the inputs: taking results is one thread's work.
    const RunItem run = [&](std::uint64_t index, ByteView input, const std::stop_token& stop) {
        ItemResult item = engine.run(index, input, stop);
        if (digests)
            item.digestLine = digestLine(index, item);
        return item;
    };
    const auto start = std::chrono::steady_clock::now();
    runCorpus(inputs, range, jobs, run, take, console.stopToken());
    part.inputsSha256 = inputsSha256.finish();
    if (digests)
        part.digests = digests->commit();
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void checkOptions(const CorpusOptions& options) {
    constexpr std::uint64_t kMaxJobs = 256;
    if (options.jobs && (*options.jobs == 0 || *options.jobs > kMaxJobs))
        failUsage(fmt::format("--jobs is within 1..{}.", kMaxJobs));
    if (options.limit && *options.limit == 0)
        failUsage("--limit is at least 1.");
    checkEngine(options.engine, options.subject);
    if (!options.shard.empty() && options.part.empty())
        failUsage("--shard needs --part FILE, which plumb corpus-merge joins with the others.");
    if (options.part.empty())
        return;
    std::error_code error;
    if (fs::weakly_canonical(options.part, error) == fs::weakly_canonical(options.digests, error))
        failUsage("--part and --digests name the same file.");
    if (fs::exists(options.digests, error) && !fs::is_regular_file(options.digests, error))
        failUsage("With --part, --digests names a regular file, which plumb corpus-merge reads.");
    const std::vector<std::string> read{options.subject, options.inputs, options.labels};
    refuseReplacing(options.part, read);
    refuseReplacing(options.digests, read);
}

ExitCode runCorpusCommand(const CorpusOptions& options, Console& console) {
    checkOptions(options);
    const Shard shard = options.shard.empty() ? Shard{} : parseShard(options.shard);
    const Subject subject = openSubject(options.subject, console);
    const bool capture = !options.digests.empty();
    const CorpusEngine engine = options.engine == Engine::Executor
                                    ? executorEngine(subject, capture, console)
                                    : graphEngine(subject, options.engine, capture);
    const CorpusInputs inputs(options.inputs, options.itemBytes, engine.form, options.limit);
    const unsigned jobs = options.jobs ? static_cast<unsigned>(*options.jobs)
                                       : std::max(1U, std::thread::hardware_concurrency());
    CorpusPart part;
    part.run = describeRun(options, subject, inputs);
    part.run.shards = shard.count;
    part.shardIndex = shard.index;
    part.corpus = options.inputs;
    if (!options.part.empty())
        part.run.fingerprint = inputs.fingerprint();
    runPart(options, engine, inputs, jobs, part, console);
    CorpusHeading heading{
        options.inputs, part.run.engine, counted(jobs, "job"), options.digests, {}};
    if (!options.part.empty()) {
        OutputStream out(options.part);
        out.write(partText(part, options.part));
        out.commit();
        heading.part = fmt::format("{} of {}, {}", shard.index, shard.count, options.part);
    }
    return printCorpusResult(part.result, heading, console);
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
    command.text("--shard", options->shard, "I/N", "Only the inputs of shard I of N");
    command.text("--part", options->part, "FILE",
                 "Write here what plumb corpus-merge needs to join this shard with the others");
    command.engine(options->engine);
    command.action(std::move(options), runCorpusCommand);
}

} // namespace plumbline::cli
