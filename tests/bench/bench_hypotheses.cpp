// SPDX-License-Identifier: GPL-3.0-or-later
// What ranking all named mistakes on one layer costs, the layer's site given. `single/PLACE`: the
// observed bytes are those of one mistake; `pair/PLACE`: of two together, so that pairs are tried
// as well. A place is the model and the operator with the most products or the largest output.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "core/compare/hypotheses.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

struct Observation {
    LayerSite site;
    Bytes bytes;
};
using ObservationPtr = std::shared_ptr<const Observation>;

void rank(benchmark::State& state, const ObservationPtr& observation) {
    std::size_t listed = 0;
    for (auto _ : state) {
        const auto ranking =
            rankHypotheses(observation->site, npuP0Target().mistakes(), observation->bytes);
        listed = ranking->hypotheses.size();
    }
    state.counters["bytes"] = static_cast<double>(observation->bytes.size());
    state.counters["listed"] = static_cast<double>(listed);
}

void add(const std::string& name, const LayerSite& site, Bytes observed) {
    const auto shared = std::make_shared<const Observation>(Observation{site, std::move(observed)});
    benchmark::RegisterBenchmark(name.c_str(), rank, shared)->Unit(benchmark::kMillisecond);
}

/// What the layer makes of its inputs with these mistakes.
Bytes mistaken(const LayerSite& site, std::initializer_list<std::string_view> names) {
    std::vector<std::size_t> indices;
    const auto mistakes = npuP0Target().mistakes();
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        if (std::find(names.begin(), names.end(), mistakes[i].name) != names.end())
            indices.push_back(i);
    }
    return site.runner->runWith(site.step, site.mistakeSite(), indices).value();
}

void addLayer(const std::string& name, const LoweringPtr& lowering, std::int64_t operatorIndex) {
    std::optional<Fault> fault;
    const Job job = jobOf(*lowering);
    const auto site = siteOf(npuP0Target().layerRunner(job, fault), seededBytes(1, job.inputBytes),
                             nullptr, operatorIndex);
    const std::string label = name + "-op" + std::to_string(operatorIndex);
    add("single/" + label, *site, mistaken(*site, {"truncation"}));
    add("pair/" + label, *site, mistaken(*site, {"truncation", "params-next-channel"}));
}

void addModel(const std::string& name, const Bytes& file) {
    const Result<ModelPtr> model = importTflite(file);
    const Result<LoweringPtr> lowering = npuP0Target().lower(*model);
    const auto outputOf = [](const LoweredOperator& op) {
        return op.record ? op.geometry.oh * op.geometry.ow * op.geometry.cout : 0;
    };
    const auto& operators = (*lowering)->operators;
    const auto most =
        std::max_element(operators.begin(), operators.end(), [](const auto& a, const auto& b) {
            return a.cost.usefulMacs < b.cost.usefulMacs;
        });
    const auto largest =
        std::max_element(operators.begin(), operators.end(),
                         [&](const auto& a, const auto& b) { return outputOf(a) < outputOf(b); });
    addLayer(name, *lowering, most->index);
    if (largest != most)
        addLayer(name, *lowering, largest->index);
}

void addModels() {
    if (const auto data = test::sharedData())
        addModel("vww", test::readBytes(*data / "models" / "vww.tflite"));
    else
        std::fprintf(stderr, "without the real models: set PLUMBLINE_TEST_DATA\n");
    addModel("sample-mobilenet", *makeSample("mobilenet"));
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
        std::fprintf(stderr, "bench_hypotheses: %s\n", error.what());
        return 1;
    }
    benchmark::Shutdown();
    return 0;
}
