// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/subject.h"

#include "core/artifacts/npy.h"
#include "core/base/file.h"
#include "core/document/package_lowering.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/tflite/importer.h"

namespace plumbline::cli {

ModelPtr openModel(const std::string& path, Console& console) {
    Result<Bytes> file = readFile(path);
    if (!file)
        throw Failure(inFile(std::move(file).diagnostics(), path));
    Result<ModelPtr> model = importTflite(*std::move(file));
    if (!model)
        throw Failure(inFile(std::move(model).diagnostics(), path));
    console.report(inFile((*model)->diagnostics, path));
    return *model;
}

Package openPackage(const std::string& path) {
    Result<Package> package = loadPackage(path);
    if (!package)
        throw Failure(inFile(std::move(package).diagnostics(), path));
    return *std::move(package);
}

Subject openSubject(const std::string& path, Console& console) {
    Subject subject;
    subject.path = path;
    if (isPackagePath(path))
        subject.package = openPackage(path);
    else
        subject.model = openModel(path, console);
    return subject;
}

LoweringPtr lowerModel(const ModelPtr& model, const std::string& path, Console& console) {
    const Result<LoweringPtr> lowered = npuP0Target().lower(model, console.context());
    if (!lowered)
        throw Failure(lowered.diagnostics());
    Diagnostics diagnostics = inFile((*lowered)->diagnostics, path);
    if (!(*lowered)->complete)
        throw Failure(std::move(diagnostics));
    console.report(diagnostics);
    return *lowered;
}

namespace {

Executable executableOfPackage(const Package& package) {
    if (package.damaged)
        throw Failure(package.diagnostics);
    Executable made{package.job, package.input, package.output, std::nullopt};
    const auto source = package.manifest.find("source_model_sha256");
    if (source != package.manifest.end() && source->is_string())
        made.modelSha256 = source->get<std::string>();
    return made;
}

} // namespace

LoweringPtr loweringOfSubject(const Subject& subject, Console& console) {
    if (!subject.package)
        return lowerModel(subject.model, subject.path, console);
    if (subject.package->damaged)
        throw Failure(inFile(subject.package->diagnostics, subject.path));
    return loweringOfPackage(*subject.package, npuP0Target());
}

Executable executableOf(const Subject& subject, Console& console) {
    if (subject.package)
        return executableOfPackage(*subject.package);
    const LoweringPtr lowering = lowerModel(subject.model, subject.path, console);
    return {jobOf(*lowering), lowering->input, lowering->output, subject.model->sha256};
}

std::vector<std::int64_t> shapeOf(const Hwc& shape) { return {shape.h, shape.w, shape.c}; }

InputForm inputFormOf(const PortSummary& port) { return {port.bytes, shapeOf(port.shape)}; }

InputForm inputFormOf(const Graph& graph) {
    InputForm form;
    form.bytes = graphInputBytes(graph).value_or(0);
    if (graph.inputs.size() != 1) {
        form.shape = {static_cast<std::int64_t>(form.bytes)};
        return form;
    }
    const Tensor& input = graph.tensors[static_cast<std::size_t>(graph.inputs[0])];
    form.shape.assign(input.shape.begin(), input.shape.end());
    return form;
}

Bytes readInput(const InputChoice& choice, const InputForm& form) {
    if (choice.seed) {
        if (form.bytes > kMaxFileBytes)
            throw Failure(
                makeError(Code::InputSize,
                          fmt::format("The input has {} bytes; at most {} are made from a seed.",
                                      form.bytes, kMaxFileBytes)));
        return seededBytes(*choice.seed, static_cast<std::size_t>(form.bytes));
    }
    Result<Bytes> input = loadInput(choice.file, form.bytes, form.shape);
    if (!input)
        throw Failure(inFile(std::move(input).diagnostics(), choice.file));
    return *std::move(input);
}

std::string inputText(const InputChoice& choice) {
    return choice.seed ? fmt::format("seed {}", *choice.seed) : choice.file;
}

} // namespace plumbline::cli
