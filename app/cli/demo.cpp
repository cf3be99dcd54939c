// SPDX-License-Identifier: GPL-3.0-or-later
// plumb demo: the whole main job on a built-in sample, without any file.
#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/run.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/compare/diff.h"
#include "core/report/p0_report.h"
#include "core/samples/samples.h"
#include "core/tflite/importer.h"

namespace plumbline::cli {
namespace {

struct DemoOptions {
    std::string sample = "mobilenet";
    std::optional<std::uint64_t> seed;
};

/// The sample, lowered, run by both engines and compared.
struct Demo {
    std::string sample;
    std::uint64_t seed = 1;
    LoweringPtr lowering;
    std::int64_t cycles = 0;
    RunResult executor;
    RunResult reference;
    TraceDiff diff;

    bool passed() const {
        return diff.equal() && !executor.fault && !reference.fault && executor.findings->empty();
    }
};

ModelPtr sampleModel(const std::string& name, std::uint64_t seed) {
    Result<Bytes> bytes = makeSample(name, seed);
    if (!bytes)
        throw Failure(std::move(bytes).diagnostics());
    Result<ModelPtr> model = importTflite(*std::move(bytes));
    if (!model)
        throw Failure(std::move(model).diagnostics());
    return *model;
}

Demo makeDemo(const DemoOptions& options, Console& console) {
    Demo demo;
    demo.sample = options.sample;
    demo.seed = options.seed.value_or(1);
    Subject subject;
    subject.path = demo.sample;
    subject.model = sampleModel(demo.sample, demo.seed);
    demo.lowering = lowerModel(subject.model, demo.sample, console);
    demo.cycles = reportJson(*demo.lowering, demo.sample)["totals"]["estimated_cycles"];
    const Executable executable{jobOf(*demo.lowering), demo.lowering->input, demo.lowering->output,
                                subject.model->sha256};
    const Bytes input = seededBytes(demo.seed, static_cast<std::size_t>(executable.input.bytes));
    demo.executor = runExecutor(executable, input, true, console);
    demo.reference = runReference(subject.model,
                                  *prepareReference(subject.model, demo.sample, Engine::Reference),
                                  input, console);
    demo.diff = diffTraces(demo.executor.trace, demo.reference.trace);
    return demo;
}

const LayerDifference* differenceAt(const Demo& demo, std::int64_t operatorIndex) {
    for (const LayerDifference& difference : demo.diff.layers) {
        if (difference.operatorIndex == operatorIndex)
            return &difference;
    }
    return nullptr;
}

std::string headText(const Demo& demo) {
    const Lowering& lowering = *demo.lowering;
    LabelledLines lines;
    lines.add("Sample", fmt::format("{}, seed {}, {}, {}", demo.sample, demo.seed,
                                    counted(lowering.model->file->size(), "byte"),
                                    counted(lowering.operators.size(), "operator")));
    lines.add("Records", fmt::format("{} of {} bytes, {}", lowering.records.size(),
                                     lowering.fields->recordBytes,
                                     counted(lowering.relocations.size(), "relocation")));
    lines.add("Regions",
              fmt::format("weights {}, params {}", counted(lowering.weights.size(), "byte"),
                          counted(lowering.params.size(), "byte")));
    lines.add("Arena",
              fmt::format("peak {} at operator {}", counted(lowering.arena.peakBytes, "byte"),
                          lowering.arena.peakOperator));
    lines.add("Cycles", fmt::format("{} (an estimate, not a measurement)", grouped(demo.cycles)));
    lines.add("Sanitizer", demo.executor.findings->empty()
                               ? "no finding"
                               : counted(demo.executor.findings->size(), "finding"));
    return lines.text();
}

std::string layersText(const Demo& demo) {
    Table table({{"Operator", Table::Align::Right},
                 {"Record", Table::Align::Right},
                 {"Name"},
                 {"Output"},
                 {"MACs", Table::Align::Right},
                 {"Cycles", Table::Align::Right},
                 {"SHA-256"},
                 {"Verdict"}});
    for (const TraceLayer& layer : demo.executor.trace.layers) {
        const Cost& cost =
            demo.lowering->operators.at(static_cast<std::size_t>(layer.operatorIndex)).cost;
        const LayerDifference* difference = differenceAt(demo, layer.operatorIndex);
        table.add({std::to_string(layer.operatorIndex),
                   layer.record ? std::to_string(*layer.record) : "cpu", layer.name,
                   shapeListText(layer.shape), layer.record ? grouped(cost.usefulMacs) : "-",
                   layer.record ? grouped(cost.estimatedCycles) : "-", shortDigest(layer.sha256),
                   difference ? difference->what : "equal"});
    }
    return table.text();
}

std::string finalLine(const Demo& demo) {
    const std::size_t layers = demo.executor.trace.layers.size();
    if (demo.passed())
        return fmt::format(
            "PASS: all {} layers of {} are byte-equal between the packed records and "
            "the reference kernels.\n",
            layers, demo.sample);
    return fmt::format("FAIL: {} of {} layers of {} differ between the packed records and the "
                       "reference kernels.\n",
                       demo.diff.layers.size(), layers, demo.sample);
}

Json demoJson(const Demo& demo) {
    Json layers = Json::array();
    for (const TraceLayer& layer : demo.executor.trace.layers)
        layers.push_back({{"operator", layer.operatorIndex},
                          {"record", orNull(layer.record)},
                          {"name", layer.name},
                          {"shape", layer.shape},
                          {"sha256", layer.sha256},
                          {"equal", differenceAt(demo, layer.operatorIndex) == nullptr}});
    return {{"ok", true},
            {"sample", demo.sample},
            {"seed", demo.seed},
            {"records", demo.lowering->records.size()},
            {"weights_bytes", demo.lowering->weights.size()},
            {"params_bytes", demo.lowering->params.size()},
            {"arena_bytes", demo.lowering->arena.peakBytes},
            {"estimated_cycles", demo.cycles},
            {"layers", std::move(layers)},
            {"findings", diagnosticsJson(*demo.executor.findings)},
            {"fault", faultJson(demo.executor.fault)},
            {"equal", demo.passed()}};
}

ExitCode runDemo(const DemoOptions& options, Console& console) {
    const Demo demo = makeDemo(options, console);
    if (console.json)
        console.writeJson(demoJson(demo));
    else
        console.write(headText(demo) + "\n" + layersText(demo) + "\n" + finalLine(demo));
    for (const RunResult* run : {&demo.executor, &demo.reference}) {
        if (run->fault)
            console.report({toDiagnostic(*run->fault)});
    }
    console.report(*demo.executor.findings);
    return demo.passed() ? ExitCode::Ok : ExitCode::Mismatch;
}

} // namespace

void addDemo(Program& program) {
    Command command(program, "demo", "Lower, execute and verify a built-in sample",
                    "plumb demo ds-cnn --seed 3");
    auto options = std::make_shared<DemoOptions>();
    command.positional("SAMPLE", options->sample,
                       "A name of plumb sample --list (default: mobilenet)", Presence::Optional);
    command.number("--seed", options->seed, "Seed of the model and of its input (default 1)");
    command.action(std::move(options), runDemo);
}

} // namespace plumbline::cli
