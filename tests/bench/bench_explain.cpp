// SPDX-License-Identifier: GPL-3.0-or-later
// What explaining one element costs: `site/PLACE` takes the job apart and runs up to the layer,
// `replay/PLACE` replays the element there, `explain/PLACE` is both. A place is the model, the
// operator of the largest output or of the longest reduction, and its last element.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "core/compare/layer_walk.h"
#include "core/lowering/target.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

/// An element of a job.
struct Place {
    Job job;
    Bytes input;
    std::int64_t operatorIndex = 0;
    ElementIndex element;
};
using PlacePtr = std::shared_ptr<const Place>;

Result<LayerSite> siteAt(const Place& place) {
    std::optional<Fault> fault;
    LayerRunnerPtr runner = npuP0Target().layerRunner(place.job, fault);
    if (!runner)
        return toDiagnostic(*fault);
    return siteOf(std::move(runner), place.input, nullptr, place.operatorIndex);
}

/// The error of what did not work, for the bench's own report.
template <class T> bool failed(benchmark::State& state, const Result<T>& result) {
    if (!result)
        state.SkipWithError(toText(result.diagnostics().front()).c_str());
    return !result;
}

void site(benchmark::State& state, const PlacePtr& place) {
    for (auto _ : state) {
        if (failed(state, siteAt(*place)))
            break;
    }
}

void replay(benchmark::State& state, const PlacePtr& place) {
    const Result<LayerSite> found = siteAt(*place);
    if (failed(state, found))
        return;
    std::size_t steps = 0;
    for (auto _ : state) {
        const auto made = found->runner->explain(found->step, found->arena, place->element);
        if (failed(state, made))
            break;
        steps = made->steps.size();
    }
    state.counters["steps"] = static_cast<double>(steps);
}

void explain(benchmark::State& state, const PlacePtr& place) {
    for (auto _ : state) {
        const Result<LayerSite> found = siteAt(*place);
        if (failed(state, found) ||
            failed(state, found->runner->explain(found->step, found->arena, place->element)))
            break;
    }
}

void add(const std::string& name, const Lowering& lowering, const LoweredOperator& op) {
    const OperatorGeometry& g = op.geometry;
    Place place{jobOf(lowering),
                seededBytes(1, lowering.input.bytes),
                op.index,
                {g.oh - 1, g.ow - 1, g.cout - 1}};
    const auto shared = std::make_shared<const Place>(std::move(place));
    const std::string label = name + "-op" + std::to_string(op.index);
    using Run = void (*)(benchmark::State&, const PlacePtr&);
    const std::pair<const char*, Run> parts[] = {
        {"site/", site}, {"replay/", replay}, {"explain/", explain}};
    for (const auto& [part, run] : parts)
        benchmark::RegisterBenchmark((part + label).c_str(), run, shared)
            ->Unit(benchmark::kMicrosecond);
}

/// The operators with the largest output and with the longest reduction.
void addModel(const std::string& name, const Bytes& file) {
    const Result<ModelPtr> model = importTflite(file);
    const Result<LoweringPtr> lowering = npuP0Target().lower(*model);
    const auto outputOf = [](const LoweredOperator& op) {
        return op.record ? op.geometry.oh * op.geometry.ow * op.geometry.cout : 0;
    };
    const auto& operators = (*lowering)->operators;
    const auto largest =
        std::max_element(operators.begin(), operators.end(),
                         [&](const auto& a, const auto& b) { return outputOf(a) < outputOf(b); });
    const auto longest =
        std::max_element(operators.begin(), operators.end(), [](const auto& a, const auto& b) {
            return a.tiles.fullK < b.tiles.fullK;
        });
    add(name, **lowering, *largest);
    add(name, **lowering, *longest);
}

void addModels() {
    if (const auto data = test::sharedData())
        addModel("vww", test::readBytes(*data / "models" / "vww.tflite"));
    else
        std::fprintf(stderr, "without the real models: set PLUMBLINE_TEST_DATA\n");
    addModel("sample-mobilenet", *makeSample("mobilenet"));
    addModel("sample-every-operator", *makeSample("every-operator"));
}

} // namespace
} // namespace plumbline

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    try {
        plumbline::addModels();
        benchmark::RunSpecifiedBenchmarks();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_explain: %s\n", error.what());
        return 1;
    }
    benchmark::Shutdown();
    return 0;
}
