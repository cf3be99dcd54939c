// SPDX-License-Identifier: GPL-3.0-or-later
// plumb bench: how long one run of a prepared model or package takes.
#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <variant>

#include "app/cli/commands.h"
#include "app/cli/run.h"
#include "app/cli/table.h"
#include "core/lowering/target.h"

namespace plumbline::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLeastRuns = 5;
constexpr std::chrono::seconds kMeasuredTime{1};
constexpr std::uint64_t kMaxRuns = 1'000'000;

struct BenchOptions {
    std::string subject;
    InputChoice input;
    Engine engine = Engine::Executor;
    std::optional<std::uint64_t> threads;
    std::optional<std::uint64_t> runs;
    bool digests = false;

    /// Threads of one run, at most one per processor, which is what 0 asks for.
    unsigned threadCount() const {
        const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
        const std::uint64_t asked = threads.value_or(1);
        return asked == 0 || asked > processors ? processors : static_cast<unsigned>(asked);
    }
};

/// A model or package ready for any number of runs of one engine.
struct BenchEngine {
    InputForm form;
    std::uint64_t macs = 0; ///< of the weighted layers, padding included
    /// One run that keeps every layer; its fault. Throws Failure when it is stopped.
    std::function<std::optional<Fault>(ByteView, const JobContext&)> run;
};

BenchEngine executorEngine(const Subject& subject, const BenchOptions& options, Console& console) {
    const LoweringPtr lowering = loweringOfSubject(subject, console);
    BenchEngine engine;
    engine.form = inputFormOf(lowering->input);
    for (const LoweredOperator& op : lowering->operators)
        engine.macs += static_cast<std::uint64_t>(op.cost.usefulMacs);
    ExecuteOptions execute;
    execute.digests = options.digests;
    execute.threads = options.threadCount();
    const PreparedJobPtr prepared = npuP0Target().prepare(
        std::make_shared<const Job>(subject.package ? subject.package->job : jobOf(*lowering)));
    engine.run = [prepared, execute](ByteView input, const JobContext& context) {
        const Execution execution = prepared->run(input, execute, context);
        if (execution.cancelled)
            failCancelled();
        return execution.fault;
    };
    return engine;
}

BenchEngine graphEngine(const Subject& subject, const BenchOptions& options) {
    const PreparedGraphPtr prepared = prepareReference(subject.model, subject.path, options.engine);
    BenchEngine engine;
    engine.form = inputFormOf(subject.model->graphs[0]);
    for (const PlannedOperator& op : prepared->operators) {
        if (std::holds_alternative<WeightedPlan>(op.kernel))
            engine.macs += op.work;
    }
    GraphRunOptions run;
    run.digests = options.digests;
    run.threads = options.threadCount();
    engine.run = [prepared, run](ByteView input, const JobContext& context) {
        const Result<GraphRun> made = runPrepared(*prepared, input, context, run);
        if (!made)
            throw Failure(made.diagnostics());
        return faultOf(*made);
    };
    return engine;
}

/// Runs once to warm up, then as often as asked for. Milliseconds per run, sorted.
std::vector<double> measure(const BenchEngine& engine, ByteView input,
                            const std::optional<std::uint64_t>& runs, Console& console) {
    JobContext quiet;
    quiet.stop = console.stopToken();
    const JobContext context = console.context();
    const auto runOnce = [&] {
        if (const std::optional<Fault> fault = engine.run(input, quiet))
            throw Failure(ExitCode::Mismatch, {toDiagnostic(*fault)});
    };
    runOnce();
    std::vector<double> times;
    const auto start = Clock::now();
    const auto progress = [&] {
        if (runs)
            return static_cast<double>(times.size()) / static_cast<double>(*runs);
        const std::chrono::duration<double> passed = Clock::now() - start;
        return std::min(passed / kMeasuredTime,
                        static_cast<double>(times.size()) / static_cast<double>(kLeastRuns));
    };
    for (double done = 0; done < 1; done = progress()) {
        if (!context.report(done, "Benchmarking"))
            failCancelled();
        const auto before = Clock::now();
        runOnce();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
    }
    std::sort(times.begin(), times.end());
    return times;
}

double medianOf(const std::vector<double>& sorted) {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

void print(const BenchOptions& options, std::uint64_t macs, const std::vector<double>& times,
           Console& console) {
    const std::string_view isa = kernelsOf(options.engine).isa;
    const double median = medianOf(times);
    const double perSecond = static_cast<double>(macs) / (median / 1000);
    if (console.json) {
        console.writeJson(
            {{"engine", engineName(options.engine)},
             {"isa", isa},
             {"ms", {{"min", times.front()}, {"median", median}, {"max", times.back()}}},
             {"macs", macs},
             {"macs_per_second", perSecond},
             {"runs", times.size()},
             {"threads", options.threadCount()},
             {"digests", options.digests}});
        return;
    }
    LabelledLines lines;
    lines.add("Engine", fmt::format("{} on {}, {}{}", engineName(options.engine), isa,
                                    counted(options.threadCount(), "thread"),
                                    options.digests ? ", with digests" : ""));
    lines.add("Time", fmt::format("{:.3f} ms in the median of {} ({:.3f} to {:.3f})", median,
                                  counted(times.size(), "run"), times.front(), times.back()));
    lines.add("Work", fmt::format("{} multiply-accumulates, {:.2f} billion per second",
                                  grouped(macs), perSecond / 1e9));
    console.write(lines.text());
}

void checkOptions(const BenchOptions& options) {
    checkInputChoice(options.input, false);
    checkEngine(options.engine, options.subject);
    if (options.runs && (*options.runs == 0 || *options.runs > kMaxRuns))
        failUsage(fmt::format("--runs is within 1..{}.", kMaxRuns));
}

ExitCode runBench(const BenchOptions& options, Console& console) {
    checkOptions(options);
    const Subject subject = openSubject(options.subject, console);
    const BenchEngine engine = options.engine == Engine::Executor
                                   ? executorEngine(subject, options, console)
                                   : graphEngine(subject, options);
    InputChoice choice = options.input;
    if (!choice.given())
        choice.seed = 1;
    const Bytes input = readInput(choice, engine.form);
    print(options, engine.macs, measure(engine, input, options.runs, console), console);
    return ExitCode::Ok;
}

} // namespace

void addBench(Program& program) {
    Command command(program, "bench", "Measure how long one run takes",
                    "plumb bench model.tflite --engine reference --threads 2");
    auto options = std::make_shared<BenchOptions>();
    command.positional("MODEL|DIR", options->subject, "A TFLite model or a package directory");
    command.input(options->input);
    command.engine(options->engine);
    command.number("--threads", options->threads,
                   "Threads of one run, at most one per processor; 0 for as many (default: 1)");
    command.number("--runs", options->runs,
                   "Measure this many runs (default: one second, at least 5)");
    command.flag("--digests", options->digests, "Take the SHA-256 of every layer as well");
    command.action(std::move(options), runBench);
}

} // namespace plumbline::cli
