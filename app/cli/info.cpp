// SPDX-License-Identifier: GPL-3.0-or-later
// plumb info: what a model or a package is, and whether and why not it lowers.
#include "app/cli/info.h"

#include <fmt/ranges.h>

#include "app/cli/commands.h"
#include "app/cli/diagnostic_json.h"
#include "app/cli/filter_option.h"
#include "app/cli/subject.h"
#include "app/cli/table.h"
#include "core/kernels/graph_runner.h"
#include "core/lowering/target.h"
#include "core/report/p0_report.h"

namespace plumbline::cli {
namespace {

struct InfoOptions {
    std::string subject;
    std::string filter;
};

/// A model with what target and reference kernels say to it.
struct ModelInfo {
    std::string path;
    ModelPtr model;
    LoweringPtr lowering;
    Diagnostics reference; ///< why the reference kernels do not run it; empty when they do
    Filter filter;
    std::vector<bool> chosen; ///< one per operator of the main graph: the filter takes it

    /// Whether operator `index` of subgraph `graph` is shown. The main graph alone has a lowering,
    /// so that a filter takes no operator of another.
    bool isChosen(std::size_t graph, std::size_t index) const {
        return filter.isEmpty() || (graph == 0 && index < chosen.size() && chosen[index]);
    }
};

const Tensor& tensorOf(const Graph& graph, std::int32_t index) {
    return graph.tensors[static_cast<std::size_t>(index)];
}

std::string quantizationText(const Quantization& q) {
    if (q.scales.empty())
        return "none";
    if (q.scales.size() > 1)
        return fmt::format("{} scales along dimension {}", q.scales.size(), q.dimension);
    return fmt::format("scale {}, zero point {}", q.scales[0],
                       q.zeroPoints.empty() ? "none" : std::to_string(q.zeroPoints[0]));
}

std::string tensorText(const Graph& graph, std::int32_t index) {
    const Tensor& tensor = tensorOf(graph, index);
    return fmt::format("tensor {} '{}' {} {}, {}", index, tensor.name, shapeText(tensor.shape),
                       elementTypeName(tensor.type), quantizationText(tensor.quantization));
}

/// The shapes of an operator's inputs or outputs; "-" for an absent one.
std::string shapesText(const Graph& graph, const std::vector<std::int32_t>& tensors) {
    std::vector<std::string> shapes;
    shapes.reserve(tensors.size());
    for (const std::int32_t index : tensors)
        shapes.push_back(index == kAbsentTensor ? "-" : shapeText(tensorOf(graph, index).shape));
    return fmt::format("{}", fmt::join(shapes, " "));
}

std::string operatorTitle(const Operator& op) {
    return op.customCode.empty() ? op.name : fmt::format("{} '{}'", op.name, op.customCode);
}

std::string placementText(const ModelInfo& info, std::size_t graph, std::size_t index) {
    if (graph != 0 || index >= info.lowering->operators.size())
        return "-";
    const LoweredOperator& op = info.lowering->operators[index];
    if (op.record && info.lowering->complete)
        return fmt::format("record {}", *op.record);
    return std::string(placementName(op.placement));
}

std::uint64_t constantBytes(const Graph& graph) {
    std::uint64_t bytes = 0;
    for (const Tensor& tensor : graph.tensors)
        bytes += tensor.data.size();
    return bytes;
}

std::string graphText(const ModelInfo& info, std::size_t index) {
    const Graph& graph = info.model->graphs[index];
    LabelledLines lines;
    lines.add("Subgraph", fmt::format("{} '{}': {}, {}, {} of constants", index, graph.name,
                                      counted(graph.operators.size(), "operator"),
                                      counted(graph.tensors.size(), "tensor"),
                                      counted(constantBytes(graph), "byte")));
    for (const std::int32_t tensor : graph.inputs)
        lines.add("Input", tensorText(graph, tensor));
    for (const std::int32_t tensor : graph.outputs)
        lines.add("Output", tensorText(graph, tensor));
    if (!info.filter.isEmpty() && index == 0)
        lines.add("Filter", chosenText(info.chosen, "operator") + ": " + toText(info.filter));
    Table table({{"Operator", Table::Align::Right},
                 {"Name"},
                 {"Inputs"},
                 {"Outputs"},
                 {"Type"},
                 {"Quantization of the output"},
                 {"NPU-P0"}});
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        if (!info.isChosen(index, i))
            continue;
        const Operator& op = graph.operators[i];
        const Tensor* output = op.outputs.empty() || op.outputs[0] == kAbsentTensor
                                   ? nullptr
                                   : &tensorOf(graph, op.outputs[0]);
        table.add({std::to_string(i), operatorTitle(op), shapesText(graph, op.inputs),
                   shapesText(graph, op.outputs), output ? elementTypeName(output->type) : "-",
                   output ? quantizationText(output->quantization) : "-",
                   placementText(info, index, i)});
    }
    return "\n" + lines.text() + "\n" + table.text();
}

/// Each diagnostic on lines of its own, indented.
std::string listText(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
        text += "  ";
        for (const char c : printable(toText(diagnostic))) {
            text += c;
            text += c == '\n' ? "  " : "";
        }
        text += "\n";
    }
    return text;
}

std::string verdictText(const ModelInfo& info) {
    const Lowering& lowering = *info.lowering;
    std::string text;
    if (lowering.complete) {
        LabelledLines lines;
        lines.add("NPU-P0", fmt::format("lowers to {}; weights {}, params {}, arena {}",
                                        counted(lowering.records.size(), "record"),
                                        counted(lowering.weights.size(), "byte"),
                                        counted(lowering.params.size(), "byte"),
                                        counted(lowering.arena.peakBytes, "byte")));
        text = lines.text();
    } else {
        text = "NPU-P0  does not lower:\n";
    }
    text += listText(lowering.diagnostics);
    text += info.reference.empty() ? "Reference kernels  run it\n"
                                   : "Reference kernels  do not run it:\n";
    return "\n" + text + listText(info.reference);
}

std::string modelText(const ModelInfo& info) {
    const Model& model = *info.model;
    LabelledLines head;
    head.add("Model", fmt::format("{}, {}", info.path, counted(model.file->size(), "byte")));
    head.add("SHA-256", model.sha256);
    if (!model.description.empty())
        head.add("Description", model.description);
    for (const MetadataEntry& entry : model.metadata)
        head.add("Metadata",
                 fmt::format("'{}', {}", entry.name, counted(entry.data.size(), "byte")));
    std::string text = head.text();
    for (std::size_t i = 0; i < model.graphs.size(); ++i)
        text += graphText(info, i);
    return text + verdictText(info);
}

Json tensorJson(const Tensor& tensor, std::size_t index) {
    return {{"index", index},
            {"name", tensor.name},
            {"shape", tensor.shape},
            {"type", elementTypeName(tensor.type)},
            {"constant_bytes", tensor.data.size()},
            {"scales", tensor.quantization.scales},
            {"zero_points", tensor.quantization.zeroPoints},
            {"quantized_dimension", tensor.quantization.dimension}};
}

Json graphJson(const ModelInfo& info, std::size_t index) {
    const Graph& graph = info.model->graphs[index];
    Json tensors = Json::array();
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        tensors.push_back(tensorJson(graph.tensors[i], i));
    Json operators = Json::array();
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        if (!info.isChosen(index, i))
            continue;
        const Operator& op = graph.operators[i];
        const bool placed = index == 0 && i < info.lowering->operators.size();
        operators.push_back(
            {{"operator", i},
             {"name", op.name},
             {"custom_code", op.customCode.empty() ? Json(nullptr) : Json(op.customCode)},
             {"version", op.version},
             {"inputs", op.inputs},
             {"outputs", op.outputs},
             {"placement",
              placed ? Json(placementName(info.lowering->operators[i].placement)) : Json(nullptr)},
             {"record", placed && info.lowering->complete
                            ? orNull(info.lowering->operators[i].record)
                            : Json(nullptr)}});
    }
    return {{"index", index},
            {"name", graph.name},
            {"inputs", graph.inputs},
            {"outputs", graph.outputs},
            {"constant_bytes", constantBytes(graph)},
            {"tensors", std::move(tensors)},
            {"operators", std::move(operators)}};
}

Json loweringJson(const ModelInfo& info) {
    const Lowering& lowering = *info.lowering;
    Json made{{"target", lowering.target},
              {"contract", lowering.contract},
              {"lowers", lowering.complete},
              {"diagnostics", diagnosticsJson(lowering.diagnostics)}};
    if (!lowering.complete)
        return made;
    made["records"] = lowering.records.size();
    made["weights_bytes"] = lowering.weights.size();
    made["params_bytes"] = lowering.params.size();
    made["arena_bytes"] = lowering.arena.peakBytes;
    made["estimated_cycles"] =
        reportJson(lowering, "")["totals"]["estimated_cycles"].get<std::int64_t>();
    return made;
}

Json modelJson(const ModelInfo& info) {
    const Model& model = *info.model;
    Json metadata = Json::array();
    for (const MetadataEntry& entry : model.metadata)
        metadata.push_back({{"name", entry.name}, {"bytes", entry.data.size()}});
    Json graphs = Json::array();
    for (std::size_t i = 0; i < model.graphs.size(); ++i)
        graphs.push_back(graphJson(info, i));
    return {{"ok", true},
            {"kind", "model"},
            {"file", info.path},
            {"bytes", model.file->size()},
            {"sha256", model.sha256},
            {"schema_version", model.schemaVersion},
            {"description", model.description},
            {"metadata", std::move(metadata)},
            {"subgraphs", std::move(graphs)},
            {"lowers", info.lowering->complete},
            {"lowering", loweringJson(info)},
            {"reference",
             {{"runs", info.reference.empty()}, {"diagnostics", diagnosticsJson(info.reference)}}}};
}

ExitCode runInfo(const InfoOptions& options, Console& console) {
    const Filter filter = filterOption(options.filter);
    const Subject subject = openSubject(options.subject, console);
    if (subject.package) {
        printPackageInfo(*subject.package, options.subject, filter, console);
        return ExitCode::Ok;
    }
    Result<LoweringPtr> lowered = npuP0Target().lower(subject.model, console.context());
    if (!lowered)
        throw Failure(std::move(lowered).diagnostics());
    const Result<PreparedGraphPtr> prepared = prepareGraph(*subject.model, fastKernels());
    const ModelInfo info{subject.path, subject.model,
                         *lowered,     prepared ? Diagnostics{} : prepared.diagnostics(),
                         filter,       chosenOperators(filter, **lowered)};
    if (console.json)
        console.writeJson(modelJson(info));
    else
        console.write(modelText(info));
    return ExitCode::Ok;
}

} // namespace

void addInfo(Program& program) {
    Command command(program, "info", "Say what a model or a package is",
                    "plumb info model.tflite --filter 'placement != npu'");
    auto options = std::make_shared<InfoOptions>();
    command.positional("FILE|DIR", options->subject, "A TFLite model or a package directory");
    addFilterOption(command, options->filter);
    command.action(std::move(options), runInfo);
}

} // namespace plumbline::cli
