// SPDX-License-Identifier: GPL-3.0-or-later
// plumb compile: a model into a package.
#include "app/cli/commands.h"
#include "app/cli/run.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"

namespace plumbline::cli {
namespace {

struct CompileOptions {
    std::string model;
    std::string output;
    std::string workload; ///< empty: the file's name
    InputChoice input;
};

/// The file's name without `.tflite`.
std::string defaultWorkload(const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    const std::string_view suffix = ".tflite";
    const bool cut = name.size() > suffix.size() && name.ends_with(suffix);
    return cut ? name.substr(0, name.size() - suffix.size()) : name;
}

/// What the reference kernels make of the chosen input; nothing without one.
std::optional<Trace> referenceOf(const CompileOptions& options, const ModelPtr& model,
                                 const Lowering& lowering, Console& console) {
    if (!options.input.given())
        return std::nullopt;
    const PreparedGraphPtr prepared = prepareReference(model, options.model, Engine::Reference);
    const Bytes input = readInput(options.input, inputFormOf(lowering.input));
    RunResult run = runReference(model, *prepared, input, console);
    if (run.fault)
        throw Failure(ExitCode::Mismatch, inFile({toDiagnostic(*run.fault)}, options.model));
    return std::move(run.trace);
}

void printSummary(const CompileOptions& options, const std::string& workload,
                  const Lowering& lowering, const std::optional<Trace>& reference,
                  Console& console) {
    if (console.json) {
        console.writeJson(
            {{"ok", true},
             {"directory", options.output},
             {"workload", workload},
             {"source_model_sha256", lowering.model->sha256},
             {"records", lowering.records.size()},
             {"relocations", lowering.relocations.size()},
             {"descriptors_bytes", lowering.descriptorBytes().size()},
             {"weights_bytes", lowering.weights.size()},
             {"params_bytes", lowering.params.size()},
             {"arena_bytes", lowering.arena.peakBytes},
             {"reference_layers", reference ? Json(reference->layers.size()) : Json(nullptr)}});
        return;
    }
    LabelledLines lines;
    lines.add("Package", options.output);
    lines.add("Workload", workload);
    lines.add("Records", fmt::format("{} with {}", lowering.records.size(),
                                     counted(lowering.relocations.size(), "relocation")));
    lines.add("Regions", fmt::format("descriptors {}, weights {}, params {}",
                                     counted(lowering.descriptorBytes().size(), "byte"),
                                     counted(lowering.weights.size(), "byte"),
                                     counted(lowering.params.size(), "byte")));
    lines.add("Arena", counted(lowering.arena.peakBytes, "byte"));
    if (reference)
        lines.add("Reference",
                  fmt::format("{} from {}", counted(reference->layers.size(), "layer digest"),
                              inputText(options.input)));
    console.write(lines.text());
}

ExitCode runCompile(const CompileOptions& options, Console& console) {
    checkInputChoice(options.input, false);
    const ModelPtr model = openModel(options.model, console);
    const LoweringPtr lowering = lowerModel(model, options.model, console);
    const std::optional<Trace> reference = referenceOf(options, model, *lowering, console);
    if (console.stopRequested())
        failCancelled();
    const std::string workload =
        options.workload.empty() ? defaultWorkload(options.model) : options.workload;
    const Status written =
        writePackage(options.output, *lowering, workload, reference ? &*reference : nullptr);
    if (!written)
        throw Failure(inFile(written.diagnostics(), options.output));
    printSummary(options, workload, *lowering, reference, console);
    return ExitCode::Ok;
}

} // namespace

void addCompile(Program& program) {
    Command command(program, "compile", "Lower a model and write the package",
                    "plumb compile model.tflite -o model.p0 --seed 1");
    auto options = std::make_shared<CompileOptions>();
    command.positional("MODEL", options->model, "A TFLite model");
    command.text("-o,--output", options->output, "DIR", "The package's directory",
                 Presence::Required);
    command.text("--workload", options->workload, "NAME",
                 "The workload's name (default: the file's name without .tflite)");
    command.input(options->input);
    command.action(std::move(options), runCompile);
}

} // namespace plumbline::cli
