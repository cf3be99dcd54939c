// SPDX-License-Identifier: GPL-3.0-or-later
// What a model costs from file to output: `lower/MODEL` imports, lowers and packs it,
// `manifest/MODEL` makes the text of npu.json, `execute/MODEL` runs the packed records,
// `reference/MODEL` the kernels.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/artifacts/package.h"
#include "core/kernels/graph_runner.h"
#include "core/report/p0_report.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

using FilePtr = std::shared_ptr<const Bytes>;

LoweringPtr lowered(const Bytes& file) {
    Result<ModelPtr> model = importTflite(file);
    if (!model)
        return nullptr;
    Result<LoweringPtr> lowering = npuP0Target().lower(*model);
    return lowering && (*lowering)->complete ? *lowering : nullptr;
}

void lower(benchmark::State& state, const FilePtr& file) {
    std::size_t records = 0;
    for (auto _ : state) {
        const LoweringPtr lowering = lowered(*file);
        records = lowering->records.size();
        benchmark::DoNotOptimize(lowering->descriptorBytes());
    }
    state.counters["records"] = static_cast<double>(records);
}

void manifest(benchmark::State& state, const FilePtr& file) {
    const LoweringPtr lowering = lowered(*file);
    for (auto _ : state)
        benchmark::DoNotOptimize(canonicalJson(manifestJson(*lowering, "bench")));
}

void execute(benchmark::State& state, const FilePtr& file) {
    const Job job = jobOf(*lowered(*file));
    const Bytes input = seededBytes(1, job.inputBytes);
    ExecuteOptions options;
    options.captureLayers = false;
    for (auto _ : state) {
        const Execution execution = npuP0Target().execute(job, input, options);
        if (execution.fault)
            state.SkipWithError(execution.fault->reason.c_str());
    }
}

void reference(benchmark::State& state, const FilePtr& file) {
    const LoweringPtr lowering = lowered(*file);
    const Result<PreparedGraphPtr> prepared = prepareGraph(*lowering->model, fastKernels());
    if (!prepared) {
        state.SkipWithError("the reference cannot run this model");
        return;
    }
    const Bytes input = seededBytes(1, (*prepared)->inputBytes);
    GraphRunOptions runOptions;
    runOptions.captureLayers = false;
    for (auto _ : state) {
        const auto run = runPrepared(**prepared, input, {}, runOptions);
        if (!run || run->faultedOperator)
            state.SkipWithError("the run did not end");
    }
}

void add(const std::string& name, const Bytes& content) {
    if (!lowered(content)) {
        std::fprintf(stderr, "%s does not lower and is left out\n", name.c_str());
        return;
    }
    const FilePtr file = std::make_shared<const Bytes>(content);
    using Run = void (*)(benchmark::State&, const FilePtr&);
    const std::pair<const char*, Run> parts[] = {{"lower/", lower},
                                                 {"manifest/", manifest},
                                                 {"execute/", execute},
                                                 {"reference/", reference}};
    for (const auto& [part, run] : parts) {
        benchmark::RegisterBenchmark((part + name).c_str(), run, file)
            ->Unit(benchmark::kMillisecond);
    }
}

void addRealModels() {
    const auto data = test::sharedData();
    if (!data) {
        std::fprintf(stderr, "without the real models: set PLUMBLINE_TEST_DATA\n");
        return;
    }
    for (const char* name : {"kws", "vww", "resnet8", "ad01"})
        add(name, test::readBytes(*data / "models" / (std::string(name) + ".tflite")));
}

void addSamples() {
    for (const SampleInfo& sample : allSamples()) {
        if (sample.name == "refused")
            continue;
        const std::string name =
            sample.name == "branches" ? "branches-1000" : std::string(sample.name);
        if (const Result<Bytes> file = makeSample(name))
            add("sample-" + name, *file);
    }
}

} // namespace
} // namespace plumbline

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    try {
        plumbline::addRealModels();
        plumbline::addSamples();
        benchmark::RunSpecifiedBenchmarks();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_models: %s\n", error.what());
        return 1;
    }
    benchmark::Shutdown();
    return 0;
}
