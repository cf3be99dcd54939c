// SPDX-License-Identifier: GPL-3.0-or-later
// How each part grows with the number of operators, over shapes that ask for more than linear work:
// PART/SHAPE/OPERATORS. The counter `growth` of the largest size is its time over that of a tenth
// of the operators; linear work gives 10.
#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "core/artifacts/package.h"
#include "core/base/file.h"
#include "core/chart/charts.h"
#include "core/chart/svg.h"
#include "core/compare/diff.h"
#include "core/document/document.h"
#include "core/document/package_lowering.h"
#include "core/export/report_content.h"
#include "core/export/report_formats.h"
#include "core/filter/filter.h"
#include "core/filter/source.h"
#include "core/graph/layout.h"
#include "core/lowering/arena_strategies.h"
#include "core/report/p0_report.h"
#include "core/tflite/importer.h"
#include "tests/support/scale_models.h"
#include "tests/support/test_data.h"

namespace plumbline {
namespace {

/// One model in every form that a part starts from; each is made when first asked for.
class Subject {
  public:
    Subject(const test::ScaleShape& shape, std::size_t operators)
        : m_file(shape.make(operators)) {}

    const Bytes& file() const { return m_file; }
    ModelPtr model() {
        return once(m_model, [this] { return *importTflite(m_file); });
    }
    LoweringPtr lowering() {
        return once(m_lowering, [this] { return *npuP0Target().lower(model()); });
    }
    const std::filesystem::path& package() {
        const LoweringPtr made = lowering();
        if (m_package.empty() && writePackage(m_folder.path() / "package", *made, "scale"))
            m_package = m_folder.path() / "package";
        return m_package;
    }
    std::shared_ptr<const Package> loaded() {
        return once(m_loaded,
                    [this] { return std::make_shared<const Package>(*loadPackage(package())); });
    }
    DocumentPtr document() {
        return once(m_document, [this] { return *open(true); });
    }
    Result<DocumentPtr> open(bool simulate) {
        OpenRequest request;
        request.path = m_folder.path() / "scale.tflite";
        if (const Status written = writeFileAtomically(request.path, m_file); !written)
            return written.diagnostics();
        request.simulate = simulate;
        return openDocument(request, npuP0Target());
    }
    const std::filesystem::path& folder() const { return m_folder.path(); }

  private:
    template <class Value, class Make> Value once(Value& kept, const Make& make) {
        if (!kept)
            kept = make();
        return kept;
    }

    test::TemporaryDirectory m_folder;
    Bytes m_file;
    ModelPtr m_model;
    LoweringPtr m_lowering;
    std::filesystem::path m_package;
    std::shared_ptr<const Package> m_loaded;
    DocumentPtr m_document;
};

using Work = std::function<void(Subject&)>;

struct Part {
    std::string name;
    Work prepare; ///< not timed
    Work run;
    bool needsComplete = true; ///< a refused model has none of it
};

template <class Value> void keep(Value&& value) { benchmark::DoNotOptimize(value); }

void prepareLowering(Subject& s) { s.lowering(); }
void prepareDocument(Subject& s) { s.document(); }
void preparePackage(Subject& s) { s.loaded(); }

std::vector<Part> modelParts() {
    return {
        {"import", [](Subject& s) { s.file(); }, [](Subject& s) { keep(importTflite(s.file())); },
         false},
        {"lower", [](Subject& s) { s.model(); },
         [](Subject& s) { keep(npuP0Target().lower(s.model())); }, false},
        {"layout", [](Subject& s) { s.model(); },
         [](Subject& s) { keep(layoutGraph(s.model()->graphs.front())); }, false},
        {"job", prepareLowering, [](Subject& s) { keep(jobOf(*s.lowering())); }},
        {"sanitize", prepareLowering,
         [](Subject& s) { keep(npuP0Target().sanitize(jobOf(*s.lowering()))); }},
        {"filter", prepareLowering,
         [](Subject& s) {
             const FilterSchema schema(s.lowering()->fields);
             keep(filterOperators(*parseFilter("index >= 5", schema), *s.lowering()));
         },
         false},
        {"diff", prepareLowering,
         [](Subject& s) { keep(diffLowerings(*s.lowering(), *s.lowering())); }},
    };
}

std::vector<Part> packageParts() {
    return {
        {"manifest", prepareLowering,
         [](Subject& s) { keep(canonicalJson(manifestJson(*s.lowering(), "scale"))); }},
        {"write-package", prepareLowering,
         [](Subject& s) { keep(writePackage(s.folder() / "again", *s.lowering(), "scale")); }},
        {"load-package", preparePackage, [](Subject& s) { keep(loadPackage(s.package())); }},
        {"check-package", preparePackage,
         [](Subject& s) { keep(checkPackage(*s.loaded(), npuP0Target())); }},
        {"package-lowering", preparePackage,
         [](Subject& s) { keep(loweringOfPackage(*s.loaded(), npuP0Target())); }},
    };
}

std::vector<Part> documentParts() {
    return {
        {"open", [](Subject& s) { s.file(); }, [](Subject& s) { keep(s.open(false)); }, false},
        {"open-simulated", [](Subject& s) { s.file(); }, [](Subject& s) { keep(s.open(true)); },
         false},
        {"report-content", prepareDocument, [](Subject& s) { keep(reportContent(*s.document())); },
         false},
        {"report-html", prepareDocument,
         [](Subject& s) { keep(htmlReport(reportContent(*s.document()))); }, false},
        {"report-markdown", prepareDocument,
         [](Subject& s) { keep(markdownReport(reportContent(*s.document()))); }, false},
        {"report-print", prepareDocument,
         [](Subject& s) { keep(printReport(reportContent(*s.document()))); }, false},
        {"report-json", prepareDocument,
         [](Subject& s) { keep(canonicalJson(*p0Report(*s.document(), false))); }},
        {"chart-graph", prepareDocument,
         [](Subject& s) { keep(svgFile(graphDrawing(*s.document()))); }, false},
        {"chart-arena", prepareDocument,
         [](Subject& s) { keep(svgFile(arenaDrawing(*s.document()))); }},
        {"chart-cost", prepareDocument,
         [](Subject& s) { keep(svgFile(costDrawing(*s.document(), CostMeasure::Cycles))); }},
    };
}

std::vector<Part> arenaParts() {
    std::vector<Part> made;
    for (const ArenaStrategyInfo& info : allArenaStrategies())
        made.push_back({fmt::format("arena-{}", static_cast<int>(info.strategy)), prepareLowering,
                        [strategy = info.strategy](Subject& s) {
                            const ArenaPlan& plan = s.lowering()->arena;
                            keep(planWith(strategy, requestsOf(plan),
                                          static_cast<std::int64_t>(plan.steps.size())));
                        }});
    return made;
}

/// Seconds per iteration by part, shape and size.
std::map<std::string, double>& times() {
    static std::map<std::string, double> all;
    return all;
}

std::string nameOf(const Part& part, const test::ScaleShape& shape, std::size_t operators) {
    return fmt::format("{}/{}/{}", part.name, shape.name, operators);
}

double measured(benchmark::State& state, const Work& run, Subject& subject) {
    const auto begin = std::clock();
    for (auto _ : state)
        run(subject);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC /
           static_cast<double>(state.iterations());
}

void add(const Part& part, const test::ScaleShape& shape, std::size_t operators) {
    const auto run = [part, shape, operators](benchmark::State& state) {
        Subject subject(shape, operators);
        part.prepare(subject);
        times()[nameOf(part, shape, operators)] = measured(state, part.run, subject);
        const auto before = times().find(nameOf(part, shape, operators / 10));
        state.counters["growth"] = before == times().end() || before->second <= 0
                                       ? 0
                                       : times()[nameOf(part, shape, operators)] / before->second;
    };
    benchmark::RegisterBenchmark(nameOf(part, shape, operators).c_str(), run)
        ->Unit(benchmark::kMillisecond);
}

void addAll() {
    for (const std::vector<Part>& parts :
         {modelParts(), arenaParts(), packageParts(), documentParts()})
        for (const Part& part : parts)
            for (const test::ScaleShape& shape : test::scaleShapes()) {
                if (shape.isRefused && part.needsComplete)
                    continue;
                for (const std::size_t operators : {100U, 1000U, 10000U})
                    add(part, shape, operators);
            }
}

} // namespace
} // namespace plumbline

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    try {
        plumbline::addAll();
        benchmark::RunSpecifiedBenchmarks();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_scale: %s\n", error.what());
        return 1;
    }
    benchmark::Shutdown();
    return 0;
}
