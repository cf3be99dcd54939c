// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/reference_source.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/file.h"
#include "core/base/sha256.h"
#include "core/tflite/importer.h"

namespace plumbline {
namespace {

GraphRunOptions onAllProcessors() {
    GraphRunOptions options;
    options.threads = kAllProcessors;
    return options;
}

Result<Reference> runOwnKernels(const Lowering& lowering, ByteView input, const KernelSet& kernels,
                                const JobContext& context) {
    const std::string name = fmt::format("{} kernels", kernels.name);
    if (lowering.model == nullptr || lowering.model->file == nullptr)
        return makeError(Code::Usage, fmt::format("A package holds no model for the {}; name the "
                                                  "model's .tflite file as the reference.",
                                                  name));
    Result<GraphRun> run = runGraph(*lowering.model, input, kernels, context, onAllProcessors());
    if (!run)
        return std::move(run).diagnostics();
    return referenceOfRun(*std::move(run), name);
}

Result<Reference> runModelFile(const std::filesystem::path& path, const Lowering& lowering,
                               ByteView input, const JobContext& context) {
    Result<Bytes> bytes = readFile(path);
    if (!bytes)
        return std::move(bytes).diagnostics();
    Result<ModelPtr> model = importTflite(*std::move(bytes));
    if (!model)
        return std::move(model).diagnostics();
    Result<GraphRun> run = runGraph(**model, input, fastKernels(), context, onAllProcessors());
    if (!run)
        return std::move(run).diagnostics();
    return matchReference(std::move(run->trace), "reference kernels on " + path.filename().string(),
                          layerIdentities(lowering));
}

/// A trace of another model or another input says nothing about this run.
std::optional<Diagnostic> foreignOrigin(const Reference& reference, const Lowering& lowering,
                                        ByteView input) {
    const Trace& trace = reference.trace;
    const std::string model = lowering.model ? lowering.model->sha256 : "";
    const std::string inputSha256 = sha256Hex(input);
    std::string problem;
    if (trace.modelSha256 && !model.empty() && *trace.modelSha256 != model)
        problem =
            fmt::format("it was made from the model {}, this is {}", *trace.modelSha256, model);
    else if (trace.inputSha256 && *trace.inputSha256 != inputSha256)
        problem =
            fmt::format("its input has SHA-256 {}, this run's {}", *trace.inputSha256, inputSha256);
    if (problem.empty())
        return std::nullopt;
    return makeError(Code::TraceMismatch,
                     fmt::format("The {} is not compared: {}.", reference.name, problem));
}

} // namespace

Reference referenceOfRun(GraphRun run, std::string name) {
    Reference reference;
    reference.name = std::move(name);
    reference.trace = std::move(run.trace);
    for (const TraceLayer& layer : reference.trace.layers)
        reference.matches.push_back({layer.name, MatchedBy::Index, layer.operatorIndex, ""});
    return reference;
}

Result<Reference> openReference(const std::string& what, const Lowering& lowering, ByteView input,
                                const JobContext& context) {
    const std::filesystem::path path = what;
    if (what == kOwnKernels)
        return runOwnKernels(lowering, input, fastKernels(), context);
    if (what == kPlainKernels)
        return runOwnKernels(lowering, input, plainKernels(), context);
    if (path.extension() == ".tflite")
        return runModelFile(path, lowering, input, context);
    Result<Reference> loaded =
        loadReference(path, layerIdentities(lowering), lowering.arena.peakBytes);
    if (!loaded)
        return loaded;
    if (std::optional<Diagnostic> foreign = foreignOrigin(*loaded, lowering, input))
        return *std::move(foreign);
    return loaded;
}

} // namespace plumbline
