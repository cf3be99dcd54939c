// SPDX-License-Identifier: GPL-3.0-or-later
// The engines against plain loops, the dense layers against the peak of the machine, digests
// against libcrypto and two threads against one: ratios from one run, alternating, medians. Prints
// Markdown tables for docs/performance.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <openssl/sha.h>

#include "core/kernels/graph_runner.h"
#include "core/kernels/workers.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/bench/baseline.h"
#include "tests/bench/peak.h"
#include "tests/support/test_data.h"

namespace plumbline::bench {
namespace {

double milliseconds(const std::function<void()>& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// The medians of some things timed in turn, each at least as often as takes `budget` ms in all.
std::vector<double> inTurn(const std::vector<std::function<void()>>& runs, double budget = 1500) {
    std::vector<std::vector<double>> times(runs.size());
    double round = 0;
    for (const auto& run : runs)
        round += milliseconds(run); // warms up
    const int rounds = std::clamp(static_cast<int>(budget / std::max(round, 0.001)), 15, 4000);
    for (int i = 0; i < rounds; ++i)
        for (std::size_t r = 0; r < runs.size(); ++r)
            times[r].push_back(milliseconds(runs[r]));
    std::vector<double> medians;
    for (std::vector<double>& each : times)
        medians.push_back(median(std::move(each)));
    return medians;
}

struct Subject {
    std::string name;
    LoweringPtr lowering;
    PreparedGraphPtr plain, fast;
    PreparedJobPtr job;
    Bytes input;
};

Subject subjectOf(const std::string& name, const Bytes& file) {
    Subject made;
    made.name = name;
    made.lowering = *npuP0Target().lower(*importTflite(file));
    made.plain = *prepareGraph(*made.lowering->model, plainKernels());
    made.fast = *prepareGraph(*made.lowering->model, fastKernels());
    made.job = npuP0Target().prepare(std::make_shared<const Job>(jobOf(*made.lowering)));
    made.input = seededBytes(1, made.plain->inputBytes);
    return made;
}

std::vector<Subject> subjects() {
    std::vector<Subject> made;
    if (const auto data = test::sharedData()) {
        for (const char* name : {"kws", "vww", "resnet8", "ad01"})
            made.push_back(subjectOf(
                name, test::readBytes(*data / "models" / (std::string(name) + ".tflite"))));
        return made;
    }
    std::fprintf(stderr, "without the real models: set PLUMBLINE_TEST_DATA\n");
    for (const char* name : {"ds-cnn", "mobilenet", "resnet8", "autoencoder"})
        if (const Result<Bytes> file = makeSample(name))
            made.push_back(subjectOf(std::string("sample ") + name, *file));
    return made;
}

GraphRunOptions graphOptions(unsigned threads = 1, bool digests = false) {
    GraphRunOptions options;
    options.digests = digests;
    options.threads = threads;
    return options;
}

ExecuteOptions jobOptions(unsigned threads = 1, bool digests = false) {
    ExecuteOptions options;
    options.digests = digests;
    options.threads = threads;
    return options;
}

bool agrees(const Subject& s) {
    const Bytes expected = runBaseline(*s.plain, s.input).back();
    return runPrepared(*s.plain, s.input)->output == expected &&
           runPrepared(*s.fast, s.input)->output == expected &&
           s.job->run(s.input).output == expected;
}

void enginesAgainstPlainLoops(const std::vector<Subject>& all) {
    fmt::print(
        "\nEngines, all layers captured, no digests, one thread, {}; milliseconds:\n\n"
        "| model | plain loops | plain engine | reference | executor | reference is faster | "
        "executor is faster |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        fastKernels().isa);
    for (const Subject& s : all) {
        const std::vector<double> t =
            inTurn({[&] { runBaseline(*s.plain, s.input); },
                    [&] { (void)runPrepared(*s.plain, s.input, {}, graphOptions()); },
                    [&] { (void)runPrepared(*s.fast, s.input, {}, graphOptions()); },
                    [&] { (void)s.job->run(s.input, jobOptions()); }},
                   3000);
        fmt::print("| {} | {:.3f} | {:.3f} | {:.4f} | {:.4f} | {:.1f} | {:.1f} |\n", s.name, t[0],
                   t[1], t[2], t[3], t[0] / t[2], t[0] / t[3]);
    }
}

/// What the machine can do at most, measured in this run; per nanosecond.
struct Roofs {
    const char* operation;
    double macs;        ///< in registers
    double requantized; ///< values, in registers
    double readMacs;    ///< of weights that are read once each from a packed layer of 256 KiB
};

Roofs measureRoofs() {
    const Peak peak = peakOfBestTarget();
    const auto rate = [](const std::function<std::uint64_t()>& run) {
        std::uint64_t done = 0;
        const double ms = inTurn({[&] { done = run(); }}, 200)[0];
        return static_cast<double>(done) / ms / 1e6;
    };
    const Bytes weights = seededBytes(5, std::uint64_t{256} * 1024 * peak.weightBytes);
    return {peak.operation, rate([&] { return peak.run(200'000); }),
            rate([&] { return peak.requantize(100'000); }),
            rate([&] { return peak.read(weights.data(), weights.size()); })};
}

/// The time that the multiplications (by registers, or by reading the weights where there is one
/// position) and the requantization of a layer take at least, over the first alone at its peak.
double roofOf(const Roofs& roofs, const PlannedOperator& op, const WeightedPlan& plan) {
    const auto macs = static_cast<double>(op.work);
    const bool isOnePosition = plan.output.h * plan.output.w == 1;
    const double multiply =
        macs / (isOnePosition ? std::min(roofs.macs, roofs.readMacs) : roofs.macs);
    const double requantize = static_cast<double>(plan.output.elements()) / roofs.requantized;
    return macs / roofs.macs / (multiply + requantize);
}

/// Nanoseconds of one dense layer alone.
double denseTime(const PlannedOperator& op, const WeightedPlan& plan) {
    const Bytes input = seededBytes(2, static_cast<std::uint64_t>(plan.input.elements()));
    Bytes output(static_cast<std::size_t>(plan.output.elements()));
    WeightedArguments args = argumentsOf(plan);
    args.input.data = reinterpret_cast<const std::int8_t*>(input.data());
    args.output = reinterpret_cast<std::int8_t*>(output.data());
    args.rows = {0, plan.output.h};
    args.prepared = op.prepared.get();
    constexpr int kRepeats = 20;
    const auto run = [&] {
        for (int i = 0; i < kRepeats; ++i)
            fastKernels().conv(args);
    };
    return inTurn({run}, 100)[0] / kRepeats * 1e6;
}

void denseLayers(const std::vector<Subject>& all) {
    const Roofs roofs = measureRoofs();
    fmt::print("\nDense layers with Cout >= 32. Peaks: {} {:.0f} GMAC/s in registers, {:.0f} with "
               "weights read once, {:.0f} G values/s requantized:\n\n"
               "| model | operator | shape | MACs | µs | GMAC/s | of the peak | roof |\n"
               "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n",
               roofs.operation, roofs.macs, roofs.readMacs, roofs.requantized);
    for (const Subject& s : all) {
        for (const PlannedOperator& op : s.fast->operators) {
            const auto* plan = std::get_if<WeightedPlan>(&op.kernel);
            if (!plan || plan->isDepthwise || plan->output.c < 32)
                continue;
            const double ns = denseTime(op, *plan);
            const double rate = static_cast<double>(op.work) / ns;
            fmt::print("| {} | {} | {}x{}x{} {}x{} to {}x{}x{} | {} | {:.2f} | {:.1f} | {:.0f} % | "
                       "{:.0f} % |\n",
                       s.name, op.index, plan->input.h, plan->input.w, plan->input.c,
                       plan->window.kernelH, plan->window.kernelW, plan->output.h, plan->output.w,
                       plan->output.c, op.work, ns / 1000, rate, 100 * rate / roofs.macs,
                       100 * roofOf(roofs, op, *plan));
        }
    }
}

void digests(const std::vector<Subject>& all) {
    fmt::print("\nDigests of the input, all layers and the output; microseconds:\n\n"
               "| model | bytes | without | with | difference | libcrypto alone | ratio |\n"
               "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (const Subject& s : all) {
        const Trace trace = s.job->run(s.input, jobOptions()).trace;
        std::vector<Bytes> hashed{s.input};
        for (const TraceLayer& layer : trace.layers)
            hashed.push_back(layer.bytes);
        std::size_t bytes = 0;
        for (const Bytes& each : hashed)
            bytes += each.size();
        const std::vector<double> t =
            inTurn({[&] { (void)s.job->run(s.input, jobOptions()); },
                    [&] { (void)s.job->run(s.input, jobOptions(1, true)); },
                    [&] {
                        unsigned char digest[SHA256_DIGEST_LENGTH];
                        for (const Bytes& each : hashed)
                            SHA256(each.data(), each.size(), digest);
                    }});
        fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} |\n", s.name, bytes,
                   t[0] * 1000, t[1] * 1000, (t[1] - t[0]) * 1000, t[2] * 1000,
                   (t[1] - t[0]) / t[2]);
    }
}

/// A 3x3 conv of 64 x 64 positions with 32 channels: 37.7 million multiply-accumulates.
void largeLayer(std::vector<double>& times) {
    constexpr std::int64_t kSide = 64, kChannels = 32;
    const Bytes input = seededBytes(3, kSide * kSide * kChannels);
    const Bytes weights = seededBytes(4, kChannels * kChannels * 9);
    Bytes output(input.size());
    const std::vector<Multiplier> multipliers(kChannels, {1'500'000'000, -9});
    WeightedArguments args;
    args.input = {reinterpret_cast<const std::int8_t*>(input.data()), {kSide, kSide, kChannels}};
    args.window = {3, 3, 1, 1, 1, 1, 1, 1};
    args.weights = reinterpret_cast<const std::int8_t*>(weights.data());
    args.multipliers = multipliers;
    args.outputShape = args.input.shape;
    args.output = reinterpret_cast<std::int8_t*>(output.data());
    const auto prepared = fastKernels().prepareConv(args);
    args.prepared = prepared.get();
    const auto run = [&](unsigned threads) {
        Workers workers(threads);
        workers.overRows(kSide, kSide * kSide * kChannels * kChannels * 9, [&](RowRange rows) {
            WeightedArguments part = args;
            part.rows = rows;
            return fastKernels().conv(part);
        });
    };
    times = inTurn({[&] { run(1); }, [&] { run(2); }});
}

void twoThreads(const std::vector<Subject>& all) {
    fmt::print("\nTwo threads against one; milliseconds:\n\n| what | one | two | faster |\n"
               "| --- | ---: | ---: | ---: |\n");
    const auto print = [](const std::string& what, const std::vector<double>& t) {
        fmt::print("| {} | {:.3f} | {:.3f} | {:.2f} |\n", what, t[0], t[1], t[0] / t[1]);
    };
    for (const Subject& s : all)
        print(s.name + ", executor", inTurn({[&] { (void)s.job->run(s.input, jobOptions(1)); },
                                             [&] { (void)s.job->run(s.input, jobOptions(2)); }}));
    std::vector<double> times;
    largeLayer(times);
    print("a 3x3 conv of 37.7 M MACs", times);
}

int run() {
    const std::vector<Subject> all = subjects();
    for (const Subject& s : all) {
        if (!agrees(s)) {
            std::fprintf(stderr, "%s: the engines do not agree with the loops\n", s.name.c_str());
            return 1;
        }
    }
    enginesAgainstPlainLoops(all);
    denseLayers(all);
    digests(all);
    twoThreads(all);
    return 0;
}

} // namespace
} // namespace plumbline::bench

int main() {
    try {
        return plumbline::bench::run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_targets: %s\n", error.what());
        return 1;
    }
}
